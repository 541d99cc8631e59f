//===- InterpreterControl.cpp - calls, loops, conditions ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/InterpreterCore.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;

namespace weft::interpreter {

static void setResults(Machine &machine, Operation *op, ArrayRef<Datum> data) {
  for (auto [result, datum] : llvm::zip_equal(op->getResults(), data))
    machine.set(result, datum);
}

static void call(Machine &machine, func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(op, op.getCalleeAttr());
  if (!callee)
    fault(op, "calls @" + op.getCallee() + ", which is not there");
  setResults(machine, op, machine.call(callee, machine.data(op.getOperands())));
}

/// A counted loop with carried values.
static void runLoop(Machine &machine, Operation *op, Block &body, int64_t lower, int64_t upper,
                    int64_t step, ValueRange initial) {
  SmallVector<Datum> carried = machine.data(initial);
  int64_t trips = upper > lower ? (upper - lower + step - 1) / step : 0;
  bool reverse = machine.options.reverseIndependent && op->hasAttr("weft.independent");
  for (int64_t n = 0; n < trips; ++n) {
    int64_t at = lower + (reverse ? trips - 1 - n : n) * step;
    machine.set(body.getArgument(0), Element::integer(at));
    for (auto [argument, datum] : llvm::zip_equal(body.getArguments().drop_front(), carried))
      machine.set(argument, datum);
    Operation *yield = machine.run(body);
    carried = machine.data(yield->getOperands());
    machine.spend(op, 1);
  }
  setResults(machine, op, carried);
}

static void affineFor(Machine &machine, affine::AffineForOp op) {
  SmallVector<int64_t> lower = machine.apply(op, op.getLowerBoundMap(), op.getLowerBoundOperands());
  SmallVector<int64_t> upper = machine.apply(op, op.getUpperBoundMap(), op.getUpperBoundOperands());
  runLoop(machine, op, *op.getBody(), *llvm::max_element(lower), *llvm::min_element(upper),
          op.getStepAsInt(), op.getInits());
}

static void scfFor(Machine &machine, scf::ForOp op) {
  int64_t step = machine.integer(op, op.getStep());
  if (step <= 0)
    fault(op, "expected a positive step, found " + Twine(step));
  runLoop(machine, op, *op.getBody(), machine.integer(op, op.getLowerBound()),
          machine.integer(op, op.getUpperBound()), step, op.getInitArgs());
}

/// A branch that is an absent block yields nothing.
static void runBranch(Machine &machine, Operation *op, Region &region) {
  SmallVector<Datum> yielded;
  if (!region.empty())
    yielded = machine.data(machine.run(region.front())->getOperands());
  setResults(machine, op, yielded);
}

static void scfIf(Machine &machine, scf::IfOp op) {
  bool holds = machine.integer(op, op.getCondition()) != 0;
  runBranch(machine, op, holds ? op.getThenRegion() : op.getElseRegion());
}

static void affineIf(Machine &machine, affine::AffineIfOp op) {
  IntegerSet set = op.getIntegerSet();
  AffineMap map =
      AffineMap::get(set.getNumDims(), set.getNumSymbols(), set.getConstraints(), op.getContext());
  SmallVector<int64_t> values = machine.apply(op, map, op.getOperands());
  bool holds = true;
  for (auto [n, value] : llvm::enumerate(values))
    holds &= set.isEq(n) ? value == 0 : value >= 0;
  runBranch(machine, op, holds ? op.getThenRegion() : op.getElseRegion());
}

static void affineApply(Machine &machine, affine::AffineApplyOp op) {
  machine.set(op.getResult(),
              Element::integer(machine.apply(op, op.getAffineMap(), op.getMapOperands())[0]));
}

static void affineMin(Machine &machine, affine::AffineMinOp op) {
  SmallVector<int64_t> found = machine.apply(op, op.getAffineMap(), op.getOperands());
  machine.set(op.getResult(), Element::integer(*llvm::min_element(found)));
}

static void affineMax(Machine &machine, affine::AffineMaxOp op) {
  SmallVector<int64_t> found = machine.apply(op, op.getAffineMap(), op.getOperands());
  machine.set(op.getResult(), Element::integer(*llvm::max_element(found)));
}

void addControlOps(HandlerTable &table) {
  table.add(call);
  table.add(affineFor);
  table.add(affineIf);
  table.add(affineApply);
  table.add(affineMin);
  table.add(affineMax);
  table.add(scfFor);
  table.add(scfIf);
}

} // namespace weft::interpreter
