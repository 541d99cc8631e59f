//===- FmaForms.cpp - products and sums in one rounding ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/FmaForms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace weft {
namespace {

bool isSum(Operation *op) { return isa<arith::AddFOp, arith::SubFOp>(op); }

/// sum = product + addend, in one of the forms that targets have.
void fuse(arith::MulFOp product, Operation *sum) {
  OpBuilder builder(sum);
  Location location = sum->getLoc();
  bool isFirst = sum->getOperand(0) == product.getResult();
  Value addend = sum->getOperand(isFirst ? 1 : 0);
  Value a = product.getLhs(), b = product.getRhs();
  // A constant keeps its sign: it is shared with other products.
  if (a.getDefiningOp<arith::ConstantOp>())
    std::swap(a, b);
  if (isa<arith::SubFOp>(sum)) {
    Value &negated = isFirst ? addend : a;
    negated = arith::NegFOp::create(builder, location, negated);
  }
  auto fused = math::FmaOp::create(builder, location, a, b, addend);
  fused->setDiscardableAttrs(sum->getDiscardableAttrDictionary());
  sum->getResult(0).replaceAllUsesWith(fused);
  sum->erase();
}

} // namespace

void formFma(Region &region) {
  SmallVector<arith::MulFOp> products;
  region.walk([&](arith::MulFOp op) { products.push_back(op); });
  // Products with one use first: they never compete with each other for long,
  // while a product with more uses only goes when all of its sums are free.
  llvm::stable_sort(
      products, [](arith::MulFOp a, arith::MulFOp b) { return a->hasOneUse() && !b->hasOneUse(); });
  for (arith::MulFOp product : products) {
    SmallVector<Operation *> users(product->getUsers());
    bool absorbed = !users.empty() && llvm::all_of(users, [&](Operation *user) {
      return isSum(user) && user->getBlock() == product->getBlock() &&
             user->getOperand(0) != user->getOperand(1);
    });
    if (!absorbed)
      continue;
    for (Operation *user : users)
      fuse(product, user);
    product.erase();
  }
}

void formCarriedFma(affine::AffineForOp loop) {
  if (loop.getNumIterOperands() == 0)
    return;
  for (Value next : loop.getBody()->getTerminator()->getOperands()) {
    auto sum = next.getDefiningOp<arith::AddFOp>();
    if (!sum || sum->getBlock() != loop.getBody())
      continue;
    for (auto [addend, term] :
         {std::pair(sum.getLhs(), sum.getRhs()), {sum.getRhs(), sum.getLhs()}}) {
      auto product = term.getDefiningOp<arith::MulFOp>();
      bool isCarried = llvm::is_contained(loop.getRegionIterArgs(), addend);
      if (!isCarried || !product || !product->hasOneUse() || product->getBlock() != loop.getBody())
        continue;
      fuse(product, sum);
      product.erase();
      break;
    }
  }
}

} // namespace weft
