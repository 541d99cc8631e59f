//===- FactorTransform.cpp - transforms to stages of butterflies ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Stockham stages: each writes its result in the order that the next reads, so no
// digit reversal is left over, and every line of a transform is worked on by the
// same stages. A prime without a codelet is a stage of its own (Rader.h, Bluestein.h), first
// in the chain: its transforms inside then act on the longest runs.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Passes.h"

#include "passes/FourStep.h"
#include "passes/Notes.h"
#include "passes/convolutions/ConvolutionChoice.h"
#include "passes/transforms/Bluestein.h"
#include "passes/transforms/Codelets.h"
#include "passes/transforms/ConvolutionOfLines.h"
#include "passes/transforms/Factorisation.h"
#include "passes/transforms/LineCosts.h"
#include "passes/transforms/LineShape.h"
#include "passes/transforms/Rader.h"
#include "passes/transforms/Stages.h"
#include "passes/transforms/TransformChoices.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringExtras.h"

namespace weft {
#define GEN_PASS_DEF_FACTORTRANSFORM
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {

constexpr weft::Notes notes("factor-transform");

std::string listed(ArrayRef<int64_t> radices) {
  return llvm::join(llvm::map_range(radices, [](int64_t radix) { return std::to_string(radix); }),
                    ", ");
}

/// The same where a machine's table of stages has decided.
void explainByTable(weft::DftOp op, int64_t length, ArrayRef<int64_t> radices,
                    const weft::StageCosts &costs) {
  if (!weft::Notes::wanted(op.getLoc()))
    return;
  std::string name = weft::spoken(op);
  auto cycles = [&](ArrayRef<int64_t> all) { return costs.perPoint(all) / 100; };
  std::string orders = "that let vectors lie along the line";
  bool turns = costs.turnsLines();
  if (!turns)
    orders = costs.perCrowdedRows != 0
                 ? llvm::formatv("; rows that crowd in the first cache: {0:f1} rounds of them",
                                 costs.crowdedRows(radices))
                       .str()
             : costs.perRound == 0
                 ? "; the first cache holds the arrays"
                 : llvm::formatv("; rounds through the second cache: {0:f1}", costs.rounds(radices))
                       .str();
  notes.decided(op, "{0}: {1} points in stages of radix {2}", name, length, listed(radices))
      .because("{0:f2} cycles a point by the machine's table ({1}), the fewest of all orders{2}{3}",
               cycles(radices), costs.table, turns ? " " : "", orders)
      .number("stages", radices.size())
      .number("operations", std::llround(weft::operationsPerPoint(radices) * length));
  SmallVector<int64_t> fewest =
      weft::factorise(length, turns ? weft::RadixOrder::LargeFirst : weft::RadixOrder::SmallFirst);
  if (fewest == radices || fewest.size() < 2)
    return;
  auto note = notes.rejected(op, "{0}: stages of radix {1}", name, listed(fewest));
  if (!turns || costs.mayBegin(length, fewest.front()))
    note.because("{0:f2} cycles a point rather than {1:f2}", cycles(fewest), cycles(radices));
  else
    note.because("vectors of {0} do not lie along the line behind a first stage of {1}",
                 costs.lanes, fewest.front());
  note.number("stages", fewest.size());
}

/// The same where no order of radices lets all stages fill vectors along the line.
void explainInParts(weft::DftOp op, int64_t length, ArrayRef<int64_t> radices,
                    const weft::StageCosts &costs) {
  if (!weft::Notes::wanted(op.getLoc()))
    return;
  std::string name = weft::spoken(op);
  SmallVector<int64_t> packed = weft::factorise(length, weft::RadixOrder::SmallFirst);
  int64_t lines = cast<RankedTensorType>(op.getType()).getNumElements() / length;
  std::string other = lines < 2 * costs.lanes
                          ? llvm::formatv("{0} lines are too few for a lane each", lines).str()
                          : llvm::formatv("{0:f2} where each line is a lane (dft_packing_cycles)",
                                          costs.perPackedPoint(packed) / 100);
  notes.decided(op, "{0}: {1} points in stages of radix {2}", name, length, listed(radices))
      .because(
          "vectors along the line, not all of them full: {0:f2} cycles a point by the machine's "
          "table ({1}); {2}",
          costs.perPoint(radices) / 100, costs.table, other)
      .number("stages", radices.size())
      .number("operations", std::llround(weft::operationsPerPoint(radices) * length));
}

/// What the radices are, and the best that smaller ones would be.
void explain(weft::DftOp op, int64_t length, ArrayRef<int64_t> radices) {
  if (!weft::Notes::wanted(op.getLoc()))
    return;
  std::string name = weft::spoken(op);
  int64_t largest = radices.empty() ? 1 : *llvm::max_element(radices);
  if (radices.empty()) {
    notes.decided(op, "{0}: nothing to transform", name).because("it has one point");
    return;
  }
  for (int64_t radix : radices)
    if (!weft::hasCodelet(radix)) {
      std::string why = llvm::formatv("butterflies end at {0}", weft::largestPrime);
      bool isRader = weft::usesRader(op, radix);
      if (isRader)
        why += llvm::formatv("; of {0} points rather than {1}", radix - 1,
                             weft::convolutionLength(radix));
      notes
          .decided(op, "{0}: the factor {1} by {2} convolution", name, radix,
                   isRader ? "Rader's" : "Bluestein's")
          .because("{0}", why)
          .number("prime", radix);
      notes.decided(op, "{0}: {1} points in stages of radix {2}", name, length, listed(radices))
          .because("primes without a butterfly come first: their lines are longest there")
          .number("stages", radices.size());
      return;
    }
  weft::Note chosen =
      notes.decided(op, "{0}: {1} points in stages of radix {2}", name, length, listed(radices));
  double perPoint = weft::operationsPerPoint(radices);
  chosen.number("stages", radices.size()).number("operations", std::llround(perPoint * length));
  if (op.getRadices()) {
    chosen.because("radices= or the schedule says so; {0:f1} operations a point", perPoint);
    return;
  }
  chosen.because("stages: {0}, the fewest; operations a point: {1:f1}", radices.size(), perPoint);
  SmallVector<int64_t> smaller = weft::factoriseBelow(length, largest);
  if (smaller.empty())
    return;
  notes.rejected(op, "{0}: stages of radix {1}", name, listed(smaller))
      .because("stages: {0} rather than {1}; operations a point: {2:f1} rather than {3:f1}",
               smaller.size(), radices.size(), weft::operationsPerPoint(smaller), perPoint)
      .number("stages", smaller.size())
      .number("operations", std::llround(weft::operationsPerPoint(smaller) * length));
}

LogicalResult checkRadices(weft::DftOp op) {
  for (int64_t radix : op.getRadices().value_or(ArrayRef<int64_t>()))
    if (radix != 1 && !weft::hasCodelet(radix) && !weft::isPrime(radix))
      return op.emitError("no stage of radix ")
             << radix << ": expected radices from 2 to " << weft::largestCodelet
             << " without primes beyond " << weft::largestPrime << ", or primes, with the product "
             << cast<RankedTensorType>(op.getType()).getDimSize(op.getAxis());
  return success();
}

/// Whether nothing but transforms reads what one gives, under whatever dimensions.
bool endsAlone(Operation *op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    return isa<weft::DftOp>(user) || user->hasTrait<OpTrait::IsTerminator>() ||
           (isa<weft::ReshapeOp>(user) && endsAlone(user));
  });
}

/// Whether what comes before a transform, for it alone, is arithmetic with the points of its lines,
/// each at its own place, and numbers that all lines share: a butterfly does that as it reads.
bool makesOwnPoints(weft::DftOp op) {
  auto map = op.getInput().getDefiningOp<weft::MapOp>();
  Type type = op.getType();
  if (!map || !map->hasOneUse() || map->getNumResults() != 1 || !map.getInits().empty() ||
      map.getStores().size() != 1 || !map.storeMap(0).isIdentity() || !endsAlone(op))
    return false;
  Block *body = map.bodyBlock();
  return llvm::all_of(body->without_terminator(), [&](Operation &inside) {
    auto read = dyn_cast<tensor::ExtractOp>(inside);
    if (!read)
      return isa<complex::ReOp, complex::ImOp, complex::CreateOp, complex::ConstantOp,
                 complex::AddOp, complex::SubOp, complex::MulOp, complex::NegOp, arith::ConstantOp,
                 arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp>(inside);
    if (read.getTensor().getType() == type)
      return llvm::equal(read.getIndices(), body->getArguments());
    return llvm::all_of(read.getIndices(),
                        [&](Value index) { return index == body->getArguments().back(); });
  });
}

/// Whether nothing but transforms lies before and behind one, so that its stages are all that its
/// lines pass through: what else there were would be packed with them.
bool standsAlone(weft::DftOp op) {
  Operation *before = op.getInput().getDefiningOp();
  bool isFirst =
      !before || isa<weft::DftOp, weft::ReshapeOp>(before) || before->hasAttr("weft.group");
  return isFirst && endsAlone(op);
}

/// Whether work that is fused with a transform reads its lines elsewhere than at its own place, as
/// that of real transforms does: an edge of its own, beside the stages.
bool hasEdges(weft::DftOp op) {
  auto isElsewhere = [](Operation *inside) {
    auto read = dyn_cast<tensor::ExtractOp>(inside);
    auto map = inside->getParentOfType<weft::MapOp>();
    return read && map && !llvm::all_of(read.getIndices(), [&](Value index) {
             return llvm::is_contained(map.bodyBlock()->getArguments(), index);
           });
  };
  auto before = op.getInput().getDefiningOp<weft::MapOp>();
  return llvm::any_of(op->getUsers(), isElsewhere) ||
         (before && llvm::any_of(before.bodyBlock()->getOperations(),
                                 [&](Operation &inside) { return isElsewhere(&inside); }));
}

/// The dimensions in which the stages work.
weft::LineShape lineShapeOf(weft::DftOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  auto axis = static_cast<int64_t>(op.getAxis());
  auto module = op->getParentOfType<ModuleOp>();
  // Lines share planes with what is done along other axes.
  bool isLast = axis + 1 == type.getRank();
  bool hasOthers =
      op.getInput().getDefiningOp() ||
      llvm::any_of(op->getUsers(), [](Operation *user) { return isa<weft::DftOp>(user); });
  if (!weft::Target::isGiven(module) || !standsAlone(op) || (isLast && hasOthers))
    return {llvm::to_vector(type.getShape()), axis};
  return weft::lineShapeOf(type, axis, hasOthers, *weft::Target::of(module));
}

void explain(weft::DftOp op, const weft::LineShape &lines) {
  if (lines.why.empty() || !weft::Notes::wanted(op.getLoc()))
    return;
  std::string shape = llvm::join(
      llvm::map_range(lines.shape, [](int64_t extent) { return std::to_string(extent); }), " x ");
  notes.decided(op, "{0}: as an array of {1}", weft::spoken(op), shape).because("{0}", lines.why);
}

/// What a machine's table says of stages of this transform, along the line where that is
/// contiguous; nothing where there is no table.
weft::StageCosts costsOf(weft::DftOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  auto module = op->getParentOfType<ModuleOp>();
  if (!module->hasAttr("weft.target"))
    return {};
  FailureOr<weft::Target> target = weft::Target::of(module);
  if (failed(target))
    return {};
  auto axis = static_cast<int64_t>(op.getAxis());
  if (axis + 1 == type.getRank()) {
    weft::StageCosts put = weft::putCostsOf(op, *target);
    return put.isKnown() ? put : weft::stageCostsOf(type, *target);
  }
  weft::LineShape lines = lineShapeOf(op);
  bool isLine = lines.axis + 1 == static_cast<int64_t>(lines.shape.size());
  if (!isLine)
    return weft::columnCostsOf(type.clone(lines.shape), axis, *target);
  weft::StageCosts costs = weft::stageCostsOf(type.clone(lines.shape), *target);
  if (lines.beside == 1)
    return costs;
  if (lines.beside == costs.lanes)
    return weft::columnCostsOf(type, axis, *target);
  costs.beside = lines.beside;
  costs.perPairStage = target->numberIfAny("dft_pair_stage_cycles").value_or(0);
  costs.perEmptyLane = target->numberIfAny("dft_empty_lane_hundredths").value_or(100);
  // Nearly always the last stage works in the result's memory (lend-results).
  costs.crowdedRounds = 2;
  // Others are packed, and go by fewest operations.
  return lines.beside < costs.fewest ? weft::StageCosts() : costs;
}

/// Whether contiguous lines, as many as a vector has lanes and more, are one butterfly each, which
/// takes them in lanes and turns them in registers.
bool isOneButterfly(weft::DftOp op, const weft::StageCosts &costs) {
  SmallVector<int64_t> shape = lineShapeOf(op).shape;
  int64_t length = shape.back();
  if (!costs.turnsLines() || shape.size() < 2 || shape[shape.size() - 2] < costs.lanes ||
      !costs.mayBeTurned(length) || !(standsAlone(op) || makesOwnPoints(op)))
    return false;
  double turned = costs.perTurnedPoint(length);
  std::vector<weft::RankedRadices> parts = weft::rankInParts(length, costs, 1);
  if (!parts.empty() && costs.perPoint(parts.front().radices) < turned)
    return false;
  // What else there is around a transform would be packed with its lines.
  SmallVector<int64_t> packed = weft::packedOrder(shape, costs);
  return packed.empty() || !standsAlone(op) || turned <= costs.perPackedPoint(packed);
}

void explainOneButterfly(weft::DftOp op, int64_t length, const weft::StageCosts &costs) {
  if (!weft::Notes::wanted(op.getLoc()))
    return;
  std::string name = weft::spoken(op);
  notes.decided(op, "{0}: {1} points in stages of radix {1}", name, length)
      .because("lines in lanes, turned in registers, one butterfly each: {0:f2} cycles a point by "
               "the machine's table (dft_turned_operation_cycles)",
               costs.perTurnedPoint(length) / 100)
      .number("stages", 1)
      .number("operations", weft::codeletCost(length));
  std::vector<weft::RankedRadices> parts = weft::rankInParts(length, costs, 1);
  SmallVector<int64_t> other =
      parts.empty() ? weft::factorise(length, weft::RadixOrder::SmallFirst) : parts.front().radices;
  notes.rejected(op, "{0}: stages of radix {1}", name, listed(other))
      .because("{0}", parts.empty() ? "lines would be packed side by side, and unpacked"
                                    : llvm::formatv("vectors along the line: {0:f2} cycles a point",
                                                    costs.perPoint(other) / 100)
                                          .str())
      .number("stages", other.size());
}

/// The best orders of radices by which vectors lie along the line, without filling all of them, if
/// lines in lanes take longer.
std::vector<weft::RankedRadices> ordersInParts(weft::DftOp op, const weft::StageCosts &costs,
                                               size_t most) {
  if (!costs.turnsLines())
    return {};
  RankedTensorType type = cast<RankedTensorType>(op.getType()).clone(lineShapeOf(op).shape);
  int64_t length = type.getShape().back();
  std::vector<weft::RankedRadices> orders = weft::rankInParts(length, costs, most);
  if (!orders.empty() &&
      !weft::goesAlongInParts(type, costs, orders.front().radices,
                              weft::factorise(length, weft::RadixOrder::SmallFirst), hasEdges(op)))
    orders.clear();
  return orders;
}

/// Orders of radices by the machine's table, the best first; empty where it has no say.
std::vector<weft::RankedRadices> ordersByTable(weft::DftOp op, const weft::StageCosts &costs,
                                               size_t most) {
  if (!costs.isKnown())
    return {};
  int64_t length = cast<RankedTensorType>(op.getType()).getDimSize(op.getAxis());
  return costs.beside > 1   ? weft::rankBeside(length, costs, most)
         : costs.areColumns ? weft::rankColumns(length, costs, most)
                            : weft::rankAlongLine(length, costs, most);
}

/// Contiguous lines along which vectors cannot lie take 0 to 15 % less time where the runs that
/// stages write grow slowly at first. Along other axes, where the machine has no costs of columns,
/// the last of two stages is the one whose values fit the registers, as it has no twiddles: 8
/// columns of 128 points take a quarter less time by 8 * 16 than by 16 * 8; of three stages no
/// order is always the better one.
weft::RadixOrder orderOf(weft::DftOp op, const weft::StageCosts &costs) {
  if (costs.isKnown() && !costs.areColumns)
    return weft::RadixOrder::SmallFirst;
  auto module = op->getParentOfType<ModuleOp>();
  bool isMeasured = module->hasAttr("weft.target") &&
                    !weft::Target::of(module)->numbers("dft_stage_cycles").empty();
  return isMeasured ? weft::RadixOrder::SmallFirstOfTwo : weft::RadixOrder::LargeFirst;
}

/// The compiler's own order where no table decides. On a core group vectors of pairs lie along
/// lines behind a first stage of an even radix; behind an odd one each number is computed by
/// itself: lines of 900 points of c128 take 1.6 times as long by 15, 15, 4 as by 4, 15, 15.
SmallVector<int64_t> ownOrder(weft::DftOp op, const weft::StageCosts &costs) {
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<int64_t> radices = weft::factorise(type.getDimSize(op.getAxis()), orderOf(op, costs));
  auto module = op->getParentOfType<ModuleOp>();
  bool isOfPairs = module->hasAttr("weft.target") &&
                   weft::Target::of(module)->numberIfAny("float_lanes").has_value() &&
                   static_cast<int64_t>(op.getAxis()) + 1 == type.getRank();
  auto *even = llvm::find_if(radices, [](int64_t radix) { return radix % 2 == 0; });
  if (isOfPairs && even != radices.end() && llvm::all_of(radices, weft::suitsStage))
    std::rotate(radices.begin(), even, even + 1);
  return radices;
}

void explainConvolution(weft::DftOp op, int64_t length, ArrayRef<int64_t> radices,
                        const weft::StageCosts &costs) {
  if (!weft::Notes::wanted(op.getLoc()))
    return;
  notes
      .decided(op, "{0}: {1} points by Bluestein's convolution of {2}, in stages of radix {3}",
               weft::spoken(op), length, llvm::product_of(radices), listed(radices))
      .because("butterflies end at {0}; vectors lie along the line, of those convolutions in the "
               "fewest cycles by the machine's table ({1})",
               weft::largestPrime, costs.table)
      .number("stages", 2 * radices.size());
}

/// `other` is a group that nobody else has.
void factor(weft::DftOp op, int64_t group, int64_t other) {
  OpBuilder builder(op);
  int64_t axis = op.getAxis();
  auto type = cast<RankedTensorType>(op.getType());
  int64_t length = type.getDimSize(axis);
  Value value = op.getInput();
  SmallVector<int64_t> radices, convolution;
  weft::StageCosts costs = costsOf(op);
  if (costs.isKnown() && !op.getRadices()) {
    if (auto orders = ordersByTable(op, costs, 1); !orders.empty()) {
      radices = orders.front().radices;
      explainByTable(op, length, radices, costs);
    } else if (isOneButterfly(op, costs)) {
      radices.push_back(length);
      explainOneButterfly(op, length, costs);
    } else if (orders = ordersInParts(op, costs, 1); !orders.empty()) {
      radices = orders.front().radices;
      explainInParts(op, length, radices, costs);
    }
  }
  if (radices.empty()) {
    radices = op.getRadices() ? SmallVector<int64_t>(*op.getRadices()) : ownOrder(op, costs);
    llvm::erase(radices, 1);
    convolution = weft::convolutionAlongLine(op, radices, costs);
    if (convolution.empty())
      explain(op, length, radices);
    else
      explainConvolution(op, length, convolution, costs);
  }
  weft::LineShape lines = lineShapeOf(op);
  if (!lines.why.empty())
    value = weft::ReshapeOp::create(builder, op.getLoc(), type.clone(lines.shape), value);
  explain(op, lines);
  weft::Chain chain{builder, op.getLoc(), group, lines.axis};
  std::optional<double> scale;
  if (op.getScale())
    scale = op.getScale()->convertToDouble();
  if (radices.empty() && scale)
    value = chain.scaled(value, *scale);
  if (!convolution.empty()) {
    weft::Chain back{builder, op.getLoc(), other, lines.axis};
    value = weft::bluesteinAlongLine(chain, back, value, convolution, op.getSign(), scale);
    radices.clear();
  }
  int64_t done = lines.beside;
  for (int64_t radix : radices) {
    value = weft::hasCodelet(radix) ? chain.stage(value, radix, done, op.getSign(), scale)
            : weft::usesRader(op, radix)
                ? weft::raderStage(chain, value, radix, done, op.getSign(), scale)
                : weft::bluesteinStage(chain, value, radix, done, op.getSign(), scale);
    scale.reset();
    done *= radix;
  }
  if (!lines.why.empty())
    value = weft::ReshapeOp::create(builder, op.getLoc(), type, value);
  op.replaceAllUsesWith(value);
  op.erase();
}

struct FactorTransform : public weft::impl::FactorTransformBase<FactorTransform> {
  using FactorTransformBase::FactorTransformBase;

  void runOnOperation() override {
    SmallVector<weft::DftOp> transforms;
    SmallVector<weft::ConvOp> convolutions;
    getOperation().walk([&](weft::DftOp op) { transforms.push_back(op); });
    getOperation().walk([&](weft::ConvOp op) { convolutions.push_back(op); });
    for (weft::DftOp op : transforms)
      if (failed(checkRadices(op)))
        return signalPassFailure();
    for (auto [group, op] : llvm::enumerate(transforms))
      factor(op, static_cast<int64_t>(group), static_cast<int64_t>(transforms.size() + group));
    for (weft::ConvOp op : convolutions)
      if (failed(weft::expandConvolution(op)))
        return signalPassFailure();
  }
};
} // namespace

weft::TransformChoices weft::choicesOf(weft::DftOp op, size_t most) {
  auto type = cast<RankedTensorType>(op.getType());
  TransformChoices found;
  found.name = nameIn(op->getLoc()).str();
  if (auto function = op->getParentOfType<FunctionOpInterface>())
    found.function = function.getName().str();
  found.axis = static_cast<int64_t>(op.getAxis());
  found.length = type.getDimSize(op.getAxis());
  found.isGiven = op.getRadices().has_value();
  if (auto module = op->getParentOfType<ModuleOp>(); Target::isGiven(module)) {
    std::optional<FourSteps> steps = fourStepsOf(op, *Target::of(module));
    found.choosesNone = steps && steps->rows;
  }
  StageCosts costs = costsOf(op);
  found.orders = ordersByTable(op, costs, most);
  if (costs.isKnown() && found.orders.empty() && isOneButterfly(op, costs)) {
    found.orders = rankInParts(found.length, costs, most);
    if (found.orders.empty()) {
      found.orders = rankByOperations(found.length, most, orderOf(op, costs), ownOrder(op, costs));
      for (RankedRadices &packed : found.orders)
        packed.cost = costs.perPackedPoint(packed.radices);
    }
    found.orders.insert(found.orders.begin(), {{found.length}, costs.perTurnedPoint(found.length)});
    found.orders.resize(std::min(found.orders.size(), most));
  } else if (costs.isKnown() && found.orders.empty()) {
    found.orders = ordersInParts(op, costs, most);
  }
  found.isByTable = !found.orders.empty();
  if (!found.isByTable) {
    found.choosesNone |=
        !found.isGiven && !convolutionAlongLine(op, ownOrder(op, costs), costs).empty();
    found.orders = rankByOperations(found.length, most, orderOf(op, costs), ownOrder(op, costs));
  }
  return found;
}
