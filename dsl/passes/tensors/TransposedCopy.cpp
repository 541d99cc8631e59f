//===- TransposedCopy.cpp - maps that only change the order of axes -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/tensors/TransposedCopy.h"

#include "passes/Notes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace weft {

std::optional<SmallVector<unsigned>> placesOf(tensor::ExtractOp read, MapOp map) {
  SmallVector<unsigned> indexAt;
  for (Value index : read.getIndices()) {
    auto argument = dyn_cast<BlockArgument>(index);
    if (!argument || argument.getOwner() != map.bodyBlock() ||
        llvm::is_contained(indexAt, argument.getArgNumber()))
      return std::nullopt;
    indexAt.push_back(argument.getArgNumber());
  }
  if (indexAt.size() != map.rank())
    return std::nullopt;
  return indexAt;
}

std::optional<TransposedCopy> transposedCopyOf(MapOp map) {
  Block &body = *map.bodyBlock();
  if (map->getNumResults() != 1 || map.getStores().size() != 1 || !map.storeMap(0).isIdentity() ||
      !map.getInits().empty() || !llvm::hasNItems(body.without_terminator(), 1))
    return std::nullopt;
  auto extract = dyn_cast<tensor::ExtractOp>(body.front());
  if (!extract || body.getTerminator()->getOperand(0) != extract.getResult())
    return std::nullopt;
  for (auto [low, high, extent] :
       llvm::zip(map.getLower(), map.getUpper(),
                 cast<RankedTensorType>(map->getResult(0).getType()).getShape()))
    if (low != 0 || high != extent)
      return std::nullopt;
  auto indexAt = placesOf(extract, map);
  if (!indexAt || llvm::equal(*indexAt, llvm::seq<unsigned>(0, indexAt->size())))
    return std::nullopt;
  return TransposedCopy{map, extract.getTensor(), *indexAt};
}

bool TransposedCopy::isWhole() const {
  ArrayRef<int64_t> from = cast<RankedTensorType>(source.getType()).getShape();
  ArrayRef<int64_t> to = MapOp(map).getUpper();
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

bool maybePut(const TransposedCopy &copy) {
  auto maker = copy.source.getDefiningOp<MapOp>();
  return maker && maker->hasAttr("weft.lines") &&
         maker->getBlock() == MapOp(copy.map)->getBlock() && copy.source.hasOneUse() &&
         copy.isWhole();
}

std::optional<TransposedCopy> copyBehind(const LineChain &chain) {
  Value result = chain.last().getResult(0);
  if (!result.hasOneUse())
    return std::nullopt;
  auto map = dyn_cast<MapOp>((*result.user_begin())->getParentOp());
  std::optional<TransposedCopy> copy = map ? transposedCopyOf(map) : std::nullopt;
  bool isAlone = copy && copy->source == result && copy->isWhole() &&
                 map->getBlock() == chain.last()->getBlock();
  return isAlone ? copy : std::nullopt;
}

std::optional<Directive> AskedFolds::of(const TransposedCopy &copy) const {
  StringRef name = ownName(MapOp(copy.map).getLoc());
  for (const Directive &one : directives)
    for (StringRef operand : one.operands)
      if (operand == "transpose" || operand == name)
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
    std::optional<TransposedCopy> copy = transposedCopyOf(map);
    std::optional<Directive> asked = copy ? of(*copy) : std::nullopt;
    if (!asked)
      return WalkResult::advance();
    (void)refuse(map.getLoc(), asked->text,
                 llvm::formatv("{0} is copied from {1}: neither who computes that puts it there, "
                               "nor who reads it gets it from there",
                               spoken(map.getResult(0)), spoken(copy->source)),
                 "a transpose that transforms, or work element by element, are beside");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

static void transposeToMap(TransposeOp op) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getType());
  unsigned rank = type.getRank();
  SmallVector<int64_t> lower(rank, 0);
  auto stores =
      builder.getAffineMapArrayAttr({AffineMap::getMultiDimIdentityMap(rank, op.getContext())});
  auto map = MapOp::create(builder, op.getLoc(), TypeRange{type}, lower, type.getShape(),
                           ValueRange{}, stores, nullptr);
  map->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  Block *body = builder.createBlock(&map.getBody());
  SmallVector<Value> index(rank);
  for (unsigned dim = 0; dim < rank; ++dim)
    index[op.getPerm()[dim]] = body->addArgument(builder.getIndexType(), op.getLoc());
  Value element = tensor::ExtractOp::create(builder, op.getLoc(), op.getInput(), index);
  YieldOp::create(builder, op.getLoc(), element);
  op.replaceAllUsesWith(map.getResult(0));
  op.erase();
}

void transposesToMaps(Operation *within) {
  SmallVector<TransposeOp> transposes;
  within->walk([&](TransposeOp op) { transposes.push_back(op); });
  llvm::for_each(transposes, transposeToMap);
}

} // namespace weft
