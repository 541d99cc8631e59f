//===- InterpreterTransforms.cpp - transforms by their definition ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Sums of products in extended precision, as the ops' descriptions have them, rounded
// once: exact to the last place of the element type, whatever the algorithm chosen.
//
//===-----------------------------------------------------------------------===//

#include "dialect/ConvLayout.h"
#include "dialect/InterpreterCore.h"
#include "dialect/Weft.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace weft::interpreter {

using Wide = std::complex<long double>;

/// w(n)^0 .. w(n)^(n-1), with w(n) = exp(sign * 2*pi*i / n). Angles are measured from the
/// nearest axis, so that those on the axes and diagonals are what they should be.
static std::vector<Wide> roots(int64_t n, int64_t sign) {
  std::vector<Wide> found;
  found.reserve(static_cast<size_t>(n));
  for (int64_t q = 0; q < n; ++q) {
    // In eighths of a turn; odd ones are measured back from their end.
    int64_t eighth = 8 * q / n, rest = 8 * q % n;
    bool back = eighth % 2 == 1;
    long double angle = std::numbers::pi_v<long double> / 4 *
                        static_cast<long double>(back ? n - rest : rest) /
                        static_cast<long double>(n);
    Wide root{std::cos(angle), back ? -std::sin(angle) : std::sin(angle)};
    for (int64_t turn = 0; turn < (eighth + back) / 2 % 4; ++turn)
      root = {-root.imag(), root.real()};
    // No negative zeros.
    found.emplace_back(root.real() + 0.0L, static_cast<long double>(sign) * root.imag() + 0.0L);
  }
  return found;
}

static Wide widened(const Element &element) { return {element.re, element.im}; }

static Element narrowed(Wide value, Type type) {
  Element element =
      isa<ComplexType>(type)
          ? Element::complex({static_cast<double>(value.real()), static_cast<double>(value.imag())})
          : Element::real(static_cast<double>(value.real()));
  return rounded(element, type);
}

static Type elementTypeOf(Value value) { return elementType(value.getType()); }

/// Calls `each(input line, output line)` for all lines along an axis; a line is a vector
/// of numbers. Poison anywhere in a line makes the whole output line poison.
template <typename Each>
static Array alongLines(const Array &from, int64_t axis, int64_t extent, Type type, Each each) {
  SmallVector<int64_t> shape(from.shape);
  int64_t n = shape[axis];
  shape[axis] = extent;
  Array to(shape);
  int64_t inner = count(ArrayRef<int64_t>(shape).drop_front(axis + 1));
  int64_t outer = count(ArrayRef<int64_t>(shape).take_front(axis));
  std::vector<Wide> input(static_cast<size_t>(n)), output(static_cast<size_t>(extent));
  for (int64_t line = 0; line < outer * inner; ++line) {
    int64_t in = line / inner * n * inner + line % inner;
    int64_t out = line / inner * extent * inner + line % inner;
    const Element *poison = nullptr;
    for (int64_t k = 0; k < n; ++k) {
      const Element &element = from.elements[in + k * inner];
      poison = element.isPoison() ? &element : poison;
      input[k] = widened(element);
    }
    each(input, output);
    for (int64_t k = 0; k < extent; ++k)
      to.elements[out + k * inner] = poison ? *poison : narrowed(output[k], type);
  }
  return to;
}

static void twiddle(Machine &machine, TwiddleOp op) {
  int64_t rows = op.getRows(), cols = op.getCols(), n = rows * cols;
  Array array({rows, cols});
  machine.checkSize(op, array.shape);
  machine.spend(op, n);
  std::vector<Wide> root = roots(n, op.getSign());
  for (int64_t k = 0; k < rows; ++k)
    for (int64_t j = 0; j < cols; ++j)
      array.at({k, j}) = narrowed(root[k * j % n], elementTypeOf(op.getResult()));
  machine.set(op.getResult(), std::move(array));
}

static long double factor(std::optional<APFloat> scale) {
  return scale ? scale->convertToDouble() : 1.0;
}

static void dft(Machine &machine, DftOp op) {
  const Array &from = machine.array(op.getInput());
  int64_t n = from.shape[op.getAxis()];
  long double scale = factor(op.getScale());
  std::vector<Wide> root = roots(n, op.getSign());
  machine.spend(op, count(from.shape) * n);
  machine.set(op.getResult(), alongLines(from, op.getAxis(), n, elementTypeOf(op.getResult()),
                                         [&](const std::vector<Wide> &x, std::vector<Wide> &y) {
                                           for (int64_t k = 0; k < n; ++k) {
                                             Wide sum = 0;
                                             for (int64_t j = 0; j < n; ++j)
                                               sum += x[j] * root[j * k % n];
                                             y[k] = scale * sum;
                                           }
                                         }));
}

static void butterfly(Machine &machine, ButterflyOp op) {
  const Array &from = machine.array(op.getInput());
  int64_t n = from.shape[op.getAxis()], r = op.getRadix(), L = op.getDone(), m = n / (r * L);
  long double scale = factor(op.getScale());
  std::vector<Wide> turn = roots(r * m, op.getSign()), root = roots(r, op.getSign());
  if (op.getCoprime())
    turn.assign(turn.size(), 1);
  machine.spend(op, count(from.shape) * r);
  machine.set(op.getResult(), alongLines(from, op.getAxis(), n, elementTypeOf(op.getResult()),
                                         [&](const std::vector<Wide> &x, std::vector<Wide> &y) {
                                           for (int64_t p = 0; p < m; ++p)
                                             for (int64_t j = 0; j < r; ++j)
                                               for (int64_t l = 0; l < L; ++l) {
                                                 Wide sum = 0;
                                                 for (int64_t k = 0; k < r; ++k)
                                                   sum += x[(k * m + p) * L + l] * root[j * k % r];
                                                 y[(p * r + j) * L + l] = scale * turn[j * p] * sum;
                                               }
                                         }));
}

// ---- convolution -------------------------------------------------------------------

static void winogradTransform(Machine &machine, WinogradTransformOp op) {
  const Array &from = machine.array(op.getInput());
  Array matrix = arrayOf(op.getMatrix());
  int64_t rows = matrix.shape[0], cols = matrix.shape[1];
  machine.spend(op, count(from.shape) * rows);
  machine.set(op.getResult(), alongLines(from, op.getAxis(), rows, elementTypeOf(op.getResult()),
                                         [&](const std::vector<Wide> &x, std::vector<Wide> &y) {
                                           for (int64_t i = 0; i < rows; ++i) {
                                             y[i] = 0;
                                             for (int64_t j = 0; j < cols; ++j)
                                               if (double factor = matrix.at({i, j}).re;
                                                   factor != 0)
                                                 y[i] += static_cast<long double>(factor) * x[j];
                                           }
                                         }));
}

/// The direct sum, whatever algorithm the op names.
static void conv(Machine &machine, ConvOp op) {
  const Array &x = machine.array(op.getInput()), &g = machine.array(op.getFilters());
  Array y(cast<ShapedType>(op.getResult().getType()).getShape());
  machine.checkSize(op, y.shape);
  unsigned dims = g.shape.size() - 2;
  ConvLayout layout = *convLayoutNamed(op.getLayout(), dims);
  ConvLayout outLayout = *convLayoutNamed(op.getOutLayout(), dims);
  int64_t filtersInGroup = g.shape[0] / static_cast<int64_t>(op.getGroups());
  SmallVector<int64_t> image = *extentsOf(layout, dims, x.shape),
                       results = *extentsOf(outLayout, dims, y.shape);
  int64_t terms = count(ArrayRef<int64_t>(g.shape).drop_front());
  // Image, filter, pixel; channel, place in the filter.
  const SmallVector<int64_t> first(dims + 2, 0), zero(dims + 1, 0);
  SmallVector<int64_t> at(dims + 2, 0), k(dims + 1, 0), from(dims + 2), factorAt(dims + 2);
  do {
    machine.spend(op, terms);
    const Element *poison = nullptr;
    Wide sum = 0;
    do {
      factorAt[0] = at[1];
      llvm::copy(k, std::next(factorAt.begin()));
      const Element &factor = g.at(factorAt);
      poison = factor.isPoison() ? &factor : poison;
      from[0] = at[0];
      from[1] = at[1] / filtersInGroup * g.shape[1] + k[0];
      bool inside = true;
      for (unsigned dim = 0; dim < dims; ++dim) {
        from[dim + 2] = op.getStride()[dim] * at[dim + 2] + k[dim + 1] - op.getPad()[dim];
        inside &= from[dim + 2] >= 0 && from[dim + 2] < image[dim + 2];
      }
      if (!inside)
        continue;
      const Element &pixel = x.at(placeIn(layout, from));
      poison = pixel.isPoison() ? &pixel : poison;
      sum += widened(pixel) * widened(factor);
    } while (advance(k, zero, ArrayRef<int64_t>(g.shape).drop_front()));
    y.at(placeIn(outLayout, at)) = poison ? *poison : narrowed(sum, elementTypeOf(op.getResult()));
  } while (advance(at, first, results));
  machine.set(op.getResult(), std::move(y));
}

void addTransformOps(HandlerTable &table) {
  table.add(twiddle);
  table.add(dft);
  table.add(butterfly);
  table.add(winogradTransform);
  table.add(conv);
}

} // namespace weft::interpreter
