//===- Footprint.cpp - what ops touch of main memory ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/Footprint.h"

#include "dialect/Cpe.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// Points of loops that are looked at for one access.
constexpr int64_t mostPoints = 1 << 17;

SmallVector<Operation *> opsOf(Block &block) {
  return llvm::map_to_vector(block.without_terminator(), [](Operation &op) { return &op; });
}

int64_t tripsOf(AffineForOp loop) {
  return static_cast<int64_t>(affine::getConstantTripCount(loop).value_or(0));
}

int64_t BlockedRegion::elements() const {
  int64_t all = block;
  for (int64_t count : counts)
    all *= count;
  return all;
}

int64_t elementBytes(Value array) {
  return std::max<int64_t>(1, cast<MemRefType>(array.getType()).getElementTypeBitWidth() / 8);
}

FootprintAnalysis::FootprintAnalysis(ArrayRef<Operation *> ops, int64_t most, AffineForOp spread,
                                     int64_t times)
    : ops(ops), most(most), spread(spread), times(times) {
  if (ops.empty())
    return;
  context = ops.front()->getContext();
  for (Operation *op : ops)
    collect(op, true);
  std::vector<Footprint> parts;
  for (Footprint &footprint : found)
    if (!refused.contains(footprint.array) && !finish(footprint, fewForEach) &&
        !takeApart(footprint, parts) && !finish(footprint, mostForEach))
      refuse(footprint.array, "its elements are too many or lie too irregularly", true);
  llvm::erase_if(found, [](const Footprint &footprint) { return footprint.touches.empty(); });
  llvm::move(parts, std::back_inserter(found));
  for (const Footprint &footprint : found)
    if (!refused.contains(footprint.array) && !isOfWholeWords(footprint))
      refuse(footprint.array, "its parts are no whole words of a transfer (transfer_word_bytes)",
             false);
  // Parts of one array that start apart may be the same elements, unless nobody writes.
  for (Footprint &one : found)
    for (Footprint &other : found)
      if (&one != &other && one.array == other.array && (one.isWritten || other.isWritten))
        refuse(one.array, "its parts start at different places and are written", true);
  llvm::erase_if(found, [&](Footprint &footprint) { return refused.contains(footprint.array); });
}

int64_t Footprint::bytes() const {
  return llvm::alignTo(region.elements() * elementBytes(array), 64);
}

void FootprintAnalysis::refuse(Value array, std::string why, bool insideMayHelp) {
  insideHelps |= insideMayHelp;
  refused.insert({array, std::move(why)});
}

AffineExpr FootprintAnalysis::dimOf(Value value) {
  auto [entry, isNew] = numberOf.try_emplace(value, numbered.size());
  if (isNew)
    numbered.push_back(value);
  return getAffineDimExpr(entry->second, context);
}

bool FootprintAnalysis::isInner(Value value) const {
  AffineForOp loop = affine::getForInductionVarOwner(value);
  return loop && (loop == spread || llvm::any_of(ops, [&](Operation *op) {
                    return op == loop || op->isProperAncestor(loop);
                  }));
}

std::pair<bool, bool> FootprintAnalysis::variesWith(AffineExpr atom) const {
  std::pair<bool, bool> varies;
  atom.walk([&](AffineExpr part) {
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      (isInner(numbered[dim.getPosition()]) ? varies.first : varies.second) = true;
  });
  return varies;
}

/// Whether it is a remainder or a quotient of the loop that is spread, of whose iterations some are
/// looked at.
bool FootprintAnalysis::isCut(AffineExpr atom) const {
  AffineForOp loop = spread;
  if (!loop || isa<AffineDimExpr>(atom) || times >= tripsOf(loop))
    return false;
  bool cut = false;
  atom.walk([&](AffineExpr part) {
    auto dim = dyn_cast<AffineDimExpr>(part);
    cut |= dim && numbered[dim.getPosition()] == loop.getInductionVar();
  });
  return cut;
}

void FootprintAnalysis::addTerm(LinearForm &form, AffineExpr atom, int64_t factor) {
  auto [entry, isNew] = atomNumber.try_emplace(atom, atoms.size());
  if (isNew)
    atoms.push_back(atom);
  auto &term = form.terms[entry->second];
  term = {atom, term.second + factor};
  if (term.second == 0)
    form.terms.erase(entry->second);
}

bool FootprintAnalysis::flatten(AffineExpr expr, int64_t factor, LinearForm &form) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    form.constant += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Add)
    return flatten(binary.getLHS(), factor, form) && flatten(binary.getRHS(), factor, form);
  if (binary && expr.getKind() == AffineExprKind::Mul) {
    auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return constant && flatten(binary.getLHS(), factor * constant.getValue(), form);
  }
  addTerm(form, expr, factor);
  return true;
}

void FootprintAnalysis::collect(Operation *op, bool certain) {
  auto type = [](Value value) { return dyn_cast<VectorType>(value.getType()); };
  auto lanes = [&](Value value) { return type(value) ? type(value).getNumElements() : 1; };
  if (auto read = dyn_cast<affine::AffineReadOpInterface>(op))
    add(op, read.getMemRef(), read.getAffineMap(), read.getMapOperands(), false,
        lanes(read.getValue()), certain);
  else if (auto write = dyn_cast<affine::AffineWriteOpInterface>(op))
    add(op, write.getMemRef(), write.getAffineMap(), write.getMapOperands(), true,
        lanes(write.getValueToStore()), certain);
  else if (op->getNumRegions() == 0 && !isMemoryEffectFree(op))
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        refuse(rootOf(operand), "an index of it is data");

  bool sequence = llvm::is_contained(ops, op);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        collect(&inner, certain && isa<AffineForOp>(op));
  if (sequence)
    ++section;
}

void FootprintAnalysis::add(Operation *op, Value memref, AffineMap map, ValueRange operands,
                            bool isWrite, int64_t lanes, bool certain) {
  Value array = rootOf(memref);
  if (cpe::isInLdm(memref) || refused.contains(array))
    return;
  auto shape = cast<MemRefType>(memref.getType());
  if (!shape.hasStaticShape() || !shape.getLayout().isIdentity())
    return refuse(array, "it is not contiguous");
  SmallVector<Value> values(operands);
  affine::fullyComposeAffineMapAndOperands(&map, &values);
  SmallVector<AffineExpr> dims, symbols;
  for (auto [position, value] : llvm::enumerate(values)) {
    Operation *made = value.getDefiningOp();
    if (made && llvm::any_of(ops, [&](Operation *one) { return one->isAncestor(made); }))
      return refuse(array, "an index of it is data");
    if (AffineForOp loop = affine::getForInductionVarOwner(value);
        loop && isInner(value) && !loop.hasConstantBounds())
      return refuse(array, "the bounds of a loop vary");
    // The variable of a loop of one iteration is a number: what wraps around with it is known.
    AffineForOp once = affine::getForInductionVarOwner(value);
    bool isOne = once && once != spread && once.hasConstantBounds() && tripsOf(once) == 1;
    (position < map.getNumDims() ? dims : symbols)
        .push_back(isOne ? getAffineConstantExpr(once.getConstantLowerBound(), context)
                         : dimOf(value));
  }
  Touch touch{op, isWrite, lanes, section, certain, {}, {}};
  LinearForm start;
  SmallVector<LinearForm, 4> starts(map.getNumResults());
  touch.indices.resize(map.getNumResults());
  int64_t stride = 1;
  for (size_t n = map.getNumResults(); n-- > 0; stride *= shape.getShape()[n]) {
    LinearForm index;
    if (!flatten(simplifyAffineExpr(map.getResult(n).replaceDimsAndSymbols(dims, symbols),
                                    numbered.size(), 0),
                 1, index))
      return refuse(array, "an index of it is no sum of loop variables");
    touch.inner.constant += stride * index.constant;
    touch.indices[n].constant = index.constant;
    for (const auto &[number, term] : index.terms) {
      auto [inner, outer] = variesWith(term.first);
      // Pieces of a loop that is spread mix the piece's number with what is inside of it.
      outer |= inner && isCut(term.first);
      if (inner && outer)
        return refuse(array, "an index of it mixes loops inside and outside of the block", true);
      (inner ? touch.indices[n] : starts[n]).terms[number] = term;
      addTerm(inner ? touch.inner : start, term.first, stride * term.second);
    }
  }
  Footprint *place = nullptr;
  for (Footprint &footprint : found)
    if (footprint.array == array && footprint.start.terms == start.terms)
      place = &footprint;
  if (!place) {
    place = &found.emplace_back();
    place->array = array;
    place->start = start;
    place->starts = starts;
    place->shape.assign(shape.getShape().begin(), shape.getShape().end());
  }
  bool alike =
      ArrayRef(place->shape) == shape.getShape() &&
      llvm::equal(place->starts, starts, [](const LinearForm &one, const LinearForm &other) {
        return one.terms == other.terms;
      });
  if (!alike) {
    place->starts.clear();
    place->shape.clear();
  }
  (isWrite ? place->isWritten : place->isRead) = true;
  place->touches.push_back(std::move(touch));
}

/// Calls `visit(values)` at every point of the loops that a form depends on; false where
/// these are too many or `visit` says so.
template <typename Visit>
bool FootprintAnalysis::forEachPoint(const LinearForm &form, Visit visit) const {
  SmallVector<unsigned> dims;
  for (const auto &[number, term] : form.terms)
    term.first.walk([&](AffineExpr part) {
      if (auto dim = dyn_cast<AffineDimExpr>(part))
        if (!llvm::is_contained(dims, dim.getPosition()))
          dims.push_back(dim.getPosition());
    });
  struct Walk {
    int64_t lower, step, trips;
  };
  SmallVector<Walk> walks;
  int64_t points = 1;
  for (unsigned dim : dims) {
    AffineForOp loop = affine::getForInductionVarOwner(numbered[dim]);
    int64_t step = loop.getStepAsInt();
    int64_t trips = loop == spread
                        ? times
                        : static_cast<int64_t>(affine::getConstantTripCount(loop).value_or(0));
    // Where a loop is spread, its variable is the first of its iterations plus this.
    walks.push_back({loop == spread ? 0 : loop.getConstantLowerBound(), step, trips});
    points *= trips;
    if (points > mostPoints)
      return false;
  }
  SmallVector<int64_t> values(numbered.size(), 0);
  for (int64_t point = 0; point < points; ++point) {
    int64_t rest = point;
    for (auto [dim, walk] : llvm::zip(dims, walks)) {
      values[dim] = walk.lower + rest % walk.trips * walk.step;
      rest /= walk.trips;
    }
    if (!visit(ArrayRef<int64_t>(values)))
      return false;
  }
  return true;
}

static int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> values) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return values[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = evaluate(binary.getLHS(), values), right = evaluate(binary.getRHS(), values);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::Mod:
    return llvm::mod(left, right);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(left, right);
  default:
    return llvm::divideCeilSigned(left, right);
  }
}

static int64_t evaluate(const LinearForm &form, ArrayRef<int64_t> values) {
  int64_t sum = form.constant;
  for (const auto &[number, term] : form.terms)
    sum += term.second * evaluate(term.first, values);
  return sum;
}

static void sortOnce(std::vector<int64_t> &values) {
  llvm::sort(values);
  values.erase(llvm::unique(values), values.end());
}

std::optional<std::vector<int64_t>> FootprintAnalysis::valuesOf(const LinearForm &inner,
                                                                int64_t lanes) const {
  std::vector<int64_t> values;
  bool all = forEachPoint(inner, [&](ArrayRef<int64_t> point) {
    int64_t first = evaluate(inner, point);
    for (int64_t lane = 0; lane < lanes; ++lane)
      values.push_back(first + lane);
    if (static_cast<int64_t>(values.size()) > 4 * most)
      sortOnce(values);
    return static_cast<int64_t>(values.size()) <= 4 * most;
  });
  sortOnce(values);
  if (!all || static_cast<int64_t>(values.size()) > most)
    return std::nullopt;
  return values;
}

/// The loops around an access, from the one among the ops on, and the access.
SmallVector<Operation *> FootprintAnalysis::pathTo(Operation *op) const {
  SmallVector<Operation *> path{op};
  while (!llvm::is_contained(ops, path.back()))
    path.push_back(path.back()->getParentOp());
  return SmallVector<Operation *>(llvm::reverse(path));
}

/// The terms of a form that vary with one of some loops, taken out of it.
LinearForm FootprintAnalysis::takeTermsOf(LinearForm &form, ArrayRef<Operation *> loops) const {
  LinearForm taken;
  for (auto term = form.terms.begin(); term != form.terms.end();) {
    bool varies = false;
    term->second.first.walk([&](AffineExpr part) {
      if (auto dim = dyn_cast<AffineDimExpr>(part))
        varies |= llvm::is_contained(
            loops, affine::getForInductionVarOwner(numbered[dim.getPosition()]).getOperation());
    });
    if (varies)
      taken.terms.insert(*term);
    term = varies ? form.terms.erase(term) : std::next(term);
  }
  return taken;
}

/// Whether what a read finds was written before it in the same iteration of some loops around
/// it, whatever the iterations before have done.
bool FootprintAnalysis::isWrittenJustBefore(const Footprint &footprint, const Touch &read) const {
  SmallVector<Operation *> path = pathTo(read.op);
  for (size_t depth = 1; depth < path.size(); ++depth) {
    ArrayRef<Operation *> around = ArrayRef(path).take_front(depth);
    LinearForm readInside = read.inner;
    LinearForm same = takeTermsOf(readInside, around);
    std::vector<int64_t> written;
    for (const Touch &write : footprint.touches) {
      if (!write.isWrite || !write.certain)
        continue;
      SmallVector<Operation *> other = pathTo(write.op);
      if (other.size() <= depth || ArrayRef(other).take_front(depth) != around ||
          other[depth]->getBlock() != path[depth]->getBlock() ||
          !other[depth]->isBeforeInBlock(path[depth]))
        continue;
      LinearForm inside = write.inner;
      if (takeTermsOf(inside, around).terms != same.terms)
        continue;
      if (auto values = valuesOf(inside, write.lanes))
        written.insert(written.end(), values->begin(), values->end());
    }
    sortOnce(written);
    auto values = valuesOf(readInside, read.lanes);
    if (values && !written.empty() &&
        std::includes(written.begin(), written.end(), values->begin(), values->end()))
      return true;
  }
  return false;
}

/// Finds its elements and how they are moved. What is only read may be moved with what lies
/// between, up to `forEach` elements for each one; false where that does not make equal runs of it.
bool FootprintAnalysis::finish(Footprint &footprint, int64_t forEach) const {
  footprint.elements.clear();
  footprint.needsGet = false;
  int64_t mostElements = most / elementBytes(footprint.array);
  std::vector<int64_t> certainlyWritten;
  unsigned section = 0;
  std::vector<int64_t> writing;
  for (Touch &touch : footprint.touches) {
    auto values = valuesOf(touch.inner, touch.lanes);
    if (!values)
      return false;
    // What the ops before have written for certain need not be fetched.
    if (touch.section != section) {
      certainlyWritten.insert(certainlyWritten.end(), writing.begin(), writing.end());
      sortOnce(certainlyWritten);
      writing.clear();
      section = touch.section;
    }
    if (!touch.isWrite)
      footprint.needsGet |= !std::includes(certainlyWritten.begin(), certainlyWritten.end(),
                                           values->begin(), values->end()) &&
                            !isWrittenJustBefore(footprint, touch);
    else if (touch.certain)
      writing.insert(writing.end(), values->begin(), values->end());
    footprint.elements.insert(footprint.elements.end(), values->begin(), values->end());
    if (static_cast<int64_t>(footprint.elements.size()) > 4 * mostElements)
      sortOnce(footprint.elements);
    if (static_cast<int64_t>(footprint.elements.size()) > 4 * mostElements)
      return false;
  }
  certainlyWritten.insert(certainlyWritten.end(), writing.begin(), writing.end());
  sortOnce(certainlyWritten);
  sortOnce(footprint.elements);
  if (static_cast<int64_t>(footprint.elements.size()) > mostElements)
    return false;
  footprint.isWhollyWritten = certainlyWritten == footprint.elements;
  if (footprint.isWritten)
    footprint.needsGet |= !footprint.isWhollyWritten;
  if (toBlocks(footprint) && locate(footprint))
    return true;
  int64_t most = std::min(mostElements, forEach * int64_t(footprint.elements.size()));
  return !footprint.isWritten && fill(footprint, most) && toBlocks(footprint) && locate(footprint);
}

/// The place of each touch among the elements: every term's factor is taken apart by the
/// strides, largest first. Whether that is right is tried at every point.
bool FootprintAnalysis::locate(Footprint &footprint) const {
  const BlockedRegion &region = footprint.region;
  SmallVector<int64_t> pitches(region.counts.size());
  int64_t pitch = region.block;
  for (size_t n = region.counts.size(); n-- > 0; pitch *= region.counts[n])
    pitches[n] = pitch;
  auto packed = [&](int64_t distance) {
    int64_t place = 0;
    for (auto [stride, pitch] : llvm::zip(region.strides, pitches)) {
      place += distance / stride * pitch;
      distance %= stride;
    }
    return place + distance;
  };
  footprint.places.clear();
  int64_t first = footprint.elements.front();
  for (const Touch &touch : footprint.touches) {
    LinearForm place;
    place.constant = packed(touch.inner.constant - first);
    for (const auto &[number, term] : touch.inner.terms)
      place.terms[number] = {term.first, packed(term.second)};
    bool right = forEachPoint(touch.inner, [&](ArrayRef<int64_t> point) {
      int64_t element = evaluate(touch.inner, point), at = evaluate(place, point);
      return at >= 0 && at + touch.lanes <= static_cast<int64_t>(footprint.elements.size()) &&
             footprint.elements[at] == element &&
             footprint.elements[at + touch.lanes - 1] == element + touch.lanes - 1;
    });
    if (!right)
      return false;
    footprint.places.push_back(std::move(place));
  }
  return true;
}

const Footprint *FootprintAnalysis::of(Value array) const {
  for (const Footprint &footprint : found)
    if (footprint.array == array)
      return &footprint;
  return nullptr;
}

std::optional<int64_t>
FootprintAnalysis::startAt(const Footprint &footprint,
                           ArrayRef<std::pair<Value, int64_t>> around) const {
  SmallVector<int64_t> values(numbered.size(), 0);
  SmallVector<bool> known(numbered.size(), false);
  for (auto [value, at] : around)
    if (auto number = numberOf.find(value); number != numberOf.end()) {
      values[number->second] = at;
      known[number->second] = true;
    }
  bool all = true;
  for (const auto &[number, term] : footprint.start.terms)
    term.first.walk([&](AffineExpr part) {
      if (auto dim = dyn_cast<AffineDimExpr>(part))
        all &= known[dim.getPosition()];
    });
  if (!all)
    return std::nullopt;
  return evaluate(footprint.start, values);
}

} // namespace weft
