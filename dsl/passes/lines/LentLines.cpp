//===- LentLines.cpp - lines of a result that hold stages before ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lines/LentLines.h"

#include "passes/Notes.h"
#include "passes/loops/Buffers.h"
#include "passes/lowering/Overwriting.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft {

static constexpr Notes notes("lower-to-loops");

/// The maps that give one tensor of a block, each going on with what the one before it left.
using Givers = SmallVector<MapOp, 1>;

/// The tensors of a block, each read by those that give the next one alone; none for other
/// blocks, or where a map reads what is `overwritten`.
static SmallVector<Givers> chainOf(BlocksOp blocks, llvm::function_ref<bool(Value)> overwritten) {
  SmallVector<Givers> chain;
  for (Operation &op : blocks.bodyBlock()->without_terminator()) {
    if (isa<tensor::EmptyOp>(op))
      continue;
    auto map = dyn_cast<MapOp>(op);
    if (!map || map.getNumResults() != 1)
      return {};
    bool overwrites = false;
    map.getBody().walk([&](tensor::ExtractOp read) {
      Value input = read.getTensor();
      overwrites |= input.getParentBlock() != blocks.bodyBlock() && overwritten(input);
    });
    if (overwrites)
      return {};
    Value init = map.getInits().empty() ? Value() : map.getInits().front();
    if (init && !chain.empty() && init == chain.back().back().getResult(0))
      chain.back().push_back(map);
    else if (!init || init.getDefiningOp<tensor::EmptyOp>())
      chain.push_back({map});
    else
      return {};
  }
  for (size_t next = 1; next < chain.size(); ++next)
    for (Operation *user : chain[next - 1].back().getResult(0).getUsers())
      if (llvm::none_of(chain[next], [&](MapOp map) { return map->isProperAncestor(user); }))
        return {};
  return chain;
}

/// Whether the last stage finds what it reads where it writes, and its first one then stays in the
/// block's own array, which lines of all blocks share and the first cache has: of an even number
/// of stages the first would write to the result, which it has not.
static bool lastInPlace(ArrayRef<Givers> chain) {
  if (chain.size() % 2 == 0 || chain.back().size() != 1)
    return false;
  MapOp last = chain.back().front(), before = chain[chain.size() - 2].back();
  return readsOnlyOwnElements(last, cast<OpResult>(last->getResult(0)), before->getResult(0));
}

std::optional<LentLines> linesToLend(BlocksOp blocks, int64_t vectorBytes,
                                     std::optional<int64_t> pastBytes,
                                     llvm::function_ref<bool(Value)> overwritten) {
  SmallVector<Givers> chain = chainOf(blocks, overwritten);
  if (chain.size() < 3)
    return std::nullopt;
  // The index of a line comes first, that within the line behind it.
  MLIRContext *context = blocks.getContext();
  auto type = cast<RankedTensorType>(blocks.getResult(0).getType());
  AffineMap place = blocks.place(0);
  unsigned lines = blocks.rank(), inner = place.getNumDims() - lines - 1;
  unsigned outer = type.getRank() - inner;
  int64_t points = 1;
  for (unsigned dim = outer; dim < place.getNumResults(); ++dim) {
    if (place.getResult(dim) != getAffineDimExpr(lines + dim - outer, context))
      return std::nullopt;
    points *= type.getDimSize(dim);
  }
  if (bytesOf(type) / type.getNumElements() * points % vectorBytes != 0)
    return std::nullopt;
  SmallVector<AffineExpr> ofLine;
  for (unsigned dim = 0; dim < place.getNumDims(); ++dim)
    ofLine.push_back(dim < lines ? getAffineDimExpr(dim, context)
                                 : getAffineConstantExpr(0, context));
  SmallVector<int64_t> shape(type.getShape().take_front(outer));
  shape.push_back(points);
  LentLines lent{RankedTensorType::get(shape, type.getElementType()), {}};
  for (size_t behind = lastInPlace(chain) ? 2 : 3; behind <= chain.size(); behind += 2) {
    Givers &givers = chain[chain.size() - behind];
    Value local = givers.front().getResult(0);
    auto localType = cast<RankedTensorType>(local.getType());
    if (givers.size() != 1 || localType.getNumElements() > points ||
        localType.getShape().back() != 1 || localType.getElementType() != type.getElementType())
      continue;
    auto rank = static_cast<unsigned>(localType.getRank());
    SmallVector<AffineExpr> index;
    for (unsigned dim = 0; dim < outer; ++dim)
      index.push_back(place.getResult(dim).replaceDims(ofLine));
    AffineExpr within = getAffineConstantExpr(0, context);
    for (unsigned dim = 0; dim < rank; ++dim)
      within = within * localType.getDimSize(dim) + getAffineDimExpr(lines + dim, context);
    index.push_back(within);
    lent.places.push_back({local, AffineMap::get(lines + rank, 0, index, context)});
  }
  if (int64_t bytes = bytesOf(type); pastBytes && bytes > *pastBytes && !lent.places.empty()) {
    Value result = blocks.getResult(0);
    notes.rejected(result.getLoc(), "stages of {0} in the lines of the result", spoken(result))
        .because("{0} bytes are stored past the caches: no line comes there before", bytes)
        .number("bytes", bytes);
    return std::nullopt;
  }
  return lent;
}

} // namespace weft
