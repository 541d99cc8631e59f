//===- LowerToLoops.cpp - tensors to loops over real buffers --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Buffers are chosen in one walk in program order: a value that is returned is
// computed where the caller wants it; a value whose last reader is an op that works
// point by point (or line by line) is overwritten by that op; otherwise a slice of
// the scratch memory is taken, one that is dead if there is one. Upstream's one-shot
// bufferisation does the first two as well, but knows neither split layouts nor
// that a block of lines may be transformed in place.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Groups.h"
#include "dialect/Target.h"
#include "passes/Directives.h"
#include "passes/Notes.h"
#include "passes/lines/FilledLines.h"
#include "passes/lines/LentLines.h"
#include "passes/loops/BeyondCaches.h"
#include "passes/loops/TurnLoops.h"
#include "passes/lowering/ContractionLoops.h"
#include "passes/lowering/DataIndices.h"
#include "passes/lowering/FreshInits.h"
#include "passes/lowering/InsertedParts.h"
#include "passes/lowering/JoinedTerms.h"
#include "passes/lowering/Memories.h"
#include "passes/lowering/Placement.h"
#include "passes/lowering/PointBody.h"
#include "passes/lowering/RotatedCarries.h"
#include "passes/lowering/ScheduledLayouts.h"
#include "passes/lowering/WindowBorders.h"
#include "passes/tensors/LineChain.h"
#include "passes/tensors/LoopOrder.h"
#include "passes/tensors/TransposedCopy.h"
#include "passes/transforms/RealArithmetic.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/TypeSwitch.h"

namespace weft {
#define GEN_PASS_DEF_LOWERTOLOOPS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;

namespace {

constexpr Notes notes("lower-to-loops");

class FunctionLowering {
public:
  FunctionLowering(func::FuncOp func, Tables &tables, const VectorUnit &vectors, bool fma,
                   bool masked, std::optional<int64_t> pastBytes)
      : func(func), builder(func.getContext()), tables(tables), vectors(vectors), fma(fma),
        masked(masked), pastBytes(pastBytes), memories(builder) {}

  LogicalResult run();

private:
  LogicalResult lowerBlock(Block &block);
  LogicalResult lowerOp(Operation *op);
  LogicalResult lowerMap(MapOp map);
  LogicalResult lowerBlocks(BlocksOp blocks);
  Placement placementIn(BlocksOp blocks, unsigned number, ArrayRef<Value> origin);
  void lendLines(BlocksOp blocks, ArrayRef<Value> origin);
  FailureOr<Buffer> holderOf(Value tensor);
  FailureOr<Buffer> bufferOf(Value tensor, SmallVector<OpFoldResult> &index);
  template <typename Collective> LogicalResult lowerExchange(Collective op);
  template <typename Collective> void createExchange(Collective op, Value from, Value to);
  LogicalResult lowerFor(scf::ForOp loop);
  template <typename Insert> LogicalResult lowerInsert(Insert insert);
  LogicalResult lowerReturn(func::ReturnOp op);

  PointBody pointBody() {
    return PointBody(
        builder, scalars, pairs,
        [this](Value tensor, SmallVector<OpFoldResult> &index) { return bufferOf(tensor, index); });
  }
  SmallVector<StoreTarget> storeTargets(MapOp map);
  affine::AffineForOp openLoop(Value oldIndex, int64_t lower, int64_t upper, int64_t step);

  func::FuncOp func;
  OpBuilder builder;
  Tables &tables;
  VectorUnit vectors;
  bool fma, masked;
  std::optional<int64_t> pastBytes;
  Memories memories;
  IRMapping scalars;
  DenseMap<Value, Scalar> pairs;
  DenseMap<Value, Placement> placements;
  SmallVector<Value> outputs;
  bool inBlock = false;
};

LogicalResult FunctionLowering::run() {
  if (!llvm::hasSingleElement(func.getBody()))
    return func.emitError("expected one block: control flow is not lowered here");
  Block &old = func.getBody().front();
  FunctionType oldType = func.getFunctionType();

  SmallVector<Type> arguments;
  SmallVector<Attribute> attributes;
  auto describe = [&](Type type, Attribute name, StringRef role) -> LogicalResult {
    auto tensorType = dyn_cast<RankedTensorType>(type);
    if (!tensorType)
      return func.emitError("expected tensors for arguments and results, found ") << type;
    arguments.push_back(bufferType(tensorType, outerLayout(tensorType)));
    NamedAttrList list;
    if (name)
      list.append("weft.name", name);
    list.append("weft.role", builder.getStringAttr(role));
    attributes.push_back(list.getDictionary(builder.getContext()));
    return success();
  };
  for (unsigned n = 0; n < oldType.getNumInputs(); ++n)
    if (failed(describe(oldType.getInput(n), func.getArgAttr(n, "weft.name"), "in")))
      return failure();
  for (unsigned n = 0; n < oldType.getNumResults(); ++n)
    if (failed(describe(oldType.getResult(n), func.getResultAttr(n, "weft.name"), "out")))
      return failure();

  // The new body is built in a block of its own, then takes the old one's place.
  auto fresh = std::make_unique<Block>();
  func.getBody().push_back(fresh.get());
  Block *body = fresh.release();
  for (Type type : arguments)
    body->addArgument(type, func.getLoc());
  builder.setInsertionPointToStart(body);
  memories.setHome(body);
  for (unsigned n = 0; n < oldType.getNumInputs(); ++n) {
    body->getArgument(n).setLoc(old.getArgument(n).getLoc());
    memories.bindInput(old.getArgument(n), body->getArgument(n));
  }
  auto returned = cast<func::ReturnOp>(old.getTerminator());
  for (unsigned n = 0; n < oldType.getNumResults(); ++n) {
    Value output = body->getArgument(oldType.getNumInputs() + n);
    output.setLoc(returned.getOperand(n).getLoc());
    outputs.push_back(output);
    memories.wantIn(returned.getOperand(n), memories.addOutput(output));
  }
  if (failed(askLayouts(func, memories)) || failed(lowerBlock(old)))
    return failure();

  old.dropAllDefinedValueUses();
  old.erase();
  func.setFunctionType(FunctionType::get(func.getContext(), arguments, {}));
  func.setAllArgAttrs(ArrayRef<Attribute>(attributes));
  func.removeResAttrsAttr();
  return success();
}

LogicalResult FunctionLowering::lowerBlock(Block &block) {
  for (Operation &op : block)
    if (failed(lowerOp(&op)))
      return failure();
  return success();
}

LogicalResult FunctionLowering::lowerOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](TableOp table) {
        // Tables sit at the top, where every loop sees them.
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(memories.home());
        memories.bindTable(table.getResult(), tables.get(builder, table));
        return success();
      })
      .Case([&](tensor::EmptyOp empty) {
        if (!placements.contains(empty.getResult()))
          memories.place(empty.getResult(), empty, {});
        return success();
      })
      .Case([&](ReshapeOp reshape) {
        memories.bindAlias(reshape);
        return success();
      })
      .Case([&](CheckedIndicesOp checked) {
        checkIndices(builder, checked, *memories.bufferOf(checked.getSource()));
        memories.bindAlias(checked);
        return success();
      })
      .Case([&](ScatterOp scatter) {
        memories.place(scatter.getResult(), scatter, scatter.getBase());
        scatterRows(builder, scatter, *memories.bufferOf(scatter.getResult()),
                    *memories.bufferOf(scatter.getIndices()),
                    *memories.bufferOf(scatter.getUpdates()));
        return success();
      })
      .Case<AlltoallOp, AlltoallBeginOp, AllgatherOp, OwnOp>(
          [&](auto exchange) { return lowerExchange(exchange); })
      .Case([&](AlltoallEndOp end) {
        memories.bindAlias(end);
        createExchange(end, end.getInput(), end.getResult());
        return success();
      })
      .Case([&](MapOp map) { return lowerMap(map); })
      .Case([&](BlocksOp blocks) { return lowerBlocks(blocks); })
      .Case([&](scf::ForOp loop) { return lowerFor(loop); })
      .Case<tensor::InsertOp, tensor::InsertSliceOp>(
          [&](auto insert) { return lowerInsert(insert); })
      .Case([&](func::ReturnOp returned) { return lowerReturn(returned); })
      .Case([&](scf::YieldOp) { return success(); })
      .Case([&](YieldOp) { return success(); })
      .Default([&](Operation *other) -> LogicalResult {
        if (llvm::any_of(other->getResultTypes(), llvm::IsaPred<RankedTensorType>))
          return other->emitOpError("has no loop form: a pass before should have lowered it");
        return pointBody().lower(other);
      });
}

/// What groups exchange: blocks along the first axis, as they lie in memory.
template <typename Collective> LogicalResult FunctionLowering::lowerExchange(Collective op) {
  memories.place(op.getResult(), op, {});
  createExchange(op, op.getInput(), op.getResult());
  return success();
}

template <typename Collective>
void FunctionLowering::createExchange(Collective op, Value from, Value to) {
  ExchangeOp::create(builder, op.getLoc(), op->getName().stripDialect(),
                     memories.bufferOf(from)->memref, memories.bufferOf(to)->memref,
                     op.getGroups());
}

/// The map's stores as memory sees them: through the place of a block's result.
SmallVector<StoreTarget> FunctionLowering::storeTargets(MapOp map) {
  SmallVector<StoreTarget> targets;
  for (unsigned n = 0; n < map.getStores().size(); ++n) {
    Value result = map.getResult(map.target(n));
    AffineMap store = map.storeMap(n);
    auto placed = placements.find(result);
    if (placed == placements.end()) {
      auto shape = cast<RankedTensorType>(result.getType()).getShape();
      targets.push_back({llvm::to_vector(shape), store});
      continue;
    }
    targets.push_back({placed->second.shape, placed->second.indexOf(store)});
  }
  return targets;
}

affine::AffineForOp FunctionLowering::openLoop(Value oldIndex, int64_t lower, int64_t upper,
                                               int64_t step) {
  auto loop = affine::AffineForOp::create(builder, oldIndex.getLoc(), lower, upper, step);
  loop->setAttr("weft.independent", builder.getUnitAttr());
  loop.getInductionVar().setLoc(oldIndex.getLoc());
  scalars.map(oldIndex, loop.getInductionVar());
  builder.setInsertionPointToStart(loop.getBody());
  return loop;
}

/// What holds a tensor's elements: its own buffer, or that of a block's result.
FailureOr<Buffer> FunctionLowering::holderOf(Value tensor) {
  auto placed = placements.find(tensor);
  return placed == placements.end() ? memories.bufferOf(tensor) : placed->second.buffer;
}

/// The same, and where in it the element lies.
FailureOr<Buffer> FunctionLowering::bufferOf(Value tensor, SmallVector<OpFoldResult> &index) {
  auto placed = placements.find(tensor);
  if (placed == placements.end())
    return holderOf(tensor);
  SmallVector<OpFoldResult> operands(placed->second.origin.begin(), placed->second.origin.end());
  llvm::append_range(operands, index);
  AffineMap place = placed->second.place;
  index.clear();
  for (unsigned dim = 0; dim < place.getNumResults(); ++dim)
    index.push_back(affine::makeComposedFoldedAffineApply(builder, unnamed(tensor.getLoc()),
                                                          place.getSubMap({dim}), operands));
  return placed->second.buffer;
}

LogicalResult FunctionLowering::lowerMap(MapOp map) {
  for (auto [n, result] : llvm::enumerate(map.getResults())) {
    if (placements.contains(result))
      continue;
    Value init = map.getInits().empty() ? Value() : map.getInits()[n];
    memories.place(result, map, init);
  }

  OpBuilder::InsertionGuard guard(builder);
  if (auto grouping = groupingOf(map)) {
    PointBody point = pointBody();
    Value result = map.getResult(0);
    auto placed = [&](SmallVector<OpFoldResult> index) {
      (void)bufferOf(result, index);
      return index;
    };
    return lowerContraction(
        map, *grouping,
        {builder, scalars, point, *holderOf(result), placed, lanesOf(map, vectors), fma});
  }
  LoopOrder order = chooseLoopOrder(map, storeTargets(map), lanesOf(map, vectors), inBlock, masked,
                                    !inBlock && !vectors.onlyFloats());
  if (failed(followMarks(map, order)))
    return failure();
  explain(map, order, lanesOf(map, vectors), inBlock);
  Block *body = map.bodyBlock();
  SmallVector<affine::AffineForOp> loops;
  for (unsigned dim : order.dims)
    loops.push_back(openLoop(body->getArgument(dim), map.getLower()[dim], map.getUpper()[dim], 1));
  markLoops(map, order, loops);
  markShared(map, order.dims, loops);

  PointBody point = pointBody();
  point.reductionLanes = order.lane || inBlock ? 0 : lanesOf(map, vectors);
  point.picked = !vectors.onlyFloats();
  for (Operation &op : body->without_terminator())
    if (failed(point.lower(&op)))
      return failure();
  SmallVector<Value> variables;
  for (Value index : body->getArguments())
    variables.push_back(scalars.lookup(index));
  for (auto [n, value] : llvm::enumerate(map.yielded())) {
    Value result = map.getResult(map.target(n));
    SmallVector<OpFoldResult> index = point.indices(map.getLoc(), map.storeMap(n), variables);
    Buffer buffer = *bufferOf(result, index);
    point.store(map.getLoc(), point.get(value), buffer, index);
  }
  return success();
}

LogicalResult FunctionLowering::lowerBlocks(BlocksOp blocks) {
  for (auto [n, result] : llvm::enumerate(blocks.getResults())) {
    if (placements.contains(result))
      continue;
    Value init = blocks.getInits().empty() ? Value() : blocks.getInits()[n];
    memories.place(result, blocks, init);
  }
  OpBuilder::InsertionGuard guard(builder);
  Block *body = blocks.bodyBlock();
  auto dims = llvm::to_vector(llvm::seq<unsigned>(0, blocks.rank()));
  if (auto shared = blocks->getAttrOfType<IntegerAttr>(sharedDimMark))
    putOutermost(dims, shared.getInt());
  SmallVector<Value> origin(dims.size());
  for (unsigned dim : dims) {
    auto loop = openLoop(body->getArgument(dim), blocks.getLower()[dim], blocks.getUpper()[dim],
                         blocks.getSteps()[dim]);
    if (Attribute asked = blocks->getAttr(distributeMark); asked && dim == dims.front())
      loop->setAttr(distributeMark, asked);
    origin[dim] = loop.getInductionVar();
  }
  // Blocks that take turns keep their tensors where all kernels keep them.
  bool inTurn = blocks->hasAttr(inTurnMark);
  if (inTurn) {
    for (Value loop : origin) {
      Operation *turns = cast<BlockArgument>(loop).getOwner()->getParentOp();
      turns->removeAttr("weft.independent");
      turns->setAttr(inTurnMark, builder.getUnitAttr());
      if (Attribute sharing = blocks->getAttr(sharingMark))
        turns->setAttr(sharingMark, sharing);
      if (loop == origin.front() && blocks->hasAttr(besideMark))
        turns->setAttr(besideMark, builder.getUnitAttr());
    }
    memories.enterTurn();
  } else {
    memories.enterBlock(builder.getInsertionBlock(), !blocks->hasAttr(alongLinesMark));
  }
  inBlock = !inTurn;
  for (auto [n, value] : llvm::enumerate(blocks.yielded())) {
    Placement placement = placementIn(blocks, n, origin);
    // With all maps that fill it, one after the other.
    for (Value part = value; part;) {
      auto map = part.getDefiningOp<MapOp>();
      bool isEmpty = part != value && part.getDefiningOp<tensor::EmptyOp>();
      bool isLines = part == value && inTurn && part.getDefiningOp<BlocksOp>();
      if (!(map || isEmpty || isLines) || part.getParentBlock() != body || !part.hasOneUse())
        return blocks.emitOpError("yields a value that is not the result of its own last map");
      placements[part] = placement;
      part = map && !map.getInits().empty() ? map.getInits().front() : Value();
    }
  }
  lendLines(blocks, origin);
  LogicalResult result = lowerBlock(*body);
  inBlock = false;
  inTurn ? memories.leaveTurn() : memories.leaveBlock();
  return result;
}

/// Where what a block yields lies: in the result, or where that lies in the result of rounds
/// around.
Placement FunctionLowering::placementIn(BlocksOp blocks, unsigned number, ArrayRef<Value> origin) {
  Value result = blocks.getResult(number);
  AffineMap place = blocks.place(number);
  auto around = placements.find(result);
  if (around == placements.end())
    return {*memories.bufferOf(result), place, SmallVector<Value>(origin),
            llvm::to_vector(cast<RankedTensorType>(result.getType()).getShape())};
  return around->second.of(place, origin);
}

void FunctionLowering::lendLines(BlocksOp blocks, ArrayRef<Value> origin) {
  if (!blocks->hasAttr(alongLinesMark) || blocks.getNumResults() != 1 ||
      placements.contains(blocks.getResult(0)))
    return;
  Value result = blocks.getResult(0);
  // Parts of numbers lie in rows of their own then.
  if (memories.bufferOf(result)->layout == Layout::Split)
    return;
  std::optional<LentLines> lent = linesToLend(blocks, vectors.bytes, pastBytes, [&](Value input) {
    return memories.areTogether(input, result);
  });
  if (!lent)
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(cast<BlockArgument>(origin.front()).getOwner()->getParentOp());
  Buffer buffer = viewAs(builder, result.getLoc(), *memories.bufferOf(result), lent->flat);
  int64_t points = lent->flat.getShape().back();
  int64_t bytes = bytesOf(lent->flat) / lent->flat.getNumElements() * points;
  for (auto &[local, place] : lent->places) {
    placements[local] = {buffer, place, SmallVector<Value>(origin),
                         llvm::to_vector(lent->flat.getShape())};
    notes.decided(local.getLoc(), "{0} is computed in the lines of the result", spoken(local))
        .because("nobody needs them before the last stage: {0} bytes less", bytes)
        .number("points", points);
  }
}

LogicalResult FunctionLowering::lowerFor(scf::ForOp loop) {
  auto constant = [](Value value) { return getConstantIntValue(value); };
  auto lower = constant(loop.getLowerBound()), upper = constant(loop.getUpperBound()),
       step = constant(loop.getStep());
  if (!lower || !upper || !step)
    return loop.emitOpError("expected constant bounds");
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (Value init : loop.getInitArgs())
    if (!isa<RankedTensorType>(init.getType()))
      return loop.emitOpError("carries a value that is no tensor");

  memories.beginCarried(loop);
  {
    OpBuilder::InsertionGuard guard(builder);
    auto fresh = affine::AffineForOp::create(builder, loop.getLoc(), *lower, *upper, *step);
    // The text of a loop over time has no place for the location of its index.
    auto index = loop->getAttrOfType<StringAttr>("weft.index");
    Location indexLoc = loop.getInductionVar().getLoc();
    fresh.getInductionVar().setLoc(index ? named(indexLoc, index.getValue()) : indexLoc);
    scalars.map(loop.getInductionVar(), fresh.getInductionVar());
    builder.setInsertionPointToStart(fresh.getBody());
    if (failed(lowerBlock(*loop.getBody())))
      return failure();
    memories.endIteration(loop, yield);
  }
  memories.endCarried(loop);
  return success();
}

template <typename Insert> LogicalResult FunctionLowering::lowerInsert(Insert insert) {
  memories.place(insert.getResult(), insert, insert.getDest());
  PointBody point = pointBody();
  storePart(builder, point, insert, memories);
  return success();
}

LogicalResult FunctionLowering::lowerReturn(func::ReturnOp op) {
  for (auto [value, output] : llvm::zip(op.getOperands(), outputs))
    memories.deliver(op.getLoc(), value, output);
  func::ReturnOp::create(builder, op.getLoc());
  return success();
}

struct LowerToLoops : public weft::impl::LowerToLoopsBase<LowerToLoops> {
  using LowerToLoopsBase::LowerToLoopsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Target> target = Target::of(module);
    if (failed(target))
      return signalPassFailure();
    FailureOr<VectorUnit> vectors = target->vectors();
    if (failed(vectors))
      return signalPassFailure();
    transposesToMaps(module); // of pipelines without fuse
    Tables tables(module);
    for (auto func : llvm::to_vector(module.getOps<func::FuncOp>())) {
      makeInitsFresh(func);
      // The cores of a mesh take terms from their own memories, row by row.
      if (!target->numberIfAny("ldm_bytes")) {
        rotateCarries(func);
        joinTerms(func);
        readWithoutBorders(func);
      }
      if (failed(FunctionLowering(func, tables, *vectors, target->flag("fma"),
                                  target->flag("masked_lanes"), bytesStoredPast(*target))
                     .run()))
        return signalPassFailure();
    }
    keepCarriedNames(module);
  }
};

} // namespace
