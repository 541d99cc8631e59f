//===- Buffers.cpp - tensors as real buffers ---------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/Buffers.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace weft {

Type realType(Type element) {
  if (auto complexType = dyn_cast<ComplexType>(element))
    return complexType.getElementType();
  return element;
}

int64_t bytesOf(RankedTensorType type) {
  Type element = type.getElementType();
  int64_t parts = isa<ComplexType>(element) ? 2 : 1;
  int64_t bits = std::max<int64_t>(realType(element).getIntOrFloatBitWidth(), 8);
  return type.getNumElements() * parts * bits / 8;
}

int64_t bytesOf(MemRefType type) {
  Type element = type.getElementType();
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return type.getNumElements() * llvm::divideCeil(bits, 8);
}

Layout outerLayout(RankedTensorType type) {
  return isa<ComplexType>(type.getElementType()) ? Layout::Interleaved : Layout::Real;
}

MemRefType bufferType(RankedTensorType type, Layout layout) {
  SmallVector<int64_t> shape(type.getShape());
  if (layout == Layout::Interleaved)
    shape.push_back(2);
  if (layout == Layout::Split)
    shape.insert(shape.end() - 1, 2);
  return MemRefType::get(shape, realType(type.getElementType()));
}

Buffer viewAs(OpBuilder &builder, Location loc, Buffer buffer, RankedTensorType type) {
  // Pairs of reals as complex elements, or back.
  if (isa<ComplexType>(type.getElementType()) != buffer.isComplex())
    buffer.layout = outerLayout(type);
  MemRefType viewed = bufferType(type, buffer.layout);
  if (buffer.memref.getType() == viewed)
    return buffer;
  SmallVector<OpFoldResult> sizes, strides;
  int64_t stride = viewed.getNumElements();
  for (int64_t extent : viewed.getShape()) {
    stride /= extent;
    sizes.push_back(builder.getIndexAttr(extent));
    strides.push_back(builder.getIndexAttr(stride));
  }
  Value view = memref::ReinterpretCastOp::create(builder, loc, viewed, buffer.memref,
                                                 builder.getIndexAttr(0), sizes, strides);
  return {view, buffer.layout};
}

SmallVector<OpFoldResult> componentIndex(OpBuilder &builder, Layout layout,
                                         ArrayRef<OpFoldResult> index, int64_t component) {
  SmallVector<OpFoldResult> full(index);
  if (layout == Layout::Interleaved)
    full.push_back(builder.getIndexAttr(component));
  if (layout == Layout::Split)
    full.insert(full.end() - 1, builder.getIndexAttr(component));
  return full;
}

namespace {

/// An index as one affine map and its operands, composed down to loop variables.
struct AffineIndex {
  AffineMap map;
  SmallVector<Value> operands;
};

/// The affine form of an index; nothing where some part of it is data.
std::optional<AffineIndex> affineIndex(OpBuilder &builder, ArrayRef<OpFoldResult> index) {
  SmallVector<AffineExpr> exprs;
  SmallVector<Value> operands;
  for (OpFoldResult entry : index) {
    if (auto constant = getConstantIntValue(entry)) {
      exprs.push_back(builder.getAffineConstantExpr(*constant));
      continue;
    }
    exprs.push_back(builder.getAffineDimExpr(operands.size()));
    operands.push_back(cast<Value>(entry));
  }
  AffineMap map = AffineMap::get(operands.size(), 0, exprs, builder.getContext());
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  for (auto [position, operand] : llvm::enumerate(operands))
    if (!affine::isValidDim(operand) && !affine::isValidSymbol(operand))
      return std::nullopt;
  return AffineIndex{map, operands};
}

SmallVector<Value> materialise(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> index) {
  SmallVector<Value> values;
  for (OpFoldResult entry : index)
    values.push_back(getValueOrCreateConstantIndexOp(builder, loc, entry));
  return values;
}

} // namespace

Value loadReal(OpBuilder &builder, Location loc, Value memref, ArrayRef<OpFoldResult> index) {
  if (auto affine = affineIndex(builder, index))
    return affine::AffineLoadOp::create(builder, loc, memref, affine->map, affine->operands);
  return memref::LoadOp::create(builder, loc, memref, materialise(builder, loc, index));
}

void storeReal(OpBuilder &builder, Location loc, Value value, Value memref,
               ArrayRef<OpFoldResult> index) {
  if (auto affine = affineIndex(builder, index)) {
    affine::AffineStoreOp::create(builder, loc, value, memref, affine->map, affine->operands);
    return;
  }
  memref::StoreOp::create(builder, loc, value, memref, materialise(builder, loc, index));
}

void copyBuffer(OpBuilder &builder, Location loc, Value from, Value to) {
  auto type = cast<MemRefType>(from.getType());
  OpBuilder::InsertionGuard guard(builder);
  // Rows as long as possible: the last dimension alone may be a pair of parts.
  if (type.getRank() > 1) {
    int64_t rows = type.getDimSize(0);
    auto flat = RankedTensorType::get({rows, type.getNumElements() / rows}, type.getElementType());
    from = viewAs(builder, loc, {from, Layout::Real}, flat).memref;
    to = viewAs(builder, loc, {to, Layout::Real}, flat).memref;
    type = cast<MemRefType>(from.getType());
  }
  SmallVector<OpFoldResult> index;
  for (int64_t extent : type.getShape()) {
    auto loop = affine::AffineForOp::create(builder, loc, 0, extent);
    loop->setAttr("weft.independent", builder.getUnitAttr());
    if (static_cast<int64_t>(index.size()) == type.getRank() - 1)
      loop->setAttr("weft.lane", builder.getUnitAttr());
    builder.setInsertionPointToStart(loop.getBody());
    index.push_back(loop.getInductionVar());
  }
  storeReal(builder, loc, loadReal(builder, loc, from, index), to, index);
}

Buffer Tables::get(OpBuilder &builder, TableOp table) {
  auto tensorType = cast<RankedTensorType>(table.getType());
  Layout layout = outerLayout(tensorType);
  MemRefType type = bufferType(tensorType, layout);
  memref::GlobalOp &global = globals[table.getValue()];
  if (!global) {
    auto value = cast<DenseElementsAttr>(table.getValue());
    auto elements = RankedTensorType::get(type.getShape(), type.getElementType());
    if (layout == Layout::Interleaved) {
      SmallVector<APFloat> reals;
      for (std::complex<APFloat> pair : value.getValues<std::complex<APFloat>>()) {
        reals.push_back(pair.real());
        reals.push_back(pair.imag());
      }
      value = DenseElementsAttr::get(elements, reals);
    }
    std::string base = nameOf(table.getLoc()).str();
    if (base.empty())
      base = "table";
    std::string name = base;
    for (unsigned n = 1; module.lookupSymbol(name); ++n)
      name = base + "_" + std::to_string(n);
    OpBuilder atTop = OpBuilder::atBlockBegin(module.getBody());
    global = memref::GlobalOp::create(atTop, table.getLoc(), name, atTop.getStringAttr("private"),
                                      type, value, /*constant=*/true, IntegerAttr());
  }
  Value memref = memref::GetGlobalOp::create(builder, table.getLoc(), type, global.getSymName());
  return {memref, layout};
}

StringRef nameOf(Location loc) {
  StringRef name;
  loc->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner)) {
      name = named.getName().getValue();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return name;
}

void keepCarriedNames(Operation *root) {
  root->walk([](affine::AffineForOp loop) {
    if (loop.getRegionIterArgs().empty() || loop->hasAttr("weft.carries"))
      return;
    SmallVector<StringRef> names;
    for (Value carried : loop.getRegionIterArgs())
      names.push_back(nameOf(carried.getLoc()));
    if (!llvm::all_of(names, [](StringRef name) { return name.empty(); }))
      loop->setAttr("weft.carries", Builder(loop.getContext()).getStrArrayAttr(names));
  });
}

} // namespace weft
