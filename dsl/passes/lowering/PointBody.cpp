//===- PointBody.cpp - the body of a map, on buffers --------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/PointBody.h"

#include "passes/tensors/LoopOrder.h"

#include "mlir/Dialect/Affine/Utils.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace weft {

namespace {

/// The neutral element of a reduction.
TypedAttr neutralElement(OpBuilder &builder, StringRef kind, Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    if (kind == "max" || kind == "min")
      return builder.getFloatAttr(type, APFloat::getInf(semantics, /*Negative=*/kind == "max"));
    return builder.getFloatAttr(type, kind == "prod" ? 1.0 : 0.0);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 1)
    return builder.getBoolAttr(kind == "prod" || kind == "min");
  if (kind == "max")
    return builder.getIntegerAttr(type, APInt::getSignedMinValue(width));
  if (kind == "min")
    return builder.getIntegerAttr(type, APInt::getSignedMaxValue(width));
  return builder.getIntegerAttr(type, kind == "prod" ? 1 : 0);
}

Value combine(OpBuilder &builder, Location loc, StringRef kind, Value left, Value right) {
  if (isa<FloatType>(left.getType())) {
    if (kind == "sum")
      return arith::AddFOp::create(builder, loc, left, right);
    if (kind == "prod")
      return arith::MulFOp::create(builder, loc, left, right);
    if (kind == "max")
      return arith::MaximumFOp::create(builder, loc, left, right);
    return arith::MinimumFOp::create(builder, loc, left, right);
  }
  if (left.getType().isInteger(1)) {
    // Of truth values a sum or maximum is "any", a product or minimum is "all".
    if (kind == "sum" || kind == "max")
      return arith::OrIOp::create(builder, loc, left, right);
    return arith::AndIOp::create(builder, loc, left, right);
  }
  if (kind == "sum")
    return arith::AddIOp::create(builder, loc, left, right);
  if (kind == "prod")
    return arith::MulIOp::create(builder, loc, left, right);
  if (kind == "max")
    return arith::MaxSIOp::create(builder, loc, left, right);
  return arith::MinSIOp::create(builder, loc, left, right);
}

Scalar combineComplex(OpBuilder &builder, Location loc, StringRef kind, Scalar left, Scalar right) {
  if (kind == "sum")
    return {arith::AddFOp::create(builder, loc, left.real, right.real),
            arith::AddFOp::create(builder, loc, left.imaginary, right.imaginary)};
  Value rr = arith::MulFOp::create(builder, loc, left.real, right.real);
  Value ii = arith::MulFOp::create(builder, loc, left.imaginary, right.imaginary);
  Value ri = arith::MulFOp::create(builder, loc, left.real, right.imaginary);
  Value ir = arith::MulFOp::create(builder, loc, left.imaginary, right.real);
  return {arith::SubFOp::create(builder, loc, rr, ii), arith::AddFOp::create(builder, loc, ri, ir)};
}

} // namespace

Scalar combineScalars(OpBuilder &builder, Location loc, StringRef kind, Scalar left, Scalar right) {
  if (left.imaginary)
    return combineComplex(builder, loc, kind, left, right);
  return {combine(builder, loc, kind, left.real, right.real), Value()};
}

Scalar PointBody::get(Value old) {
  if (auto pair = pairs.find(old); pair != pairs.end())
    return pair->second;
  return {scalars.lookupOrDefault(old), Value()};
}

SmallVector<OpFoldResult> PointBody::indices(Location loc, AffineMap map, ValueRange operands) {
  SmallVector<OpFoldResult> index;
  SmallVector<OpFoldResult> folded(operands.begin(), operands.end());
  for (unsigned n = 0; n < map.getNumResults(); ++n)
    index.push_back(
        affine::makeComposedFoldedAffineApply(builder, loc, map.getSubMap({n}), folded));
  return index;
}

void PointBody::store(Location loc, Scalar value, Buffer buffer, ArrayRef<OpFoldResult> index) {
  storeReal(builder, loc, value.real, buffer.memref,
            componentIndex(builder, buffer.layout, index, 0));
  if (buffer.isComplex())
    storeReal(builder, loc, value.imaginary, buffer.memref,
              componentIndex(builder, buffer.layout, index, 1));
}

LogicalResult PointBody::lowerExtract(tensor::ExtractOp op) {
  SmallVector<OpFoldResult> index;
  for (Value old : op.getIndices())
    index.push_back(get(old).real);
  FailureOr<Buffer> buffer = bufferOf(op.getTensor(), index);
  if (failed(buffer))
    return op.emitOpError("the tensor has no buffer yet");
  Scalar loaded;
  loaded.real = loadReal(builder, op.getLoc(), buffer->memref,
                         componentIndex(builder, buffer->layout, index, 0));
  if (buffer->isComplex()) {
    loaded.imaginary = loadReal(builder, op.getLoc(), buffer->memref,
                                componentIndex(builder, buffer->layout, index, 1));
    pairs[op.getResult()] = loaded;
  } else {
    scalars.map(op.getResult(), loaded.real);
  }
  return success();
}

LogicalResult PointBody::lowerApply(affine::AffineApplyOp op) {
  SmallVector<OpFoldResult> operands;
  bool isData = false;
  for (Value old : op.getMapOperands()) {
    Value lowered = get(old).real;
    isData |= !affine::isValidDim(lowered) && !affine::isValidSymbol(lowered);
    operands.push_back(lowered);
  }
  Value result;
  if (isData) {
    SmallVector<Value> values;
    for (OpFoldResult operand : operands)
      values.push_back(cast<Value>(operand));
    result = affine::expandAffineMap(builder, op.getLoc(), op.getAffineMap(), values)->front();
  } else {
    result = getValueOrCreateConstantIndexOp(
        builder, op.getLoc(),
        affine::makeComposedFoldedAffineApply(builder, op.getLoc(), op.getAffineMap(), operands));
  }
  scalars.map(op.getResult(), result);
  return success();
}

/// Whether the innermost dimension of a reduction runs along contiguous data for at
/// least `lanes` elements.
static bool readsAlong(ReduceOp op, int64_t lanes, bool picked) {
  // A part of a vector may be masked.
  if (op.getUpper().back() - op.getLower().back() < fewestMasked(lanes))
    return false;
  int64_t score = 0;
  op.getBody().walk([&](tensor::ExtractOp read) {
    std::optional<int64_t> stride = strideAlong(read.getTensor().getType(), read.getIndices(),
                                                op.bodyBlock()->getArguments().back());
    score += picked && isPickedAt(read.getType(), stride) ? 1 : accessWorth(stride);
  });
  return score > 0;
}

/// Whether the innermost dimension goes through all that is read by strides that are known, and,
/// not `anyStride`, without gaps, forwards or backwards. Lanes would be loaded one by one, in an
/// order in which the machine does not follow a column (of 4 million numbers it took 3 times as
/// long), but blocks of a long sum keep the digits that a single one loses, and cores share them.
static bool readsByStrides(ReduceOp op, bool anyStride) {
  WalkResult walked = op.getBody().walk([&](tensor::ExtractOp read) {
    std::optional<int64_t> stride = strideAlong(read.getTensor().getType(), read.getIndices(),
                                                op.bodyBlock()->getArguments().back());
    bool isKnown = stride && (anyStride || std::abs(*stride) <= 1);
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}

LogicalResult PointBody::lowerReduce(ReduceOp op) {
  Location loc = op.getLoc();
  bool isComplex = isa<ComplexType>(op.getType());
  Type real = realType(op.getType());
  StringRef kind = op.getKind();

  SmallVector<Value> carried;
  Value neutral = arith::ConstantOp::create(builder, loc, neutralElement(builder, kind, real));
  carried.push_back(neutral);
  if (isComplex)
    carried.push_back(arith::ConstantOp::create(builder, loc, builder.getFloatAttr(real, 0.0)));

  OpBuilder::InsertionGuard guard(builder);
  SmallVector<affine::AffineForOp> loops;
  for (unsigned dim = 0; dim < op.rank(); ++dim) {
    Value index = op.bodyBlock()->getArgument(dim);
    auto loop = affine::AffineForOp::create(builder, index.getLoc(), op.getLower()[dim],
                                            op.getUpper()[dim], 1, carried);
    loop.getInductionVar().setLoc(index.getLoc());
    scalars.map(index, loop.getInductionVar());
    carried.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
    loops.push_back(loop);
    builder.setInsertionPointToStart(loop.getBody());
  }
  bool hasLanes = reductionLanes != 0 && !loops.empty() && readsAlong(op, reductionLanes, picked);
  if (hasLanes)
    loops.back()->setAttr("weft.lane", builder.getUnitAttr());
  if (hasLanes || (reductionLanes != 0 && !loops.empty() && readsByStrides(op, picked)))
    loops.back()->setAttr("weft.reassociate", builder.getUnitAttr());
  for (Operation &inner : op.bodyBlock()->without_terminator())
    if (failed(lower(&inner)))
      return failure();
  Scalar value = get(op.yielded());
  Scalar before{carried[0], isComplex ? carried[1] : Value()};
  Scalar sum = combineScalars(builder, loc, kind, before, value);
  SmallVector<Value> combined{sum.real};
  if (isComplex)
    combined.push_back(sum.imaginary);
  for (affine::AffineForOp loop : llvm::reverse(loops)) {
    builder.setInsertionPointToEnd(loop.getBody());
    affine::AffineYieldOp::create(builder, loc, combined);
    combined.assign(loop.getResults().begin(), loop.getResults().end());
  }
  if (loops.empty() && isComplex)
    combined = {value.real, value.imaginary};
  else if (loops.empty())
    combined = {value.real};
  if (isComplex)
    pairs[op.getResult()] = {combined[0], combined[1]};
  else
    scalars.map(op.getResult(), combined[0]);
  return success();
}

LogicalResult PointBody::lower(Operation *op) {
  Location loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tensor::ExtractOp extract) { return lowerExtract(extract); })
      .Case([&](ReduceOp reduce) { return lowerReduce(reduce); })
      .Case([&](affine::AffineApplyOp apply) { return lowerApply(apply); })
      .Case([&](complex::CreateOp create) {
        pairs[create.getResult()] = {get(create.getReal()).real, get(create.getImaginary()).real};
        return success();
      })
      .Case([&](complex::ReOp re) {
        scalars.map(re.getResult(), get(re.getComplex()).real);
        return success();
      })
      .Case([&](complex::ImOp im) {
        scalars.map(im.getResult(), get(im.getComplex()).imaginary);
        return success();
      })
      .Case([&](complex::ConstantOp constant) {
        auto parts = constant.getValue().getAsRange<FloatAttr>();
        auto part = parts.begin();
        Value real = arith::ConstantOp::create(builder, loc, *part);
        Value imaginary = arith::ConstantOp::create(builder, loc, *++part);
        pairs[constant.getResult()] = {real, imaginary};
        return success();
      })
      .Default([&](Operation *other) -> LogicalResult {
        auto isComplex = [](Type type) { return isa<ComplexType>(type); };
        bool complexResult = llvm::any_of(other->getResultTypes(), isComplex);
        if (auto select = dyn_cast<arith::SelectOp>(other); select && complexResult) {
          Scalar yes = get(select.getTrueValue()), no = get(select.getFalseValue());
          Value condition = get(select.getCondition()).real;
          pairs[select.getResult()] = {
              arith::SelectOp::create(builder, loc, condition, yes.real, no.real),
              arith::SelectOp::create(builder, loc, condition, yes.imaginary, no.imaginary)};
          return success();
        }
        if (complexResult || llvm::any_of(other->getOperandTypes(), isComplex))
          return other->emitOpError(
              "is complex arithmetic: expected `simplify-butterflies` to have made it real");
        if (other->getNumRegions() != 0)
          return other->emitOpError("has a region: no loop form inside of a map is known");
        builder.clone(*other, scalars);
        return success();
      });
}

} // namespace weft
