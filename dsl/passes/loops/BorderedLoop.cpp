//===- BorderedLoop.cpp - a loop's inside apart from its borders --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/BorderedLoop.h"

#include "passes/loops/Hoist.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// Copies of a loop, and operations of them all, at most.
static constexpr size_t mostParts = 5;
static constexpr int64_t mostOperations = 400;

/// A number that only grows, or only falls, along the loop.
using Along = llvm::function_ref<int64_t(int64_t)>;

/// The iterations in (first, last] at which `state` is another than just before.
static void changesOf(Along state, int64_t first, int64_t last, llvm::SetVector<int64_t> &found) {
  if (state(first) == state(last) || found.size() > 2 * mostParts)
    return;
  if (last - first == 1) {
    found.insert(last);
    return;
  }
  int64_t middle = first + (last - first) / 2;
  changesOf(state, first, middle, found);
  changesOf(state, middle, last, found);
}

/// Whether `expr` depends on the dims of the loop variable alone, without quotients.
static bool isLinearIn(AffineExpr expr, ArrayRef<bool> ours) {
  bool linear = true;
  expr.walk([&](AffineExpr part) {
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      linear &= ours[dim.getPosition()];
    else if (auto binary = dyn_cast<AffineBinaryOpExpr>(part))
      linear &= binary.getKind() == AffineExprKind::Add || binary.getKind() == AffineExprKind::Mul;
    else
      linear &= isa<AffineConstantExpr>(part);
  });
  return linear;
}

/// The value of such an expression at one iteration.
static int64_t valueAt(AffineExpr expr, unsigned dims, int64_t iteration) {
  SmallVector<AffineExpr> values(dims, getAffineConstantExpr(iteration, expr.getContext()));
  AffineExpr value = simplifyAffineExpr(expr.replaceDims(values), 0, 0);
  return cast<AffineConstantExpr>(value).getValue();
}

SmallVector<bool> BorderedLoop::oursAmong(AffineMap map, ValueRange operands,
                                          Value variable) const {
  SmallVector<bool> ours;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    ours.push_back(operands[dim] == variable);
  return ours;
}

/// Where remainders and quotients of the loop variable step.
void BorderedLoop::visitQuotients(AffineMap map, ValueRange operands) {
  SmallVector<bool> ours = oursAmong(map, operands, loop.getInductionVar());
  map.walkExprs([&](AffineExpr part) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    if (!binary ||
        (binary.getKind() != AffineExprKind::Mod && binary.getKind() != AffineExprKind::FloorDiv))
      return;
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!divisor || divisor.getValue() <= 0 || !isLinearIn(binary.getLHS(), ours))
      return;
    AffineExpr quotient = binary.getLHS().floorDiv(divisor.getValue());
    auto state = [&](int64_t at) { return valueAt(quotient, map.getNumDims(), at); };
    // What steps often is no border.
    if (std::abs(state(upper - 1) - state(lower)) <= 2)
      changesOf(state, lower, upper - 1, changes);
  });
}

/// An integer as an expression of the loop variable (d0); nothing for others.
AffineExpr BorderedLoop::affineOf(Value value) {
  MLIRContext *context = value.getContext();
  if (value == loop.getInductionVar())
    return getAffineDimExpr(0, context);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), context);
  Operation *op = value.getDefiningOp();
  // Narrower integers wrap around.
  if (!op || !(value.getType().isIndex() || value.getType().isInteger(64)))
    return {};
  if (isa<arith::IndexCastOp>(op) && !op->getOperand(0).getType().isInteger(32))
    return affineOf(op->getOperand(0));
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return {};
  AffineExpr left = affineOf(op->getOperand(0)), right = affineOf(op->getOperand(1));
  if (!left || !right)
    return {};
  if (isa<arith::AddIOp>(op))
    return left + right;
  if (isa<arith::SubIOp>(op))
    return left - right;
  bool linear = isa<AffineConstantExpr>(left) || isa<AffineConstantExpr>(right);
  return linear ? left * right : AffineExpr();
}

static bool isSigned(arith::CmpIPredicate predicate) {
  return predicate != arith::CmpIPredicate::ult && predicate != arith::CmpIPredicate::ule &&
         predicate != arith::CmpIPredicate::ugt && predicate != arith::CmpIPredicate::uge;
}

void BorderedLoop::visitComparison(arith::CmpIOp comparison) {
  AffineExpr left = affineOf(comparison.getLhs()), right = affineOf(comparison.getRhs());
  if (!left || !right || !isSigned(comparison.getPredicate()))
    return;
  AffineExpr difference = left - right;
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = comparison.getPredicate();
  bool equality = predicate == Predicate::eq || predicate == Predicate::ne;
  bool atZero = predicate == Predicate::sge || predicate == Predicate::slt;
  changesOf(
      [&](int64_t at) -> int64_t {
        int64_t value = valueAt(difference, 1, at);
        int64_t sign = value < 0 ? -1 : value > 0 ? 1 : 0;
        return equality ? sign : atZero ? sign >= 0 : sign > 0;
      },
      lower, upper - 1, changes);
}

void BorderedLoop::findChanges() {
  loop.getBody()->walk([&](Operation *op) {
    if (auto load = dyn_cast<affine::AffineReadOpInterface>(op))
      visitQuotients(load.getAffineMap(), load.getMapOperands());
    else if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      visitQuotients(apply.getAffineMap(), apply.getMapOperands());
    else if (auto comparison = dyn_cast<arith::CmpIOp>(op))
      visitComparison(comparison);
  });
}

bool BorderedLoop::fits() {
  if (!loop.hasConstantBounds() || loop.getStepAsInt() != 1 || loop.getNumIterOperands() != 0)
    return false;
  if (auto parent = dyn_cast<AffineForOp>(loop->getParentOp());
      parent && parent->hasAttr("weft.transpose"))
    return false;
  lower = loop.getConstantLowerBound();
  upper = loop.getConstantUpperBound();
  if (upper - lower < 2 * lanes)
    return false;
  findChanges();
  if (changes.empty())
    return false;

  SmallVector<int64_t> ends = llvm::to_vector(changes);
  llvm::sort(ends);
  ends.push_back(upper);
  int64_t begin = lower;
  for (int64_t end : ends) {
    int64_t from = lower + llvm::divideCeil(begin - lower, lanes) * lanes;
    int64_t to = end == upper ? upper : lower + (end - lower) / lanes * lanes;
    begin = end;
    if (to - from < lanes)
      continue;
    int64_t done = parts.empty() ? lower : parts.back().to;
    if (done < from)
      parts.push_back({done, from, false});
    parts.push_back({from, to, true});
    inside += to - from;
  }
  if (!parts.empty() && parts.back().to < upper)
    parts.push_back({parts.back().to, upper, false});
  int64_t operations = 0;
  loop.getBody()->walk([&](Operation *) { ++operations; });
  int64_t copies = parts.size();
  return parts.size() <= mostParts && copies * operations <= mostOperations &&
         2 * inside >= upper - lower;
}

/// `expr` where the iterations are `first` to `last`: remainders and quotients that do not
/// step there are gone.
AffineExpr BorderedLoop::without(AffineExpr expr, unsigned dims, ArrayRef<bool> ours, int64_t first,
                                 int64_t last) const {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr left = without(binary.getLHS(), dims, ours, first, last);
  AffineExpr right = without(binary.getRHS(), dims, ours, first, last);
  auto divisor = dyn_cast<AffineConstantExpr>(right);
  bool divides =
      binary.getKind() == AffineExprKind::Mod || binary.getKind() == AffineExprKind::FloorDiv;
  if (!divides || !divisor || divisor.getValue() <= 0 || !isLinearIn(left, ours))
    return getAffineBinaryOpExpr(binary.getKind(), left, right);
  AffineExpr quotient = left.floorDiv(divisor.getValue());
  int64_t value = valueAt(quotient, dims, first);
  if (value != valueAt(quotient, dims, last))
    return getAffineBinaryOpExpr(binary.getKind(), left, right);
  if (binary.getKind() == AffineExprKind::Mod)
    return left - value * divisor.getValue();
  return getAffineConstantExpr(value, expr.getContext());
}

void BorderedLoop::specialise(AffineForOp copy) {
  int64_t first = copy.getConstantLowerBound(), last = copy.getConstantUpperBound() - 1;
  Value variable = copy.getInductionVar();
  auto simplified = [&](AffineMap map, ValueRange operands) {
    SmallVector<bool> ours = oursAmong(map, operands, variable);
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : map.getResults()) {
      AffineExpr known = without(expr, map.getNumDims(), ours, first, last);
      results.push_back(
          known == expr ? expr : simplifyAffineExpr(known, map.getNumDims(), map.getNumSymbols()));
    }
    return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results, map.getContext());
  };
  BorderedLoop inner(copy, lanes);
  SmallVector<arith::CmpIOp> comparisons;
  copy.getBody()->walk([&](Operation *op) {
    if (auto load = dyn_cast<affine::AffineReadOpInterface>(op))
      op->setAttr(affine::AffineLoadOp::getMapAttrStrName(),
                  AffineMapAttr::get(simplified(load.getAffineMap(), load.getMapOperands())));
    else if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      apply.setMap(simplified(apply.getAffineMap(), apply.getMapOperands()));
    else if (auto comparison = dyn_cast<arith::CmpIOp>(op))
      comparisons.push_back(comparison);
  });
  for (arith::CmpIOp comparison : comparisons) {
    AffineExpr left = inner.affineOf(comparison.getLhs());
    AffineExpr right = inner.affineOf(comparison.getRhs());
    if (!left || !right || !isSigned(comparison.getPredicate()))
      continue;
    auto holds = [&](int64_t at) {
      APInt difference(64, valueAt(left - right, 1, at), true);
      return arith::applyCmpPredicate(comparison.getPredicate(), difference, APInt(64, 0));
    };
    // Of an equality both ends say nothing: it may hold between them.
    bool equality = comparison.getPredicate() == arith::CmpIPredicate::eq ||
                    comparison.getPredicate() == arith::CmpIPredicate::ne;
    bool sameSign = (valueAt(left - right, 1, first) < 0) == (valueAt(left - right, 1, last) < 0);
    if (holds(first) != holds(last) || (equality && !sameSign))
      continue;
    OpBuilder builder(comparison);
    Value known =
        arith::ConstantOp::create(builder, comparison.getLoc(), builder.getBoolAttr(holds(first)));
    comparison.replaceAllUsesWith(known);
    comparison.erase();
  }
  // A choice that is known is the value chosen; then the other one is read no more.
  copy.getBody()->walk([&](Operation *op) {
    SmallVector<OpFoldResult> folded;
    if (op->getNumResults() != 1 ||
        !isa<arith::SelectOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
      return;
    SmallVector<Attribute> operands(op->getNumOperands());
    for (auto [operand, attribute] : llvm::zip(op->getOperands(), operands))
      matchPattern(operand, m_Constant(&attribute));
    if (failed(op->fold(operands, folded)) || folded.empty())
      return;
    Value value = dyn_cast<Value>(folded[0]);
    if (!value) {
      OpBuilder builder(op);
      value = arith::ConstantOp::create(builder, op->getLoc(),
                                        cast<TypedAttr>(cast<Attribute>(folded[0])));
    }
    op->getResult(0).replaceAllUsesWith(value);
  });
  weft::eraseUnused(copy);
}

void BorderedLoop::rewrite() {
  OpBuilder builder(loop);
  for (const Part &part : parts) {
    auto copy = cast<AffineForOp>(builder.clone(*loop));
    copy.setConstantLowerBound(part.from);
    copy.setConstantUpperBound(part.to);
    if (part.inside)
      specialise(copy);
  }
  loop.erase();
}

/// Whether an op asks for a remainder, a quotient, or how two indices compare.
static bool asks(Operation *op) {
  AffineMap map;
  if (auto load = dyn_cast<affine::AffineReadOpInterface>(op))
    map = load.getAffineMap();
  else if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    map = apply.getAffineMap();
  else
    return isa<arith::CmpIOp>(op);
  bool divides = false;
  map.walkExprs([&](AffineExpr part) {
    divides |= part.getKind() == AffineExprKind::Mod || part.getKind() == AffineExprKind::FloorDiv;
  });
  return divides;
}

void BorderedLoop::settle() {
  if (!loop.hasConstantBounds() || loop.getStepAsInt() != 1 ||
      loop.getConstantLowerBound() >= loop.getConstantUpperBound())
    return;
  WalkResult found = loop.getBody()->walk(
      [](Operation *op) { return asks(op) ? WalkResult::interrupt() : WalkResult::advance(); });
  if (found.wasInterrupted())
    specialise(loop);
}

/// Whether a part is cut further: a quarter of the iterations and more.
bool BorderedLoop::isLarge(const Part &part) const { return 4 * part.size() >= upper - lower; }

SmallVector<AffineForOp> BorderedLoop::rewriteNest(AffineForOp nest, size_t level) {
  OpBuilder builder(nest);
  SmallVector<AffineForOp> large;
  for (const Part &part : parts) {
    auto copied = cast<AffineForOp>(builder.clone(*nest));
    AffineForOp copy = copied;
    for (size_t n = 0; n < level; ++n)
      copy = cast<AffineForOp>(copy.getBody()->front());
    copy.setConstantLowerBound(part.from);
    copy.setConstantUpperBound(part.to);
    if (part.inside)
      specialise(copy);
    if (isLarge(part))
      large.push_back(copied);
    else if (part.size() == 1)
      copy->setAttr(borderMark, builder.getUnitAttr());
  }
  nest.erase();
  return large;
}

} // namespace weft
