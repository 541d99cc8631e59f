//===- Overlap.cpp - computing while groups exchange ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Each iteration of a loop over time computes something, exchanges it with the other groups and
// computes with what it gets. Where the first part of an iteration needs nothing of the last part
// of the one before, the exchange of an iteration goes on beside the last part of the one before
// and the first part of the one behind: P1, P2 and P3 of Tao et al. 2019, section 4.4.
//
// What is on its way and what is being computed take turns in two memories. The loop therefore does
// two iterations at a time; what is over stands before and behind it.
//
//===-----------------------------------------------------------------------===//

#include "passes/Directives.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/Buffers.h"

#include "dialect/Groups.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace weft {
#define GEN_PASS_DEF_OVERLAP
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {

constexpr weft::Notes notes("overlap");

/// The values that an op and what is in it use from outside of it.
template <typename Visit> void forEachUsed(Operation *op, Visit visit) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *made = operand.getParentBlock()->getParentOp();
      if (made && (made == op || op->isProperAncestor(made)))
        continue;
      visit(operand);
    }
  });
}

class OverlappedLoop {
public:
  explicit OverlappedLoop(scf::ForOp loop) : loop(loop), body(*loop.getBody()) {}

  /// Whether its parts can be told apart.
  bool isPossible();
  void rewrite();

  /// The name of what it exchanges; empty where that has none, or there is nothing.
  StringRef exchanged() const {
    return exchange ? weft::ownName(weft::AlltoallOp(exchange)->getLoc()) : StringRef();
  }
  bool exchanges() const { return static_cast<bool>(exchange); }

private:
  /// What one iteration hands to its last part.
  struct Pending {
    Value sent, coming;
    SmallVector<Value> others;
  };

  void findExchange();
  void findEarly();
  bool isOfEachPart(Operation *op);
  bool isEarly(Value value);
  /// The next values of carried ones of one part.
  SmallVector<Value> valuesIn(IRMapping &mapping, bool early);
  /// The ops of one part of iteration `index`, carried values and what is pending mapped already.
  void clonePart(OpBuilder &builder, IRMapping &mapping, Value index, bool early);
  /// The first part of iteration `index`; its exchange begins once the last has ended.
  SmallVector<Value> first(OpBuilder &builder, Value index, ArrayRef<Value> carried,
                           Pending *before, Pending &made);
  Value end(OpBuilder &builder, const Pending &pending);
  SmallVector<Value> last(OpBuilder &builder, Value index, ArrayRef<Value> carried, Value arrived,
                          const Pending &pending);
  Value moved(OpBuilder &builder, Value index, int64_t by);

  scf::ForOp loop;
  Block &body;
  weft::AlltoallOp exchange;
  int64_t lower = 0, step = 0, trips = 0;
  SetVector<Operation *> early;
  SmallVector<unsigned> carriedEarly, carriedLate;
  SmallVector<Value> handed; ///< of the first part, read by the last one
};

/// The largest one: others stay in their part.
void OverlappedLoop::findExchange() {
  for (auto one : body.getOps<weft::AlltoallOp>()) {
    auto bytes = [](weft::AlltoallOp op) {
      return weft::bytesOf(cast<RankedTensorType>(op.getResult().getType()));
    };
    if (!exchange || bytes(one) > bytes(exchange))
      exchange = one;
  }
}

/// Tables, and numbers that any part computes for itself.
bool OverlappedLoop::isOfEachPart(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() || isa<weft::TableOp>(op) ||
         (op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
          llvm::none_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) &&
          llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) &&
          llvm::all_of(op->getOperands(), [&](Value operand) {
            Operation *made = operand.getDefiningOp();
            return !made || made->getBlock() != &body || isOfEachPart(made);
          }));
}

/// What is sent, what the carried values among it become, and all that these need.
void OverlappedLoop::findEarly() {
  SmallVector<Value> open{exchange.getInput()};
  SetVector<unsigned> carried;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() == &body && argument != loop.getInductionVar())
        if (unsigned number = argument.getArgNumber() - 1; carried.insert(number))
          open.push_back(body.getTerminator()->getOperand(number));
      continue;
    }
    Operation *made = value.getDefiningOp();
    if (made->getBlock() == &body && early.insert(made))
      forEachUsed(made, [&](Value used) { open.push_back(used); });
  }
  for (unsigned n = 0; n < loop.getNumRegionIterArgs(); ++n)
    (carried.contains(n) ? carriedEarly : carriedLate).push_back(n);
}

bool OverlappedLoop::isEarly(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == &body && argument != body.getArgument(0) &&
           llvm::is_contained(carriedEarly, argument.getArgNumber() - 1);
  return early.contains(value.getDefiningOp());
}

bool OverlappedLoop::isPossible() {
  auto constant = [](Value value) { return getConstantIntValue(value); };
  auto from = constant(loop.getLowerBound()), to = constant(loop.getUpperBound()),
       by = constant(loop.getStep());
  findExchange();
  if (!exchange || !from || !to || !by || *by < 1)
    return false;
  lower = *from;
  step = *by;
  trips = (*to - *from + *by - 1) / *by;
  if (trips < 2)
    return false;
  findEarly();
  if (early.contains(exchange)) {
    notes.rejected(exchange, "{0}: on its way while the group computes", weft::spoken(exchange))
        .because("the next iteration sends what this one makes of it");
    return false;
  }
  SetVector<Value> values;
  for (Operation &op : body)
    if (!early.contains(&op) && &op != exchange)
      forEachUsed(&op, [&](Value used) {
        Operation *made = used.getDefiningOp();
        bool next = &op == body.getTerminator();
        if (isEarly(used) && !(made && isOfEachPart(made)) && !next)
          values.insert(used);
      });
  // A carried value of the last part may become one of the first.
  for (unsigned n : carriedLate)
    if (Value next = body.getTerminator()->getOperand(n); isEarly(next))
      values.insert(next);
  handed = values.takeVector();
  return true;
}

Value OverlappedLoop::moved(OpBuilder &builder, Value index, int64_t by) {
  if (by == 0)
    return index;
  AffineExpr dim = builder.getAffineDimExpr(0);
  return affine::AffineApplyOp::create(builder, loop.getLoc(), AffineMap::get(1, 0, dim + by),
                                       index);
}

SmallVector<Value> OverlappedLoop::valuesIn(IRMapping &mapping, bool early) {
  return llvm::map_to_vector(early ? carriedEarly : carriedLate, [&](unsigned n) {
    return mapping.lookupOrDefault(body.getTerminator()->getOperand(n));
  });
}

void OverlappedLoop::clonePart(OpBuilder &builder, IRMapping &mapping, Value index,
                               bool ofFirstPart) {
  mapping.map(loop.getInductionVar(), index);
  for (Operation &op : body.without_terminator())
    if (&op != exchange && (early.contains(&op) == ofFirstPart || isOfEachPart(&op)))
      builder.clone(op, mapping);
}

SmallVector<Value> OverlappedLoop::first(OpBuilder &builder, Value index, ArrayRef<Value> carried,
                                         Pending *before, Pending &made) {
  IRMapping mapping;
  for (auto [n, value] : llvm::zip(carriedEarly, carried))
    mapping.map(loop.getRegionIterArg(n), value);
  clonePart(builder, mapping, index, true);
  if (before)
    before->coming = end(builder, *before);
  made.sent = mapping.lookupOrDefault(exchange.getInput());
  made.coming =
      weft::AlltoallBeginOp::create(builder, exchange.getLoc(), made.sent, exchange.getGroups());
  made.others =
      llvm::map_to_vector(handed, [&](Value value) { return mapping.lookupOrDefault(value); });
  return valuesIn(mapping, true);
}

Value OverlappedLoop::end(OpBuilder &builder, const Pending &pending) {
  return weft::AlltoallEndOp::create(builder, exchange.getLoc(), pending.coming, pending.sent,
                                     exchange.getGroups());
}

SmallVector<Value> OverlappedLoop::last(OpBuilder &builder, Value index, ArrayRef<Value> carried,
                                        Value arrived, const Pending &pending) {
  IRMapping mapping;
  for (auto [n, value] : llvm::zip(carriedLate, carried))
    mapping.map(loop.getRegionIterArg(n), value);
  for (auto [value, given] : llvm::zip(handed, pending.others))
    mapping.map(value, given);
  mapping.map(exchange.getResult(), arrived);
  clonePart(builder, mapping, index, false);
  return valuesIn(mapping, false);
}

void OverlappedLoop::rewrite() {
  Location loc = loop.getLoc();
  int64_t bytes = weft::bytesOf(cast<RankedTensorType>(exchange.getResult().getType()));
  notes.decided(exchange, "{0}: on its way while the group computes", weft::spoken(exchange))
      .because("the last part of the iteration before and the first part of the one behind need "
               "nothing of it; {0} bytes more memory",
               2 * bytes)
      .number("bytes", 2 * bytes);
  OpBuilder builder(loop);
  auto at = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, lower + number * step);
  };
  auto initsOf = [&](ArrayRef<unsigned> numbers) {
    return llvm::map_to_vector(numbers, [&](unsigned n) -> Value { return loop.getInitArgs()[n]; });
  };
  Pending pending;
  SmallVector<Value> late = initsOf(carriedLate);
  SmallVector<Value> begun = first(builder, at(0), initsOf(carriedEarly), nullptr, pending);

  int64_t pairs = (trips - 1) / 2;
  if (pairs > 0) {
    SmallVector<Value> inits(begun);
    llvm::append_range(inits, late);
    inits.append({pending.sent, pending.coming});
    llvm::append_range(inits, pending.others);
    Value stride = arith::ConstantIndexOp::create(builder, loc, 2 * step);
    Value from = at(1), to = at(1 + 2 * pairs);
    auto fresh = scf::ForOp::create(builder, loc, from, to, stride, inits);
    if (Attribute name = loop->getAttr("weft.index"))
      fresh->setAttr("weft.index", name);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(fresh.getBody());
    auto arguments = ArrayRef<BlockArgument>(fresh.getRegionIterArgs());
    auto take = [&](size_t number) {
      SmallVector<Value> taken(arguments.take_front(number));
      arguments = arguments.drop_front(number);
      return taken;
    };
    SmallVector<Value> carried = take(carriedEarly.size()), ending = take(carriedLate.size());
    Pending before{take(1).front(), take(1).front(), take(handed.size())};
    for (int64_t turn = 0; turn < 2; ++turn) {
      Value index = moved(builder, fresh.getInductionVar(), turn * step);
      Pending made;
      carried = first(builder, index, carried, &before, made);
      Value behind = moved(builder, fresh.getInductionVar(), (turn - 1) * step);
      ending = last(builder, behind, ending, before.coming, before);
      before = made;
    }
    SmallVector<Value> nexts(carried);
    llvm::append_range(nexts, ending);
    nexts.append({before.sent, before.coming});
    llvm::append_range(nexts, before.others);
    scf::YieldOp::create(builder, loc, nexts);
    auto results = fresh.getResults();
    size_t number = 0;
    for (Value &value : begun)
      value = results[number++];
    for (Value &value : late)
      value = results[number++];
    pending.sent = results[number++];
    pending.coming = results[number++];
    for (Value &value : pending.others)
      value = results[number++];
  }
  if ((trips - 1) % 2 != 0) {
    Pending made;
    begun = first(builder, at(trips - 1), begun, &pending, made);
    late = last(builder, at(trips - 2), late, pending.coming, pending);
    pending = made;
  }
  Value arrived = end(builder, pending);
  late = last(builder, at(trips - 1), late, arrived, pending);
  for (auto [n, value] : llvm::zip(carriedEarly, begun))
    loop.getResult(n).replaceAllUsesWith(value);
  for (auto [n, value] : llvm::zip(carriedLate, late))
    loop.getResult(n).replaceAllUsesWith(value);
  loop.erase();
}

struct Overlap : public weft::impl::OverlapBase<Overlap> {
  using OverlapBase::OverlapBase;

  void runOnOperation() override {
    getOperation().walk([&](func::FuncOp func) {
      SmallVector<scf::ForOp> loops;
      func.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      SmallVector<StringRef> done, left; // what is exchanged beside computing, and what is not
      for (scf::ForOp loop : loops) {
        OverlappedLoop overlapped(loop);
        bool isPossible = overlapped.isPossible();
        if (overlapped.exchanges())
          (isPossible ? done : left).push_back(overlapped.exchanged());
        if (isPossible)
          overlapped.rewrite();
      }
      for (const weft::Directive &asked : weft::directivesOf(func, "overlap"))
        if (failed(check(func, asked, done, left)))
          signalPassFailure();
    });
  }

  /// Whether all that a directive names, or anything where it names nothing, goes on beside
  /// computing.
  static LogicalResult check(func::FuncOp func, const weft::Directive &asked,
                             ArrayRef<StringRef> done, ArrayRef<StringRef> left) {
    if (done.empty() && left.empty())
      return weft::refuse(func.getLoc(), asked.text, "no loop over time has an alltoall in it",
                          "none, or such a loop");
    std::string others = "none";
    if (SmallVector<StringRef> named(
            llvm::make_filter_range(done, [](StringRef one) { return !one.empty(); }));
        !named.empty())
      others = llvm::join(named, ", ");
    if (asked.operands.empty() && done.empty())
      return weft::refuse(func.getLoc(), asked.text,
                          "the next iteration sends what this one makes of what it gets", "none");
    for (StringRef name : asked.operands)
      if (!llvm::is_contained(done, name))
        return weft::refuse(
            func.getLoc(), asked.text,
            llvm::formatv(llvm::is_contained(left, name)
                              ? "the next iteration sends what this one makes of '{0}'"
                              : "'{0}' is not the largest alltoall of a loop over time",
                          name),
            others);
    return success();
  }
};

} // namespace
