//===- LaneEmission.cpp - the vector form of a lane loop's body -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/tensors/Elementwise.h"
#include "passes/vectors/LaneBody.h"

#include "mlir/Dialect/Affine/Utils.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

//===-- Forms of a value ---------------------------------------------------===//

VectorType LaneBody::vectorOf(Type element) const { return VectorType::get({count}, element); }

Value LaneBody::constantVector(Location where, Attribute element, Type type) {
  return arith::ConstantOp::create(
      builder, where, DenseElementsAttr::get(vectorOf(type), ArrayRef<Attribute>(element)));
}

Value LaneBody::vector(Value value) {
  if (Value known = vectors.lookup(value))
    return known;
  assert(!isVarying(value) && "a varying value has its vector where it is defined");
  Value scalar = uniform(value);
  OpBuilder::InsertionGuard guard(builder);
  // As far out as the scalar is known: what comes from outside is broadcast once.
  if (scalar.getParentRegion()->isProperAncestor(&main.getRegion()))
    builder.setInsertionPoint(main);
  else
    builder.setInsertionPointAfterValue(scalar);
  Attribute constant;
  Value result = matchPattern(scalar, m_Constant(&constant))
                     ? constantVector(value.getLoc(), constant, value.getType())
                     : vector::BroadcastOp::create(builder, scalar.getLoc(),
                                                   vectorOf(value.getType()), scalar);
  return vectors[value] = result;
}

Value LaneBody::lane(Value value, int64_t number) {
  if (!isVarying(value))
    return uniform(value);
  auto known = laneScalars.find(value);
  if (known != laneScalars.end())
    return known->second[number];
  Value whole = vectors.lookup(value);
  assert(whole && "a varying value has a form where it is used");
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(whole);
  SmallVector<Value> parts;
  for (int64_t index = 0; index < count; ++index)
    parts.push_back(vector::ExtractOp::create(builder, whole.getLoc(), whole, index));
  laneScalars[value] = parts;
  return parts[number];
}

void LaneBody::setLanes(Value value, SmallVector<Value> scalarsOfLanes) {
  if (hasVectorForm(value.getType()))
    vectors[value] = vector::FromElementsOp::create(builder, value.getLoc(),
                                                    vectorOf(value.getType()), scalarsOfLanes);
  laneScalars[value] = std::move(scalarsOfLanes);
}

//===-- Memory -------------------------------------------------------------===//

SmallVector<Value> LaneBody::mapped(const Access &access) {
  return llvm::map_to_vector(access.operands, [&](Value operand) {
    return operand == block.iv ? main.getInductionVar() : uniform(operand);
  });
}

/// One index each: affine in what is affine, and plain arithmetic where it is data.
SmallVector<Value> LaneBody::indices(const Access &access, int64_t ahead) {
  AffineMap map = access.shifted(block.iv, offset + ahead);
  SmallVector<Value> operands = mapped(access), made;
  Location where = access.op->getLoc();
  for (AffineExpr expr : map.getResults()) {
    AffineMap one = AffineMap::get(map.getNumDims(), map.getNumSymbols(), expr);
    SmallVector<Value> used(operands);
    affine::canonicalizeMapAndOperands(&one, &used);
    if (auto constant = dyn_cast<AffineConstantExpr>(one.getResult(0)))
      made.push_back(arith::ConstantIndexOp::create(builder, where, constant.getValue()));
    else if (isa<AffineDimExpr, AffineSymbolExpr>(one.getResult(0)))
      made.push_back(used.front());
    else if (llvm::all_of(used, [](Value value) {
               return affine::isValidDim(value) || affine::isValidSymbol(value);
             }))
      made.push_back(affine::AffineApplyOp::create(builder, where, one, used));
    else
      made.push_back(affine::expandAffineMap(builder, where, one, used)->front());
  }
  return made;
}

Value LaneBody::mask(Location where) {
  if (presence)
    return presence;
  SmallVector<bool> there;
  for (int64_t number = 0; number < count; ++number)
    there.push_back(number < present);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(main);
  auto bits = DenseElementsAttr::get(vectorOf(builder.getI1Type()), there);
  return presence = arith::ConstantOp::create(builder, where, bits);
}

/// From the access's element `ahead` lanes on.
Value LaneBody::vectorLoad(const Access &access, int64_t ahead) {
  Type element = cast<MemRefType>(access.memref.getType()).getElementType();
  Location where = access.op->getLoc();
  if (present != 0) {
    Value none = constantVector(where, builder.getZeroAttr(element), element);
    return vector::MaskedLoadOp::create(builder, where, vectorOf(element), uniform(access.memref),
                                        indices(access, ahead), mask(where), none);
  }
  return wholeLoad(access, ahead, 0);
}

Value LaneBody::wholeLoad(const Access &access, int64_t ahead, int64_t elements) {
  Type element = cast<MemRefType>(access.memref.getType()).getElementType();
  assert((elements == 0 || !access.isData) && "what is picked elsewhere is affine");
  if (access.isData)
    return vector::LoadOp::create(builder, access.op->getLoc(), vectorOf(element),
                                  uniform(access.memref), indices(access, ahead));
  return affine::AffineVectorLoadOp::create(
      builder, access.op->getLoc(), vectorOf(element), uniform(access.memref),
      access.behind(access.shifted(block.iv, offset + ahead), elements), mapped(access));
}

void LaneBody::vectorStore(const Access &access, Value value, int64_t ahead) {
  Location where = access.op->getLoc();
  if (present != 0)
    vector::MaskedStoreOp::create(builder, where, uniform(access.memref), indices(access, ahead),
                                  mask(where), value);
  else if (access.isData)
    vector::StoreOp::create(builder, where, value, uniform(access.memref), indices(access, ahead));
  else
    affine::AffineVectorStoreOp::create(builder, where, value, uniform(access.memref),
                                        access.shifted(block.iv, offset + ahead), mapped(access));
}

/// The element that the loop's variable plus `ahead` loads.
Value LaneBody::scalarLoad(const Access &access, int64_t ahead) {
  Location where = access.op->getLoc();
  if (access.isData)
    return memref::LoadOp::create(builder, where, uniform(access.memref), indices(access, ahead));
  return affine::AffineLoadOp::create(builder, where, uniform(access.memref),
                                      access.shifted(block.iv, offset + ahead), mapped(access));
}

void LaneBody::emitAccessLanes(const Access &access) {
  SmallVector<Value> loaded;
  for (int64_t number = 0; number < count; ++number) {
    Location where = access.op->getLoc();
    if (!access.isStore)
      loaded.push_back(scalarLoad(access, number));
    else if (access.isData)
      memref::StoreOp::create(builder, where, lane(access.op->getOperand(0), number),
                              uniform(access.memref), indices(access, number));
    else
      affine::AffineStoreOp::create(builder, where, lane(access.op->getOperand(0), number),
                                    uniform(access.memref),
                                    access.shifted(block.iv, offset + number), mapped(access));
  }
  if (!access.isStore)
    setLanes(access.op->getResult(0), std::move(loaded));
}

/// The vector with its lanes from last to first.
Value LaneBody::reversed(Location where, Value value) {
  SmallVector<int64_t> mask;
  for (int64_t number = count; number > 0; --number)
    mask.push_back(number - 1);
  return vector::ShuffleOp::create(builder, where, value, value, mask);
}

/// The vectors that an access's lanes are picked from. Others of its block that fall between the
/// same lanes read from them too, as do both parts of a complex element. None reaches beyond what
/// these accesses read.
LaneBody::Run LaneBody::runOf(const Access &access, int64_t slope) {
  int64_t apart = std::abs(slope), least = 0, most = 0;
  if (std::optional<int64_t> part = access.complexPart()) {
    least = -*part;
    most = least + 1;
  }
  auto fits = [&](int64_t by) { return std::max(most, by) - std::min(least, by) < apart; };
  for (Operation &op : *access.op->getBlock()) {
    auto other = accesses.find(&op);
    if (other == accesses.end() || other->second.isStore || other->second.isData ||
        other->second.memref != access.memref || other->second.slope(block, space) != slope)
      continue;
    std::optional<int64_t> by = distance(access, other->second, space);
    if (!by || !fits(*by))
      continue;
    least = std::min(least, *by);
    most = std::max(most, *by);
  }
  int64_t span = apart * (there() - 1) + most - least + 1;
  Run run;
  run.slope = slope;
  run.first = access;
  run.first.map = access.behind(access.map, least);
  run.first.address = access.address + least;
  for (int64_t start = 0; start + count < span; start += count)
    run.starts.push_back(start);
  run.starts.push_back(span - count);
  for (int64_t start : run.starts) {
    // The last lane's element comes first in memory where the loop walks down.
    int64_t lanesOn = start / apart;
    run.loads.push_back(
        wholeLoad(run.first, slope < 0 ? there() - 1 - lanesOn : lanesOn, start % apart));
  }
  return run;
}

Value LaneBody::pickedLoad(const Access &access) {
  int64_t slope = *access.slope(block, space), apart = std::abs(slope), by = 0;
  Run *run = llvm::find_if(runs, [&](const Run &other) {
    if (other.first.memref != access.memref || other.slope != slope)
      return false;
    by = distance(other.first, access, space).value_or(-1);
    return by >= 0 && by + apart * (there() - 1) < other.starts.back() + count;
  });
  if (run == runs.end()) {
    runs.push_back(runOf(access, slope));
    run = &runs.back();
    by = *distance(run->first, access, space);
  }
  Value &picked = run->picked[by];
  if (picked)
    return picked;
  auto sourceOf = [&](int64_t element) {
    auto holds = [&](int64_t start) { return element < start + count; };
    return llvm::find_if(run->starts, holds) - run->starts.begin();
  };
  auto elementOf = [&](int64_t number) {
    int64_t lane = std::min(number, there() - 1); // those beyond repeat the last one
    return apart * (slope < 0 ? there() - 1 - lane : lane) + by;
  };
  Location where = access.op->getLoc();
  picked = run->loads.front();
  if (run->loads.size() == 1) {
    SmallVector<int64_t> mask;
    for (int64_t number = 0; number < count; ++number)
      mask.push_back(elementOf(number));
    return picked = vector::ShuffleOp::create(builder, where, picked, picked, mask);
  }
  // From the first two vectors, then from one more after the other.
  for (auto [source, load] : llvm::drop_begin(llvm::enumerate(run->loads))) {
    SmallVector<int64_t> mask;
    for (int64_t number = 0; number < count; ++number) {
      int64_t element = elementOf(number);
      auto from = static_cast<size_t>(sourceOf(element));
      if (from == source)
        mask.push_back(count + element - run->starts[source]);
      else
        mask.push_back(from == 0 && source == 1 ? element : number);
    }
    picked = vector::ShuffleOp::create(builder, where, picked, load, mask);
  }
  return picked;
}

void LaneBody::emitLoad(const Access &access) {
  Value result = access.op->getResult(0);
  std::optional<int64_t> slope = access.slope(block, space);
  if (slope == 0) {
    scalars.map(result, scalarLoad(access, 0));
    return;
  }
  bool full = hasWholeVectors(access);
  if (full && slope == 1)
    vectors[result] = vectorLoad(access, 0);
  else if (full && slope == -1)
    vectors[result] = reversed(access.op->getLoc(), vectorLoad(access, count - 1));
  else if (full && isPicked(access))
    vectors[result] = pickedLoad(access);
  else
    emitAccessLanes(access);
}

void LaneBody::emitStore(const Access &access) {
  if (waitsFor.contains(access.op))
    return;
  llvm::erase_if(runs, [&](const Run &run) { return mayAlias(run.first.memref, access.memref); });
  if (Operation *op = completes.lookup(access.op)) {
    const Access &first = accesses.at(op);
    bool isLower = *distance(first, access, space) > 0;
    return emitPairedStore(isLower ? first : access, isLower ? access : first, access.op->getLoc());
  }
  Value value = access.op->getOperand(0);
  bool full = hasWholeVectors(access);
  std::optional<int64_t> slope = access.slope(block, space);
  if (full && slope == 1)
    vectorStore(access, vector(value), 0);
  else if (full && slope == -1)
    vectorStore(access, reversed(access.op->getLoc(), vector(value)), count - 1);
  else
    emitAccessLanes(access);
}

/// Elements in turn of two stores, whose lanes lie between each other's.
void LaneBody::emitPairedStore(const Access &lower, const Access &upper, Location where) {
  Value even = vector(lower.op->getOperand(0)), odd = vector(upper.op->getOperand(0));
  // Of a loop that walks down the last lanes come first in memory.
  bool down = lower.slope(block, space) == -2;
  for (int64_t half = 0; half < 2; ++half) {
    SmallVector<int64_t> mask;
    for (int64_t number = 0; number < count; ++number) {
      int64_t lane = half * count / 2 + number / 2;
      mask.push_back((down ? count - 1 - lane : lane) + (number % 2) * count);
    }
    Value joined = vector::ShuffleOp::create(builder, where, even, odd, mask);
    int64_t first = half * count / 2;
    vectorStore(lower, joined, down ? count - 1 - first : first);
  }
}

//===-- Operations ---------------------------------------------------------===//

void LaneBody::emitVector(Operation &op) {
  Value result = op.getResult(0);
  if (isa<arith::ExtUIOp, arith::ExtSIOp, arith::UIToFPOp>(op)) {
    Type type = result.getType();
    Attribute zero = builder.getZeroAttr(type);
    Attribute one = isa<FloatType>(type)
                        ? Attribute(builder.getFloatAttr(type, 1.0))
                        : Attribute(builder.getIntegerAttr(type, isa<arith::ExtSIOp>(op) ? -1 : 1));
    Value set = constantVector(op.getLoc(), one, type);
    Value clear = constantVector(op.getLoc(), zero, type);
    vectors[result] =
        arith::SelectOp::create(builder, op.getLoc(), vector(op.getOperand(0)), set, clear);
    return;
  }
  SmallVector<Value> operands;
  for (Value operand : op.getOperands())
    operands.push_back(vector(operand));
  OperationState state(op.getLoc(), op.getName().getStringRef(), operands,
                       vectorOf(result.getType()), llvm::to_vector(op.getDiscardableAttrs()));
  state.propertiesAttr = op.getPropertiesAsAttribute();
  vectors[result] = builder.create(state)->getResult(0);
}

void LaneBody::emitLanes(Operation &op) {
  SmallVector<Value> results;
  for (int64_t number = 0; number < count; ++number) {
    IRMapping ofLane;
    for (Value operand : op.getOperands())
      ofLane.map(operand, lane(operand, number));
    Operation *copy = builder.clone(op, ofLane);
    llvm::append_range(results, copy->getResults());
  }
  if (!results.empty())
    setLanes(op.getResult(0), std::move(results));
}

/// An index as numbers: the first lane's, plus 0, stride, 2*stride, ...
void LaneBody::emitIndexCast(Operation &op, int64_t stride) {
  Value result = op.getResult(0);
  Type type = result.getType();
  Value base = arith::IndexCastOp::create(builder, op.getLoc(), type, lane(op.getOperand(0), 0));
  Value spread = vector::BroadcastOp::create(builder, op.getLoc(), vectorOf(type), base);
  SmallVector<Attribute> steps;
  for (int64_t number = 0; number < count; ++number)
    steps.push_back(builder.getIntegerAttr(type, number * stride));
  Value offsets = arith::ConstantOp::create(builder, op.getLoc(),
                                            DenseElementsAttr::get(vectorOf(type), steps));
  vectors[result] = arith::AddIOp::create(builder, op.getLoc(), spread, offsets);
}

void LaneBody::emitOp(Operation &op) {
  if (auto inner = dyn_cast<AffineForOp>(op))
    return emitInner(inner);
  if (auto access = accesses.find(&op); access != accesses.end())
    return access->second.isStore ? emitStore(access->second) : emitLoad(access->second);
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    llvm::erase_if(runs,
                   [&](const Run &run) { return mayAlias(run.first.memref, store.getMemRef()); });
    return emitLanes(op);
  }
  if (!anyVarying(op.getOperands())) {
    builder.clone(op, scalars);
    return;
  }
  if (isa<arith::IndexCastOp>(op) && hasVectorForm(op.getResult(0).getType()))
    if (std::optional<int64_t> stride = indexSlope(op.getOperand(0)))
      return emitIndexCast(op, *stride);
  return hasVectorForm(&op) ? emitVector(op) : emitLanes(op);
}

void LaneBody::emitBlock(Block &body) {
  for (Operation &op : body.without_terminator())
    emitOp(op);
}

void LaneBody::emitInner(AffineForOp inner) {
  SmallVector<Value> starts, lowers, uppers;
  for (auto [start, carried] : llvm::zip(inner.getInits(), inner.getRegionIterArgs()))
    starts.push_back(isVarying(carried) ? vector(start) : uniform(start));
  for (Value operand : inner.getLowerBoundOperands())
    lowers.push_back(uniform(operand));
  for (Value operand : inner.getUpperBoundOperands())
    uppers.push_back(uniform(operand));
  auto copy = AffineForOp::create(builder, inner.getLoc(), lowers, inner.getLowerBoundMap(), uppers,
                                  inner.getUpperBoundMap(), inner.getStepAsInt(), starts);
  copy->setDiscardableAttrs(inner->getDiscardableAttrDictionary());
  copy->removeDiscardableAttr("weft.lane");
  copy.getInductionVar().setLoc(inner.getInductionVar().getLoc());
  scalars.map(inner.getInductionVar(), copy.getInductionVar());
  auto define = [&](Value scalar, Value made) {
    if (isVarying(scalar))
      vectors[scalar] = made;
    else
      scalars.map(scalar, made);
  };
  for (auto [carried, made] : llvm::zip(inner.getRegionIterArgs(), copy.getRegionIterArgs()))
    define(carried, made);

  // Elements in registers are known to hold what memory holds only where no store
  // lies between, which a loop's back edge hides.
  runs.clear();
  OpBuilder::InsertionGuard guard(builder);
  if (starts.empty())
    builder.setInsertionPoint(copy.getBody()->getTerminator());
  else
    builder.setInsertionPointToEnd(copy.getBody());
  emitBlock(*inner.getBody());
  if (!starts.empty()) {
    auto yield = cast<affine::AffineYieldOp>(inner.getBody()->getTerminator());
    SmallVector<Value> nexts;
    for (auto [carried, next] : llvm::zip(inner.getRegionIterArgs(), yield.getOperands()))
      nexts.push_back(isVarying(carried) ? vector(next) : uniform(next));
    affine::AffineYieldOp::create(builder, yield.getLoc(), nexts);
  }
  runs.clear();
  for (auto [result, made] : llvm::zip(inner.getResults(), copy.getResults()))
    define(result, made);
}

void LaneBody::emitInto(AffineForOp target, int64_t copies) {
  main = target;
  builder.setInsertionPointToStart(main.getBody());
  Value first = main.getInductionVar();
  SmallVector<Value> nexts;
  for (int64_t copy = 0; copy < copies; ++copy) {
    // A copy knows nothing of the one before, but for what both have from outside.
    scalars.clear();
    vectors.clear();
    laneScalars.clear();
    runs.clear();
    offset = copy * count;
    SmallVector<Value> numbers;
    for (int64_t number = 0; number < count; ++number) {
      AffineMap advance = AffineMap::get(1, 0, builder.getAffineDimExpr(0) + offset + number);
      numbers.push_back(
          offset + number == 0
              ? first
              : affine::AffineApplyOp::create(builder, loop.getLoc(), advance, ValueRange{first}));
    }
    laneScalars[block.iv] = numbers;
    for (auto [number, reduction] : llvm::enumerate(accumulated))
      vectors[reduction.carried] = main.getRegionIterArgs()[copy * accumulated.size() + number];
    emitBlock(*loop.getBody());
    for (const Reduction &reduction : accumulated) {
      Value before = vectors[reduction.carried], next = vector(reduction.combine->getResult(0));
      nexts.push_back(present == 0 ? next
                                   : arith::SelectOp::create(builder, loop.getLoc(),
                                                             mask(loop.getLoc()), next, before)
                                         .getResult());
    }
  }
  if (!nexts.empty())
    affine::AffineYieldOp::create(builder, loop.getLoc(), nexts);
  // Who counts operations counts those of lanes that are there, and each once.
  if (counted != 0)
    main->walk([&](Operation *op) {
      if (isLanewise(op) || isVectorFunction(op))
        op->setAttr(presentMark, builder.getI64IntegerAttr(counted));
    });
}

} // namespace weft
