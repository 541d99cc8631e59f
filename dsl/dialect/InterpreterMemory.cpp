//===- InterpreterMemory.cpp - what memory there is -----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Buffers and views of them. Every view is checked to lie in its buffer; every access
// (InterpreterAccesses.cpp) to lie in its view.
//
//===-----------------------------------------------------------------------===//

#include "dialect/InterpreterCore.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace weft::interpreter {

/// The user's name in the location of an op, for messages.
static std::string nameOf(Operation *op) {
  if (auto name = dyn_cast<NameLoc>(op->getLoc()))
    return name.getName().str();
  return op->getName().getStringRef().str();
}

static void allocate(Machine &machine, Operation *op, MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    fault(op, "expected a static contiguous shape");
  machine.checkSize(op, type.getShape());
  machine.set(op->getResult(0), contiguous(nameOf(op), type.getShape()));
}

static void allocAnew(Machine &machine, memref::AllocOp op) { allocate(machine, op, op.getType()); }
static void allocaOnStack(Machine &machine, memref::AllocaOp op) {
  allocate(machine, op, op.getType());
}

static void dealloc(Machine &machine, memref::DeallocOp op) {
  Buffer &buffer = *machine.view(op.getMemref()).buffer;
  if (buffer.freed)
    fault(op, "frees " + buffer.name + " a second time");
  buffer.freed = true;
}

static void getGlobal(Machine &machine, memref::GetGlobalOp op) {
  machine.set(op.getResult(), Datum(machine.global(op, op.getName())));
}

/// A view of the same buffer; a fault where it reaches outside.
static void setView(Machine &machine, Operation *op, const View &source, int64_t offset,
                    ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  View view;
  view.buffer = source.buffer;
  view.offset = offset;
  view.sizes.assign(sizes.begin(), sizes.end());
  view.strides.assign(strides.begin(), strides.end());
  int64_t lowest = offset, highest = offset;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    (stride < 0 ? lowest : highest) += (size - 1) * stride;
  auto extent = static_cast<int64_t>(view.buffer->elements.size());
  if (!llvm::is_contained(sizes, 0) && (lowest < 0 || highest >= extent))
    fault(op, "reaches from element " + Twine(lowest) + " to " + Twine(highest) + " of " +
                  view.buffer->name + ", which has " + Twine(extent));
  machine.set(op->getResult(0), std::move(view));
}

/// Static numbers and the values of operands, in one list.
static SmallVector<int64_t> mixed(Machine &machine, Operation *op, ArrayRef<OpFoldResult> values) {
  SmallVector<int64_t> found;
  for (OpFoldResult value : values) {
    auto attribute = dyn_cast<Attribute>(value);
    found.push_back(attribute ? cast<IntegerAttr>(attribute).getInt()
                              : machine.integer(op, cast<Value>(value)));
  }
  return found;
}

static void reinterpretCast(Machine &machine, memref::ReinterpretCastOp op) {
  setView(machine, op, machine.view(op.getSource()), mixed(machine, op, op.getMixedOffsets())[0],
          mixed(machine, op, op.getMixedSizes()), mixed(machine, op, op.getMixedStrides()));
}

static void subview(Machine &machine, memref::SubViewOp op) {
  const View &source = machine.view(op.getSource());
  SmallVector<int64_t> offsets = mixed(machine, op, op.getMixedOffsets());
  SmallVector<int64_t> sizes = mixed(machine, op, op.getMixedSizes());
  SmallVector<int64_t> strides = mixed(machine, op, op.getMixedStrides());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t offset = source.offset;
  SmallVector<int64_t> keptSizes, keptStrides;
  for (size_t d = 0; d < sizes.size(); ++d) {
    int64_t last = offsets[d] + (sizes[d] - 1) * strides[d];
    if (offsets[d] < 0 || last >= source.sizes[d])
      fault(op, "reaches to index " + Twine(last) + " of dimension " + Twine(d) + " of extent " +
                    Twine(source.sizes[d]));
    offset += offsets[d] * source.strides[d];
    if (dropped.test(d))
      continue;
    keptSizes.push_back(sizes[d]);
    keptStrides.push_back(strides[d] * source.strides[d]);
  }
  setView(machine, op, source, offset, keptSizes, keptStrides);
}

static void castView(Machine &machine, memref::CastOp op) {
  machine.set(op.getResult(), machine.get(op.getSource()));
}

/// Collapsed and expanded shapes are of contiguous memory here, hence row-major views.
static void reshapeView(Machine &machine, Operation *op, MemRefType from, MemRefType to) {
  if (!from.getLayout().isIdentity() || !to.hasStaticShape())
    fault(op, "expected a static contiguous shape");
  const View &source = machine.view(op->getOperand(0));
  View shape = contiguous("", to.getShape());
  setView(machine, op, source, source.offset, shape.sizes, shape.strides);
}

static void collapseShape(Machine &machine, memref::CollapseShapeOp op) {
  reshapeView(machine, op, op.getSrcType(), op.getResultType());
}

static void expandShape(Machine &machine, memref::ExpandShapeOp op) {
  reshapeView(machine, op, op.getSrcType(), op.getResultType());
}

static void global(Machine &machine, memref::GlobalOp op) {}

void addMemoryOps(HandlerTable &table) {
  table.add(allocAnew);
  table.add(allocaOnStack);
  table.add(dealloc);
  table.add(global);
  table.add(getGlobal);
  table.add(reinterpretCast);
  table.add(subview);
  table.add(castView);
  table.add(collapseShape);
  table.add(expandShape);
}

} // namespace weft::interpreter
