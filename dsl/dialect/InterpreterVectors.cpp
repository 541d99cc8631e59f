//===- InterpreterVectors.cpp - lanes moved about ------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Arithmetic on vectors is elementwise (InterpreterScalars.cpp), memory is in
// InterpreterAccesses.cpp.
//
//===-----------------------------------------------------------------------===//

#include "dialect/InterpreterScalars.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace weft::interpreter {

static Array blank(Value result) { return Array(cast<VectorType>(result.getType()).getShape()); }

static void broadcast(Machine &machine, vector::BroadcastOp op) {
  Array to = blank(op.getResult());
  if (const auto *scalar = std::get_if<Element>(&machine.get(op.getSource()))) {
    llvm::fill(to.elements, *scalar);
    return machine.set(op.getResult(), std::move(to));
  }
  // Leading dimensions are new, extents of 1 are stretched.
  const Array &from = machine.array(op.getSource());
  size_t added = to.shape.size() - from.shape.size();
  SmallVector<int64_t> index(to.shape.size(), 0), zero(index);
  do {
    SmallVector<int64_t> source(ArrayRef<int64_t>(index).drop_front(added));
    for (size_t d = 0; d < source.size(); ++d)
      source[d] = from.shape[d] == 1 ? 0 : source[d];
    to.at(index) = from.at(source);
  } while (advance(index, zero, to.shape));
  machine.set(op.getResult(), std::move(to));
}

static void shuffle(Machine &machine, vector::ShuffleOp op) {
  const Array &first = machine.array(op.getV1()), &second = machine.array(op.getV2());
  Array to = blank(op.getVector());
  // The mask picks slices of the first dimension of both vectors, one after the other.
  int64_t slice = to.elements.size() / std::max<int64_t>(1, op.getMask().size());
  auto border = static_cast<int64_t>(first.elements.size());
  for (auto [n, from] : llvm::enumerate(op.getMask()))
    for (int64_t k = 0; k < slice; ++k) {
      int64_t at = from * slice + k;
      to.elements[n * slice + k] = from < 0      ? Element::poison(op)
                                   : at < border ? first.elements[at]
                                                 : second.elements[at - border];
    }
  machine.set(op.getVector(), std::move(to));
}

/// Where a position (static numbers and operands) starts in a vector.
static int64_t startOf(Machine &machine, Operation *op, const Array &array,
                       ArrayRef<OpFoldResult> position) {
  SmallVector<int64_t> index;
  for (OpFoldResult at : position) {
    auto attribute = dyn_cast<Attribute>(at);
    index.push_back(attribute ? cast<IntegerAttr>(attribute).getInt()
                              : machine.integer(op, cast<Value>(at)));
  }
  checkInside(op, index, array.shape, "the position");
  index.resize(array.shape.size(), 0);
  return array.flat(index);
}

static void extract(Machine &machine, vector::ExtractOp op) {
  const Array &from = machine.array(op.getSource());
  int64_t start = startOf(machine, op, from, op.getMixedPosition());
  if (!isa<VectorType>(op.getType()))
    return machine.set(op.getResult(), from.elements[start]);
  Array to = blank(op.getResult());
  std::copy_n(from.elements.begin() + start, to.elements.size(), to.elements.begin());
  machine.set(op.getResult(), std::move(to));
}

static void insert(Machine &machine, vector::InsertOp op) {
  Array to = machine.array(op.getDest());
  int64_t start = startOf(machine, op, to, op.getMixedPosition());
  if (const auto *scalar = std::get_if<Element>(&machine.get(op.getValueToStore())))
    to.elements[start] = *scalar;
  else
    llvm::copy(machine.array(op.getValueToStore()).elements, to.elements.begin() + start);
  machine.set(op.getResult(), std::move(to));
}

static void fromElements(Machine &machine, vector::FromElementsOp op) {
  Array to = blank(op.getResult());
  for (auto [n, value] : llvm::enumerate(op.getElements()))
    to.elements[n] = machine.element(value);
  machine.set(op.getResult(), std::move(to));
}

static void shapeCast(Machine &machine, vector::ShapeCastOp op) {
  Array to = blank(op.getResult());
  to.elements = machine.array(op.getSource()).elements;
  machine.set(op.getResult(), std::move(to));
}

static void interleave(Machine &machine, vector::InterleaveOp op) {
  Array to = blank(op.getResult());
  for (size_t n = 0; n < to.elements.size(); ++n)
    to.elements[n] = machine.array(n % 2 ? op.getRhs() : op.getLhs()).elements[n / 2];
  machine.set(op.getResult(), std::move(to));
}

static void deinterleave(Machine &machine, vector::DeinterleaveOp op) {
  const Array &from = machine.array(op.getSource());
  Array even = blank(op.getRes1()), odd = blank(op.getRes2());
  for (size_t n = 0; n < from.elements.size(); ++n)
    (n % 2 ? odd : even).elements[n / 2] = from.elements[n];
  machine.set(op.getRes1(), std::move(even));
  machine.set(op.getRes2(), std::move(odd));
}

/// The word of `combine` for a kind of reduction; empty for bitwise ones.
static StringRef wordOf(vector::CombiningKind kind) {
  switch (kind) {
  case vector::CombiningKind::ADD:
    return "sum";
  case vector::CombiningKind::MUL:
    return "prod";
  case vector::CombiningKind::MAXSI:
  case vector::CombiningKind::MAXIMUMF:
    return "max";
  case vector::CombiningKind::MINSI:
  case vector::CombiningKind::MINIMUMF:
    return "min";
  default:
    return "";
  }
}

/// In the order of the lanes; the emitted code may use another one.
static void reduction(Machine &machine, vector::ReductionOp op) {
  StringRef kind = wordOf(op.getKind());
  if (kind.empty())
    fault(op, "is not known to the interpreter with this kind");
  Element total = op.getAcc() ? machine.element(op.getAcc()) : neutral(kind, op.getType());
  for (const Element &element : machine.array(op.getVector()).elements)
    total = combine(kind, total, element, op.getType());
  machine.set(op.getDest(), total);
}

void addVectorOps(HandlerTable &table) {
  table.add(broadcast);
  table.add(shuffle);
  table.add(extract);
  table.add(insert);
  table.add(fromElements);
  table.add(shapeCast);
  table.add(interleave);
  table.add(deinterleave);
  table.add(reduction);
}

} // namespace weft::interpreter
