//===- StayingTables.cpp - tables that stay with the cores --------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/StayingTables.h"

#include "passes/loops/AccessPattern.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace weft {

/// How often all cores together run an op.
static int64_t runsOf(Operation *op, cpe::CoresOp cores) {
  int64_t runs = 1;
  for (auto loop = op->getParentOfType<affine::AffineForOp>();
       loop && cores->isProperAncestor(loop); loop = loop->getParentOfType<affine::AffineForOp>())
    runs *= static_cast<int64_t>(affine::getConstantTripCount(loop).value_or(1));
  return runs;
}

/// Whether no transfer of a part of an array serves a read: its place is data, or wraps around by
/// the sum of several indices.
static bool isIrregular(Operation *read) {
  if (isa<memref::LoadOp>(read))
    return true;
  auto load = dyn_cast<affine::AffineReadOpInterface>(read);
  bool wraps = false;
  if (load)
    for (AffineExpr index : load.getAffineMap().getResults())
      index.walk([&](AffineExpr part) {
        if (part.getKind() != AffineExprKind::Mod)
          return;
        int64_t dims = 0;
        for (unsigned dim = 0; dim < load.getAffineMap().getNumDims(); ++dim)
          dims += part.isFunctionOfDim(dim);
        wraps |= dims > 1;
      });
  return wraps;
}

StayingTables::StayingTables(cpe::CoresOp cores, int64_t capacity)
    : cores(cores), capacity(capacity) {
  constexpr int64_t small = 512;
  // Reads of each element, word by word, that take longer than to give all cores the whole array.
  constexpr int64_t mayBeWords = 4;
  llvm::SmallDenseMap<Value, int64_t> wordReads;
  llvm::SetVector<Value> arrays;
  DenseSet<Value> others;
  cores.walk([&](Operation *op) {
    // Parts of a table that stay already are read from it as well.
    if (isa<cpe::DmaGetOp>(op))
      return;
    bool reads = isa<affine::AffineReadOpInterface, memref::LoadOp>(op);
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()) && !cpe::isInLdm(operand)) {
        Value root = rootOf(operand);
        if (!reads || root != operand)
          others.insert(root);
        else if (isIrregular(op))
          wordReads[root] += runsOf(op, cores);
        arrays.insert(root);
      }
  });
  auto bytesOf = [](Value array) { return ldmBytesOf(cast<MemRefType>(array.getType())); };
  // Transfers move whole words: small arrays of truth values may be none.
  FailureOr<Target> target = Target::of(cores->getParentOfType<ModuleOp>());
  int64_t word = succeeded(target) ? target->numberIfAny("transfer_word_bytes").value_or(1) : 1;
  auto isOfWords = [&](MemRefType type) {
    int64_t bits = std::max<int64_t>(type.getElementTypeBitWidth(), 8);
    return type.getNumElements() * (bits / 8) % word == 0;
  };
  SmallVector<Value> staying;
  for (Value array : arrays) {
    bool table = array.getDefiningOp<memref::GetGlobalOp>() != nullptr;
    auto type = cast<MemRefType>(array.getType());
    if (!others.contains(array) && type.hasStaticShape() && isOfWords(type) &&
        (table || bytesOf(array) <= small ||
         wordReads.lookup(array) >= mayBeWords * type.getNumElements()))
      staying.push_back(array);
  }
  llvm::stable_sort(staying, [&](Value a, Value b) { return bytesOf(a) < bytesOf(b); });
  for (Value array : staying)
    keep(array);
}

/// Fetches a table before the first part of the body that uses it; it is in use to the last one.
void StayingTables::keep(Value array) {
  Block &body = cores.getBody().front();
  Operation *first = nullptr, *last = nullptr;
  for (Operation *user : array.getUsers()) {
    if (isa<cpe::DmaGetOp>(user))
      continue;
    Operation *part = body.findAncestorOpInBlock(*user);
    if (part && (!first || part->isBeforeInBlock(first)))
      first = part;
    if (part && (!last || last->isBeforeInBlock(part)))
      last = part;
  }
  auto type = cast<MemRefType>(array.getType());
  int64_t bytes = ldmBytesOf(type);
  for (Operation &part : llvm::make_range(first->getIterator(), std::next(last->getIterator())))
    if (keptAt(&part) + bytes > capacity / 3)
      return;
  std::array<LdmDemand, 1> demands{{{bytes, first, last}}};
  if (LdmPlan(cores.getBody(), demands).bytes() > capacity)
    return;
  Operation *made = array.getDefiningOp();
  Location where = made ? made->getLoc() : array.getLoc();
  OpBuilder builder(first);
  // Those of one part come together.
  Operation *before = first->getPrevNode();
  bool waits = !keepers.empty() && before && isa<cpe::DmaWaitOp>(before);
  if (waits)
    builder.setInsertionPoint(before);
  auto own = memref::AllocaOp::create(builder, where, type);
  array.replaceUsesWithIf(own, [&](OpOperand &use) {
    return cores->isProperAncestor(use.getOwner()) && !isa<cpe::DmaGetOp>(use.getOwner());
  });
  Value start = arith::ConstantIndexOp::create(builder, where, 0);
  auto get = cpe::DmaGetOp::create(builder, where, array, start, own, ValueRange(),
                                   type.getNumElements(), ArrayRef<int64_t>(), ArrayRef<int64_t>());
  if (!waits)
    cpe::DmaWaitOp::create(builder, cores.getLoc());
  keepers.push_back({array, get, first, last});
}

/// Bytes of the tables that are in the LDM during a part of the body.
int64_t StayingTables::keptAt(Operation *part) const {
  int64_t bytes = 0;
  for (const Keeper &keeper : keepers)
    if (!part->isBeforeInBlock(keeper.first) && !keeper.last->isBeforeInBlock(part))
      bytes += ldmBytesOf(cast<MemRefType>(keeper.array.getType()));
  return bytes;
}

void StayingTables::giveUpLargest() {
  Keeper keeper = keepers.pop_back_val();
  Value own = keeper.get.getLdm();
  keeper.get.erase();
  own.replaceAllUsesWith(keeper.array);
  own.getDefiningOp()->erase();
}

void StayingTables::sendToAll() {
  for (Keeper &keeper : keepers) {
    cpe::DmaGetOp get = keeper.get;
    Operation *before = get->getPrevNode(), *behind = get->getNextNode();
    while (isa_and_present<cpe::DmaGetOp, cpe::SyncOp, memref::AllocaOp, arith::ConstantOp>(before))
      before = before->getPrevNode();
    // Later on rows of cores that wait for none overlap their transfers with what others compute.
    if (before)
      continue;
    get.setForAll(true);
    while (!isa<cpe::DmaWaitOp>(behind))
      behind = behind->getNextNode();
    if (isa<cpe::SyncOp>(behind->getNextNode()))
      continue;
    OpBuilder builder(get->getContext());
    builder.setInsertionPointToStart(get->getBlock());
    cpe::SyncOp::create(builder, get.getLoc());
    builder.setInsertionPointAfter(behind);
    cpe::SyncOp::create(builder, get.getLoc());
  }
}

} // namespace weft
