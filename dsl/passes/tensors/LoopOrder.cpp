//===- LoopOrder.cpp - which loop of a map becomes the vector loop -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/tensors/LoopOrder.h"

#include "dialect/Target.h"
#include "passes/Directives.h"
#include "passes/Notes.h"
#include "passes/loops/AccessPattern.h"
#include "passes/loops/Buffers.h"
#include "passes/tensors/Elementwise.h"
#include "passes/tensors/LineChain.h"

#include "mlir/IR/AffineExpr.h"

using namespace mlir;

namespace weft {

namespace {

/// Numbers of a row whose results are truth values that fill no vector: of six, one by one took 0.7
/// of the time, of seven 2.5 times as long.
constexpr int64_t fewestTruths = 7;

/// Panels of columns are multiples of this wide on every target.
constexpr int64_t panelUnit = 4;

/// Whether a map, with `outer` and `inner` as its innermost loops, reads one tensor along the one
/// and stores along the other: squares of elements change from rows to columns in registers. What
/// else it reads lies as what it stores, and only real numbers may be more than copied.
bool isTransposing(MapOp map, const StoreTarget &store, unsigned outer, unsigned inner) {
  if (!isElementwise(map))
    return false;
  bool packs = strideAlong(store.shape, store.index, inner) == 1;
  unsigned stored = packs ? inner : outer, other = packs ? outer : inner;
  if (strideAlong(store.shape, store.index, stored) != 1 ||
      strideAlong(store.shape, store.index, other) == 1)
    return false;
  auto reads = map.bodyBlock()->getOps<tensor::ExtractOp>();
  Type element = map.yielded().front().getType();
  bool copies =
      llvm::hasSingleElement(reads) && map.yielded().front().getDefiningOp<tensor::ExtractOp>();
  unsigned turned = 0;
  for (tensor::ExtractOp read : reads) {
    auto along = [&](unsigned dim) {
      return strideAlong(read.getTensor().getType(), read.getIndices(),
                         map.bodyBlock()->getArgument(dim));
    };
    if (!copies && (read.getType() != element || !isa<FloatType>(element)))
      return false;
    if (accessWorth(along(stored)) >= 0)
      continue;
    if (along(other) != 1)
      return false;
    ++turned;
  }
  return turned == 1;
}

/// Whether a dimension and another one are one row of elements wherever a map reads and stores.
bool isPartOfRow(MapOp map, const StoreTarget &store, unsigned dim) {
  int64_t extent = map.getUpper()[dim];
  if (map.getLower()[dim] != 0)
    return false;
  auto follows = [&](std::optional<int64_t> row, std::optional<int64_t> element) {
    return row && element && *row == extent * *element;
  };
  for (unsigned row = 0; row < map.rank(); ++row) {
    bool all = row != dim && follows(strideAlong(store.shape, store.index, row),
                                     strideAlong(store.shape, store.index, dim));
    map.getBody().walk([&](tensor::ExtractOp read) {
      auto along = [&](unsigned of) {
        return strideAlong(read.getTensor().getType(), read.getIndices(),
                           map.bodyBlock()->getArgument(of));
      };
      all &= follows(along(row), along(dim));
    });
    if (all)
      return true;
  }
  return false;
}

} // namespace

std::optional<int64_t> stepAlong(AffineExpr expr, unsigned position) {
  if (!expr.isFunctionOfDim(position))
    return 0;
  if (isa<AffineDimExpr>(expr))
    return 1;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    auto left = stepAlong(binary.getLHS(), position);
    auto right = stepAlong(binary.getRHS(), position);
    if (!left || !right)
      return std::nullopt;
    return *left + *right;
  }
  // Along a whole vector that no panel's end cuts.
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (divisor && isa<AffineDimExpr>(binary.getLHS()) && divisor.getValue() % panelUnit == 0) {
    if (expr.getKind() == AffineExprKind::FloorDiv)
      return 0;
    if (expr.getKind() == AffineExprKind::Mod)
      return 1;
  }
  if (expr.getKind() == AffineExprKind::Mul)
    if (auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      if (auto left = stepAlong(binary.getLHS(), position))
        return *left * factor.getValue();
  return std::nullopt;
}

bool dependsOn(Value value, Value variable) {
  Operation *producer = value.getDefiningOp();
  if (value == variable || !producer || producer->getNumRegions() != 0)
    return value == variable || producer;
  return llvm::any_of(producer->getOperands(),
                      [&](Value operand) { return dependsOn(operand, variable); });
}

/// Whether `holds` is true of the elements of all that a map reads and stores.
static bool holdsOnly(MapOp map, llvm::function_ref<bool(Type)> holds) {
  auto isSo = [&](Value tensor) {
    return holds(cast<RankedTensorType>(tensor.getType()).getElementType());
  };
  bool all = llvm::all_of(map.getResults(), isSo);
  map.getBody().walk([&](tensor::ExtractOp extract) { all &= isSo(extract.getTensor()); });
  return all;
}

/// Complex numbers, of which a vector holds half as many.
static bool isComplex(MapOp map) {
  return holdsOnly(map, [](Type element) { return isa<ComplexType>(element); });
}

/// Real numbers of one type, beside truth values.
static bool isReal(MapOp map) {
  Type number;
  return holdsOnly(map,
                   [&](Type element) {
                     if (!number && isa<FloatType>(element))
                       number = element;
                     return element == number || element.isInteger(1);
                   }) &&
         number;
}

static bool givesTruths(MapOp map) {
  return llvm::any_of(map.getResultTypes(), [](Type type) {
    return cast<RankedTensorType>(type).getElementType().isInteger(1);
  });
}

int accessWorth(std::optional<int64_t> stride) {
  if (!stride)
    return -1;
  return *stride == 1 ? 1 : *stride == 0 ? 0 : -1;
}

bool isPickedAt(Type element, std::optional<int64_t> stride) {
  int64_t numbers = isa<ComplexType>(element) ? 2 : 1;
  return stride && *stride != 0 && std::abs(*stride) * numbers <= farthestPicked;
}

std::optional<int64_t> strideAlong(ArrayRef<int64_t> shape, AffineMap index, unsigned position) {
  int64_t stride = 0, extent = 1;
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 1; dim >= 0; --dim) {
    auto factor = stepAlong(index.getResult(dim), position);
    if (!factor)
      return std::nullopt;
    stride += *factor * extent;
    extent *= shape[dim];
  }
  return stride;
}

std::optional<int64_t> strideAlong(RankedTensorType tensor, ValueRange indices, Value variable) {
  MLIRContext *context = tensor.getContext();
  SmallVector<AffineExpr> exprs;
  SmallVector<Value> operands(indices.begin(), indices.end());
  for (unsigned n = 0; n < operands.size(); ++n)
    exprs.push_back(getAffineDimExpr(n, context));
  AffineMap map = AffineMap::get(operands.size(), 0, exprs, context);
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  std::optional<int64_t> total = 0;
  for (auto [position, operand] : llvm::enumerate(operands)) {
    if (operand == variable) {
      if (position >= map.getNumDims())
        return std::nullopt;
      auto stride = strideAlong(tensor.getShape(), map, position);
      if (!stride)
        return std::nullopt;
      *total += *stride;
    } else if (dependsOn(operand, variable)) {
      // An index computed from data may depend on the variable in any way.
      return std::nullopt;
    }
  }
  return total;
}

/// A window's sum has so many terms at most. Those of few operations are written out later
/// (`split-borders`); what is read along a row in others has lanes as well.
constexpr int64_t mostTerms = 128;

static bool isOfWindow(BlockArgument term) {
  auto sum = dyn_cast<ReduceOp>(term.getOwner()->getParentOp());
  if (!sum)
    return false;
  int64_t terms = 1;
  for (auto [lower, upper] : llvm::zip(sum.getLower(), sum.getUpper()))
    terms *= upper - lower;
  return terms <= mostTerms;
}

/// The indices of a read by those of its map, and behind them those of terms of a window; nothing
/// where others, or data, are among them.
static std::optional<AffineMap> indicesOf(tensor::ExtractOp read, MapOp map) {
  SmallVector<Value> operands(read.getIndices());
  AffineMap index = AffineMap::getMultiDimIdentityMap(operands.size(), map.getContext());
  affine::fullyComposeAffineMapAndOperands(&index, &operands);
  SmallVector<AffineExpr> dims;
  unsigned all = map.rank();
  for (Value operand : operands) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument || index.getNumSymbols() != 0)
      return std::nullopt;
    bool isOwn = argument.getOwner() == map.bodyBlock();
    if (!isOwn && !isOfWindow(argument))
      return std::nullopt;
    dims.push_back(getAffineDimExpr(isOwn ? argument.getArgNumber() : all++, map.getContext()));
  }
  return index.replaceDimsAndSymbols(dims, {}, all, 0);
}

/// An expression between the places where its remainders and quotients of one dimension step, two
/// at most: of others it keeps them.
static AffineExpr betweenSteps(AffineExpr expr, unsigned dim, int64_t extent, unsigned rank) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr left = betweenSteps(binary.getLHS(), dim, extent, rank);
  AffineExpr right = betweenSteps(binary.getRHS(), dim, extent, rank);
  auto divisor = dyn_cast<AffineConstantExpr>(right);
  bool isRemainder = binary.getKind() == AffineExprKind::Mod;
  bool isAlone = llvm::none_of(llvm::seq<unsigned>(0, rank), [&](unsigned other) {
    return other != dim && left.isFunctionOfDim(other);
  });
  if ((isRemainder || binary.getKind() == AffineExprKind::FloorDiv) && divisor && isAlone &&
      divisor.getValue() >= extent && stepAlong(left, dim) == 1)
    return isRemainder ? left : getAffineConstantExpr(0, expr.getContext());
  return getAffineBinaryOpExpr(binary.getKind(), left, right);
}

/// The stride along a dimension of a map but for such places: `split-borders` takes the loop apart
/// there.
static std::optional<int64_t> strideBetweenSteps(MapOp map, tensor::ExtractOp read, unsigned dim) {
  std::optional<AffineMap> index = indicesOf(read, map);
  if (!index)
    return std::nullopt;
  int64_t extent = map.getUpper()[dim] - map.getLower()[dim];
  SmallVector<AffineExpr> without;
  for (AffineExpr expr : index->getResults())
    without.push_back(betweenSteps(expr, dim, extent, map.rank()));
  ArrayRef<int64_t> shape = cast<RankedTensorType>(read.getTensor().getType()).getShape();
  return strideAlong(shape, AffineMap::get(index->getNumDims(), 0, without, map.getContext()), dim);
}

int64_t lanesOf(MapOp map, const VectorUnit &vectors) {
  int64_t widest = 1;
  bool givesTruth = false;
  auto note = [&](Type element) {
    givesTruth |= element.isInteger(1);
    widest = std::max<int64_t>(widest, realType(element).getIntOrFloatBitWidth() / 8);
  };
  for (Type type : map.getResultTypes())
    note(cast<RankedTensorType>(type).getElementType());
  if (givesTruth && vectors.packsTruths) {
    widest = std::max<int64_t>(widest, 4);
    map.getBody().walk([&](tensor::ExtractOp read) { note(read.getType()); });
  }
  return std::max<int64_t>(vectors.lanes(widest * 8), 2);
}

LoopOrder chooseLoopOrder(MapOp map, ArrayRef<StoreTarget> stores, int64_t lanes, bool inBlock,
                          bool masked, bool picked) {
  LoopOrder order;
  unsigned rank = map.rank();
  for (unsigned dim = 0; dim < rank; ++dim)
    order.dims.push_back(dim);
  if (rank == 0)
    return order;

  int64_t fewest = isComplex(map) && !inBlock ? std::max<int64_t>(lanes / 2, 2) : lanes;
  std::optional<unsigned> best;
  auto findBest = [&](int64_t atLeast, bool allSideBySide = false) {
    int bestScore = 0;
    for (unsigned dim = 0; dim < rank; ++dim) {
      if (inBlock && dim != rank - 1)
        continue;
      if (map.getUpper()[dim] - map.getLower()[dim] < atLeast)
        continue;
      int score = 0;
      bool single = false; // an element of its own in each lane
      auto add = [&](std::optional<int64_t> stride) {
        score += accessWorth(stride);
        single |= accessWorth(stride) < 0;
      };
      for (const StoreTarget &store : stores)
        add(strideAlong(store.shape, store.index, dim));
      Value variable = map.bodyBlock()->getArgument(dim);
      map.getBody().walk([&](tensor::ExtractOp extract) {
        std::optional<int64_t> stride =
            strideAlong(extract.getTensor().getType(), extract.getIndices(), variable);
        if (!stride && !inBlock)
          stride = strideBetweenSteps(map, extract, dim);
        int64_t extent = map.getUpper()[dim] - map.getLower()[dim];
        if (picked && stride != 1 && isPickedAt(extract.getType(), stride))
          single |= !readsWholeVectors(*stride, extent, lanes);
        else
          add(stride);
      });
      if (allSideBySide && single)
        continue;
      if (score > 0 && score >= bestScore) {
        best = dim;
        bestScore = score;
      }
    }
  };
  findBest(fewest);
  if (!best && masked && !inBlock && (isComplex(map) || isReal(map)))
    isComplex(map)
        ? findBest(2)
        : findBest(std::max(fewestMasked(lanes), givesTruths(map) ? fewestTruths : 0), true);
  // One that is contiguous along one dimension here and along another there goes by squares; where
  // vectors may be masked, one of the two may be shorter than they are, if it is no part of a
  // longer row.
  std::optional<unsigned> turning;
  auto findTurning = [&](int64_t atLeast) {
    for (unsigned outer = 0; outer < rank && !turning; ++outer)
      for (unsigned inner = 0; inner < rank; ++inner) {
        auto extent = [&](unsigned dim) { return map.getUpper()[dim] - map.getLower()[dim]; };
        if (outer == inner || std::min(extent(outer), extent(inner)) < atLeast ||
            std::max(extent(outer), extent(inner)) < lanes ||
            (atLeast < lanes &&
             isPartOfRow(map, stores.front(), extent(outer) < lanes ? outer : inner)) ||
            strideAlong(stores.front().shape, stores.front().index, inner) != 1 ||
            !isTransposing(map, stores.front(), outer, inner))
          continue;
        llvm::erase(order.dims, outer);
        llvm::erase(order.dims, inner);
        order.dims.append({outer, inner});
        turning = inner;
        break;
      }
  };
  if (!inBlock)
    findTurning(lanes);
  bool isShort = !inBlock && !turning && !best && masked && isReal(map) &&
                 isa<FloatType>(map.yielded().front().getType());
  if (isShort)
    findTurning(fewestMasked(lanes));
  if (best && !turning) {
    order.dims.erase(llvm::find(order.dims, *best));
    order.dims.push_back(*best);
    order.lane = true;
  }
  unsigned last = order.dims[rank - 1];
  if (map.getUpper()[last] - map.getLower()[last] < lanes && !turning)
    return order;
  order.lane |= inBlock;
  if (rank >= 2 && isTransposing(map, stores.front(), order.dims[rank - 2], last))
    order.lane = order.transposing = true;
  return order;
}

void putOutermost(SmallVectorImpl<unsigned> &dims, unsigned dim) {
  llvm::erase(dims, dim);
  dims.insert(dims.begin(), dim);
}

LogicalResult followMarks(MapOp map, LoopOrder &order) {
  if (auto lane = map->getAttrOfType<IntegerAttr>(laneIndexMark)) {
    auto dim = static_cast<unsigned>(lane.getInt());
    llvm::erase(order.dims, dim);
    order.dims.push_back(dim);
    order.lane = true;
    order.transposing = false;
  }
  auto shared = map->getAttrOfType<IntegerAttr>(sharedDimMark);
  if (!shared || order.dims.size() == 1)
    return success();
  auto dim = static_cast<unsigned>(shared.getInt());
  if (order.dims.back() == dim)
    return refuse(map.getLoc(), map->getAttrOfType<StringAttr>(distributeMark).getValue(),
                  "it is the innermost loop, along which vectors lie",
                  "another axis, or the outer one of two loops that tile makes of it");
  order.transposing &= order.dims[order.dims.size() - 2] != dim;
  putOutermost(order.dims, dim);
  return success();
}

void markLoops(MapOp map, const LoopOrder &order, ArrayRef<affine::AffineForOp> loops) {
  auto mark = UnitAttr::get(map.getContext());
  auto set = [](affine::AffineForOp loop, StringRef name, Attribute value) {
    if (value)
      loop->setAttr(name, value);
  };
  if (loops.empty())
    return;
  if (order.lane)
    set(loops.back(), "weft.lane", mark);
  if (order.transposing)
    set(loops[loops.size() - 2], "weft.transpose", mark);
  set(loops.front(), distributeMark, map->getAttr(distributeMark));
  set(loops.back(), vectorizeMark, map->getAttr(vectorizeMark));
}

void explain(MapOp map, const LoopOrder &order, int64_t lanes, bool inBlock) {
  constexpr Notes notes("lower-to-loops");
  if (!Notes::wanted(map.getLoc()) || order.dims.empty())
    return;
  std::string name = spoken(map);
  unsigned inner = order.dims.back();
  int64_t extent = map.getUpper()[inner] - map.getLower()[inner];
  StringRef index = nameIn(map.bodyBlock()->getArgument(inner).getLoc());
  std::string loop = index.empty() ? "index " + std::to_string(inner) : "'" + index.str() + "'";
  if (order.transposing)
    notes.decided(map, "{0}: copied in squares, through registers", name)
        .because("contiguous along one index where it is read, along another where it is stored");
  else if (order.lane)
    notes.decided(map, "{0}: vector lanes along {1}, the innermost loop", name, loop)
        .because(map->hasAttr(vectorizeMark)   ? "the schedule asks for it"
                 : map->hasAttr(laneIndexMark) ? "along the line: its points are interleaved pairs"
                 : inBlock ? "the lines of a block lie side by side"
                           : "most of its accesses are contiguous there; {0} iterations, {1} lanes",
                 extent, lanes)
        .number("iterations", extent)
        .number("lanes", lanes);
  else
    notes.rejected(map, "{0}: vector lanes along an index", name)
        .because("no index of at least {0} values walks contiguously through most accesses", lanes)
        .number("lanes", lanes);
}

} // namespace weft
