//===- MeshTiling.cpp - loops over the rows and columns of a mesh -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/MeshTiling.h"

#include "passes/loops/TurnLoops.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/Analysis/Utils.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

Value accessedArray(Operation *op) {
  if (auto read = dyn_cast<affine::AffineReadOpInterface>(op))
    return rootOf(read.getMemRef());
  if (auto write = dyn_cast<affine::AffineWriteOpInterface>(op))
    return rootOf(write.getMemRef());
  return {};
}

Mesh meshAt(Operation *op, Mesh whole) {
  for (; op; op = op->getParentOp())
    if (auto sharing = op->getAttrOfType<IntegerAttr>(sharingMark))
      return whole.inRowsOf(sharing.getInt());
  return whole;
}

/// Where rows are parts of rows, the loop over them tells so.
static void markRows(AffineForOp rows, Mesh mesh) {
  if (mesh.parts > 1)
    rows->setAttr(sharingMark, OpBuilder(rows).getI64IntegerAttr(mesh.columns));
}

/// A loop over the rows or the columns: each core does one iteration.
static AffineForOp loopOverPlaces(OpBuilder &builder, Location loc, int64_t places) {
  auto loop = AffineForOp::create(builder, loc, 0, places, 1);
  for (StringRef mark :
       {StringRef("weft.parallel"), StringRef("weft.independent"), StringRef(meshMark)})
    loop->setAttr(mark, builder.getUnitAttr());
  return loop;
}

std::pair<AffineForOp, AffineForOp> loopsOverMesh(OpBuilder &builder, Location loc, Mesh mesh) {
  AffineForOp rows = loopOverPlaces(builder, loc, mesh.rows);
  markRows(rows, mesh);
  OpBuilder inRow = OpBuilder::atBlockBegin(rows.getBody());
  return {rows, loopOverPlaces(inRow, loc, mesh.columns)};
}

MemRefType spreadType(Value array, Mesh mesh, int64_t elements, bool pairs) {
  SmallVector<int64_t> shape{mesh.rows, mesh.columns, elements};
  if (pairs)
    shape = {mesh.rows, mesh.columns, elements / 2, 2};
  return MemRefType::get(shape, cast<MemRefType>(array.getType()).getElementType());
}

MeshNest::MeshNest(AffineForOp outer, Mesh whole) : mesh(meshAt(outer, whole)) {
  for (AffineForOp loop = outer; loop && loop->hasAttr("weft.independent");) {
    if (!loop.hasConstantBounds() || loop.getNumIterOperands() != 0)
      break;
    band.push_back(loop);
    if (!llvm::hasSingleElement(loop.getBody()->without_terminator()))
      break;
    loop = dyn_cast<AffineForOp>(loop.getBody()->front());
  }
  for (unsigned a = 0; a < band.size(); ++a)
    for (unsigned b = a + 1; b < band.size(); ++b)
      if (tripsOf(band[a]) % mesh.rows == 0 && tripsOf(band[b]) % mesh.columns == 0)
        possible.push_back({a, b});
  outer.walk([&](Operation *op) {
    if (accessedArray(op))
      accesses.push_back(op);
  });
}

bool MeshNest::touches(Value array) const {
  return llvm::any_of(accesses, [&](Operation *op) { return accessedArray(op) == array; });
}

bool MeshNest::reads(Value array) const {
  return llvm::any_of(accesses, [&](Operation *op) {
    return isa<affine::AffineReadOpInterface>(op) && accessedArray(op) == array;
  });
}

/// By how many elements an access moves on in so many iterations of a loop, all other variables
/// being zero.
std::optional<int64_t> MeshNest::stepOf(Operation *access, AffineForOp loop,
                                        int64_t iterations) const {
  AffineMap map;
  SmallVector<Value> operands;
  MemRefType type;
  if (auto read = dyn_cast<affine::AffineReadOpInterface>(access)) {
    map = read.getAffineMap();
    operands = SmallVector<Value>(read.getMapOperands());
    type = read.getMemRefType();
  } else {
    auto write = cast<affine::AffineWriteOpInterface>(access);
    map = write.getAffineMap();
    operands = SmallVector<Value>(write.getMapOperands());
    type = write.getMemRefType();
  }
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return std::nullopt;
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  SmallVector<AffineExpr> symbols;
  for (unsigned n = 0; n < map.getNumSymbols(); ++n)
    symbols.push_back(getAffineDimExpr(map.getNumDims() + n, map.getContext()));
  map = map.replaceDimsAndSymbols({}, symbols, operands.size(), 0);
  auto elementAt = [&](int64_t variable) {
    SmallVector<int64_t> values;
    for (Value operand : operands)
      values.push_back(operand == loop.getInductionVar() ? variable : 0);
    int64_t element = 0;
    for (auto [index, extent] : llvm::zip(map.compose(values), type.getShape()))
      element = element * extent + index;
    return element;
  };
  int64_t lower = loop.getConstantLowerBound();
  return elementAt(lower + iterations * loop.getStepAsInt()) - elementAt(lower);
}

std::optional<MeshPitch> MeshNest::pitchOf(Value array,
                                           std::pair<unsigned, unsigned> choice) const {
  std::optional<MeshPitch> all;
  for (Operation *op : accesses) {
    if (accessedArray(op) != array)
      continue;
    AffineForOp rows = band[choice.first], columns = band[choice.second];
    auto row = stepOf(op, rows, tripsOf(rows) / mesh.rows);
    auto column = stepOf(op, columns, tripsOf(columns) / mesh.columns);
    if (!row || !column || *row < 1 || *column < 1)
      return std::nullopt;
    MeshPitch pitch{*row, *column};
    if (all && *all != pitch)
      return std::nullopt;
    all = pitch;
  }
  return all;
}

/// A loop over as many places, and of `loop` what belongs to one.
AffineForOp MeshNest::splitOff(OpBuilder &builder, AffineForOp loop, int64_t places) {
  int64_t each = tripsOf(loop) / places, step = loop.getStepAsInt();
  int64_t lower = loop.getConstantLowerBound();
  AffineForOp over = loopOverPlaces(builder, loop.getLoc(), places);
  loop.setConstantLowerBound(0);
  loop.setConstantUpperBound(each * step);
  OpBuilder inner = OpBuilder::atBlockBegin(loop.getBody());
  AffineExpr place = inner.getAffineDimExpr(0), own = inner.getAffineDimExpr(1);
  auto apply =
      affine::AffineApplyOp::create(inner, loop.getInductionVar().getLoc(),
                                    AffineMap::get(2, 0, place * (each * step) + own + lower),
                                    ValueRange{over.getInductionVar(), loop.getInductionVar()});
  loop.getInductionVar().replaceAllUsesExcept(apply, apply);
  return over;
}

void MeshNest::tile(std::pair<unsigned, unsigned> choice) {
  AffineForOp outer = band.front();
  OpBuilder builder(outer);
  rowLoop = splitOff(builder, band[choice.first], mesh.rows);
  markRows(rowLoop, mesh);
  builder.setInsertionPointToStart(rowLoop.getBody());
  columnLoop = splitOff(builder, band[choice.second], mesh.columns);
  outer->moveBefore(columnLoop.getBody()->getTerminator());
  for (AffineForOp loop : band)
    loop->removeDiscardableAttr("weft.parallel");
}

} // namespace weft
