//===- TileForLdm.cpp - chains of stages over blocks of lines -------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Tiling happens on tensors, before buffers are chosen: here a chain of stages and
// the lines that they share are still visible, so that one rewriting serves the caches
// of a CPU now and the LDM of a CPE later. The lane of a block, its last dimension, is
// a line dimension that is contiguous in memory where there is one that fills a
// vector; otherwise the longest, and the block is transposed on its way in and out.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/LineChain.h"
#include "passes/LoopOrder.h"
#include "passes/Notes.h"
#include "passes/SplitLines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace weft {
#define GEN_PASS_DEF_TILEFORLDM
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;

namespace {

constexpr Notes notes("tile-for-ldm");

/// Blocks wider than this many vectors gain nothing: 4 of them are 512 bytes of a row.
constexpr int64_t widestBlock = 4;

struct Plan {
  unsigned lane = 0;       ///< the line dimension that becomes the lane
  int64_t width = 0;       ///< lines in a block
  bool packs = false;      ///< the lane is not contiguous in memory
  bool alongLines = false; ///< vectors lie along a line: one line a block, `lane` of no meaning
};

int64_t laneAlong(const Stage &stage);

class ChainTiling {
public:
  ChainTiling(LineChain &chain, const Plan &plan) : chain(chain), plan(plan) {}

  /// Replaces the chain by blocks (a second op for a narrower remainder); a single line stays,
  /// with a mark of what lies along it.
  void run();

private:
  BlocksOp tile(OpBuilder &builder, int64_t from, int64_t to, int64_t width, Value init);
  Value buildStage(OpBuilder &builder, const Stage &stage, Value before);
  Value pack(OpBuilder &builder, tensor::ExtractOp read, const SmallVector<int> &lines);
  Value unpack(OpBuilder &builder, Value local, Location loc);
  bool needsPacking(const Stage &stage, tensor::ExtractOp read);
  bool keepsToOwnLines();

  LineChain &chain;
  Plan plan;
  // State of the block being built.
  SmallVector<Value> origin;
  int64_t width = 0;
  DenseMap<Value, Value> locals; ///< results of the old chain, and what holds their block
  /// A slab of an outer tensor; one tensor may be read along different lines.
  struct Packed {
    Value tensor;
    SmallVector<int> lines;
    Value local;
  };
  SmallVector<Packed> packed;
};

AffineMap identity(unsigned rank, MLIRContext *context) {
  return AffineMap::getMultiDimIdentityMap(rank, context);
}

/// A map over `shape`, not yet filled, that stores each point's value at its index.
MapOp createMap(OpBuilder &builder, Location loc, ArrayRef<int64_t> upper, RankedTensorType type,
                ArrayRef<AffineMap> stores) {
  SmallVector<int64_t> lower(upper.size(), 0);
  auto map = MapOp::create(builder, loc, TypeRange{type}, lower, upper, ValueRange{},
                           builder.getAffineMapArrayAttr(stores), nullptr);
  Block *body = new Block;
  map.getBody().push_back(body);
  for (size_t dim = 0; dim < upper.size(); ++dim)
    body->addArgument(builder.getIndexType(), loc);
  return map;
}

bool ChainTiling::needsPacking(const Stage &stage, tensor::ExtractOp read) {
  if (!plan.packs || read.getTensor().getDefiningOp<TableOp>())
    return false;
  auto lines = linesRead(chain, stage, read);
  if (!lines || !llvm::is_contained(*lines, static_cast<int>(plan.lane)) ||
      llvm::count(*lines, -1) == 0)
    return false;
  auto stride = strideAlong(read.getTensor().getType(), read.getIndices(),
                            chain.lineArgument(stage, plan.lane));
  return stride != 1;
}

/// The slab of an outer tensor that the block's lines see, lane last.
Value ChainTiling::pack(OpBuilder &builder, tensor::ExtractOp read, const SmallVector<int> &lines) {
  for (const Packed &known : packed)
    if (known.tensor == read.getTensor() && known.lines == lines)
      return known.local;
  RankedTensorType outer = read.getTensor().getType();
  SmallVector<int64_t> shape;
  for (auto [dim, line] : llvm::enumerate(lines))
    if (line < 0)
      shape.push_back(outer.getDimSize(dim));
  shape.push_back(width);
  auto type = RankedTensorType::get(shape, outer.getElementType());
  MapOp map = createMap(builder, read.getLoc(), shape, type,
                        {identity(shape.size(), builder.getContext())});
  OpBuilder inner = OpBuilder::atBlockEnd(map.bodyBlock());
  SmallVector<Value> index;
  unsigned next = 0;
  for (int line : lines) {
    if (line < 0)
      index.push_back(map.bodyBlock()->getArgument(next++));
    else if (line == static_cast<int>(plan.lane))
      index.push_back(affine::AffineApplyOp::create(
          inner, read.getLoc(),
          AffineMap::get(2, 0, inner.getAffineDimExpr(0) + inner.getAffineDimExpr(1)),
          ValueRange{origin[line], map.bodyBlock()->getArguments().back()}));
    else
      index.push_back(origin[line]);
  }
  Value element = tensor::ExtractOp::create(inner, read.getLoc(), read.getTensor(), index);
  YieldOp::create(inner, read.getLoc(), element);
  packed.push_back({read.getTensor(), lines, map.getResult(0)});
  return map.getResult(0);
}

Value ChainTiling::unpack(OpBuilder &builder, Value local, Location loc) {
  auto type = cast<RankedTensorType>(local.getType());
  MapOp map = createMap(builder, loc, type.getShape(), type,
                        {identity(type.getRank(), builder.getContext())});
  OpBuilder inner = OpBuilder::atBlockEnd(map.bodyBlock());
  Value element = tensor::ExtractOp::create(inner, loc, local, map.bodyBlock()->getArguments());
  YieldOp::create(inner, loc, element);
  return map.getResult(0);
}

/// A stage on the block's lines: domain (inner..., lane), result [inner..., lane].
Value ChainTiling::buildStage(OpBuilder &builder, const Stage &stage, Value before) {
  MapOp old = stage.map;
  MLIRContext *context = builder.getContext();
  unsigned inner = stage.innerDomain;

  SmallVector<int64_t> upper(old.getUpper().slice(chain.pre, inner));
  upper.push_back(width);
  auto oldType = cast<RankedTensorType>(old.getResult(0).getType());
  SmallVector<int64_t> shape(oldType.getShape().slice(chain.pre, stage.innerResult));
  shape.push_back(width);

  SmallVector<AffineExpr> renumber(old.rank(), getAffineConstantExpr(0, context));
  for (unsigned dim = 0; dim < inner; ++dim)
    renumber[chain.pre + dim] = getAffineDimExpr(dim, context);
  SmallVector<AffineMap> stores;
  for (unsigned n = 0; n < old.getStores().size(); ++n) {
    AffineMap store = old.storeMap(n).replaceDimsAndSymbols(renumber, {}, inner + 1, 0);
    SmallVector<AffineExpr> results(store.getResults().slice(chain.pre, stage.innerResult));
    results.push_back(getAffineDimExpr(inner, context));
    stores.push_back(AffineMap::get(inner + 1, 0, results, context));
  }
  auto type = RankedTensorType::get(shape, oldType.getElementType());

  // Packing maps come first, so that they stand before the stage that reads them.
  DenseMap<Operation *, std::pair<Value, SmallVector<int>>> sources;
  old.getBody().walk([&](tensor::ExtractOp read) {
    if (before && read.getTensor() == before) {
      sources[read] = {locals.lookup(before), *linesRead(chain, stage, read)};
    } else if (needsPacking(stage, read)) {
      SmallVector<int> lines = *linesRead(chain, stage, read);
      sources[read] = {pack(builder, read, lines), lines};
    }
  });
  MapOp map = createMap(builder, old.getLoc(), upper, type, stores);
  if (plan.alongLines)
    map->setAttr(laneIndexMark, builder.getI64IntegerAttr(laneAlong(stage)));

  IRMapping mapping;
  OpBuilder body = OpBuilder::atBlockEnd(map.bodyBlock());
  Value laneArgument = map.bodyBlock()->getArguments().back();
  for (unsigned dim = 0; dim < inner; ++dim) {
    map.bodyBlock()->getArgument(dim).setLoc(
        old.bodyBlock()->getArgument(chain.pre + dim).getLoc());
    mapping.map(old.bodyBlock()->getArgument(chain.pre + dim), map.bodyBlock()->getArgument(dim));
  }
  for (unsigned line = 0; line < chain.lineDims(); ++line) {
    Value argument = chain.lineArgument(stage, line);
    if (line != plan.lane) {
      mapping.map(argument, origin[line]);
      continue;
    }
    laneArgument.setLoc(argument.getLoc());
    mapping.map(argument,
                affine::AffineApplyOp::create(
                    body, argument.getLoc(),
                    AffineMap::get(2, 0, body.getAffineDimExpr(0) + body.getAffineDimExpr(1)),
                    ValueRange{origin[line], laneArgument})
                    .getResult());
  }
  for (Operation &op : *old.bodyBlock())
    body.clone(op, mapping);
  // Reads of what is local now: the inner indices and the lane.
  for (auto &[oldRead, source] : sources) {
    auto read = cast<tensor::ExtractOp>(
        mapping.lookup(cast<tensor::ExtractOp>(oldRead).getResult()).getDefiningOp());
    SmallVector<Value> index;
    for (auto [n, line] : llvm::enumerate(source.second))
      if (line < 0)
        index.push_back(read.getIndices()[n]);
    index.push_back(laneArgument);
    OpBuilder at(read);
    Value replacement = tensor::ExtractOp::create(at, read.getLoc(), source.first, index);
    read.replaceAllUsesWith(replacement);
    read.erase();
  }
  return map.getResult(0);
}

BlocksOp ChainTiling::tile(OpBuilder &builder, int64_t from, int64_t to, int64_t blockWidth,
                           Value init) {
  MLIRContext *context = builder.getContext();
  MapOp last = chain.last();
  unsigned lines = chain.lineDims(), innerResult = chain.stages.back().innerResult;
  width = blockWidth;
  locals.clear();
  packed.clear();

  SmallVector<int64_t> lower(lines, 0), upper(chain.extents), steps(lines, 1);
  lower[plan.lane] = from;
  upper[plan.lane] = to;
  steps[plan.lane] = width;
  SmallVector<AffineExpr> place;
  auto lineIndex = [&](unsigned line) {
    AffineExpr expr = getAffineDimExpr(line, context);
    return line == plan.lane ? expr + getAffineDimExpr(lines + innerResult, context) : expr;
  };
  for (unsigned line = 0; line < chain.pre; ++line)
    place.push_back(lineIndex(line));
  for (unsigned dim = 0; dim < innerResult; ++dim)
    place.push_back(getAffineDimExpr(lines + dim, context));
  for (unsigned line = chain.pre; line < lines; ++line)
    place.push_back(lineIndex(line));
  AffineMap placeMap = AffineMap::get(lines + innerResult + 1, 0, place, context);

  auto blocks = BlocksOp::create(builder, last.getLoc(), last->getResultTypes(), lower, upper,
                                 steps, init ? ValueRange{init} : ValueRange{},
                                 builder.getAffineMapArrayAttr({placeMap}));
  if (plan.alongLines)
    blocks->setAttr(alongLinesMark, builder.getUnitAttr());
  if (keepsToOwnLines())
    blocks->setAttr("weft.own_lines", builder.getUnitAttr());
  Block *body = new Block;
  blocks.getBody().push_back(body);
  origin.clear();
  for (unsigned line = 0; line < lines; ++line)
    origin.push_back(body->addArgument(builder.getIndexType(),
                                       chain.lineArgument(chain.stages.back(), line).getLoc()));
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  Value before, local;
  for (const Stage &stage : chain.stages) {
    local = buildStage(inner, stage, before);
    before = MapOp(stage.map).getResult(0);
    locals[before] = local;
  }
  if (plan.packs)
    local = unpack(inner, local, last.getLoc());
  YieldOp::create(inner, last.getLoc(), local);
  return blocks;
}

/// Every read of a tensor of the result's type is at the block's own lines, so that
/// the result may overwrite it.
bool ChainTiling::keepsToOwnLines() {
  Type type = chain.last().getResult(0).getType();
  unsigned innerResult = chain.stages.back().innerResult;
  Value before;
  for (const Stage &stage : chain.stages) {
    bool own = true;
    MapOp map = stage.map;
    map.getBody().walk([&](tensor::ExtractOp read) {
      if (read.getTensor() == before || read.getTensor().getType() != type)
        return;
      auto lines = linesRead(chain, stage, read);
      if (!lines) {
        own = false;
        return;
      }
      for (auto [dim, line] : llvm::enumerate(*lines)) {
        int expected = dim < chain.pre                 ? static_cast<int>(dim)
                       : dim < chain.pre + innerResult ? -1
                                                       : static_cast<int>(dim - innerResult);
        own &= line == expected;
      }
    });
    if (!own)
      return false;
    before = map.getResult(0);
  }
  return true;
}

void ChainTiling::run() {
  if (chain.lineDims() == 0) {
    // A line alone is no block: its stages stay in memory.
    for (const Stage &stage : chain.stages) {
      MapOp map = stage.map;
      map->setAttr(laneIndexMark, OpBuilder(map).getI64IntegerAttr(laneAlong(stage)));
    }
    return;
  }
  MapOp last = chain.last();
  OpBuilder builder(last);
  int64_t extent = chain.extents[plan.lane];
  int64_t whole = extent - extent % plan.width;
  Value result;
  if (whole > 0)
    result = tile(builder, 0, whole, plan.width, Value()).getResult(0);
  if (whole > 0 && whole < extent) {
    // The first op leaves the remainder's elements to the second.
    auto first = cast<BlocksOp>(result.getDefiningOp());
    auto type = cast<RankedTensorType>(result.getType());
    OpBuilder atFirst(first);
    Value empty =
        tensor::EmptyOp::create(atFirst, last.getLoc(), type.getShape(), type.getElementType());
    first.getInitsMutable().assign(empty);
    result = tile(builder, whole, extent, extent - whole, result).getResult(0);
  }
  last.getResult(0).replaceAllUsesWith(result);
  for (const Stage &stage : llvm::reverse(chain.stages)) {
    MapOp map = stage.map;
    map.erase();
  }
}

/// Bytes of one line of a stage's result.
int64_t bytesPerLine(const LineChain &chain, const Stage &stage) {
  MapOp map = stage.map;
  auto type = cast<RankedTensorType>(map.getResult(0).getType());
  int64_t bytes = 1;
  for (int64_t extent : type.getShape().slice(chain.pre, stage.innerResult))
    bytes *= extent;
  Type element = type.getElementType();
  auto complexType = dyn_cast<ComplexType>(element);
  return bytes *
         (complexType ? 2 * complexType.getElementType().getIntOrFloatBitWidth()
                      : element.getIntOrFloatBitWidth()) /
         8;
}

/// Bytes of local arrays that one line needs: the two largest neighbours of the chain.
int64_t bytesPerLine(const LineChain &chain) {
  int64_t most = 0, before = 0;
  for (const Stage &stage : chain.stages) {
    int64_t bytes = bytesPerLine(chain, stage);
    most = std::max(most, bytes + before);
    before = bytes;
  }
  return most;
}

/// Whether vectors may lie along the lines of a chain, as interleaved complex numbers:
/// the first stage then reads points side by side and stores them apart, `radix` vectors
/// turned in registers; the other stages read and store what the first have put side by
/// side. No line is packed: the first stage reads memory, the last one writes it.
bool suitsAlongLines(const LineChain &chain, int64_t complexLanes, const VectorUnit &vectors) {
  int64_t units = vectors.bytes / 16; // of 128 bits: what shuffles move at once
  if (chain.stages.size() < 2 || chain.post != 0 || complexLanes < 2)
    return false;
  for (auto [number, stage] : llvm::enumerate(chain.stages)) {
    MapOp map = stage.map;
    if (stage.innerDomain != 2 || stage.innerResult != 1 || map.getStores().size() < 2)
      return false;
    auto type = cast<RankedTensorType>(map.getResult(0).getType());
    if (!isa<ComplexType>(type.getElementType()))
      return false;
    int64_t count = map.getUpper()[chain.pre], done = map.getUpper()[chain.pre + 1];
    auto radix = static_cast<int64_t>(map.getStores().size());
    bool readsComplex = true;
    map.getBody().walk([&](tensor::ExtractOp read) {
      readsComplex &= isa<ComplexType>(read.getTensor().getType().getElementType());
    });
    if (!readsComplex)
      return false;
    bool first = number == 0;
    if (first != (done == 1) || (first ? count : done) < complexLanes ||
        (first && (radix % units != 0 || radix % (complexLanes / units) != 0)))
      return false;
  }
  return true;
}

/// The dimension of a stage's domain (p, l, ..) that lies along the line.
int64_t laneAlong(const Stage &stage) {
  MapOp map = stage.map;
  unsigned lines = map.rank() - stage.innerDomain;
  return map.getUpper()[lines + 1] == 1 ? 0 : 1;
}

struct TileForLdm : public weft::impl::TileForLdmBase<TileForLdm> {
  using TileForLdmBase::TileForLdmBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    FailureOr<VectorUnit> vectors = target->vectors();
    FailureOr<int64_t> cacheBytes = target->number("l2_bytes");
    if (failed(vectors) || failed(cacheBytes))
      return signalPassFailure();
    // In an LDM there is nothing else; a quarter is for tables.
    std::optional<int64_t> ldm = target->numberIfAny("ldm_bytes");
    int64_t room = std::numeric_limits<int64_t>::max();
    cores = target->numberIfAny("cores").value_or(1);
    std::optional<MeshRoom> mesh;
    if (ldm) {
      int64_t capacity = *ldm - target->numberIfAny("ldm_reserved_bytes").value_or(0);
      room = capacity * 3 / 4;
      if (std::optional<int64_t> rows = target->numberIfAny("mesh_rows"))
        mesh = MeshRoom{*rows, cores / *rows, capacity * 2 / 3, vectors->lanes(64) / 2};
    }
    SmallVector<Block *> blocks;
    getOperation().walk(
        [&](func::FuncOp func) { func.walk([&](Block *block) { blocks.push_back(block); }); });
    for (Block *block : blocks)
      for (LineChain &chain : findLineChains(*block)) {
        if (int64_t bytes = bytesPerLine(chain); bytes > room && chain.lineDims() != 0)
          shareLines(
              chain, mesh,
              llvm::formatv("a line takes {0} bytes, a core's memory has {1} for it", bytes, room)
                  .str());
        else if (auto plan = choose(chain, *vectors, *cacheBytes, room))
          ChainTiling(chain, *plan).run();
      }
  }

  std::optional<Plan> choose(const LineChain &chain, const VectorUnit &vectors, int64_t cacheBytes,
                             int64_t room) {
    auto type = cast<RankedTensorType>(chain.last()->getResult(0).getType());
    Type element = type.getElementType();
    if (auto complexType = dyn_cast<ComplexType>(element))
      element = complexType.getElementType();
    int64_t lanes = std::max<int64_t>(vectors.lanes(element.getIntOrFloatBitWidth()), 1);
    MapOp last = chain.last();
    std::string name = Notes::wanted(last.getLoc()) ? spoken(last) : std::string();
    auto rejected = [&] {
      return notes.rejected(last, "{0}: its stages ({1}) over blocks of lines", name,
                            chain.stages.size());
    };
    Plan plan;
    plan.alongLines =
        suitsAlongLines(chain, isa<ComplexType>(type.getElementType()) ? lanes / 2 : 0, vectors);
    if (chain.lineDims() == 0) {
      if (!plan.alongLines) {
        rejected().because("it is a single line");
        return std::nullopt;
      }
      notes
          .decided(last, "{0}: vectors along its line in all stages ({1})", name,
                   chain.stages.size())
          .because("points are pairs of parts side by side; the first stage turns squares of {0}",
                   lanes / 2);
      return plan;
    }
    if (plan.alongLines) {
      plan.width = 1;
      notes
          .decided(last, "{0}: its stages ({1}) over blocks of a line, vectors along it", name,
                   chain.stages.size())
          .because("points are pairs of parts side by side; the first stage turns squares of {0}",
                   lanes / 2)
          .number("bytes", bytesPerLine(chain));
      return plan;
    }
    plan.lane = chain.lineDims() - 1;
    plan.packs = chain.post == 0 || chain.extents[plan.lane] < lanes;
    if (plan.packs)
      for (unsigned line = 0; line < chain.lineDims(); ++line)
        if (chain.extents[line] > chain.extents[plan.lane])
          plan.lane = line;
    int64_t extent = chain.extents[plan.lane];
    if (extent < lanes) {
      rejected()
          .because("there are {0} lines, a vector has {1} lanes", extent, lanes)
          .number("lines", extent)
          .number("lanes", lanes);
      return std::nullopt;
    }
    // A single stage on contiguous lanes is a good loop as it is.
    if (!plan.packs && chain.stages.size() == 1) {
      rejected().because("one stage on lines that lie side by side is a good loop as it is");
      return std::nullopt;
    }
    plan.width = lanes;
    while (!plan.packs && plan.width < widestBlock * lanes && 2 * plan.width <= extent &&
           2 * plan.width * bytesPerLine(chain) <= cacheBytes / 4)
      plan.width *= 2;
    // A block for each core comes before a vector for each block.
    int64_t lines = 1;
    for (int64_t one : chain.extents)
      lines *= one;
    // The packed lines take the place of the unpacked ones, and stay meanwhile.
    int64_t needed = bytesPerLine(chain);
    if (plan.packs)
      needed += bytesPerLine(chain, chain.stages.back());
    while (plan.width > 1 && (plan.width * needed > room ||
                              (cores > 1 && lines >= cores && lines / plan.width < cores)))
      plan.width /= 2;
    int64_t bytes = plan.width * bytesPerLine(chain);
    notes
        .decided(last, "{0}: its stages ({1}) over blocks of {2} lines{3}", name,
                 chain.stages.size(), plan.width,
                 plan.packs ? ", packed line beside line and unpacked" : "")
        .because(plan.packs ? "memory holds the lines one behind the other; a block has {0} bytes, "
                              "and a cache {1} (l2_bytes)"
                            : "{0} bytes, where a quarter of {1} (l2_bytes) is allowed",
                 bytes, cacheBytes)
        .number("lines", plan.width)
        .number("bytes", bytes);
    return plan;
  }

  int64_t cores = 1;
};

} // namespace
