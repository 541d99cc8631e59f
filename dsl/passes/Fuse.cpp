//===- Fuse.cpp - elementwise work into its neighbours ----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Two directions. A map of one store is evaluated where its elements are read, as
// long as nothing is computed twice; so is what several stores or maps make, where each
// read is of one of them. What cannot be read through in that way, the
// last stage of a transform with its many stores, takes the elementwise map behind
// it into its stores. Neither moves work into a loop that it was outside of.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/convolutions/Convolutions.h"
#include "passes/lines/LineRoom.h"
#include "passes/tensors/AskedPairs.h"
#include "passes/tensors/Elementwise.h"
#include "passes/tensors/FusedPieces.h"
#include "passes/tensors/ReshapedMaps.h"
#include "passes/tensors/TransposedCopy.h"
#include "passes/tensors/TurnedWork.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace weft {
#define GEN_PASS_DEF_FUSE
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;

namespace {

constexpr Notes notes("fuse");

/// Why a map stays where it is; `found` and `most` are what the text speaks of.
struct Obstacle {
  const char *text;
  int64_t found = 0, most = 0;
};

int64_t pointsOf(ArrayRef<int64_t> lower, ArrayRef<int64_t> upper) {
  int64_t points = 1;
  for (auto [low, high] : llvm::zip(lower, upper))
    points *= high - low;
  return points;
}

bool hasReduction(MapOp map) {
  return map.getBody().walk([](ReduceOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether some index is data: the element read is then known at run time only.
bool readsAtData(tensor::ExtractOp read) {
  return llvm::any_of(read.getIndices(), [](Value index) {
    Operation *made = index.getDefiningOp();
    return made && !isa<affine::AffineApplyOp, arith::ConstantOp>(made);
  });
}

/// How often `read` is evaluated in all of its map.
int64_t evaluations(tensor::ExtractOp read, MapOp map) {
  int64_t count = pointsOf(map.getLower(), map.getUpper());
  for (Operation *parent = read->getParentOp(); parent != map; parent = parent->getParentOp())
    if (auto reduce = dyn_cast<ReduceOp>(parent))
      count *= pointsOf(reduce.getLower(), reduce.getUpper());
  return count;
}

/// Evaluates the body of `map` at the point where its store goes to `index`.
Value evaluateAt(OpBuilder &builder, MapOp map, ValueRange index) {
  IRMapping mapping;
  AffineMap store = map.storeMap(0);
  for (unsigned n = 0; n < store.getNumResults(); ++n)
    mapping.map(map.bodyBlock()->getArgument(store.getDimPosition(n)), index[n]);
  for (Operation &op : map.bodyBlock()->without_terminator())
    builder.clone(op, mapping);
  return mapping.lookupOrDefault(map.yielded().front());
}

/// What keeps `producer` from being evaluated where `read` of `consumer` is; only what cannot be,
/// where a schedule asks for it.
std::optional<Obstacle> obstacleBefore(tensor::ExtractOp read, MapOp producer, MapOp consumer,
                                       const AskedPairs &asked) {
  if (producer->getBlock() != consumer->getBlock())
    return Obstacle{"one of them is inside of a loop that the other is outside of"};
  if (producer->hasAttr("weft.lines"))
    return Obstacle{"it is a stage of a transform: all elements of a butterfly come at once"};
  if (producer->hasAttr(sortedMark))
    return Obstacle{"it brings pixels together: where they lie they are no vectors"};
  if (!isPointwise(producer))
    return Obstacle{"its elements are not stored one a point, from index 0 on"};
  if (isFree(producer) || asked.of(producer, consumer))
    return std::nullopt;
  if (isComputedOnce(producer, consumer))
    return Obstacle{"fixed inputs alone give it: it is computed once"};
  // Arithmetic at rows that data picks is done again for each that repeats, and at
  // elements that no vector holds side by side.
  if (readsAtData(read))
    return Obstacle{"an index of the read is data: rows that repeat would be computed again"};
  int64_t evaluated = 0, elsewhere = 0;
  for (Operation *user : producer.getResult(0).getUsers()) {
    auto other = dyn_cast<tensor::ExtractOp>(user);
    if (other && consumer->isProperAncestor(other))
      evaluated += evaluations(other, consumer);
    else
      ++elsewhere;
  }
  auto type = cast<RankedTensorType>(producer.getResult(0).getType());
  if (elsewhere)
    return Obstacle{"it is read in other places too: {0}", elsewhere};
  if (evaluated > type.getNumElements())
    return Obstacle{"it would be computed {0} times and has {1} elements", evaluated,
                    type.getNumElements()};
  if (consumer->hasAttr(alongMark) && readsReals(producer))
    return Obstacle{"vectors of complex numbers go along the line, which it makes of real ones"};
  if (hasReduction(producer))
    return Obstacle{"it is a sum of its own: its loop would move into another"};
  return std::nullopt;
}

/// Evaluates the producers of `consumer` where it reads them; true if any was.
bool fuseProducers(MapOp consumer, const AskedPairs &asked) {
  SmallVector<tensor::ExtractOp> reads;
  consumer.getBody().walk([&](tensor::ExtractOp read) { reads.push_back(read); });
  bool changed = false;
  for (tensor::ExtractOp read : reads) {
    auto producer = read.getTensor().getDefiningOp<MapOp>();
    if (!producer || obstacleBefore(read, producer, consumer, asked))
      continue;
    Note note = notes.decided(consumer, "{0} is computed where {1} reads it", spoken(producer),
                              spoken(consumer));
    if (isFree(producer))
      note.because("it only moves elements");
    else if (asked.of(producer, consumer))
      note.because("the schedule asks for it");
    else
      note.because("each of its elements is read at most once");
    OpBuilder builder(read);
    read.replaceAllUsesWith(evaluateAt(builder, producer, read.getIndices()));
    read.erase();
    changed = true;
  }
  return changed;
}

/// The stages of one transform, which follow each other anyway.
bool areOfOneTransform(MapOp one, MapOp other) {
  Attribute group = one->getAttr("weft.group");
  return group && group == other->getAttr("weft.group");
}

/// The elements of `producer` that `consumer` reads, one a pair; why they are still two maps.
void explainPair(tensor::ExtractOp read, MapOp producer, MapOp consumer, const AskedPairs &asked) {
  if (areOfOneTransform(producer, consumer))
    return;
  if (auto obstacle = obstacleBefore(read, producer, consumer, asked))
    notes
        .rejected(consumer, "{0} in one loop with {1}, which reads it", spoken(producer),
                  spoken(consumer))
        .because(obstacle->text, obstacle->found, obstacle->most)
        .number("found", obstacle->found)
        .number("most", obstacle->most);
}

/// The read through which `consumer` reworks a tensor point by point, or null.
tensor::ExtractOp onlyOwnRead(Value tensor, MapOp consumer) {
  if (!tensor.hasOneUse())
    return nullptr;
  auto read = dyn_cast<tensor::ExtractOp>(*tensor.user_begin());
  if (!read || read->getBlock() != consumer.bodyBlock())
    return nullptr;
  if (read.getIndices().size() != consumer.bodyBlock()->getNumArguments())
    return nullptr;
  // The consumer's point is the element's index, so that it covers each element once.
  for (auto [dim, index] : llvm::enumerate(read.getIndices()))
    if (index != consumer.bodyBlock()->getArgument(dim))
      return nullptr;
  auto shape = cast<RankedTensorType>(tensor.getType()).getShape();
  if (shape != consumer.getUpper() || !isPointwise(consumer))
    return nullptr;
  return read;
}

/// Takes the elementwise map behind a stage into the stage's stores; the fused map,
/// or null where that is not legal.
MapOp fuseConsumer(MapOp producer, MapOp consumer) {
  if (producer->getNumResults() != 1 || !producer.getInits().empty() ||
      producer->getBlock() != consumer->getBlock())
    return nullptr;
  tensor::ExtractOp read = onlyOwnRead(producer.getResult(0), consumer);
  if (!read)
    return nullptr;
  // The lines of a transform stay where they are: no permutation behind a stage.
  if (producer->hasAttr("weft.lines") && !consumer.storeMap(0).isIdentity())
    return nullptr;

  OpBuilder builder(consumer);
  SmallVector<AffineMap> stores;
  for (unsigned n = 0; n < producer.getStores().size(); ++n)
    stores.push_back(consumer.storeMap(0).compose(producer.storeMap(n)));
  auto fused = MapOp::create(builder, consumer.getLoc(), consumer.getResultTypes(),
                             producer.getLower(), producer.getUpper(), ValueRange{},
                             builder.getAffineMapArrayAttr(stores), nullptr);
  for (NamedAttribute attribute : producer->getDiscardableAttrs())
    fused->setAttr(attribute.getName(), attribute.getValue());

  fused.getBody().takeBody(producer.getBody());
  auto yield = cast<YieldOp>(fused.bodyBlock()->getTerminator());
  builder.setInsertionPoint(yield);
  SmallVector<OpFoldResult> point(fused.bodyBlock()->getArguments().begin(),
                                  fused.bodyBlock()->getArguments().end());
  SmallVector<Value> values;
  for (unsigned n = 0; n < producer.getStores().size(); ++n) {
    AffineMap store = producer.storeMap(n);
    IRMapping mapping;
    for (unsigned dim = 0; dim < store.getNumResults(); ++dim)
      mapping.map(
          consumer.bodyBlock()->getArgument(dim),
          affine::makeComposedAffineApply(builder, consumer.getLoc(), store.getSubMap({dim}), point)
              .getResult());
    for (Operation &op : consumer.bodyBlock()->without_terminator()) {
      if (&op == read) {
        mapping.map(read.getResult(), yield.getOperand(n));
        continue;
      }
      builder.clone(op, mapping);
    }
    values.push_back(mapping.lookupOrDefault(consumer.yielded().front()));
  }
  yield->setOperands(values);
  notes.decided(fused, "{0} goes into the stores of {1}", spoken(consumer), spoken(producer))
      .because("it reworks each element on its own, and alone reads them");
  consumer.replaceAllUsesWith(fused.getResults());
  consumer.erase();
  producer.erase();
  return fused;
}

/// An error where one of a pair is still a loop of its own that the other reads.
LogicalResult areFused(Block &block, const AskedPairs &asked) {
  for (MapOp consumer : block.getOps<MapOp>()) {
    WalkResult walked = consumer.getBody().walk([&](tensor::ExtractOp read) {
      auto producer = read.getTensor().getDefiningOp<MapOp>();
      const Directive *pair = producer ? asked.of(producer, consumer) : nullptr;
      if (!pair || areOfOneTransform(producer, consumer))
        return WalkResult::advance();
      std::string why = "its store is not in the order that the other reads";
      if (auto obstacle = obstacleBefore(read, producer, consumer, asked))
        why = llvm::formatv(false, obstacle->text, obstacle->found, obstacle->most).str();
      (void)refuse(
          consumer.getLoc(), pair->text,
          llvm::formatv("{0} in one loop with {1}: {2}", spoken(producer), spoken(consumer), why),
          "values that are computed element by element");
      return WalkResult::interrupt();
    });
    if (walked.wasInterrupted())
      return failure();
  }
  return success();
}

struct Fuse : public weft::impl::FuseBase<Fuse> {
  using FuseBase::FuseBase;

  void runOnOperation() override {
    if (Target::isGiven(getOperation())) {
      FailureOr<Target> given = Target::of(getOperation());
      FailureOr<VectorUnit> unit = failed(given) ? FailureOr<VectorUnit>() : given->vectors();
      if (failed(unit))
        return signalPassFailure();
      target = *given;
      vectors = *unit;
      hasCores = target->numberIfAny("cores").has_value();
      if (target->numberIfAny("ldm_bytes")) {
        FailureOr<int64_t> capacity = ldmCapacity(*target);
        if (failed(capacity))
          return signalPassFailure();
        ldmBytes = capacity;
      }
    }
    WalkResult folds = getOperation().walk([](func::FuncOp func) {
      return failed(AskedFolds(func).areThere(func)) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
    });
    if (folds.wasInterrupted())
      return signalPassFailure();
    transposesToMaps(getOperation());
    WalkResult walked = getOperation().walk([this](func::FuncOp func) {
      AskedPairs asked(func);
      if (failed(asked.areThere(func)))
        return WalkResult::interrupt();
      return func.walk([&](Block *block) {
        // Lines that cores share have no edges.
        if (!hasCores || !func->hasAttr("weft.split"))
          markStagesAlongLines(*block);
        LogicalResult done = fuseBlock(*block, asked, hasCores);
        for (MapOp map : block->getOps<MapOp>())
          map->removeAttr(alongMark);
        return failed(done) ? WalkResult::interrupt() : WalkResult::advance();
      });
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

  /// The first stages of chains that go along their lines, which stay in a cache or in the memory
  /// of one core: there, what makes them is an edge of the chain.
  void markStagesAlongLines(Block &block) {
    if (!target)
      return;
    for (const LineChain &chain : findLineChains(block)) {
      auto first = llvm::find_if(chain.stages, [](const Stage &stage) { return !stage.isEdge; });
      if (first == chain.stages.end() || !suitsAlongLines(chain, vectors, *target) ||
          (ldmBytes && !hasRoomForLine(chain, *ldmBytes)))
        continue;
      MapOp stage = first->map;
      stage->setAttr(alongMark, UnitAttr::get(stage.getContext()));
    }
  }

  static LogicalResult fuseBlock(Block &block, const AskedPairs &asked, bool hasCores) {
    // What a schedule asks for comes first: else its values are soon part of others.
    if (!asked.empty()) {
      for (MapOp map : llvm::to_vector(block.getOps<MapOp>()))
        while (asked.isSecond(map) && fuseProducers(map, asked))
          ;
      fusePieces(block, hasCores, &asked);
      eraseUnused(block);
      while (fuseBehind(block, &asked))
        ;
      if (failed(areFused(block, asked)))
        return failure();
    }
    do {
      for (MapOp map : llvm::to_vector(block.getOps<MapOp>()))
        while (fuseProducers(map, asked))
          ;
      eraseUnused(block);
    } while (fusePieces(block, hasCores));
    while (fuseBehind(block))
      ;
    if (Notes::wanted(block.getParentOp()->getLoc()))
      explainRest(block, asked);
    return areFused(block, asked);
  }

  /// What reads a map and is still another one.
  static void explainRest(Block &block, const AskedPairs &asked) {
    for (MapOp consumer : block.getOps<MapOp>()) {
      llvm::SmallSetVector<Operation *, 4> seen;
      consumer.getBody().walk([&](tensor::ExtractOp read) {
        auto producer = read.getTensor().getDefiningOp<MapOp>();
        if (producer && seen.insert(producer))
          explainPair(read, producer, consumer, asked);
      });
    }
  }

  /// Lets the map that reworks reshaped sums do so before they are reshaped; false where none does.
  static bool workBeforeReshape(MapOp sums, ReshapeOp reshape) {
    if (!hasReduction(sums) || !sums.getInits().empty() || !reshape->hasOneUse())
      return false;
    auto consumer = dyn_cast<MapOp>(reshape->user_begin()->getParentOp());
    if (!consumer || consumer->getBlock() != sums->getBlock())
      return false;
    tensor::ExtractOp read = onlyOwnRead(reshape.getResult(), consumer);
    return read && consumer.storeMap(0).isIdentity() && overShapeBefore(reshape, read, consumer);
  }

  /// Takes one map that follows another point by point into it, of those `asked` for if that is
  /// given; true if one was.
  static bool fuseBehind(Block &block, const AskedPairs *asked = nullptr) {
    for (MapOp map : block.getOps<MapOp>()) {
      if (map->getNumResults() != 1 || !map.getResult(0).hasOneUse())
        continue;
      Operation *user = *map.getResult(0).user_begin();
      if (auto reshape = dyn_cast<ReshapeOp>(user); reshape && workBeforeReshape(map, reshape))
        user = *map.getResult(0).user_begin();
      if (auto consumer = dyn_cast<MapOp>(user->getParentOp());
          consumer &&
          (asked ? asked->of(map, consumer) != nullptr : !isComputedOnce(map, consumer))) {
        if (MapOp turned = workBeforeTurning(map, consumer)) {
          notes.decided(turned, "{0} is turned behind its work", spoken(turned))
              .because("the work then goes into the stores of {0}", spoken(map));
          return true;
        }
        if (fuseConsumer(map, consumer))
          return true;
      }
    }
    return false;
  }

  static void eraseUnused(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isa<MapOp>(op) && op.use_empty())
        op.erase();
  }

  std::optional<Target> target; ///< without, nothing depends on one
  VectorUnit vectors;
  bool hasCores = false;
  std::optional<int64_t> ldmBytes; ///< of a core, where there are cores
};

} // namespace
