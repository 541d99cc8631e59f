//===- KeptTables.cpp - parts of tables that stay with the cores ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A table of which every core needs all of it stays as a whole (insert-transfers). Here are those
// of which it needs a part: the twiddles of its share of a line.
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/KeptTables.h"

#include "dialect/Cpe.h"
#include "passes/Notes.h"
#include "passes/transfers/LdmPlan.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

constexpr Notes notes("insert-exchanges");

/// Whether what the cores do writes nothing to an array: a table, or another one that they read.
bool isOnlyRead(Value array, cpe::CoresOp cores) {
  if (array.getDefiningOp<memref::GetGlobalOp>())
    return true;
  if (!isa<BlockArgument>(array) && !array.getDefiningOp<memref::AllocOp>())
    return false;
  return llvm::all_of(array.getUsers(), [&](Operation *user) {
    bool isView = user->getNumResults() == 1 && isa<MemRefType>(user->getResult(0).getType());
    return !isView && (!cores->isProperAncestor(user) ||
                       isa<affine::AffineReadOpInterface, memref::LoadOp, cpe::DmaGetOp>(user));
  });
}

} // namespace

void keepTableParts(AffineForOp around, MeshNest &nest, FootprintAnalysis &analysis,
                    int64_t &room) {
  Value row = nest.rowLoop.getInductionVar(), column = nest.columnLoop.getInductionVar();
  auto cores = around->getParentOfType<cpe::CoresOp>();
  for (const Footprint &footprint : analysis.footprints()) {
    auto type = cast<MemRefType>(footprint.array.getType());
    int64_t elements = footprint.region.elements();
    // What stays with the cores is read there already.
    bool isRead = llvm::any_of(footprint.array.getUsers(), [&](Operation *user) {
      return nest.rowLoop->isProperAncestor(user);
    });
    bool isTable = isRead && isOnlyRead(footprint.array, cores);
    bool onlyPlace = analysis.startAt(footprint, {{row, 0}, {column, 0}}).has_value();
    if (!isTable || !onlyPlace || elements == type.getNumElements())
      continue;
    if (footprint.bytes() > room) {
      notes
          .rejected(nest.rowLoop, "{0}: each core's part of it stays with it",
                    spoken(footprint.array))
          .because("it takes {0} bytes, and {1} are left for tables", footprint.bytes(), room)
          .number("bytes", footprint.bytes());
      continue;
    }
    room -= footprint.bytes();
    Location loc = footprint.array.getLoc();
    OpBuilder builder(around);
    Value part = cpe::SpreadOp::create(
        builder, loc,
        spreadType(footprint.array, nest.mesh, elements, analysis.isOfPairs(footprint)));
    auto [rows, columns] = loopsOverMesh(builder, loc, nest.mesh);
    OpBuilder here = OpBuilder::atBlockBegin(columns.getBody());
    LinearForm start = footprint.start;
    start.constant += footprint.elements.front();
    AffineExpr myRow = analysis.dimOf(rows.getInductionVar());
    AffineExpr myColumn = analysis.dimOf(columns.getInductionVar());
    AffineExpr at = analysis.exprOf(start).replace(DenseMap<AffineExpr, AffineExpr>{
        {analysis.dimOf(row), myRow}, {analysis.dimOf(column), myColumn}});
    auto [map, operands] = analysis.mapOf({at});
    Value place = affine::AffineApplyOp::create(here, loc, map, operands);
    cpe::DmaGetOp::create(here, loc, footprint.array, place, part,
                          ValueRange{rows.getInductionVar(), columns.getInductionVar()},
                          footprint.region.block, footprint.region.counts,
                          footprint.region.strides);
    cpe::DmaWaitOp::create(here, loc);
    notes
        .decided(nest.rowLoop, "{0}: each core's part of it stays with it", spoken(footprint.array))
        .because("the loop around needs {0} bytes of it in every iteration", footprint.bytes())
        .number("bytes", footprint.bytes());
    analysis.redirect(footprint, part, {analysis.dimOf(row), analysis.dimOf(column)});
  }
}

} // namespace weft
