//===- AlignArrays.cpp - where arrays begin, and which vectors lie well ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// What is in main memory is moved in lines, so arrays there begin with one: a transfer of a table
// takes no line more than it must, and rows of two threads share none. Arrays in a core's own
// memory begin as its plan has counted them.
//
// The rows of an array that a body touches at once lie a line farther apart where they fall into
// one set of the first cache: SpacedRows.cpp.
//
// A vector whose array begins well and whose place in it is a multiple of its lanes, in every turn
// of the loops around it, is marked: a core has one instruction for it, and several for one that
// may lie anywhere. Who orders instructions counts with that, and the emitter takes the one or the
// others; neither looks again.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/AccessPattern.h"
#include "passes/loops/Alignment.h"
#include "passes/transfers/LdmPlan.h"
#include "passes/vectors/SpacedRows.h"
#include "passes/vectors/VectorPlace.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace weft {
#define GEN_PASS_DEF_ALIGNARRAYS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {

constexpr weft::Notes notes("align-arrays");

class AlignArrays : public weft::impl::AlignArraysBase<AlignArrays> {
public:
  using AlignArraysBase::AlignArraysBase;
  void runOnOperation() override;

private:
  void align(Operation *array, int64_t bytes) {
    array->setAttr(weft::alignmentName,
                   IntegerAttr::get(IntegerType::get(&getContext(), 64), bytes));
  }
  static void tell(weft::cpe::CoresOp cores);
};

/// How many of the vectors in a core's memory are whole, where there are some.
void AlignArrays::tell(weft::cpe::CoresOp cores) {
  int64_t all = 0, marked = 0;
  cores->walk([&](Operation *op) {
    std::optional<weft::VectorPlace> place = weft::VectorPlace::of(op);
    if (!place || !weft::cpe::isInLdm(place->memref))
      return;
    ++all;
    marked += op->hasAttr(weft::alignedMark);
  });
  if (all > 0)
    notes
        .decided(cores, "one instruction for each of {0} loads and stores of vectors, of {1}",
                 marked, all)
        .because("they lie at multiples of their size, as a core's arrays do at multiples of {0} "
                 "bytes",
                 weft::ldmAlignment)
        .number("aligned", marked)
        .number("vectors", all);
}

void AlignArrays::runOnOperation() {
  FailureOr<weft::Target> target = weft::Target::of(getOperation());
  if (failed(target))
    return signalPassFailure();
  FailureOr<int64_t> lineBytes = target->number("line_bytes");
  if (failed(lineBytes))
    return signalPassFailure();
  for (auto func : getOperation().getOps<func::FuncOp>())
    if (failed(weft::spaceRows(func, *target)))
      return signalPassFailure();
  getOperation()->walk([&](Operation *op) {
    if (isa<memref::GlobalOp>(op))
      align(op, *lineBytes);
    else if (isa<memref::AllocOp, memref::AllocaOp, weft::cpe::SpreadOp>(op))
      align(op, weft::cpe::isInLdm(op->getResult(0)) ? weft::ldmAlignment : *lineBytes);
  });
  SymbolTable symbols(getOperation());
  auto begins = [&](Value memref) {
    Operation *made = weft::rootOf(memref).getDefiningOp();
    if (auto table = dyn_cast_or_null<memref::GetGlobalOp>(made))
      made = symbols.lookup(table.getName());
    return made ? weft::alignmentOf(made) : 1;
  };
  getOperation()->walk([&](Operation *op) {
    std::optional<weft::VectorPlace> place = weft::VectorPlace::of(op);
    if (!place)
      return;
    // A truth value takes a byte.
    int64_t each = llvm::divideCeil(place->type().getElementTypeBitWidth(), 8);
    int64_t bytes = place->type().getNumElements() * each;
    if (begins(place->memref) % bytes == 0 && place->isMultiple())
      op->setAttr(weft::alignedMark, UnitAttr::get(&getContext()));
  });
  getOperation()->walk([](weft::cpe::CoresOp cores) { tell(cores); });
}

} // namespace
