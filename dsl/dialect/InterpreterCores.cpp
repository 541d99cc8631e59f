//===- InterpreterCores.cpp - cores, transfers -----------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// One core does all of what the cores share out: which of them does what changes no
// result. A transfer is complete at once.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "dialect/InterpreterCore.h"

using namespace mlir;

namespace weft::interpreter {

static void cores(Machine &machine, cpe::CoresOp op) {
  for (Operation &inner : op.getBody().front())
    machine.execute(&inner);
}

/// Elements of the main memory's array that a transfer moves, in order.
template <typename Transfer>
static SmallVector<int64_t> elementsOf(Machine &machine, Transfer op, const View &main) {
  SmallVector<int64_t> starts{machine.integer(op, op.getAt())};
  for (auto [count, stride] : llvm::zip_equal(op.getCounts(), op.getStrides())) {
    SmallVector<int64_t> next;
    for (int64_t start : starts)
      for (int64_t n = 0; n < count; ++n)
        next.push_back(start + n * stride);
    starts = std::move(next);
  }
  SmallVector<int64_t> elements;
  int64_t extent = count(main.sizes);
  for (int64_t start : starts)
    for (int64_t n = 0; n < static_cast<int64_t>(op.getBlock()); ++n) {
      int64_t element = start + n;
      if (element < 0 || element >= extent)
        fault(op, "reaches element " + Twine(element) + " of " + main.buffer->name +
                      ", which has " + Twine(extent));
      elements.push_back(main.offset + element);
    }
  machine.spend(op, elements.size());
  return elements;
}

static void get(Machine &machine, cpe::DmaGetOp op) {
  const View &main = machine.view(op.getMain()), &ldm = machine.view(op.getLdm());
  for (auto [n, element] : llvm::enumerate(elementsOf(machine, op, main)))
    ldm.buffer->elements[ldm.offset + n] = main.buffer->elements[element];
}

static void put(Machine &machine, cpe::DmaPutOp op) {
  const View &main = machine.view(op.getMain()), &ldm = machine.view(op.getLdm());
  if (main.buffer->constant)
    fault(op, "writes to " + main.buffer->name + ", which is constant");
  for (auto [n, element] : llvm::enumerate(elementsOf(machine, op, main)))
    main.buffer->elements[element] = ldm.buffer->elements[ldm.offset + n];
}

static void wait(Machine &, cpe::DmaWaitOp) {}
static void sync(Machine &, cpe::SyncOp) {}

void addCoreOps(HandlerTable &table) {
  table.add(cores);
  table.add(get);
  table.add(put);
  table.add(wait);
  table.add(sync);
}

} // namespace weft::interpreter
