//===- BalanceSums.cpp - sums on the pipes of products ----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Where sums have pipes of their own beside as many for products and multiply-adds, a butterfly
// of many sums and few products leaves half of the core idle. a + b is fma(a, 1, b), to the last
// bit, so that as many sums of a body go the other way as make both kinds of pipes equally busy.
// Shuffles take one pipe of either kind, whatever waits there, and do not tip the balance.
//
// A multiply-add takes a cycle longer than a sum. What a loop carries from turn to turn waits for
// its own last value, and a body that runs once waits for most of its values: sums there stay as
// they are. So do those of a body that spills, as a multiply-add overwrites one of its operands
// where a sum has a register for its result, and where little would move, as one takes a register.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/Pressure.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

namespace weft {
#define GEN_PASS_DEF_BALANCESUMS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;

namespace {

constexpr Notes notes("balance-sums");

/// How many sums a body has for each two products at least. Lines of 128 and 512 points, with 14
/// sums and 12 products in a body, were 0.99 to 1.01 times as fast with one of the 14 moved.
constexpr int64_t fewestForTwo = 3;

bool isFloats(Operation &op) {
  auto type = op.getNumResults() == 1 ? dyn_cast<VectorType>(op.getResult(0).getType()) : nullptr;
  return type && isa<FloatType>(type.getElementType());
}

/// A factor that changes signs alone: the emitter has multiply-adds that take it in.
bool isSigns(Value factor) {
  DenseFPElementsAttr numbers;
  return matchPattern(factor, m_Constant(&numbers)) &&
         llvm::all_of(numbers, [](APFloat number) { return abs(number).isExactlyValue(1.0); });
}

/// What one body does, by the pipes that it takes.
struct Work {
  SmallVector<Operation *> sums; ///< that may go to the pipes of products
  int64_t allSums = 0, products = 0;

  explicit Work(Block &body) {
    for (Operation &op : body) {
      if (!isFloats(op))
        continue;
      if (isa<arith::AddFOp, arith::SubFOp>(op)) {
        ++allSums;
        if (!isCarried(op))
          sums.push_back(&op);
      } else if (auto product = dyn_cast<arith::MulFOp>(op)) {
        products += !isSigns(product.getRhs());
      } else {
        products += isa<math::FmaOp, arith::DivFOp, math::SqrtOp>(op);
      }
    }
  }

  /// So many of `sums` are to move.
  int64_t toMove() const {
    if (2 * allSums < fewestForTwo * products)
      return 0;
    return std::clamp<int64_t>((allSums - products) / 2, 0, static_cast<int64_t>(sums.size()));
  }

private:
  static bool isCarried(Operation &sum) {
    return llvm::any_of(sum.getOperands(), llvm::IsaPred<BlockArgument>) ||
           llvm::any_of(sum.getUsers(),
                        [](Operation *user) { return user->hasTrait<OpTrait::IsTerminator>(); });
  }
};

/// `one` for each type of vectors, before everything else of the function: they stay in registers.
class Ones {
public:
  explicit Ones(func::FuncOp function) : builder(&function.front(), function.front().begin()) {}

  Value of(Type type) {
    Value &one = ones[type];
    if (!one) {
      auto vector = cast<VectorType>(type);
      one = arith::ConstantOp::create(
          builder, builder.getUnknownLoc(),
          DenseElementsAttr::get(vector, builder.getFloatAttr(vector.getElementType(), 1.0)));
    }
    return one;
  }

private:
  OpBuilder builder;
  DenseMap<Type, Value> ones;
};

/// a + b = fma(a, 1, b) and a - b = fma(-b, 1, a); the emitter takes the sign in.
void move(Operation *sum, Ones &ones) {
  OpBuilder builder(sum);
  Location location = sum->getLoc();
  Value factor = sum->getOperand(0), addend = sum->getOperand(1);
  if (isa<arith::SubFOp>(sum)) {
    std::swap(factor, addend);
    factor = arith::NegFOp::create(builder, location, factor);
  }
  auto moved = math::FmaOp::create(builder, location, factor, ones.of(factor.getType()), addend);
  moved->setDiscardableAttrs(sum->getDiscardableAttrDictionary());
  sum->getResult(0).replaceAllUsesWith(moved);
  sum->erase();
}

struct BalanceSums : public weft::impl::BalanceSumsBase<BalanceSums> {
  using BalanceSumsBase::BalanceSumsBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (!target->flag("sums_apart"))
      return;
    FailureOr<int64_t> registers = target->number("vector_registers");
    if (failed(registers))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        balance(function, *registers);
  }

  static void balance(func::FuncOp function, int64_t registers) {
    Ones ones(function);
    int64_t moved = 0, all = 0;
    function.walk([&](Block *body) {
      Work work(*body);
      all += work.allSums;
      // One takes a register of its own.
      if (!isa<affine::AffineForOp>(body->getParentOp()) ||
          pressureOf(*body).spills(registers - 1) != 0)
        return;
      int64_t moving = work.toMove();
      int64_t candidates = static_cast<int64_t>(work.sums.size());
      moved += moving;
      // Evenly among the others, so that no part of the body waits for one kind of pipe.
      for (auto [index, sum] : llvm::enumerate(work.sums))
        if ((int64_t(index) + 1) * moving / candidates > int64_t(index) * moving / candidates)
          move(sum, ones);
    });
    if (moved == 0)
      return;
    notes.decided(function, "{0} of {1} sums as multiply-adds by one", moved, all)
        .because("sums have pipes of their own (sums_apart), which would be busier than those of "
                 "products")
        .number("moved", moved)
        .number("sums", all);
  }
};

} // namespace
