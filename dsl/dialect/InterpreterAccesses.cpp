//===- InterpreterAccesses.cpp - loads and stores -------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/InterpreterCore.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace weft::interpreter {

/// The element of a view, checked.
static Element &elementAt(Operation *op, const View &view, ArrayRef<int64_t> index) {
  if (view.buffer->freed)
    fault(op, "accesses " + view.buffer->name + ", which was freed");
  int64_t flat = view.offset;
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0 || index[d] >= view.sizes[d])
      checkInside(op, index, view.sizes, "the access of " + view.buffer->name + " at");
    flat += index[d] * view.strides[d];
  }
  return view.buffer->elements[flat];
}

static Element load(Operation *op, const View &view, ArrayRef<int64_t> index) {
  Element element = elementAt(op, view, index);
  if (element.isPoison() && !element.origin)
    element.origin = op;
  return element;
}

static void checkWritable(Operation *op, const View &view) {
  if (view.buffer->constant)
    fault(op, "stores into " + view.buffer->name + ", which is constant");
}

static void store(Operation *op, const View &view, ArrayRef<int64_t> index,
                  const Element &element) {
  checkWritable(op, view);
  elementAt(op, view, index) = element;
}

/// The elements of a vector in memory: one after the other from `start` on, as the C code
/// has them; where a complex row is pairs, lanes run over the pairs of several columns.
/// All of them lie in the view.
static MutableArrayRef<Element> row(Operation *op, const View &view, ArrayRef<int64_t> start,
                                    VectorType vector) {
  int64_t stride = 1;
  for (size_t d = view.sizes.size(); d-- > 0; stride *= view.sizes[d])
    if (vector.getRank() != 1 || (view.strides[d] != stride && view.sizes[d] != 1))
      fault(op, "expected a vector of one dimension and a contiguous buffer");
  Element &first = elementAt(op, view, start);
  int64_t at = &first - view.buffer->elements.data() - view.offset;
  int64_t lanes = vector.getNumElements(), elements = count(view.sizes);
  if (at + lanes > elements)
    fault(op, "the vector of " + Twine(lanes) + " elements at " + shown(start) +
                  " runs over the end of " + view.buffer->name + " " + shown(view.sizes) + " by " +
                  Twine(at + lanes - elements));
  return {&first, static_cast<size_t>(lanes)};
}

static void loadVector(Machine &machine, Operation *op, Value from, ArrayRef<int64_t> start) {
  auto type = cast<VectorType>(op->getResult(0).getType());
  Array array(type.getShape());
  llvm::copy(row(op, machine.view(from), start, type), array.elements.begin());
  for (Element &element : array.elements)
    if (element.isPoison() && !element.origin)
      element.origin = op;
  machine.spend(op, type.getNumElements());
  machine.set(op->getResult(0), std::move(array));
}

static void storeVector(Machine &machine, Operation *op, Value vector, Value to,
                        ArrayRef<int64_t> start) {
  const View &view = machine.view(to);
  checkWritable(op, view);
  auto type = cast<VectorType>(vector.getType());
  llvm::copy(machine.array(vector).elements, row(op, view, start, type).begin());
  machine.spend(op, type.getNumElements());
}

static void affineLoad(Machine &machine, affine::AffineLoadOp op) {
  machine.set(op.getResult(), load(op, machine.view(op.getMemRef()),
                                   machine.apply(op, op.getAffineMap(), op.getMapOperands())));
}

static void affineStore(Machine &machine, affine::AffineStoreOp op) {
  store(op, machine.view(op.getMemRef()), machine.apply(op, op.getAffineMap(), op.getMapOperands()),
        machine.element(op.getValueToStore()));
}

static void affineVectorLoad(Machine &machine, affine::AffineVectorLoadOp op) {
  loadVector(machine, op, op.getMemRef(),
             machine.apply(op, op.getAffineMap(), op.getMapOperands()));
}

static void affineVectorStore(Machine &machine, affine::AffineVectorStoreOp op) {
  storeVector(machine, op, op.getValueToStore(), op.getMemRef(),
              machine.apply(op, op.getAffineMap(), op.getMapOperands()));
}

static void memrefLoad(Machine &machine, memref::LoadOp op) {
  machine.set(op.getResult(),
              load(op, machine.view(op.getMemRef()), machine.integers(op, op.getIndices())));
}

static void memrefStore(Machine &machine, memref::StoreOp op) {
  store(op, machine.view(op.getMemRef()), machine.integers(op, op.getIndices()),
        machine.element(op.getValueToStore()));
}

static void vectorLoad(Machine &machine, vector::LoadOp op) {
  loadVector(machine, op, op.getBase(), machine.integers(op, op.getIndices()));
}

static void vectorStore(Machine &machine, vector::StoreOp op) {
  storeVector(machine, op, op.getValueToStore(), op.getBase(),
              machine.integers(op, op.getIndices()));
}

/// Calls `each(lane, element)` for the lanes that a mask leaves in, one element behind the other:
/// the others need not exist.
template <typename Each>
static void forEachMasked(Machine &machine, Operation *op, Value base, Value mask, ValueRange at,
                          Each each) {
  const View &view = machine.view(base);
  VectorType one = VectorType::get({1}, cast<MemRefType>(base.getType()).getElementType());
  Element *first = row(op, view, machine.integers(op, at), one).data();
  int64_t place = first - view.buffer->elements.data() - view.offset;
  const Array &chosen = machine.array(mask);
  machine.spend(op, count(chosen.shape));
  for (auto [lane, element] : llvm::enumerate(chosen.elements)) {
    if (element.isPoison())
      fault(op, "lane " + Twine(lane) + " is masked by an undefined element");
    if (!element.i)
      continue;
    if (place + static_cast<int64_t>(lane) >= count(view.sizes))
      fault(op, "lane " + Twine(lane) + " runs over the end of " + view.buffer->name + " " +
                    shown(view.sizes));
    each(lane, first[lane]);
  }
}

static void maskedLoad(Machine &machine, vector::MaskedLoadOp op) {
  Array array(op.getVectorType().getShape());
  llvm::copy(machine.array(op.getPassThru()).elements, array.elements.begin());
  forEachMasked(machine, op, op.getBase(), op.getMask(), op.getIndices(),
                [&](size_t lane, const Element &element) {
                  array.elements[lane] = element;
                  if (element.isPoison() && !element.origin)
                    array.elements[lane].origin = op;
                });
  machine.set(op.getResult(), std::move(array));
}

static void maskedStore(Machine &machine, vector::MaskedStoreOp op) {
  checkWritable(op, machine.view(op.getBase()));
  const Array &stored = machine.array(op.getValueToStore());
  forEachMasked(machine, op, op.getBase(), op.getMask(), op.getIndices(),
                [&](size_t lane, Element &element) { element = stored.elements[lane]; });
}

/// Calls `each(lane, index)` for the lanes of a vector that starts at `start`: the
/// vector's dimensions are the last ones of the view.
template <typename Each>
static void forEachLane(ArrayRef<int64_t> start, VectorType vector, Each each) {
  const SmallVector<int64_t> zero(vector.getRank(), 0);
  SmallVector<int64_t> at(vector.getRank(), 0), index(start);
  size_t first = index.size() - at.size();
  size_t lane = 0;
  do {
    for (size_t d = 0; d < at.size(); ++d)
      index[first + d] = start[first + d] + at[d];
    each(lane++, ArrayRef<int64_t>(index));
  } while (advance(at, zero, vector.getShape()));
}

/// Lanes lie at distances of whole elements from one place of the view.
static void gather(Machine &machine, vector::GatherOp op) {
  if (!isa<MemRefType>(op.getBase().getType()))
    fault(op, "is not known to the interpreter: of a tensor");
  const View &view = machine.view(op.getBase());
  Array array = machine.array(op.getPassThru());
  const Array &mask = machine.array(op.getMask()), &distances = machine.array(op.getIndices());
  VectorType one = VectorType::get({1}, op.getVectorType().getElementType());
  const Element *first = row(op, view, machine.integers(op, op.getOffsets()), one).data();
  int64_t start = first - view.buffer->elements.data() - view.offset;
  machine.spend(op, count(array.shape));
  for (size_t lane = 0; lane < array.elements.size(); ++lane) {
    if (mask.elements[lane].isPoison() || distances.elements[lane].isPoison())
      fault(op, "lane " + Twine(lane) + " is masked or placed by an undefined element");
    if (!mask.elements[lane].i)
      continue;
    int64_t at = start + distances.elements[lane].i;
    if (at < 0 || at >= count(view.sizes))
      fault(op, "lane " + Twine(lane) + " is element " + Twine(at) + " of " + view.buffer->name +
                    " " + shown(view.sizes));
    Element element = view.buffer->elements[view.offset + at];
    if (element.isPoison() && !element.origin)
      element.origin = op;
    array.elements[lane] = element;
  }
  machine.set(op.getResult(), std::move(array));
}

/// Transfers without a mask along the last dimensions, in order.
template <typename Transfer> static bool isPlain(Transfer op) {
  return !op.getMask() && op.getPermutationMap().isMinorIdentity() &&
         isa<MemRefType>(op.getBase().getType());
}

static bool isInside(const View &view, ArrayRef<int64_t> index) {
  for (auto [at, size] : llvm::zip_equal(index, view.sizes))
    if (at < 0 || at >= size)
      return false;
  return true;
}

static void transferRead(Machine &machine, vector::TransferReadOp op) {
  if (!isPlain(op))
    fault(op, "is not known to the interpreter: masked, permuted or of a tensor");
  const View &view = machine.view(op.getBase());
  Array array(op.getVectorType().getShape());
  bool bounded = !op.hasOutOfBoundsDim();
  Element padding = machine.element(op.getPadding());
  forEachLane(machine.integers(op, op.getIndices()), op.getVectorType(),
              [&](size_t lane, ArrayRef<int64_t> index) {
                array.elements[lane] =
                    bounded || isInside(view, index) ? load(op, view, index) : padding;
              });
  machine.set(op.getVector(), std::move(array));
}

static void transferWrite(Machine &machine, vector::TransferWriteOp op) {
  if (!isPlain(op))
    fault(op, "is not known to the interpreter: masked, permuted or of a tensor");
  const View &view = machine.view(op.getBase());
  const Array &array = machine.array(op.getValueToStore());
  bool bounded = !op.hasOutOfBoundsDim();
  forEachLane(machine.integers(op, op.getIndices()), op.getVectorType(),
              [&](size_t lane, ArrayRef<int64_t> index) {
                if (bounded || isInside(view, index))
                  store(op, view, index, array.elements[lane]);
              });
}

static void copy(Machine &machine, memref::CopyOp op) {
  const View &from = machine.view(op.getSource());
  const View &to = machine.view(op.getTarget());
  if (from.sizes != to.sizes)
    fault(op, "copies " + shown(from.sizes) + " to " + shown(to.sizes));
  machine.spend(op, count(from.sizes));
  const SmallVector<int64_t> zero(from.sizes.size(), 0);
  SmallVector<int64_t> index(from.sizes.size(), 0);
  do
    store(op, to, index, load(op, from, index));
  while (advance(index, zero, from.sizes));
}

void addAccessOps(HandlerTable &table) {
  table.add(affineLoad);
  table.add(affineStore);
  table.add(affineVectorLoad);
  table.add(affineVectorStore);
  table.add(memrefLoad);
  table.add(memrefStore);
  table.add(vectorLoad);
  table.add(vectorStore);
  table.add(maskedLoad);
  table.add(maskedStore);
  table.add(gather);
  table.add(transferRead);
  table.add(transferWrite);
  table.add(copy);
}

} // namespace weft::interpreter
