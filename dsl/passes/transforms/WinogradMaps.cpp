//===- WinogradMaps.cpp - small constant matrices as straight-line code -------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The points of a Winograd transform come in pairs p, -p, which leaves pairs of rows
// (of B^T and G) or columns (of A^T) that differ in signs only. Sums over each class
// of signs are computed once: about half of the operations. Within a sum, terms with
// one factor are added before they are multiplied. Greedy elimination of common
// subexpressions finds less.
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/WinogradMaps.h"
#include "passes/transforms/ButterflyMaps.h"

using namespace mlir;

namespace weft {

namespace {

using Matrix = SmallVector<SmallVector<double>>;
using Reals = SmallVector<Real>;

Matrix matrixOf(ElementsAttr entries) {
  auto type = cast<ShapedType>(entries.getType());
  Matrix matrix(type.getDimSize(0));
  auto values = cast<DenseElementsAttr>(entries).getValues<APFloat>();
  auto next = values.begin();
  for (auto &row : matrix)
    for (int64_t column = 0; column < type.getDimSize(1); ++column)
      row.push_back((*next++).convertToDouble());
  return matrix;
}

/// Whether `b` is `a` with some, not all, of its nonzero entries negated.
bool differInSigns(ArrayRef<double> a, ArrayRef<double> b) {
  bool same = false, negated = false;
  for (auto [x, y] : llvm::zip(a, b)) {
    if (x != y && x != -y)
      return false;
    same |= x == y && x != 0;
    negated |= x != y;
  }
  return same && negated;
}

/// The size of the last of the factors, or 1 where another one is.
double commonFactor(ArrayRef<double> factors) {
  double last = 1;
  for (double factor : factors) {
    if (std::abs(factor) == 1)
      return 1;
    if (factor != 0)
      last = std::abs(factor);
  }
  return last;
}

/// A sum under construction; no value while it has no term.
using Sum = std::optional<Real>;

class Transform {
public:
  Transform(RealBuilder &arithmetic, Type type) : arithmetic(arithmetic), type(type) {}

  /// matrix * inputs
  Reals apply(Matrix matrix, Reals inputs);

private:
  Sum combine(ArrayRef<double> factors, ArrayRef<Real> inputs);
  Real zero() { return arithmetic.constant(0, type); }

  RealBuilder &arithmetic;
  Type type;
};

Sum Transform::combine(ArrayRef<double> factors, ArrayRef<Real> inputs) {
  // Terms of one size are added first; size one comes first and starts the sum.
  SmallVector<std::pair<double, Sum>> groups;
  for (auto [factor, input] : llvm::zip(factors, inputs)) {
    if (factor == 0)
      continue;
    double size = std::abs(factor);
    auto *group = llvm::find_if(groups, [&](auto &entry) { return entry.first == size; });
    if (group == groups.end()) {
      groups.push_back({size, std::nullopt});
      group = &groups.back();
    }
    Real term = factor < 0 ? -input : input;
    group->second = group->second ? arithmetic.add(*group->second, term) : term;
  }
  llvm::stable_sort(groups, [](auto &a, auto &b) { return a.first == 1 && b.first != 1; });
  Sum sum;
  for (auto &[size, terms] : groups) {
    Real scaled = arithmetic.mul(*terms, arithmetic.constant(size, type));
    sum = sum ? arithmetic.add(*sum, scaled) : scaled;
  }
  return sum;
}

Reals Transform::apply(Matrix matrix, Reals inputs) {
  // Pairs of columns become their inputs' sum and difference.
  size_t columns = inputs.size();
  auto column = [&](size_t n) {
    return llvm::map_to_vector(matrix, [&](auto &row) { return row[n]; });
  };
  SmallVector<bool> paired(columns, false);
  for (size_t a = 0; a < columns; ++a)
    for (size_t b = a + 1; b < columns && !paired[a]; ++b) {
      if (paired[b] || !differInSigns(column(a), column(b)))
        continue;
      paired[a] = paired[b] = true;
      Real sum = arithmetic.add(inputs[a], inputs[b]);
      Real difference = arithmetic.sub(inputs[a], inputs[b]);
      inputs[a] = sum;
      inputs[b] = difference;
      for (auto &row : matrix) {
        bool same = row[a] == row[b];
        row[same ? b : a] = 0;
        if (!same)
          row[b] = -row[b];
      }
    }

  Reals outputs(matrix.size(), zero());
  SmallVector<bool> done(matrix.size(), false);
  for (size_t a = 0; a < matrix.size(); ++a) {
    if (done[a])
      continue;
    size_t b = a + 1;
    while (b < matrix.size() && (done[b] || !differInSigns(matrix[a], matrix[b])))
      ++b;
    if (b == matrix.size()) {
      if (Sum sum = combine(matrix[a], inputs))
        outputs[a] = *sum;
      continue;
    }
    SmallVector<double> same(columns, 0), negated(columns, 0);
    for (size_t n = 0; n < columns; ++n)
      (matrix[a][n] == matrix[b][n] ? same : negated)[n] = matrix[a][n];
    // One term without a factor starts the sum; the factor is fused into what follows.
    double common = commonFactor(negated);
    for (double &factor : negated)
      factor /= common;
    Real even = *combine(same, inputs);
    Real odd = arithmetic.mul(*combine(negated, inputs), arithmetic.constant(common, type));
    outputs[a] = arithmetic.add(even, odd);
    outputs[b] = arithmetic.sub(even, odd);
    done[b] = true;
  }
  return outputs;
}

/// The transform of a box [first axis][second axis].. by a matrix an axis: of a row, a plane, a
/// cube. Elements are asked for when the line of the first axis in which they are is transformed.
SmallVector<Real> transformBox(Transform &transform, ArrayRef<Matrix> matrices,
                               function_ref<Real(size_t)> input) {
  size_t rows = matrices[0].size(), length = matrices[0].front().size(), columns = 1;
  for (const Matrix &matrix : matrices.drop_front())
    columns *= matrix.front().size();
  SmallVector<Reals> lines(rows);
  for (size_t column = 0; column < columns; ++column) {
    Reals line;
    for (size_t row = 0; row < length; ++row)
      line.push_back(input(row * columns + column));
    for (auto [row, value] : llvm::enumerate(transform.apply(matrices[0], line)))
      lines[row].push_back(value);
  }
  SmallVector<Real> outputs;
  for (Reals &line : lines)
    if (matrices.size() == 1)
      llvm::append_range(outputs, line);
    else
      llvm::append_range(outputs, transformBox(transform, matrices.drop_front(),
                                               [&](size_t n) { return line[n]; }));
  return outputs;
}

} // namespace

SmallVector<Real> transformedBox(RealBuilder &arithmetic, Type type,
                                 ArrayRef<ElementsAttr> matrices,
                                 function_ref<Real(size_t)> input) {
  Transform transform(arithmetic, type);
  return transformBox(transform, llvm::map_to_vector(matrices, matrixOf), input);
}

SmallVector<WinogradTransformOp> winogradChain(WinogradTransformOp last) {
  constexpr size_t most = 3;
  SmallVector<WinogradTransformOp> steps{last};
  while (steps.size() < most) {
    auto before = steps.front().getInput().getDefiningOp<WinogradTransformOp>();
    if (!before || !before->hasOneUse() || llvm::any_of(steps, [&](WinogradTransformOp step) {
          return step.getAxis() == before.getAxis();
        }))
      break;
    steps.insert(steps.begin(), before);
  }
  return steps;
}

void expandWinogradTransform(WinogradTransformOp op) {
  OpBuilder outside(op);
  MLIRContext *context = op.getContext();
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<WinogradTransformOp> steps = winogradChain(op);
  Value input = steps.front().getInput();
  SmallVector<Matrix> matrices;
  SmallVector<int64_t> axes;
  for (WinogradTransformOp step : steps) {
    matrices.push_back(matrixOf(step.getMatrix()));
    axes.push_back(step.getAxis());
  }

  SmallVector<int64_t> upper;
  SmallVector<AffineExpr> point;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    point.push_back(getAffineDimExpr(upper.size(), context));
    if (!llvm::is_contained(axes, dim))
      upper.push_back(type.getDimSize(dim));
  }
  // Points along the axes, the last of `axes` fastest.
  auto planeOf = [&](ArrayRef<int64_t> extents) {
    SmallVector<SmallVector<AffineExpr>> indices{point};
    for (auto [axis, extent] : llvm::zip(axes, extents)) {
      SmallVector<SmallVector<AffineExpr>> next;
      for (auto &index : indices)
        for (int64_t n = 0; n < extent; ++n) {
          index[axis] = getAffineConstantExpr(n, context);
          next.push_back(index);
        }
      indices = std::move(next);
    }
    return indices;
  };
  SmallVector<int64_t> from, to, lower(upper.size(), 0);
  for (Matrix &matrix : matrices) {
    from.push_back(matrix.front().size());
    to.push_back(matrix.size());
  }
  SmallVector<AffineMap> stores;
  for (auto &index : planeOf(to))
    stores.push_back(AffineMap::get(upper.size(), 0, index, context));
  auto map = MapOp::create(outside, op.getLoc(), type, lower, upper, ValueRange{},
                           outside.getAffineMapArrayAttr(stores), DenseI64ArrayAttr());
  map->setAttr(codeletMark, outside.getUnitAttr());
  Location inner = unnamed(op.getLoc());
  Block *body = &map.getBody().emplaceBlock();
  for (size_t n = 0; n < upper.size(); ++n)
    body->addArgument(outside.getIndexType(), inner);
  OpBuilder builder = OpBuilder::atBlockBegin(body);
  RealBuilder arithmetic(builder, inner, body);
  bool isComplex = isa<ComplexType>(type.getElementType());
  SmallVector<Real> parts[2];
  for (auto &index : planeOf(from)) {
    Value element = extractAt(builder, inner, input, index, body->getArguments());
    if (!isComplex) {
      parts[0].push_back({element});
      continue;
    }
    Parts split = arithmetic.split(element);
    parts[0].push_back(split.re);
    parts[1].push_back(split.im);
  }
  Transform transform(arithmetic, parts[0].front().value.getType());
  for (auto &part : parts)
    if (!part.empty())
      part = transformBox(transform, matrices, [&](size_t n) { return part[n]; });
  SmallVector<Value> values;
  for (size_t n = 0; n < parts[0].size(); ++n)
    values.push_back(isComplex ? arithmetic.join({parts[0][n], parts[1][n]})
                               : arithmetic.value(parts[0][n]));
  YieldOp::create(builder, inner, values);
  op.replaceAllUsesWith(map.getResult(0));
  for (WinogradTransformOp step : llvm::reverse(steps))
    step.erase();
}

} // namespace weft
