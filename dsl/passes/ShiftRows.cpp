//===- ShiftRows.cpp - rows between zeros, shifted in registers ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Images of a few pixels a side are copied with a border of zeros first, so that windows need no
// bounds. Where a row is shorter than a vector, it is stored under a mask and read a pixel to the
// left and to the right of that, across what other stores have written: a core forwards no such
// load from its stores but waits until they are in the cache, which takes longer than all sums of
// the image. There is no need to store the rows. One that lies in a register, zeros in its other
// lanes, is shifted there, and a row of the border is zero.
//
// Which rows are zeros has to be known where they are read: a loop over rows falls into parts, each
// of which reads the border with the same loads in all of its turns. Unroll has been here: what
// neighbouring turns share is loaded, and shifted, once.
//
//===-----------------------------------------------------------------------===//

#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/AccessPattern.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallSet.h"

namespace weft {
#define GEN_PASS_DEF_SHIFTROWS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;
using affine::AffineForOp;

namespace {

constexpr Notes notes("shift-rows");

/// Parts of a loop over rows, at most: each is a body of its own.
constexpr size_t mostParts = 5;

bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_PosZeroFloat());
}

/// How many lanes a mask has, if these are the first ones.
std::optional<int64_t> firstLanes(Value mask) {
  DenseElementsAttr bits;
  if (!matchPattern(mask, m_Constant(&bits)))
    return std::nullopt;
  int64_t lanes = 0, last = 0;
  for (auto [n, there] : llvm::enumerate(bits.getValues<bool>()))
    if (there) {
      ++lanes;
      last = static_cast<int64_t>(n) + 1;
    }
  return lanes == last && lanes > 0 ? std::optional(lanes) : std::nullopt;
}

/// A row in memory: what is before its number, that number, a constant behind a loop's variable if
/// there is one, and the first column.
struct Row {
  SmallVector<AffineExpr> before;
  AffineForOp loop; ///< none: the number is the constant
  int64_t number, column;

  SmallVector<int64_t> numbers() const {
    SmallVector<int64_t> all;
    if (!loop)
      return {number};
    AffineForOp turns = loop;
    for (int64_t at = turns.getConstantLowerBound(); at < turns.getConstantUpperBound();
         at += turns.getStepAsInt())
      all.push_back(at + number);
    return all;
  }
};

class BorderedRows {
public:
  explicit BorderedRows(memref::AllocaOp array) : array(array) {}

  bool find();
  void shift();

private:
  bool takes(Operation *user);
  std::optional<Row> rowOf(const Access &access);
  bool areUnchanged();
  std::optional<SmallVector<SmallVector<int64_t>>> partsOf(AffineForOp loop);
  void read(vector::MaskedLoadOp load, const Row &row, bool isBorder);

  memref::AllocaOp array;
  AddressSpace space;
  SmallVector<Operation *> users; ///< all of them, views as well
  SmallVector<vector::MaskedStoreOp> copies;
  llvm::MapVector<Operation *, Row> loads;
  llvm::SmallSet<int64_t, 16> rows; ///< that are copied
  Value image;
  std::optional<Row> there, here; ///< a row of the image, and of the array
  int64_t width = 0;
};

/// Nothing where what is before the row varies while the array lives.
std::optional<Row> BorderedRows::rowOf(const Access &access) {
  if (access.map.getNumResults() < 2)
    return std::nullopt;
  SmallVector<AffineExpr> dims;
  for (Value operand : access.operands)
    dims.push_back(space.dim(operand));
  SmallVector<AffineExpr> indices = llvm::map_to_vector(
      access.map.getResults(), [&](AffineExpr expr) { return expr.replaceDims(dims); });
  auto column = dyn_cast<AffineConstantExpr>(indices.pop_back_val());
  AffineExpr number = indices.pop_back_val();
  if (!column)
    return std::nullopt;
  Row row{indices, {}, 0, column.getValue()};
  for (auto [value, dim] : llvm::zip(space.values(), llvm::seq<unsigned>(0, space.size()))) {
    bool isOutside = value.getParentRegion()->isAncestor(array->getParentRegion());
    for (AffineExpr expr : indices)
      if (expr.isFunctionOfDim(dim) && !isOutside)
        return std::nullopt;
    if (!number.isFunctionOfDim(dim))
      continue;
    row.loop = affine::getForInductionVarOwner(value);
    if (!row.loop || isOutside || !row.loop.hasConstantBounds() ||
        row.loop.getNumIterOperands() != 0)
      return std::nullopt;
    number = simplifyAffineExpr(number - getAffineDimExpr(dim, number.getContext()), space.size(),
                                /*numSymbols=*/0);
  }
  auto constant = dyn_cast<AffineConstantExpr>(number);
  if (!constant)
    return std::nullopt;
  row.number = constant.getValue();
  return row;
}

/// Whether an op that uses the array is one of those that are known here.
bool BorderedRows::takes(Operation *user) {
  users.push_back(user);
  if (isa<memref::ReinterpretCastOp, memref::CastOp>(user))
    return llvm::all_of(user->getUsers(), [&](Operation *next) { return takes(next); });
  if (auto store = dyn_cast<affine::AffineStoreOp>(user))
    return isZero(store.getValue());
  if (auto store = dyn_cast<affine::AffineVectorStoreOp>(user))
    return isZero(store.getValue());
  if (auto store = dyn_cast<vector::MaskedStoreOp>(user)) {
    if (isZero(store.getValueToStore()))
      return true;
    // A row of the image as it lies.
    auto load = store.getValueToStore().getDefiningOp<vector::MaskedLoadOp>();
    std::optional<int64_t> lanes = firstLanes(store.getMask());
    auto to = Access::ofMasked(store, space);
    auto from = load ? Access::ofMasked(load, space) : std::nullopt;
    if (!lanes || !to || !from || store.getBase() != array.getResult() ||
        load.getMask() != store.getMask() || (image && image != load.getBase()) ||
        (width && width != *lanes))
      return false;
    std::optional<Row> target = rowOf(*to), source = rowOf(*from);
    if (!target || !source || target->loop != source->loop ||
        (target->loop ? store->getParentOp() != target->loop
                      : store->getBlock() != array->getBlock()))
      return false;
    if (here && (here->before != target->before || there->before != source->before ||
                 here->column != target->column || there->column != source->column ||
                 here->number - there->number != target->number - source->number))
      return false;
    image = load.getBase();
    width = *lanes;
    here = target, there = source;
    for (int64_t number : target->numbers())
      rows.insert(number);
    copies.push_back(store);
    return true;
  }
  auto load = dyn_cast<vector::MaskedLoadOp>(user);
  auto from = load ? Access::ofMasked(load, space) : std::nullopt;
  std::optional<Row> row = from ? rowOf(*from) : std::nullopt;
  if (!row || load.getBase() != array.getResult() || !isZero(load.getPassThru()) ||
      !firstLanes(load.getMask()) || (row->loop && load->getParentOp() != row->loop))
    return false;
  loads[load] = *row;
  return true;
}

/// Whether nothing is stored to the image while the array lives.
bool BorderedRows::areUnchanged() {
  return !array->getBlock()
              ->walk([&](Operation *op) {
                if (op->getNumRegions() != 0 || isMemoryEffectFree(op) || isa<memref::AllocaOp>(op))
                  return WalkResult::advance();
                Value stored;
                if (auto store = dyn_cast<affine::AffineWriteOpInterface>(op))
                  stored = store.getMemRef();
                else if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
                  stored = store.getBase();
                else if (isa<affine::AffineReadOpInterface, vector::MaskedLoadOp>(op))
                  return WalkResult::advance();
                return stored && !mayAlias(stored, image) ? WalkResult::advance()
                                                          : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Turns of a loop that follow each other and read the border with the same loads.
std::optional<SmallVector<SmallVector<int64_t>>> BorderedRows::partsOf(AffineForOp loop) {
  SmallVector<SmallVector<int64_t>> parts;
  SmallVector<bool> last;
  for (int64_t at = loop.getConstantLowerBound(); at < loop.getConstantUpperBound();
       at += loop.getStepAsInt()) {
    SmallVector<bool> copied;
    for (auto &[load, row] : loads)
      if (row.loop == loop)
        copied.push_back(rows.contains(at + row.number));
    if (parts.empty() || copied != last)
      parts.emplace_back();
    parts.back().push_back(at);
    last = copied;
  }
  return parts.size() <= mostParts ? std::optional(parts) : std::nullopt;
}

bool BorderedRows::find() {
  for (Operation *user : array->getUsers())
    if (!takes(user))
      return false;
  if (copies.empty() || loads.empty() || !areUnchanged())
    return false;
  Block *block = array->getBlock();
  for (auto &[load, row] : loads) {
    if (row.before != here->before || (row.loop && !partsOf(row.loop)))
      return false;
    // Loops that are cut lie beside each other.
    if (row.loop && llvm::any_of(loads, [outer = row.loop](auto &other) {
          AffineForOp inner = other.second.loop;
          return inner && outer->isProperAncestor(inner);
        }))
      return false;
    Operation *reader = block->findAncestorOpInBlock(*load);
    for (Operation *user : users)
      if (isa<affine::AffineWriteOpInterface, vector::MaskedStoreOp>(user) &&
          !block->findAncestorOpInBlock(*user)->isBeforeInBlock(reader))
        return false;
  }
  return true;
}

/// A load of the array as one of the image, shifted, or as zeros.
void BorderedRows::read(vector::MaskedLoadOp load, const Row &row, bool isBorder) {
  if (isBorder) {
    load.replaceAllUsesWith(load.getPassThru());
    load.erase();
    return;
  }
  OpBuilder builder(load);
  Location where = load.getLoc();
  SmallVector<AffineExpr> indices(there->before);
  AffineExpr number =
      getAffineConstantExpr(row.number + there->number - here->number, load.getContext());
  SmallVector<Value> operands = space.values();
  if (row.loop) {
    number = number + getAffineDimExpr(operands.size(), load.getContext());
    operands.push_back(load->getParentOfType<AffineForOp>().getInductionVar());
  }
  indices.push_back(number);
  indices.push_back(getAffineConstantExpr(there->column, load.getContext()));
  SmallVector<Value> made;
  for (AffineExpr expr : indices) {
    // Of the variables only those that the index has: others may be those of loops that are no
    // more.
    SmallVector<Value> used;
    SmallVector<AffineExpr> dims(operands.size());
    for (auto [dim, operand] : llvm::enumerate(operands))
      if (expr.isFunctionOfDim(dim)) {
        dims[dim] = getAffineDimExpr(used.size(), load.getContext());
        used.push_back(operand);
      }
    AffineMap map = AffineMap::get(used.size(), 0, expr.replaceDims(dims));
    made.push_back(getValueOrCreateConstantIndexOp(
        builder, where,
        affine::makeComposedFoldedAffineApply(builder, where, map, getAsOpFoldResult(used))));
  }
  // The mask of what was copied may be a constant of another loop.
  DenseElementsAttr bits;
  matchPattern(copies.front().getMask(), m_Constant(&bits));
  Value mask = arith::ConstantOp::create(builder, where, bits);
  VectorType type = load.getVectorType();
  Value zeros = load.getPassThru();
  Value whole = vector::MaskedLoadOp::create(builder, where, type, image, made, mask, zeros);
  int64_t lanes = type.getNumElements(), wanted = *firstLanes(load.getMask());
  SmallVector<int64_t> from;
  bool isMoved = false;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    int64_t element = row.column + lane - here->column;
    bool isThere = lane < wanted && element >= 0 && element < width;
    from.push_back(isThere ? element : lanes + lane);
    isMoved |= isThere ? element != lane : lane < width;
  }
  load.replaceAllUsesWith(
      isMoved ? vector::ShuffleOp::create(builder, where, whole, zeros, from).getResult() : whole);
  load.erase();
}

void BorderedRows::shift() {
  notes
      .decided(array, "{0}: its rows of {1} are shifted in registers", spoken(array.getResult()),
               width)
      .because("they are read beside where they are stored, and a load across several stores waits "
               "for them")
      .number("width", width);
  llvm::SmallSetVector<AffineForOp, 4> loops;
  for (auto &[load, row] : loads)
    if (row.loop)
      loops.insert(row.loop);
    else
      read(cast<vector::MaskedLoadOp>(load), row, !rows.contains(row.number));
  for (AffineForOp loop : loops) {
    SmallVector<std::pair<vector::MaskedLoadOp, Row>> own;
    for (auto &[load, row] : loads)
      if (row.loop == loop)
        own.push_back({cast<vector::MaskedLoadOp>(load), row});
    int64_t step = loop.getStepAsInt();
    OpBuilder builder(loop);
    auto parts = *partsOf(loop);
    for (const SmallVector<int64_t> &part : parts) {
      IRMapping mapping;
      auto made = cast<AffineForOp>(builder.clone(*loop, mapping));
      made.setConstantLowerBound(part.front());
      made.setConstantUpperBound(std::min(part.back() + step, loop.getConstantUpperBound()));
      for (auto &[load, row] : own)
        read(cast<vector::MaskedLoadOp>(mapping.lookup(load.getOperation())), row,
             !rows.contains(part.front() + row.number));
      static_cast<void>(affine::promoteIfSingleIteration(made));
    }
    loop.erase();
  }
  // The loads that were copied go with their stores, views behind what uses them.
  for (Operation *user : llvm::reverse(users))
    if (!loads.contains(user))
      user->erase();
  array.erase();
}

struct ShiftRows : public weft::impl::ShiftRowsBase<ShiftRows> {
  using ShiftRowsBase::ShiftRowsBase;

  void runOnOperation() override {
    SmallVector<memref::AllocaOp> arrays;
    getOperation().walk([&](memref::AllocaOp array) { arrays.push_back(array); });
    for (memref::AllocaOp array : arrays)
      if (BorderedRows rows(array); rows.find())
        rows.shift();
  }
};

} // namespace
