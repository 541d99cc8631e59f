//===- InsertTransfers.cpp - main memory through the cores' own ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// In `cpe.cores`, what a piece of work touches of main memory is fetched into the LDM
// before and put back behind it. A piece is what fits: all ops of a loop's body, else one
// loop after the other, else some iterations of a loop, else what is inside of one. An
// array that no transfer can serve (an index is data, elements lie too irregularly) is
// accessed where it is, word by word.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/mesh/GroupedRuns.h"
#include "passes/transfers/Footprint.h"
#include "passes/transfers/LdmPlan.h"
#include "passes/transfers/PieceMoves.h"
#include "passes/transfers/PlacedValues.h"
#include "passes/transfers/ResultsInPlace.h"
#include "passes/transfers/StayingTables.h"
#include "passes/transfers/TransferParts.h"
#include "passes/transfers/TransferPieces.h"
#include "passes/transfers/TransferTiles.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

namespace weft {
#define GEN_PASS_DEF_INSERTTRANSFERS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;
using weft::Footprint;
using weft::FootprintAnalysis;
using weft::isParallel;
using weft::opsOf;
using weft::tripsOf;

namespace {

constexpr weft::Notes notes("insert-transfers");

class CoreTransfers {
public:
  CoreTransfers(weft::cpe::CoresOp cores, int64_t capacity, int64_t coreCount,
                const std::optional<weft::MeshMachine> &machine, const weft::PlacedValues &placed)
      : cores(cores), capacity(capacity), coreCount(coreCount), machine(machine), placed(placed) {}

  LogicalResult run();

private:
  StringAttr movesAlone(Operation *at) const;
  void checkAsked(const FootprintAnalysis &analysis, Operation *at);
  void serveBody(AffineForOp loop);
  void serveSequence(Block &block);
  void serveLoop(AffineForOp loop);
  void transfer(FootprintAnalysis &analysis, ArrayRef<Operation *> ops, weft::PieceMoves moves = {},
                const weft::InPlace &inPlace = {});
  void servePieces(AffineForOp loop, int64_t times);
  void transferParts(FootprintAnalysis &analysis, ArrayRef<Operation *> ops, weft::PieceMoves moves,
                     const weft::InPlace &inPlace);
  weft::Piece pieceFor(AffineForOp loop);
  AffineForOp innermostByCost(AffineForOp loop);
  AffineForOp tiledByCost(AffineForOp loop);
  /// The most iterations whose footprint and arrays fit, at least 1 if one does, else 0.
  int64_t iterationsThatFit(AffineForOp loop, int64_t most);
  bool fits(const FootprintAnalysis &analysis, ArrayRef<Operation *> ops,
            const weft::InPlace &inPlace = {});
  void explain(const FootprintAnalysis &analysis, Operation *at) const;

  weft::cpe::CoresOp cores;
  int64_t capacity, coreCount;
  const std::optional<weft::MeshMachine> &machine;
  const weft::PlacedValues &placed;
  bool keepsSchedule = true;
};

LogicalResult CoreTransfers::run() {
  weft::StayingTables tables(cores, capacity);
  // Where the arrays there are need more, tables stay where they are, the largest first.
  while (!tables.empty() && weft::LdmPlan(cores.getBody()).bytes() > capacity)
    tables.giveUpLargest();
  if (machine)
    tables.sendToAll();
  for (Operation *op :
       llvm::map_to_vector(cores.getBody().front(), [](Operation &op) { return &op; }))
    if (auto loop = dyn_cast<AffineForOp>(op))
      serveLoop(loop);
  cores.walk([](AffineForOp loop) { loop->removeDiscardableAttr(weft::runsAloneMark); });
  return success(keepsSchedule);
}

/// Whether the LDM has room for the footprints beside all that it holds: each from the first op
/// that needs it, or from before, to the last, or to behind.
bool CoreTransfers::fits(const FootprintAnalysis &analysis, ArrayRef<Operation *> ops,
                         const weft::InPlace &inPlace) {
  SmallVector<weft::LdmDemand> demands;
  Block &block = *ops.front()->getBlock();
  for (const Footprint &footprint : analysis.footprints()) {
    if (inPlace.contains(footprint.array))
      continue;
    weft::LdmDemand demand{footprint.bytes(), nullptr, nullptr};
    for (const weft::Touch &touch : footprint.touches) {
      Operation *op = block.findAncestorOpInBlock(*touch.op);
      if (!demand.first || op->isBeforeInBlock(demand.first))
        demand.first = op;
      if (!demand.last || demand.last->isBeforeInBlock(op))
        demand.last = op;
    }
    if (footprint.needsGet)
      demand.first = ops.front();
    bool lends = llvm::is_contained(llvm::make_second_range(inPlace), footprint.array);
    if (footprint.isWritten || lends)
      demand.last = ops.back();
    demands.push_back(demand);
  }
  return weft::LdmPlan(cores.getBody(), demands).bytes() <= capacity;
}

/// Whether a piece inside of the ops may be served better. An array that no transfer can serve
/// anywhere keeps none from the others.
bool mayServeInside(const FootprintAnalysis &analysis, ArrayRef<Operation *> ops) {
  return analysis.mayKnowMoreInside() &&
         llvm::any_of(ops, [](Operation *op) { return op->getNumRegions() != 0; });
}

void CoreTransfers::serveBody(AffineForOp loop) {
  Block &body = weft::innermostOnce(*loop.getBody());
  SmallVector<Operation *> ops = opsOf(body);
  // A word at a time comes sooner without a transfer.
  bool hasLoops = llvm::any_of(ops, [](Operation *op) { return op->getNumRegions() != 0; });
  if (!hasLoops && !isParallel(loop))
    return;
  FootprintAnalysis analysis(ops, capacity);
  if (!mayServeInside(analysis, ops) && fits(analysis, ops)) {
    bool inParts = placed.wantParts(analysis);
    auto moves = weft::PieceMoves::of(cores, analysis, ops, {capacity, coreCount, machine},
                                      !inParts, inParts);
    return transferParts(analysis, ops, moves, {});
  }
  serveSequence(body);
}

void CoreTransfers::serveSequence(Block &block) {
  for (Operation *op : opsOf(block))
    if (auto loop = dyn_cast<AffineForOp>(op))
      serveLoop(loop);
}

bool divides(AffineForOp loop) {
  return loop.getNumIterOperands() == 0 && loop.hasConstantBounds();
}

/// The loop right around one, where the cores share both and nothing stands between them.
AffineForOp sharedAround(AffineForOp loop) {
  auto outer = dyn_cast<AffineForOp>(loop->getParentOp());
  bool isPair = outer && isParallel(outer) && divides(outer) && divides(loop) &&
                llvm::hasSingleElement(outer.getBody()->without_terminator());
  return isPair ? outer : AffineForOp();
}

weft::Piece CoreTransfers::pieceFor(AffineForOp loop) {
  int64_t trips = tripsOf(loop);
  int64_t most = divides(loop) && trips > 1 ? iterationsThatFit(loop, trips) : 1;
  // Where the schedule asks for runs, they are as long as a core has room for.
  if (most > 1 && movesAlone(loop))
    return {weft::evenPieceOf(trips, most), 0};
  return most > 1 ? weft::pieceOf(loop, most, {capacity, coreCount, machine})
                  : weft::Piece{most, 0};
}

/// Of two loops that the cores share, one right in the other, the one whose iterations are taken
/// together at less cost, as they lie beside one another in what is written: it goes inside.
AffineForOp CoreTransfers::innermostByCost(AffineForOp loop) {
  constexpr double clearly = 0.9;
  AffineForOp outer = sharedAround(loop);
  if (!machine || !outer || movesAlone(loop) || loop->hasAttr("weft.lane") ||
      outer->hasAttr("weft.lane"))
    return loop;
  weft::Piece asTheyAre = pieceFor(loop);
  affine::interchangeLoops(outer, loop);
  weft::Piece exchanged = pieceFor(outer);
  if (asTheyAre.cycles > 0 && exchanged.cycles > 0 &&
      exchanged.cycles < clearly * asTheyAre.cycles) {
    notes
        .decided(outer.getLoc(), "{0} goes within {1}", weft::spokenLoop(outer.getInductionVar()),
                 weft::spokenLoop(loop.getInductionVar()))
        .because("{0} iterations at a time, and longer runs in memory: {1} cycles instead of {2}",
                 exchanged.times, int64_t(exchanged.cycles), int64_t(asTheyAre.cycles));
    return outer;
  }
  affine::interchangeLoops(loop, outer);
  return loop;
}

/// Tiles of two loops that the cores share, where pieces of one of them alone are short runs in
/// memory, or read what others read, too: some iterations of the outer one go within the inner one.
/// The loop whose pieces are moved: where these are of the outer one alone, the cores share no
/// other.
AffineForOp CoreTransfers::tiledByCost(AffineForOp loop) {
  AffineForOp outer = sharedAround(loop);
  if (!machine || !outer || movesAlone(loop) || outer->hasAttr("weft.lane"))
    return loop;
  weft::Piece alone = pieceFor(loop);
  if (alone.cycles == 0 || !weft::mayGainByTiles(loop, alone.times, {capacity, coreCount, machine}))
    return loop;
  int64_t best = 1;
  double fewest = 0.9 * alone.cycles;
  for (int64_t rows : weft::rowsOfTiles(tripsOf(outer))) {
    OpBuilder builder(outer);
    auto trial = cast<AffineForOp>(builder.clone(*outer));
    auto inner = cast<AffineForOp>(trial.getBody()->front());
    weft::tileAround(trial, inner, rows);
    weft::Piece piece = pieceFor(inner);
    // Those left over cost as much each.
    int64_t all = tripsOf(outer), whole = all - all % rows;
    piece.cycles *= double(all) / double(whole);
    inner->getParentOfType<AffineForOp>().erase();
    if (piece.times > 1 && piece.cycles > 0 && piece.cycles < fewest) {
      fewest = piece.cycles;
      best = rows;
    }
  }
  // Or pieces of the outer one, and all iterations of the other in each.
  Attribute mark = loop->removeDiscardableAttr("weft.parallel");
  if (weft::Piece rows = pieceFor(outer); rows.cycles > 0 && rows.cycles < fewest)
    return outer;
  loop->setAttr("weft.parallel", mark);
  if (best == 1)
    return loop;
  notes
      .decided(outer.getLoc(), "{0} and {1} in tiles", weft::spokenLoop(outer.getInductionVar()),
               weft::spokenLoop(loop.getInductionVar()))
      .because("{0} iterations of the outer one at a time, and longer runs in memory: {1} cycles "
               "instead of {2}",
               best, int64_t(fewest), int64_t(alone.cycles));
  if (int64_t rest = tripsOf(outer) % best)
    serveLoop(weft::restOf(outer, rest));
  weft::tileAround(outer, loop, best);
  return loop;
}

void CoreTransfers::serveLoop(AffineForOp loop) {
  bool shared = isParallel(loop);
  // All cores come by what is in it, one part after the other.
  if (!shared && loop.walk([](AffineForOp inner) {
                       return isParallel(inner) ? WalkResult::interrupt() : WalkResult::advance();
                     })
                     .wasInterrupted())
    return serveSequence(*loop.getBody());
  auto inner = shared && llvm::hasSingleElement(loop.getBody()->without_terminator())
                   ? dyn_cast<AffineForOp>(loop.getBody()->front())
                   : AffineForOp();
  if (inner && isParallel(inner))
    return serveLoop(inner);

  if (loop->hasAttr(weft::meshMark))
    return serveBody(loop);
  // The whole of it, where one core does it all.
  if (!shared) {
    SmallVector<Operation *> ops{loop};
    FootprintAnalysis analysis(ops, capacity);
    if (!mayServeInside(analysis, ops) && fits(analysis, ops))
      return transfer(analysis, ops);
  }
  if (shared)
    loop = tiledByCost(innermostByCost(loop));
  int64_t trips = tripsOf(loop), times = pieceFor(loop).times;
  if (times <= 1 || (times == trips && !shared)) {
    // Lanes would be shared out among the cores: one by one then.
    if (shared)
      loop->removeDiscardableAttr("weft.lane");
    return serveBody(loop);
  }
  if (int64_t rest = trips % times)
    servePieces(weft::restOf(loop, rest), rest);
  servePieces(loop, times);
}

/// Pieces of so many iterations, which divide those of the loop.
void CoreTransfers::servePieces(AffineForOp loop, int64_t times) {
  AffineForOp piece = weft::stripMine(loop, times);
  Block &block = *piece->getBlock();
  piece = weft::endOfTile(piece);
  SmallVector<Operation *> ops = opsOf(block);
  FootprintAnalysis analysis(ops, capacity);
  // Apart where there is room: who orders instructions then knows more.
  weft::InPlace inPlace;
  if (!fits(analysis, ops))
    inPlace = weft::ResultsInPlace(piece, capacity).of(analysis, times);
  if (mayServeInside(analysis, ops) || !fits(analysis, ops, inPlace))
    return serveSequence(block);
  for (auto [result, input] : inPlace)
    notes
        .decided(piece, "{0} lies where {1} lies in the LDM", weft::spoken(result),
                 weft::spoken(input))
        .because("each iteration reads its share before it writes; there is no room for both")
        .number("iterations", times);
  auto moves = weft::PieceMoves::of(cores, analysis, ops, {capacity, coreCount, machine}, false,
                                    placed.wantParts(analysis));
  transferParts(analysis, ops, moves, inPlace);
}

/// Transfers of a piece that is one loop, if what it reads comes in parts.
void CoreTransfers::transferParts(FootprintAnalysis &analysis, ArrayRef<Operation *> ops,
                                  weft::PieceMoves moves, const weft::InPlace &inPlace) {
  if (moves.parts == 1)
    return transfer(analysis, ops, moves, inPlace);
  auto piece = cast<AffineForOp>(ops.front());
  if (int64_t times = tripsOf(piece); moves.parts < times)
    piece = cast<AffineForOp>(weft::stripMine(piece, times / moves.parts)->getParentOp());
  Operation *parts = piece;
  FootprintAnalysis ofParts(parts, capacity);
  transfer(ofParts, parts, moves, inPlace);
}

int64_t CoreTransfers::iterationsThatFit(AffineForOp loop, int64_t most) {
  SmallVector<Operation *> ops{loop}, inner = opsOf(*loop.getBody());
  // Fewer iterations may serve an array that more of them do not.
  size_t unserved = FootprintAnalysis(ops, capacity, loop, 1).others().size();
  weft::ResultsInPlace results(loop, capacity);
  auto good = [&](int64_t times) {
    FootprintAnalysis analysis(ops, capacity, loop, times);
    return !analysis.footprints().empty() && !mayServeInside(analysis, inner) &&
           analysis.others().size() <= unserved &&
           (fits(analysis, ops) || fits(analysis, ops, results.of(analysis, times)));
  };
  if (!good(1))
    return 0;
  int64_t low = 1, high = most + 1;
  while (low + 1 < high) {
    int64_t middle = low + (high - low) / 2;
    (good(middle) ? low : high) = middle;
  }
  return low;
}

/// The LDM's array for a footprint.
memref::AllocaOp makeArray(OpBuilder &builder, const FootprintAnalysis &analysis,
                           const Footprint &footprint) {
  int64_t elements = footprint.region.elements();
  SmallVector<int64_t> shape{elements};
  if (analysis.isOfPairs(footprint))
    shape = {elements / 2, 2};
  Operation *made = footprint.array.getDefiningOp();
  Location where = made ? made->getLoc() : footprint.array.getLoc();
  Type element = cast<MemRefType>(footprint.array.getType()).getElementType();
  return memref::AllocaOp::create(builder, where, MemRefType::get(shape, element));
}

void CoreTransfers::transfer(FootprintAnalysis &analysis, ArrayRef<Operation *> ops,
                             weft::PieceMoves moves, const weft::InPlace &inPlace) {
  if (analysis.footprints().empty())
    return;
  checkAsked(analysis, ops.front());
  explain(analysis, ops.front());
  OpBuilder before(ops.front()), after(ops.back()->getContext());
  after.setInsertionPointAfter(ops.back());
  Location where = ops.front()->getLoc();
  bool fetches = false, puts = false;
  SmallVector<Value> arrays;
  llvm::SmallDenseMap<Value, Value> placeOf;
  auto loop = dyn_cast<AffineForOp>(ops.front());
  SmallVector<Operation *> inner;
  if (moves.parts > 1)
    inner = opsOf(*loop.getBody());
  FootprintAnalysis ofPart(inner, capacity);
  if (moves.meet)
    weft::cpe::SyncOp::create(after, where);
  for (const Footprint &footprint : analysis.footprints()) {
    // What it is made of is read before it is written: that one's array is there already.
    Value array = placeOf.lookup(inPlace.lookup(footprint.array));
    if (!array)
      array = makeArray(before, analysis, footprint);
    placeOf[footprint.array] = array;
    weft::LinearForm start = footprint.start;
    start.constant += footprint.elements.front();
    auto [map, operands] = analysis.mapOf({analysis.exprOf(start)});
    Value at = affine::AffineApplyOp::create(before, where, map, operands);
    const weft::BlockedRegion &region = footprint.region;
    bool comesInParts = moves.parts > 1 && weft::isReadInTurn(loop, footprint, ofPart);
    weft::BlockedRegion coming = comesInParts ? weft::inParts(region, moves.parts) : region;
    if (footprint.needsGet)
      weft::cpe::DmaGetOp::create(before, where, footprint.array, at, array, ValueRange(),
                                  coming.block, coming.counts, coming.strides, comesInParts);
    if (footprint.isWritten)
      weft::cpe::DmaPutOp::create(after, where, array, footprint.array, at, ValueRange(),
                                  region.block, region.counts, region.strides);
    fetches |= footprint.needsGet && !comesInParts;
    puts |= footprint.isWritten;
    arrays.push_back(array);
  }
  if (fetches)
    weft::cpe::DmaWaitOp::create(before, where);
  if (puts)
    weft::cpe::DmaWaitOp::create(after, where);
  if (moves.parts > 1) {
    before.setInsertionPointToStart(loop.getBody());
    AffineExpr part = before.getAffineDimExpr(0).floorDiv(loop.getStepAsInt());
    Value number = affine::AffineApplyOp::create(before, where, AffineMap::get(1, 0, part),
                                                 loop.getInductionVar());
    weft::cpe::DmaWaitOp::create(before, where, number);
  }

  for (auto [footprint, array] : llvm::zip(analysis.footprints(), arrays))
    analysis.redirect(footprint, array, {});
}

/// Why cores cannot move runs as long as the schedule asks for together, where they cannot.
StringAttr CoreTransfers::movesAlone(Operation *at) const {
  StringAttr why;
  for (; !why && at != cores; at = at->getParentOp())
    why = at->getAttrOfType<StringAttr>(weft::runsAloneMark);
  return why;
}

/// An error where the schedule asks for longer runs than cores move alone, which they do here.
void CoreTransfers::checkAsked(const FootprintAnalysis &analysis, Operation *at) {
  StringAttr why = movesAlone(at);
  if (!why || !keepsSchedule)
    return;
  int64_t asked =
      cores->getParentOfType<func::FuncOp>()->getAttrOfType<IntegerAttr>("weft.exchange").getInt();
  for (const Footprint &footprint : analysis.footprints()) {
    int64_t run = footprint.region.block / (analysis.isOfPairs(footprint) ? 2 : 1);
    if (footprint.region.counts.empty() || run >= asked ||
        footprint.array.getDefiningOp<memref::GetGlobalOp>())
      continue;
    at->emitError() << llvm::formatv("schedule: exchange {0}: runs of {1} in main memory have {2} "
                                     "elements at most: {3}; expected 1 to {2}",
                                     asked, weft::spoken(footprint.array), run, why.getValue())
                           .str();
    keepsSchedule = false;
    return;
  }
}

void CoreTransfers::explain(const FootprintAnalysis &analysis, Operation *at) const {
  if (!weft::Notes::wanted(at->getLoc()))
    return;
  for (const Footprint &footprint : analysis.footprints()) {
    int64_t elements = footprint.region.elements();
    notes
        .decided(at, "{0}: {1} elements pass through the LDM at a time",
                 weft::spoken(footprint.array), elements)
        .because("in runs of {0}; the LDM has {1} bytes for data", footprint.region.block, capacity)
        .number("elements", elements)
        .number("run", footprint.region.block);
  }
}

struct InsertTransfers : public weft::impl::InsertTransfersBase<InsertTransfers> {
  using InsertTransfersBase::InsertTransfersBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    WalkResult placed = getOperation().walk([](func::FuncOp func) {
      return failed(weft::PlacedValues(func).areIn("ldm", func)) ? WalkResult::interrupt()
                                                                 : WalkResult::advance();
    });
    if (placed.wasInterrupted())
      return signalPassFailure();
    SmallVector<weft::cpe::CoresOp> all;
    getOperation().walk([&](weft::cpe::CoresOp op) { all.push_back(op); });
    if (all.empty())
      return;
    FailureOr<int64_t> capacity = weft::ldmCapacity(*target);
    FailureOr<int64_t> cores = target->number("cores");
    if (failed(capacity) || failed(cores))
      return signalPassFailure();
    std::optional<weft::MeshMachine> machine = weft::MeshMachine::of(*target);
    for (weft::cpe::CoresOp op : all) {
      weft::PlacedValues placed(op->getParentOfType<func::FuncOp>());
      if (failed(CoreTransfers(op, *capacity, *cores, machine, placed).run()) ||
          failed(placed.areKept(op)))
        return signalPassFailure();
    }
  }
};

} // namespace
