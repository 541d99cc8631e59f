//===- TransposedCopy.cpp - maps that only change the order of axes -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/TransposedCopy.h"

#include "passes/Notes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace weft {

std::optional<TransposedCopy> transposedCopyOf(MapOp map) {
  Block &body = *map.bodyBlock();
  if (map->getNumResults() != 1 || map.getStores().size() != 1 || !map.storeMap(0).isIdentity() ||
      !map.getInits().empty() || !llvm::hasNItems(body.without_terminator(), 1))
    return std::nullopt;
  auto extract = dyn_cast<tensor::ExtractOp>(body.front());
  if (!extract || body.getTerminator()->getOperand(0) != extract.getResult())
    return std::nullopt;
  TransposedCopy found{extract.getTensor(), {}};
  for (auto [low, high, extent] :
       llvm::zip(map.getLower(), map.getUpper(),
                 cast<RankedTensorType>(map->getResult(0).getType()).getShape()))
    if (low != 0 || high != extent)
      return std::nullopt;
  for (Value index : extract.getIndices()) {
    auto argument = dyn_cast<BlockArgument>(index);
    if (!argument || argument.getOwner() != &body ||
        llvm::is_contained(found.indexAt, argument.getArgNumber()))
      return std::nullopt;
    found.indexAt.push_back(argument.getArgNumber());
  }
  bool moves = !llvm::equal(found.indexAt, llvm::seq<unsigned>(0, found.indexAt.size()));
  if (!moves || found.indexAt.size() != static_cast<size_t>(map.rank()))
    return std::nullopt;
  return found;
}

bool TransposedCopy::isWhole(MapOp copy) const {
  ArrayRef<int64_t> from = cast<RankedTensorType>(source.getType()).getShape();
  ArrayRef<int64_t> to = cast<RankedTensorType>(copy.getResult(0).getType()).getShape();
  return llvm::all_of(llvm::zip(from, indexAt), [&](auto entry) {
    auto [extent, place] = entry;
    return extent == to[place];
  });
}

AffineMap TransposedCopy::placeOf(AffineMap index) const {
  SmallVector<AffineExpr> results(indexAt.size());
  for (auto [place, expr] : llvm::zip(indexAt, index.getResults()))
    results[place] = expr;
  return AffineMap::get(index.getNumDims(), index.getNumSymbols(), results, index.getContext());
}

bool maybePut(MapOp copy, const TransposedCopy &transposed) {
  auto maker = transposed.source.getDefiningOp<MapOp>();
  return maker && maker->hasAttr("weft.lines") && maker->getBlock() == copy->getBlock() &&
         transposed.source.hasOneUse() && transposed.isWhole(copy);
}

MapOp copyBehind(const LineChain &chain) {
  Value result = chain.last().getResult(0);
  if (!result.hasOneUse())
    return {};
  auto copy = dyn_cast<MapOp>((*result.user_begin())->getParentOp());
  auto transposed = copy ? transposedCopyOf(copy) : std::nullopt;
  bool isAlone = transposed && transposed->source == result && transposed->isWhole(copy) &&
                 copy->getBlock() == chain.last()->getBlock();
  return isAlone ? copy : MapOp();
}

std::optional<Directive> AskedFolds::of(MapOp copy) const {
  for (const Directive &one : directives)
    for (StringRef operand : one.operands)
      if (operand == "transpose" || operand == ownName(copy.getLoc()))
        return one;
  return std::nullopt;
}

LogicalResult AskedFolds::areThere(func::FuncOp func) const {
  std::string names;
  bool transposes = false, reshapes = false;
  llvm::StringSet<> known;
  func.walk([&](Operation *op) {
    transposes |= isa<TransposeOp>(op);
    reshapes |= isa<ReshapeOp>(op);
    StringRef name = isa<TransposeOp, ReshapeOp>(op) ? ownName(op->getLoc()) : StringRef();
    if (!name.empty() && known.insert(name).second)
      names += ", " + name.str();
  });
  names = (transposes ? ", transpose" : "") + std::string(reshapes ? ", reshape" : "") + names;
  for (const Directive &one : directives)
    for (StringRef operand : one.operands)
      if (!(operand == "transpose" ? transposes
            : operand == "reshape" ? reshapes
                                   : known.contains(operand)))
        return refuse(
            func.getLoc(), one.text,
            operand == "transpose" || operand == "reshape"
                ? "there is none in the kernel"
                : llvm::formatv("'{0}' is neither a transpose nor a reshape", operand).str(),
            names.empty() ? "none" : names.substr(2));
  return success();
}

LogicalResult AskedFolds::areDone(func::FuncOp func) const {
  WalkResult walked = func.walk([&](MapOp map) {
    std::optional<TransposedCopy> transposed = transposedCopyOf(map);
    std::optional<Directive> asked = transposed ? of(map) : std::nullopt;
    if (!asked)
      return WalkResult::advance();
    (void)refuse(map.getLoc(), asked->text,
                 llvm::formatv("{0} is copied from {1}: neither who computes that puts it there, "
                               "nor who reads it gets it from there",
                               spoken(map.getResult(0)), spoken(transposed->source)),
                 "a transpose that transforms, or work element by element, are beside");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

} // namespace weft
