//===- WindowLoops.cpp - loops in which a mesh shares sums over windows -----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
//   for blocks of filters and lines          (one of each core at a time)
//     for panels of channels                 (the next one is on its way)
//       for steps                            (one column and one row of the mesh send)
//         for filters, for vectors of pixels (sums in registers)
//           for channels of a step
//             taps, written out: the same stretch of the image, each from another element on
//
// A core's block has whole lines, pixels between the columns of the result among them: so all taps
// of a vector of pixels are vectors. What lies between is left out before the block goes to memory.
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/WindowLoops.h"

#include "dialect/Cpe.h"
#include "passes/panels/MeshCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

static Value variableOf(AffineForOp loop) { return loop.getInductionVar(); }

namespace {

class WindowLoops : MeshCode {
public:
  WindowLoops(const WindowNest &nest, const WindowPlan &plan, const MeshMachine &machine, bool fma)
      : MeshCode(AffineForOp(nest.outermost), AffineForOp(nest.columns).getLoc(),
                 nest.result.memref, machine, fma),
        nest(nest), plan(plan), shape(nest.shape()), reaches(nest.reaches()) {}

  void run();

private:
  struct Place {
    AffineExpr number, image, line, filter; ///< the number of a block of lines, of all images
    AffineExpr ofImage, filterBlock;        ///< the number of a block of lines, and of filters
  };

  int64_t ofFilter(const Phase &phase) const { return phase.left.terms * shape.taps; }
  void makeArrays(bool ahead);
  Place placeOf(AffineExpr block, AffineExpr row, AffineExpr column) const;
  AffineExpr placeIn(const PanelAccess &access, IndexValues &values, const Place &place,
                     AffineExpr channel) const;
  /// Of a block with a border: what is outside of the image, and where its rows are fetched from.
  struct Rows {
    int64_t before, behind, shift;
    bool operator==(const Rows &other) const {
      return before == other.before && behind == other.behind && shift == other.shift;
    }
  };
  int64_t plane() const;
  /// Where the block of a number begins, of so many that cover an extent: evenly, so that the first
  /// one begins with it and the last one ends with it.
  AffineExpr cover(AffineExpr number, int64_t extent, int64_t width, int64_t count) const;
  Rows rowsOf(int64_t block) const;
  AffineExpr placeOfImages(IndexValues &values, const Place &place, AffineExpr channel) const;
  void takeRows(const FactorArrays &images);
  void fetch(const Phase &phase, BlockAndPanel blockAndPanel);
  void take(const Phase &phase);
  void multiply(const Phase &phase, Value step);
  void taps(OpBuilder &at, const Phase &phase, Value row, Value column, AffineExpr channel,
            IndexValues values, Value i, Value j, SmallVector<Value> &sum, Value step) const;
  AffineExpr indexOf(Value operand, const Place &place) const;
  void finish(Value whole);
  void put();

  const WindowNest &nest;
  const WindowPlan &plan;
  WindowShape shape;
  SmallVector<int64_t> reaches;
  Value sums; ///< of a core's block
  SmallVector<Phase, 3> phases;
};

/// Before the loop over blocks what comes ahead, in it what lives while panels go by.
void WindowLoops::makeArrays(bool ahead) {
  int64_t message = machine.messageBytes / shape.elementBytes;
  for (Phase &phase : phases) {
    auto make = [&](FactorArrays &arrays, Value memref, bool shares, int64_t comes, int64_t stays) {
      arrays.shared = shares && phase.of.steps > 1;
      arrays.terms = phase.of.depth * (arrays.shared ? 1 : phase.of.steps);
      if (phase.of.ahead == ahead)
        arrays.coming = spread(comes * arrays.terms, memref, "coming");
      if (ahead)
        return;
      int64_t elements = llvm::alignTo(stays * arrays.terms, message);
      arrays.part = spread(elements, memref, "part");
      arrays.all = arrays.shared ? spread(elements, memref, "sent") : arrays.part;
      // Between what is copied there.
      clear(arrays.part, elements);
    };
    int64_t ofFilters = plan.filters * shape.taps;
    make(phase.left, nest.left.memref, true, ofFilters, ofFilters);
    make(phase.right, nest.right.memref, plan.sharesImages(), plan.fetched(shape), plan.imagePitch);
  }
}

AffineExpr WindowLoops::cover(AffineExpr number, int64_t extent, int64_t width,
                              int64_t count) const {
  if (count == 1)
    return constant(0);
  if (extent == width * count)
    return number * width;
  return (number * (extent - width)).floorDiv(count - 1);
}

WindowLoops::Place WindowLoops::placeOf(AffineExpr number, AffineExpr row,
                                        AffineExpr column) const {
  bool rowsHaveFilters = plan.filterPlaces > 1;
  AffineExpr place = rowsHaveFilters ? column : row * mesh.columns + column;
  AffineExpr lines = number % plan.rounds * plan.imagePlaces + place;
  AffineExpr filters = number.floorDiv(plan.rounds) * plan.filterPlaces;
  if (rowsHaveFilters)
    filters = filters + row;
  AffineExpr existing = lines % (shape.images * plan.linesOfImage);
  return {lines,
          existing.floorDiv(plan.linesOfImage),
          cover(existing % plan.linesOfImage, shape.lines, plan.lines, plan.linesOfImage),
          cover(filters, shape.filters, plan.filters, plan.filterPlaces * plan.filterBlocks),
          existing % plan.linesOfImage,
          filters};
}

/// An index of the nest where a block begins; nothing for one that stays.
AffineExpr WindowLoops::indexOf(Value operand, const Place &place) const {
  if (operand == variableOf(nest.columns) ||
      llvm::any_of(nest.taps, [&](AffineForOp tap) { return operand == variableOf(tap); }))
    return constant(0);
  if (operand == variableOf(nest.filters))
    return place.filter;
  if (nest.lines && operand == variableOf(nest.lines))
    return place.line;
  AffineExpr number = place.image;
  for (AffineForOp loop : llvm::reverse(nest.images)) {
    if (operand == variableOf(loop))
      return number % tripsOf(loop);
    number = number.floorDiv(tripsOf(loop));
  }
  return {};
}

AffineExpr WindowLoops::placeIn(const PanelAccess &access, IndexValues &values, const Place &place,
                                AffineExpr channel) const {
  return MeshCode::placeOf(access, values, [&](Value operand) -> AffineExpr {
    if (nest.channels && operand == variableOf(nest.channels))
      return channel;
    return indexOf(operand, place);
  });
}

/// Each core its parts of a panel.
void WindowLoops::fetch(const Phase &phase, BlockAndPanel blockAndPanel) {
  onCores([&](OpBuilder &at, Value row, Value column) {
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column);
    auto [number, panel] = blockAndPanel(values);
    Place place = placeOf(number, r, c);
    AffineExpr first = panel * (phase.of.depth * phase.of.steps) + phase.of.from;
    auto channel = [&](const FactorArrays &arrays, AffineExpr mine) {
      return arrays.shared ? first + mine * phase.of.depth : first;
    };
    auto get = [&](Value memref, AffineExpr from, const FactorArrays &arrays, int64_t run,
                   int64_t runs, int64_t apart) {
      Runs lie(run, runs, apart);
      cpe::DmaGetOp::create(at, loc, memref, applied(at, from, values), arrays.coming,
                            ValueRange{row, column}, lie.run, lie.counts, lie.strides);
    };
    get(nest.left.memref, placeIn(nest.left, values, place, channel(phase.left, c)), phase.left,
        ofFilter(phase), plan.filters, nest.left.strideOf(variableOf(nest.filters)));
    int64_t apart = nest.channels ? nest.right.strideOf(variableOf(nest.channels)) : 0;
    Value images = nest.right.memref;
    if (nest.border) {
      images = nest.border->source;
      apart = apart / plane() * (shape.rows * shape.rowElements);
    }
    get(images, placeOfImages(values, place, channel(phase.right, r)), phase.right,
        plan.fetched(shape), phase.right.terms, apart);
  });
}

/// Elements of a channel with its border.
int64_t WindowLoops::plane() const {
  ArrayRef<int64_t> whole = cast<MemRefType>(nest.right.memref.getType()).getShape();
  return whole[whole.size() - 2] * whole.back();
}

/// How far outside of an image the rows of a block of lines begin and end, and how much farther
/// than they begin they are fetched from, so that there are as many of each block.
WindowLoops::Rows WindowLoops::rowsOf(int64_t block) const {
  int64_t line = 0, blocks = plan.linesOfImage, rows = plan.rowsOf(shape);
  if (blocks > 1)
    line = shape.lines == plan.lines * blocks ? block * plan.lines
                                              : block * (shape.lines - plan.lines) / (blocks - 1);
  int64_t start = line - shape.above;
  return {std::max<int64_t>(-start, 0), std::max<int64_t>(start + rows - shape.rows, 0),
          std::clamp<int64_t>(start, 0, shape.rows - plan.rowsThere(shape)) - start};
}

/// Where the stretch of a block's lines begins: in images without their border, the first row that
/// there is.
AffineExpr WindowLoops::placeOfImages(IndexValues &values, const Place &place,
                                      AffineExpr channel) const {
  if (!nest.border)
    return placeIn(nest.right, values, place, channel);
  Place start = place;
  start.line = constant(0);
  AffineExpr number = placeIn(nest.right, values, start, channel).floorDiv(plane());
  SmallVector<int64_t> shifts;
  for (int64_t block = 0; block < plan.linesOfImage; ++block)
    shifts.push_back(rowsOf(block).shift - shape.above);
  return (number * shape.rows + place.line + stepsOf(shifts, place.ofImage)) * shape.rowElements;
}

/// The rows that have come, to where the border leaves room for them. What lies around is zero: no
/// panel of the block writes it.
void WindowLoops::takeRows(const FactorArrays &images) {
  int64_t blocks = plan.linesOfImage, next = 0;
  for (int64_t from = 0; from < blocks; from = next) {
    Rows rows = rowsOf(from);
    for (next = from + 1; next < blocks && rowsOf(next) == rows;)
      ++next;
    int64_t there = plan.rowsOf(shape) - rows.before - rows.behind;
    if (there <= 0)
      continue;
    auto conditions = [&](IndexValues &values, AffineExpr r, AffineExpr c) {
      AffineExpr block = placeOf(blockIn(values), r, c).ofImage;
      SmallVector<AffineExpr> positive;
      if (from > 0)
        positive.push_back(block - from);
      if (next < blocks)
        positive.push_back(-block + (next - 1));
      return positive;
    };
    copyRuns(images.coming, images.part,
             {{images.terms, plan.fetched(shape), plan.imagePitch},
              {there, shape.rowElements, shape.pitch}},
             shape.rowElements,
             {(rows.before - rows.shift) * shape.rowElements,
              rows.before * shape.pitch + shape.beside, conditions});
  }
}

/// What has come becomes what is sent.
void WindowLoops::take(const Phase &phase) {
  int64_t run = ofFilter(phase), stretch = plan.stretch(shape);
  copyRuns(phase.left.coming, phase.left.part, {}, plan.filters * run);
  if (nest.border)
    return takeRows(phase.right);
  copyRuns(phase.right.coming, phase.right.part, {{phase.right.terms, stretch, plan.imagePitch}},
           stretch);
}

void WindowLoops::multiply(const Phase &phase, Value step) {
  MeshCode::multiply(
      {sums, plan.filters, plan.sumPitch, plan.registerRows, plan.registerVectors},
      [&](OpBuilder &at, Value row, Value column, const SumsAt &place, SmallVector<Value> &sum) {
        auto [block, i, j] = place;
        IndexValues values;
        values.of(row);
        values.of(column);
        overTerms(
            at, phase.of.depth, 1, values, sum,
            [&](OpBuilder &inner, AffineExpr channel, IndexValues &here, SmallVector<Value> &sum) {
              taps(inner, phase, row, column, channel, here, i, j, sum, step);
            });
      });
}

void WindowLoops::taps(OpBuilder &at, const Phase &phase, Value row, Value column,
                       AffineExpr channel, IndexValues values, Value i, Value j,
                       SmallVector<Value> &sum, Value step) const {
  AffineExpr filter = values.of(i), pixel = values.of(j);
  AffineExpr ofLeft = termIn(phase.left, channel, phase, step, values);
  AffineExpr ofRight = termIn(phase.right, channel, phase, step, values);
  for (auto [tap, reach] : llvm::enumerate(reaches)) {
    SmallVector<Value> vectors;
    for (int64_t v = 0; v < plan.registerVectors; ++v)
      vectors.push_back(load(at, phase.right.all, row, column,
                             ofRight * plan.imagePitch + pixel + (v * machine.lanes + reach),
                             values, true));
    addTerm(at, sum, vectors, [&](int64_t n) {
      AffineExpr place = (filter + n) * ofFilter(phase) + ofLeft * shape.taps + tap;
      return load(at, phase.left.all, row, column, place, values, false);
    });
  }
}

/// What is done with each result, before it goes.
void WindowLoops::finish(Value whole) {
  onCores([&](OpBuilder &at, Value row, Value column) {
    OpBuilder inner = at;
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column);
    SmallVector<AffineExpr> local =
        overElements(inner, {plan.filters, plan.lines, shape.columns}, values);
    Place place = placeOf(blockIn(values), r, c);
    SmallVector<AffineExpr> indices;
    for (const LoopIndex &index : nest.resultIndices) {
      AffineExpr first = index.value ? indexOf(index.value, place) : constant(index.constant);
      if (index.value == variableOf(nest.filters))
        first = first + local[0];
      else if (nest.lines && index.value == variableOf(nest.lines))
        first = first + local[1];
      else if (index.value == variableOf(nest.columns))
        first = local[2];
      indices.push_back(first ? first : values.of(index.value));
    }
    AffineExpr element = (local[0] * plan.lines + local[1]) * shape.columns + local[2];
    rework(inner, *nest.last, whole, element, indices, values);
  });
}

/// Without what lies between the columns of the result, to where all lines of a block are one run.
void WindowLoops::put() {
  int64_t run = plan.lines * shape.columns;
  Value whole = sums;
  if (plan.isCompacted(shape)) {
    whole = spread(plan.filters * run, nest.result.memref, "lines");
    copyRuns(sums, whole,
             {{plan.filters, plan.sumPitch, run}, {plan.lines, shape.pitch, shape.columns}},
             shape.columns);
  }
  if (nest.last)
    finish(whole);
  putInTurns(
      plan.filterTurns(shape), plan.lineTurns(shape),
      [&](IndexValues &values, AffineExpr r, AffineExpr c) {
        Place place = placeOf(blockIn(values), r, c);
        Turn turn{place.filterBlock, place.number % plan.linesOfImage, {}};
        if (plan.rounds * plan.imagePlaces > shape.images * plan.linesOfImage)
          turn.exists.push_back(-place.number + (shape.images * plan.linesOfImage - 1));
        return turn;
      },
      [&](OpBuilder &at, Value row, Value column) {
        IndexValues values;
        AffineExpr r = values.of(row), c = values.of(column);
        Place place = placeOf(blockIn(values), r, c);
        Runs lie(run, plan.filters, nest.result.strideOf(variableOf(nest.filters)));
        cpe::DmaPutOp::create(at, loc, whole, nest.result.memref,
                              applied(at, placeIn(nest.result, values, place, constant(0)), values),
                              ValueRange{row, column}, lie.run, lie.counts, lie.strides);
      });
}

void WindowLoops::run() {
  sums = spread(plan.filters * plan.sumPitch, nest.result.memref, "block");
  for (const PanelPhase &of : plan.phases)
    phases.push_back({of, {}, {}});
  keep(nest.last);
  makeArrays(true);
  const Phase &front = phases.front();
  if (front.of.ahead)
    fetch(front, [&](IndexValues &) { return std::pair(constant(0), constant(0)); });
  overBlocks(plan.blocks());
  makeArrays(false);
  clear(sums, plan.filters * plan.sumPitch);
  for (const Phase &phase : phases)
    panels(
        phase.of, plan.blocks(), [&](BlockAndPanel which) { fetch(phase, which); },
        [&] { take(phase); },
        [&] { overSteps(phase, [&](Value step) { multiply(phase, step); }); });
  put();
  if (nest.last)
    nest.last->erase();
  AffineForOp(nest.outermost).erase();
  if (nest.border)
    for (AffineForOp copy : nest.border->nests)
      copy.erase();
}

} // namespace

void writeWindowLoops(const WindowNest &nest, const WindowPlan &plan, const MeshMachine &machine,
                      bool fma) {
  for (AffineForOp loop : nest.repeated)
    loop->removeDiscardableAttr("weft.parallel");
  WindowLoops(nest, plan, machine, fma).run();
}

} // namespace weft
