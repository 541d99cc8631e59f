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
#include "passes/Notes.h"
#include "passes/lines/AskedPlan.h"
#include "passes/lines/ChainTiling.h"
#include "passes/lines/JoinedChains.h"
#include "passes/lines/JoinedRounds.h"
#include "passes/lines/LineRoom.h"
#include "passes/lines/PutChoice.h"
#include "passes/lines/ScheduledLoops.h"
#include "passes/lines/SplitLines.h"
#include "passes/loops/Buffers.h"
#include "passes/tensors/TransposedCopy.h"
#include "passes/transfers/LdmPlan.h"
#include "passes/transforms/BlockWidth.h"
#include "passes/transforms/LineShape.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {
#define GEN_PASS_DEF_TILEFORLDM
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;

namespace {

constexpr Notes notes("tile-for-ldm");

/// Whether vectors of interleaved complex numbers may lie across the lines of a chain, one line
/// behind the other, that pass through one butterfly: it reads and stores whole lines, which are
/// turned in registers.
bool suitsTurning(const LineChain &chain, int64_t complexLanes) {
  if (chain.stages.size() != 1 || chain.post != 0 || complexLanes < 2 || chain.lineDims() == 0 ||
      chain.extents.back() < complexLanes)
    return false;
  const Stage &stage = chain.stages.front();
  MapOp map = stage.map;
  auto type = cast<RankedTensorType>(map.getResult(0).getType());
  if (!isa<ComplexType>(type.getElementType()) || stage.innerResult != 1 ||
      type.getShape().back() != static_cast<int64_t>(map.getStores().size()))
    return false;
  return llvm::all_of(map.bodyBlock()->without_terminator(), [&](Operation &op) {
    auto read = dyn_cast<tensor::ExtractOp>(op);
    if (!read)
      return isa<complex::ReOp, complex::ImOp, complex::CreateOp, arith::ConstantOp, arith::AddFOp,
                 arith::SubFOp, arith::MulFOp, arith::NegFOp, math::FmaOp, affine::AffineApplyOp>(
          op);
    // What has no lines is the same for all of them.
    auto lines = linesRead(chain, stage, read);
    if (!lines || llvm::all_of(*lines, [](int line) { return line == -1; }))
      return lines.has_value();
    if (read.getTensor().getType() != type)
      return false;
    return llvm::all_of(llvm::enumerate(*lines), [&](auto entry) {
      auto [dim, line] = entry;
      return line == (dim < chain.pre ? static_cast<int>(dim) : -1);
    });
  });
}

struct TileForLdm : public weft::impl::TileForLdmBase<TileForLdm> {
  using TileForLdmBase::TileForLdmBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    FailureOr<VectorUnit> vectors = target->vectors();
    FailureOr<int64_t> cacheBytes = target->number("l2_bytes");
    FailureOr<int64_t> nearBytes = target->number("l1d_bytes");
    if (failed(vectors) || failed(cacheBytes) || failed(nearBytes))
      return signalPassFailure();
    int64_t room = std::numeric_limits<int64_t>::max();
    cores = target->numberIfAny("cores").value_or(1);
    std::optional<MeshRoom> mesh;
    if (target->numberIfAny("ldm_bytes")) {
      FailureOr<int64_t> capacity = ldmCapacity(*target);
      if (failed(capacity))
        return signalPassFailure();
      room = roomForLines(*capacity);
      if (std::optional<int64_t> rows = target->numberIfAny("mesh_rows"))
        mesh = MeshRoom{
            *rows,     cores / *rows,          *capacity * 2 / 3,
            *capacity, vectors->lanes(64) / 2, target->numberIfAny("long_run_bytes").value_or(0)};
    }
    WalkResult walked = getOperation().walk([&](func::FuncOp func) {
      if (auto runs = func->getAttrOfType<IntegerAttr>("weft.exchange"); runs && mesh)
        mesh->asked = runs.getInt();
      else if (mesh)
        mesh->asked = std::nullopt;
      if (auto sharing = func->getAttrOfType<IntegerAttr>("weft.split"); sharing && mesh)
        mesh->sharing = sharing.getInt();
      else if (mesh)
        mesh->sharing = std::nullopt;
      bool hasColumns = false;
      hasLong = false;
      ScheduledLoops asked(func, *vectors);
      bool isAsked = !asked.empty();
      AskedFolds folds(func);
      SmallVector<Block *> blocks;
      func.walk([&](Block *block) { blocks.push_back(block); });
      for (Block *block : blocks) {
        SmallVector<LineChain> chains = findLineChains(*block);
        // The cores of a mesh share lines of one transform at a time.
        if (!target->numberIfAny("ldm_bytes"))
          joinChains(chains, *vectors, *target, isAsked);
        for (LineChain &chain : chains) {
          hasColumns |= chain.post != 0;
          std::optional<TransposedCopy> put = copyBehind(chain);
          std::optional<Directive> fold = put ? folds.of(*put) : std::nullopt;
          if (put && !fold &&
              !putsByCost(chain, *put,
                          {.lanes = lanesOf(chain, *vectors),
                           .room = room,
                           .cores = cores,
                           .meshRows = mesh ? mesh->rows : 0,
                           .nearBytes = *nearBytes,
                           .farBytes = *cacheBytes}))
            put = std::nullopt;
          FailureOr<AskedBlocks> wanted = asked.ofChain(chain, put);
          if (succeeded(wanted) && fold)
            wanted->fold = fold->text;
          if (failed(wanted) ||
              failed(tile(chain, *wanted, put, *target, *vectors, *cacheBytes, room, mesh)))
            return WalkResult::interrupt();
        }
      }
      if (failed(asked.doRest()) || failed(folds.areDone(func)))
        return WalkResult::interrupt();
      joinRounds(func);
      if (mesh && mesh->asked.value_or(1) > 1 && !hasColumns) {
        func.emitError() << "schedule: exchange " << *mesh->asked
                         << ": no transform goes along columns, whose runs it is about: expected 1 "
                            "here, or none";
        return WalkResult::interrupt();
      }
      if (mesh && mesh->sharing && !hasLong) {
        func.emitError() << "schedule: split " << *mesh->sharing
                         << ": no line is longer than a core has room for; expected none";
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult tile(LineChain &chain, const AskedBlocks &asked,
                     const std::optional<TransposedCopy> &put, const Target &target,
                     const VectorUnit &vectors, int64_t cacheBytes, int64_t room,
                     const std::optional<MeshRoom> &mesh) {
    if (bytesPerLine(chain) > room || (mesh && !inputsFit(chain, *mesh, vectors, target)))
      chain.dropEdges();
    if (!asked.empty() || put)
      return tileAsAsked(chain, asked, put, target, vectors, cacheBytes, room);
    bool isAlone = mesh && !mesh->sharing && staysInPlace(chain, *mesh, vectors, target);
    if (int64_t bytes = bytesPerLine(chain); bytes > room && chain.lineDims() != 0 && !isAlone) {
      hasLong |= chain.post == 0;
      return shareLines(
          chain, mesh,
          llvm::formatv("a line takes {0} bytes, a core's memory has {1} for it", bytes, room)
              .str());
    }
    if (mesh && chain.lineDims() != 0 && !inputsFit(chain, *mesh, vectors, target)) {
      hasLong |= chain.post == 0;
      return shareLines(chain, mesh,
                        llvm::formatv("a line takes {0} bytes with all that its stages read, a "
                                      "core has {1}",
                                      bytesPerLineWithInputs(chain), mesh->all)
                            .str());
    }
    if (mesh && !isAlone && leavesNoRoom(chain, *mesh)) {
      hasLong = true;
      return shareLines(
          chain, mesh,
          llvm::formatv("a line takes {0} bytes, and as many as {1} to come and go, of "
                        "{2} that a core has",
                        bytesPerLine(chain), bytesPerLine(chain, chain.stages.back()), mesh->all)
              .str());
    }
    std::optional<ChainPlan> plan = choose(chain, target, vectors, cacheBytes, room);
    if (!plan)
      return success();
    if (mesh) {
      if (!plan->alongLines && !plan->turned)
        while (plan->width > 1 && plan->width * bytesPerLineWithInputs(chain) > mesh->all)
          narrow(chain, *plan);
      asAsked(chain, *plan, *mesh);
      FailureOr<bool> isShared =
          shareForRuns(chain, *mesh, runOf(chain, *plan, *mesh), mayGroup(chain, *plan, *mesh));
      if (failed(isShared))
        return failure();
      if (*isShared)
        return success();
    }
    explain(chain, *plan, cacheBytes);
    tileChain(chain, *plan);
    return success();
  }

  /// Blocks of lines as a schedule asks for them, or as the copy behind the chain does.
  LogicalResult tileAsAsked(LineChain &chain, const AskedBlocks &asked,
                            const std::optional<TransposedCopy> &put, const Target &target,
                            const VectorUnit &vectors, int64_t cacheBytes, int64_t room) {
    FailureOr<std::optional<ChainPlan>> plan =
        AskedPlan(chain, asked, put, {lanesOf(chain, vectors), room, cores}).make([&] {
          std::optional<ChainPlan> chosen = choose(chain, target, vectors, cacheBytes, room);
          if (chosen)
            explain(chain, *chosen, cacheBytes);
          return chosen;
        });
    if (failed(plan))
      return failure();
    if (!*plan) {
      for (const Stage &stage : chain.stages)
        markDistributed(stage.map, chain.lineArgument(stage, *asked.shared).getArgNumber(),
                        asked.distribute);
      return success();
    }
    tileChain(chain, **plan, asked, put);
    return success();
  }

  /// Whether a core has room for a line with all its tables, if the result takes its place.
  static bool staysInPlace(const LineChain &chain, const MeshRoom &mesh, const VectorUnit &vectors,
                           const Target &target) {
    std::optional<LineInPlace> line = inPlace(chain);
    return line && line->bytes() <= mesh.all && suitsAlongLines(chain, vectors, target);
  }

  /// Whether a core has room for a line with what its stages read from several arrays. Where
  /// vectors lie along it, these come in parts.
  static bool inputsFit(const LineChain &chain, const MeshRoom &mesh, const VectorUnit &vectors,
                        const Target &target) {
    return bytesPerLineWithInputs(chain) <= mesh.all || suitsAlongLines(chain, vectors, target);
  }

  /// Whether a core has room for what the stages of a line need, but not for the line itself as it
  /// comes and goes beside it: each stage would get and put it in parts. 512 lines of 1280 points
  /// of c128 reach 36 % of the DMA roof so, 81 % by a row of cores.
  static bool leavesNoRoom(const LineChain &chain, const MeshRoom &mesh) {
    return chain.lineDims() != 0 && chain.post == 0 && chain.transformStages() > 1 &&
           llvm::none_of(chain.stages, [](const Stage &stage) { return stage.isEdge; }) &&
           !hasRoomForLine(chain, mesh.all) && mayShareLines(chain, mesh);
  }

  std::optional<ChainPlan> choose(const LineChain &chain, const Target &target,
                                  const VectorUnit &vectors, int64_t cacheBytes, int64_t room) {
    auto type = cast<RankedTensorType>(chain.last()->getResult(0).getType());
    int64_t lanes = lanesOf(chain, vectors);
    MapOp last = chain.last();
    std::string name = Notes::wanted(last.getLoc()) ? spoken(last) : std::string();
    auto rejected = [&] {
      return notes.rejected(last, "{0}: its stages ({1}) over blocks of lines", name,
                            chain.stages.size());
    };
    ChainPlan plan;
    plan.alongLines = suitsAlongLines(chain, vectors, target);
    std::string turned;
    if (plan.alongLines) {
      MapOp first = llvm::find_if(chain.stages, [](const Stage &one) { return !one.isEdge; })->map;
      size_t radix = first.getStores().size();
      int64_t beside = first.getUpper()[chain.pre + 1];
      turned = beside > 1 ? llvm::formatv("the first stage has {0} beside each point", beside).str()
               : radix % (lanes / 2) == 0
                   ? llvm::formatv("the first stage turns squares of {0}", lanes / 2).str()
                   : llvm::formatv("the first stage turns slabs of {0} by {1}", lanes / 2, radix);
    }
    if (chain.lineDims() == 0) {
      if (!plan.alongLines) {
        rejected().because("it is a single line");
        return std::nullopt;
      }
      notes
          .decided(last, "{0}: vectors along its line in all stages ({1})", name,
                   chain.stages.size())
          .because("points are pairs of parts side by side; {0}", turned);
      return plan;
    }
    if (plan.alongLines) {
      plan.width = 1;
      notes
          .decided(last, "{0}: its stages ({1}) over blocks of a line, vectors along it", name,
                   chain.stages.size())
          .because("points are pairs of parts side by side; {0}", turned)
          .number("bytes", bytesPerLine(chain));
      return plan;
    }
    plan.lane = chain.lineDims() - 1;
    plan.turned = cores == 1 && !vectors.onlyFloats() &&
                  suitsTurning(chain, isa<ComplexType>(type.getElementType()) ? lanes / 2 : 0);
    if (plan.turned) {
      notes.decided(last, "{0}: its stage over lines in lanes, turned in registers", name)
          .because("memory holds the lines one behind the other, and a vector {0} complex numbers",
                   lanes / 2)
          .number("lanes", lanes / 2);
      return plan;
    }
    // As it is where vectors lie along what is beside each other.
    if (chain.post == 0 && chain.stages.size() == 1 && isBesideOthers(chain, lanes / 2, target)) {
      rejected().because("one stage on numbers that lie side by side is a good loop as it is");
      return std::nullopt;
    }
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
    int64_t lines = 1;
    for (int64_t one : chain.extents)
      lines *= one;
    Columns columns{extent,
                    lines,
                    bytesPerLine(chain, chain.stages.back()),
                    bytesPerLine(chain),
                    rowBytes(chain),
                    resultOf(chain).getNumElements() / lines};
    plan.isNear = cores == 1 && chain.post != 0 && areNear(columns, target);
    if (!plan.packs && !plan.isNear) {
      plan.mostBytes = mostBlockBytes(columns, target);
      plan.width = blockWidth(columns, lanes, target);
    }
    // A block for each core comes before a vector for each block.
    // The packed lines take the place of the unpacked ones, and stay meanwhile.
    int64_t needed = bytesPerLine(chain);
    if (plan.packs)
      needed += bytesPerLine(chain, chain.stages.back());
    while (plan.width > 1 && (plan.width * needed > room ||
                              (cores > 1 && lines >= cores && lines / plan.width < cores)))
      plan.width /= 2;
    plan.last = extent % plan.width;
    plan.again =
        cores == 1 && plan.packs && plan.last != 0 && plan.width == lanes && extent > lanes;
    // Fewer lines than lanes would be scalar code; with more of them the last vector begins
    // earlier. In an LDM rows keep the alignment that its vectors need.
    if (cores == 1 && !plan.again && plan.last != 0 && plan.last < lanes) {
      if (extent < 2 * plan.width && plan.width > lanes)
        plan.width -= lanes;
      plan.last += extent % plan.width == plan.last ? plan.width : lanes;
    }
    return plan;
  }

  /// Whether a butterfly's points have so many others beside them that vectors lie along these.
  static bool isBesideOthers(const LineChain &chain, int64_t complexLanes, const Target &target) {
    const Stage &stage = chain.stages.front();
    MapOp map = stage.map;
    return stage.innerDomain == 2 && complexLanes >= 2 &&
           map.getUpper()[chain.pre + 1] >=
               fewestBeside(complexLanes, mostAlongOne(chain.extents), target);
  }

  /// Says which blocks of lines there are.
  void explain(const LineChain &chain, const ChainPlan &plan, int64_t cacheBytes) const {
    if (plan.alongLines || plan.turned)
      return;
    MapOp last = chain.last();
    std::string name = Notes::wanted(last.getLoc()) ? spoken(last) : std::string();
    int64_t bytes = plan.width * bytesPerLine(chain);
    std::string packed = ", packed line beside line and unpacked";
    if (plan.again)
      packed += llvm::formatv(", {0} of them twice", plan.width - plan.last).str();
    notes
        .decided(last, "{0}: its stages ({1}) over blocks of {2} lines{3}", name,
                 chain.stages.size(), plan.width, plan.packs ? packed : "")
        .because(plan.packs ? "memory holds the lines one behind the other; a block has {0} bytes, "
                              "and a cache {1} (l2_bytes)"
                 : plan.mostBytes > 0 && plan.mostBytes != cacheBytes / 4
                     ? "{0} bytes; up to {2} (column_block_bytes) a row has more vectors than one, "
                       "as no cache of {1} (l2_bytes) holds all lines"
                 : plan.isNear
                     ? "{0} bytes; all lines are in a cache of {1} (l2_bytes), so that no row "
                       "of theirs is read twice from further"
                     : "{0} bytes, where a quarter of {1} (l2_bytes) is allowed",
                 bytes, cacheBytes, plan.mostBytes)
        .number("lines", plan.width)
        .number("bytes", bytes);
  }

  /// Blocks no wider than for the runs that the schedule asks for.
  static void asAsked(const LineChain &chain, ChainPlan &plan, const MeshRoom &mesh) {
    if (!mesh.asked || chain.post == 0 || plan.packs)
      return;
    // Of fewer points than a message has cores make no longer runs together.
    int64_t enough = *mesh.asked;
    if (chain.hasOtherLines() && enough > plan.width)
      enough = std::max<int64_t>(llvm::divideCeil(enough, mesh.columns), mesh.points);
    while (plan.width > 1 && plan.width / 2 >= enough)
      narrow(chain, plan);
  }

  static void narrow(const LineChain &chain, ChainPlan &plan) {
    plan.width /= 2;
    plan.last = chain.extents[plan.lane] % plan.width;
  }

  /// Bytes of the runs in which blocks of columns come: those of a row of cores together where
  /// there are other lines, for the rows.
  static int64_t runOf(const LineChain &chain, const ChainPlan &plan, const MeshRoom &mesh) {
    auto type = cast<RankedTensorType>(chain.last()->getResult(0).getType());
    int64_t run = plan.width * bytesOf(type) / type.getNumElements();
    return chain.hasOtherLines() ? mesh.columns * run : run;
  }

  /// Whether a row of cores can move such runs together: planes for the rows, blocks of columns and
  /// points for the cores of each.
  static bool mayGroup(const LineChain &chain, const ChainPlan &plan, const MeshRoom &mesh) {
    int64_t columns = chain.extents[plan.lane], blocks = columns / plan.width, planes = 0;
    for (auto [line, extent] : llvm::enumerate(chain.extents))
      if (line != plan.lane && extent > 1)
        planes = planes ? -1 : extent;
    MapOp last = chain.last();
    int64_t points = cast<RankedTensorType>(last.getResult(0).getType()).getDimSize(chain.pre);
    return planes > 0 && planes % mesh.rows == 0 && columns % plan.width == 0 &&
           blocks % mesh.columns == 0 && points % mesh.columns == 0;
  }

  static RankedTensorType resultOf(const LineChain &chain) {
    return cast<RankedTensorType>(chain.last()->getResult(0).getType());
  }

  /// Bytes from a point of a line to the next one.
  static int64_t rowBytes(const LineChain &chain) {
    RankedTensorType type = resultOf(chain);
    int64_t bytes = bytesOf(type) / type.getNumElements();
    for (int64_t extent : type.getShape().take_back(chain.post))
      bytes *= extent;
    return bytes;
  }

  int64_t cores = 1;
  bool hasLong = false; ///< lines along the last axis that no core has room for
};

} // namespace
