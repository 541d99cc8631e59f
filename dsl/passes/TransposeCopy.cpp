//===- TransposeCopy.cpp - packing and unpacking through registers ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A copy from lines (elements contiguous along the outer loop) to lanes (contiguous
// along the inner one), or back, would be scalar on one of its sides. Moved in
// blocks of as many vectors as a vector has elements, both sides are whole vectors,
// and each cache line is touched once. An interleaved complex element counts as two
// columns: the transposition sorts real and imaginary parts on the way; where both
// sides are interleaved, whole complex elements change places. Real elements may be
// computed with before they are stored: their vectors lie as what is stored by then.
//
//===-----------------------------------------------------------------------===//

#include "passes/TransposeCopy.h"
#include "passes/AccessPattern.h"
#include "passes/Elementwise.h"
#include "passes/Passes.h"
#include "passes/SquareTranspose.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// Of a row within a tile: both sides touch one line of each of many rows, and tiles
/// keep the pages and lines of these rows until all of a tile has used them. Measured
/// on matrices of 1000 to 2048 rows.
constexpr int64_t tileBytes = 256;

/// From the first to before the second.
using Range = std::pair<int64_t, int64_t>;

/// Elements that move together: one real element, or both parts of a complex one.
/// `line` is contiguous along the outer loop, lanes[part] along the inner one (one
/// access for both parts where the lanes are interleaved as well).
struct Group {
  Access line;
  SmallVector<Access> lanes;
};

/// Real elements of which one tensor is read along the one loop, and all else, if it moves, is read
/// and stored along the other.
struct Work {
  Access turned;
  DenseMap<Operation *, Access> others; ///< loads and stores
};

class TransposeCopy {
public:
  TransposeCopy(AffineForOp outer, AffineForOp inner, const VectorUnit &vectors)
      : outer(outer), inner(inner), vectors(vectors) {}

  bool analyse();
  void rewrite();

private:
  bool collect(SmallVectorImpl<std::pair<Access, Access>> &copies);
  bool collectWork();
  bool group(SmallVectorImpl<std::pair<Access, Access>> &copies);
  bool isContiguous(const Access &access, AffineForOp loop, int64_t extent, int64_t stride);
  SmallVector<Value> operandsOf(const Access &access, const IRMapping &variables);
  void moveGroup(OpBuilder &builder, const Group &group, const IRMapping &variables);
  void moveWork(OpBuilder &builder, const IRMapping &variables);
  void workRow(OpBuilder &builder, Value turned, int64_t row, const IRMapping &variables);
  void move(OpBuilder &builder, const IRMapping &variables);
  void blocks(OpBuilder &builder, Range outerRange, Range innerRange, const Range *tiles);
  AffineForOp remainder(OpBuilder &builder, Range outerRange, Range innerRange);

  AffineForOp outer, inner;
  VectorUnit vectors;
  AddressSpace space;
  SmallVector<Group> groups;
  std::optional<Work> work; ///< instead of groups
  bool fromLines = false;
  int64_t lanes = 0;
  int64_t parts = 1;     ///< reals in an element of a line
  int64_t laneParts = 1; ///< reals in an element of the lanes
  bool repeats = false;  ///< what is left of whole squares goes in one that begins earlier
  int64_t innerEnd = 0;
};

bool TransposeCopy::collect(SmallVectorImpl<std::pair<Access, Access>> &copies) {
  DenseMap<Value, Access> loads;
  for (Operation &op : inner.getBody()->without_terminator()) {
    std::optional<Access> access = Access::of(&op, space);
    if (!access) {
      if (!isMemoryEffectFree(&op) || op.getNumRegions() != 0)
        return false;
      continue;
    }
    if (!access->isStore) {
      loads.insert({op.getResult(0), *access});
      continue;
    }
    auto load = loads.find(op.getOperand(0));
    // Within one buffer a block could overwrite what the next one still reads.
    if (load == loads.end() || load->second.memref == access->memref)
      return false;
    copies.push_back({load->second, *access});
  }
  return !copies.empty();
}

bool TransposeCopy::isContiguous(const Access &access, AffineForOp loop, int64_t extent,
                                 int64_t stride) {
  LaneBlock block{loop.getInductionVar(), extent, loop.getConstantLowerBound()};
  return access.slope(block, space) == stride;
}

/// Pairs the parts of complex elements and finds the side of the lines.
bool TransposeCopy::group(SmallVectorImpl<std::pair<Access, Access>> &copies) {
  auto widthOf = [](const Access &access) {
    return cast<MemRefType>(access.memref.getType()).getElementTypeBitWidth();
  };
  unsigned width = widthOf(copies.front().first);
  if (llvm::any_of(copies, [&](auto &copy) { return widthOf(copy.first) != width; }) ||
      (width != 32 && width != 64))
    return false;
  lanes = vectors.lanes(width);
  // A side is contiguous along a loop with whole vectors of reals, or of complex
  // elements whose parts are copied by two accesses.
  auto real = [&](const Access &access, AffineForOp loop) {
    return isContiguous(access, loop, lanes, 1);
  };
  auto complex = [&](const Access &access, AffineForOp loop) {
    return access.complexPart() && isContiguous(access, loop, lanes / 2, 2);
  };
  const Access &store = copies.front().second;
  fromLines = real(store, inner) || complex(store, inner);
  if (!fromLines)
    for (auto &copy : copies)
      std::swap(copy.first, copy.second);
  parts = real(copies.front().first, outer) ? 1 : 2;
  laneParts = real(copies.front().second, inner) ? 1 : 2;
  if (laneParts > parts || llvm::any_of(copies, [&](auto &copy) {
        return !(parts == 1 ? real(copy.first, outer) : complex(copy.first, outer)) ||
               !(laneParts == 1 ? real(copy.second, inner) : complex(copy.second, inner));
      }))
    return false;

  for (auto &[line, lane] : copies) {
    if (parts == 1) {
      groups.push_back({line, {lane}});
      continue;
    }
    if (*line.complexPart() != 0)
      continue;
    auto *other = llvm::find_if(copies, [&](auto &candidate) {
      return candidate.first.memref == line.memref && distance(line, candidate.first, space) == 1;
    });
    if (other == copies.end())
      return false;
    if (laneParts == 1)
      groups.push_back({line, {lane, other->second}});
    else if (other->second.memref == lane.memref && lane.complexPart() == 0 &&
             distance(lane, other->second, space) == 1)
      groups.push_back({line, {lane}});
  }
  return static_cast<int64_t>(groups.size()) * parts == static_cast<int64_t>(copies.size());
}

bool TransposeCopy::collectWork() {
  SmallVector<Access> loads, stores;
  auto ops = inner.getBody()->without_terminator();
  for (Operation &op : ops)
    if (std::optional<Access> access = Access::of(&op, space))
      (access->isStore ? stores : loads).push_back(*access);
  if (stores.empty())
    return false;
  auto element = cast<MemRefType>(stores.front().memref.getType()).getElementType();
  unsigned width = element.getIntOrFloatBitWidth();
  if (!isa<FloatType>(element) || (width != 32 && width != 64))
    return false;
  lanes = vectors.lanes(width);
  fromLines = isContiguous(stores.front(), inner, lanes, 1);
  AffineForOp stored = fromLines ? inner : outer, other = fromLines ? outer : inner;
  Work found;
  for (const Access &store : stores) {
    if (!isContiguous(store, stored, lanes, 1) ||
        llvm::any_of(loads, [&](auto &load) { return mayAlias(load.memref, store.memref); }))
      return false;
    found.others.insert({store.op, store});
  }
  unsigned turned = 0;
  for (const Access &load : loads) {
    if (cast<MemRefType>(load.memref.getType()).getElementType() != element)
      return false;
    if (isContiguous(load, stored, lanes, 1) || isContiguous(load, stored, lanes, 0)) {
      found.others.insert({load.op, load});
      continue;
    }
    if (!isContiguous(load, other, lanes, 1))
      return false;
    found.turned = load;
    ++turned;
  }
  auto fits = [&](Type type) { return type == element || type.isInteger(1); };
  for (Operation &op : ops)
    if (!found.others.contains(&op) && &op != found.turned.op &&
        !isa<affine::AffineApplyOp, arith::ConstantOp>(op) &&
        (!isElementwise(op) || !llvm::all_of(op.getOperandTypes(), fits) ||
         !fits(op.getResult(0).getType())))
      return false;
  if (turned == 1)
    work = found;
  return work.has_value();
}

bool TransposeCopy::analyse() {
  SmallVector<std::pair<Access, Access>> copies;
  if (!collect(copies) ? !collectWork() : !group(copies))
    return false;
  int64_t lines = inner.getConstantUpperBound() - inner.getConstantLowerBound();
  int64_t elements = outer.getConstantUpperBound() - outer.getConstantLowerBound();
  return lanes >= 2 && lines >= lanes / laneParts && elements >= lanes / parts;
}

SmallVector<Value> TransposeCopy::operandsOf(const Access &access, const IRMapping &variables) {
  return llvm::map_to_vector(access.operands,
                             [&](Value operand) { return variables.lookupOrDefault(operand); });
}

void TransposeCopy::moveGroup(OpBuilder &builder, const Group &group, const IRMapping &variables) {
  Type element = cast<MemRefType>(group.line.memref.getType()).getElementType();
  VectorType type = VectorType::get({lanes}, element);
  // A row on the side of the lanes is one part of one element, or whole elements.
  int64_t partsOfRow = parts / laneParts;
  auto sideOf = [&](bool line, int64_t row) -> const Access & {
    return line ? group.line : group.lanes[row % partsOfRow];
  };
  auto mapOf = [&](bool line, int64_t row) {
    std::optional<int64_t> real;
    if ((line ? parts : laneParts) == 2)
      real = 0;
    return line ? group.line.shifted(inner.getInductionVar(), row, real)
                : group.lanes[row % partsOfRow].shifted(outer.getInductionVar(), row / partsOfRow,
                                                        real);
  };
  SmallVector<Value> rows;
  for (int64_t row = 0; row < lanes / laneParts; ++row) {
    const Access &from = sideOf(fromLines, row);
    rows.push_back(affine::AffineVectorLoadOp::create(builder, from.op->getLoc(), type, from.memref,
                                                      mapOf(fromLines, row),
                                                      operandsOf(from, variables)));
  }
  rows = transposeSquare(builder, group.line.op->getLoc(), rows, vectors, laneParts);
  for (int64_t row = 0; row < lanes / laneParts; ++row) {
    const Access &to = sideOf(!fromLines, row);
    affine::AffineVectorStoreOp::create(builder, to.op->getLoc(), rows[row], to.memref,
                                        mapOf(!fromLines, row), operandsOf(to, variables));
  }
}

/// What the body does with a row of a square that has been turned.
void TransposeCopy::workRow(OpBuilder &builder, Value turned, int64_t row,
                            const IRMapping &variables) {
  AffineForOp stored = fromLines ? inner : outer, other = fromLines ? outer : inner;
  auto typeOf = [&](Type element) { return VectorType::get({lanes}, element); };
  IRMapping scalars(variables);
  DenseMap<Value, Value> known{{work->turned.op->getResult(0), turned}};
  auto vectorOf = [&](Value value) {
    Value &made = known[value];
    Attribute constant;
    if (!made && matchPattern(value, m_Constant(&constant)))
      made = arith::ConstantOp::create(
          builder, value.getLoc(),
          DenseElementsAttr::get(typeOf(value.getType()), ArrayRef<Attribute>(constant)));
    else if (!made)
      made = vector::BroadcastOp::create(builder, value.getLoc(), typeOf(value.getType()),
                                         scalars.lookupOrDefault(value));
    return made;
  };
  for (Operation &op : inner.getBody()->without_terminator()) {
    if (isa<affine::AffineApplyOp, arith::ConstantOp>(op) || &op == work->turned.op)
      continue;
    auto found = work->others.find(&op);
    if (found == work->others.end()) {
      SmallVector<Value> operands = llvm::map_to_vector(op.getOperands(), vectorOf);
      OperationState state(op.getLoc(), op.getName().getStringRef(), operands,
                           typeOf(op.getResult(0).getType()),
                           llvm::to_vector(op.getDiscardableAttrs()));
      state.propertiesAttr = op.getPropertiesAsAttribute();
      known[op.getResult(0)] = builder.create(state)->getResult(0);
      continue;
    }
    const Access &access = found->second;
    AffineMap map = access.shifted(other.getInductionVar(), row);
    SmallVector<Value> operands = operandsOf(access, variables);
    if (access.isStore)
      affine::AffineVectorStoreOp::create(builder, op.getLoc(), vectorOf(op.getOperand(0)),
                                          access.memref, map, operands);
    else if (isContiguous(access, stored, lanes, 0))
      scalars.map(op.getResult(0),
                  affine::AffineLoadOp::create(builder, op.getLoc(), access.memref, map, operands));
    else
      known[op.getResult(0)] = affine::AffineVectorLoadOp::create(
          builder, op.getLoc(), typeOf(op.getResult(0).getType()), access.memref, map, operands);
  }
}

void TransposeCopy::moveWork(OpBuilder &builder, const IRMapping &variables) {
  const Access &from = work->turned;
  AffineForOp stored = fromLines ? inner : outer;
  VectorType type = VectorType::get({lanes}, from.op->getResult(0).getType());
  SmallVector<Value> rows;
  for (int64_t row = 0; row < lanes; ++row)
    rows.push_back(affine::AffineVectorLoadOp::create(builder, from.op->getLoc(), type, from.memref,
                                                      from.shifted(stored.getInductionVar(), row),
                                                      operandsOf(from, variables)));
  rows = transposeSquare(builder, from.op->getLoc(), rows, vectors, 1);
  for (auto [row, turned] : llvm::enumerate(rows))
    workRow(builder, turned, row, variables);
}

/// The scalar nest over a part of its domain.
AffineForOp TransposeCopy::remainder(OpBuilder &builder, Range outerRange, Range innerRange) {
  auto copy = cast<AffineForOp>(builder.clone(*outer));
  copy->removeDiscardableAttr("weft.parallel");
  copy.setConstantLowerBound(outerRange.first);
  copy.setConstantUpperBound(outerRange.second);
  AffineForOp copiedInner = *copy.getBody()->getOps<AffineForOp>().begin();
  copiedInner.setConstantLowerBound(innerRange.first);
  copiedInner.setConstantUpperBound(innerRange.second);
  return copy;
}

void TransposeCopy::move(OpBuilder &builder, const IRMapping &variables) {
  if (work)
    moveWork(builder, variables);
  for (const Group &group : groups)
    moveGroup(builder, group, variables);
}

/// Whole blocks in registers over a part of the domain, in tiles of so many iterations,
/// or in none where `tiles` is null.
void TransposeCopy::blocks(OpBuilder &builder, Range outerRange, Range innerRange,
                           const Range *tiles) {
  if (outerRange.first == outerRange.second || innerRange.first == innerRange.second)
    return;
  OpBuilder::InsertionGuard guard(builder);
  int64_t block = lanes / parts, lines = lanes / laneParts;
  bool outermost = outerRange.second - outerRange.first > block;
  auto open = [&](AffineForOp old, Range range, int64_t step) {
    auto loop = AffineForOp::create(builder, old.getLoc(), range.first, range.second, step);
    loop->setDiscardableAttrs(old->getDiscardableAttrDictionary());
    loop->removeDiscardableAttr("weft.lane");
    loop->removeDiscardableAttr("weft.parallel");
    if (std::exchange(outermost, false) && outer->hasAttr("weft.parallel"))
      loop->setAttr("weft.parallel", builder.getUnitAttr());
    loop.getInductionVar().setLoc(old.getInductionVar().getLoc());
    builder.setInsertionPointToStart(loop.getBody());
    return loop.getInductionVar();
  };
  IRMapping variables;
  if (tiles) {
    // Tiles follow one another, and so do blocks within a tile, along the lines that
    // are written: those stay until they are full.
    Value starts[2], offsets[2];
    std::pair<AffineForOp, Range> sides[] = {{outer, outerRange}, {inner, innerRange}};
    int64_t length[] = {tiles->first, tiles->second}, step[] = {block, lines};
    int written = fromLines ? 1 : 0, read = 1 - written;
    for (int side : {written, read})
      starts[side] = open(sides[side].first, sides[side].second, length[side]);
    for (int side : {read, written})
      offsets[side] = open(sides[side].first, {0, length[side]}, step[side]);
    AffineMap plus =
        AffineMap::get(2, 0, builder.getAffineDimExpr(0) + builder.getAffineDimExpr(1));
    for (int side : {0, 1})
      variables.map(sides[side].first.getInductionVar(),
                    affine::AffineApplyOp::create(builder, outer.getLoc(), plus,
                                                  ValueRange{starts[side], offsets[side]}));
  } else {
    variables.map(outer.getInductionVar(), open(outer, outerRange, block));
    variables.map(inner.getInductionVar(), open(inner, innerRange, lines));
  }
  move(builder, variables);
  if (tiles || !repeats || innerRange.second == innerEnd)
    return;
  // A row's last square behind the others of that row: lines of the cache are written whole.
  builder.setInsertionPointAfter(
      variables.lookup(inner.getInductionVar()).getParentRegion()->getParentOp());
  variables.map(inner.getInductionVar(),
                arith::ConstantIndexOp::create(builder, inner.getLoc(), innerEnd - lines));
  move(builder, variables);
}

void TransposeCopy::rewrite() {
  Range outerAll{outer.getConstantLowerBound(), outer.getConstantUpperBound()};
  Range innerAll{inner.getConstantLowerBound(), inner.getConstantUpperBound()};
  auto whole = [](Range range, int64_t step) {
    return range.first + (range.second - range.first) / step * step;
  };
  int64_t outerWhole = whole(outerAll, lanes / parts);
  int64_t innerWhole = whole(innerAll, lanes / laneParts);
  int64_t elementBytes = parts * vectors.bytes / lanes;
  Range tiles{tileBytes / elementBytes, tileBytes / elementBytes};

  // The last squares of rows and columns that are no multiple begin earlier, and move some elements
  // once more. Not where vectors have to lie at multiples of their size, or what is read may have
  // been stored over; nor in a block's own arrays, where vectors that overlap come so close that
  // GCC 12 reads elements that are no longer there (test/regression).
  auto isLocal = [](Value memref) {
    return isa_and_nonnull<memref::AllocaOp>(memref.getDefiningOp());
  };
  bool works =
      work && (isLocal(work->turned.memref) || llvm::any_of(work->others, [&](auto &other) {
                 return isLocal(other.second.memref);
               }));
  repeats = !vectors.onlyFloats() && !works && llvm::none_of(groups, [&](const Group &group) {
    return isLocal(group.line.memref) || llvm::any_of(group.lanes, [&](const Access &lane) {
             return isLocal(lane.memref) || mayAlias(group.line.memref, lane.memref);
           });
  });
  innerEnd = innerAll.second;
  OpBuilder builder(outer);
  int64_t outerTiled = whole(outerAll, tiles.first), innerTiled = whole(innerAll, tiles.second);
  if (outerTiled - outerAll.first < 2 * tiles.first ||
      innerTiled - innerAll.first < 2 * tiles.second) {
    blocks(builder, {outerAll.first, outerWhole}, {innerAll.first, innerWhole}, nullptr);
  } else {
    blocks(builder, {outerAll.first, outerTiled}, {innerAll.first, innerTiled}, &tiles);
    Range behind{innerTiled, innerWhole};
    if (innerTiled == innerWhole && innerWhole < innerEnd && repeats)
      behind = {innerEnd - lanes / laneParts, innerEnd};
    blocks(builder, {outerAll.first, outerTiled}, behind, nullptr);
    blocks(builder, {outerTiled, outerWhole}, {innerAll.first, innerWhole}, nullptr);
  }
  builder.setInsertionPointAfter(outer);
  if (outerWhole < outerAll.second && repeats)
    blocks(builder, {outerAll.second - lanes / parts, outerAll.second},
           {innerAll.first, innerWhole}, nullptr);
  else if (outerWhole < outerAll.second)
    remainder(builder, {outerWhole, outerAll.second}, {innerAll.first, innerWhole});
  if (innerWhole < innerAll.second && !repeats)
    remainder(builder, outerAll, {innerWhole, innerAll.second});
  outer.erase();
}

/// The one loop in the body of `outer`, if nothing else there has an effect.
AffineForOp onlyLoopIn(AffineForOp outer) {
  AffineForOp found;
  for (Operation &op : outer.getBody()->without_terminator()) {
    auto loop = dyn_cast<AffineForOp>(op);
    if ((loop && found) || (!loop && (!isMemoryEffectFree(&op) || op.getNumRegions() != 0)))
      return {};
    if (loop)
      found = loop;
  }
  return found;
}

} // namespace

bool transposeInRegisters(AffineForOp outer, const VectorUnit &vectors) {
  AffineForOp inner = onlyLoopIn(outer);
  for (AffineForOp loop : {outer, inner})
    if (!loop || !loop.hasConstantBounds() || loop.getStepAsInt() != 1 ||
        loop.getNumIterOperands() != 0)
      return false;
  TransposeCopy copy(outer, inner, vectors);
  if (!copy.analyse())
    return false;
  copy.rewrite();
  return true;
}

} // namespace weft
