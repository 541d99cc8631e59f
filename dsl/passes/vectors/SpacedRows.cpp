//===- SpacedRows.cpp - what a body touches at once lies apart ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The transform of a tile stores each of its points to a matrix of its own, and the transform back
// reads one of each: 36 or 64 lines, as far apart as such a matrix is large. Where that is a
// multiple of a way of the first cache, all of them fall into one set, which holds 8 or 12.
//
//===-----------------------------------------------------------------------===//

#include "passes/vectors/SpacedRows.h"

#include "passes/Notes.h"
#include "passes/loops/AccessPattern.h"
#include "passes/vectors/VectorPlace.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;

namespace weft {

static constexpr Notes notes("align-arrays");

/// Stages of transforms touch the rows of one radix at once, 16 at most: what these cost was fitted
/// with the rows as they lie.
constexpr int64_t mostOfStages = 16;

namespace {

/// A local array with all that reads and writes it, through views of the whole array or itself.
class SpacedArray {
public:
  SpacedArray(memref::AllocOp array, int64_t lineBytes, int64_t sets)
      : array(array), type(array.getType()), lineBytes(lineBytes), sets(sets) {}

  bool find();
  /// Lines of one set that a body touches at once, at most, where rows of so many elements have so
  /// many more.
  int64_t crowd(int64_t row, int64_t more) const;
  /// Elements of a row, the longest first, that every view of the array has.
  SmallVector<int64_t> rows() const;
  void rewrite(int64_t row, int64_t more);

  int64_t ofLine() const { return lineBytes / elementBytes(); }

private:
  bool follow(Value memref);
  int64_t elementBytes() const { return std::max<int64_t>(type.getElementTypeBitWidth() / 8, 1); }

  memref::AllocOp array;
  MemRefType type;
  int64_t lineBytes, sets;
  int64_t lanes = 1; ///< a multiple of those of each vector: rows of so many end with vectors
  SmallVector<Operation *> views;
  SmallVector<MemRefType> types;
  llvm::MapVector<Block *, SmallVector<Operation *>> accesses;
};

SmallVector<int64_t> stridesOf(MemRefType type) { return type.getStridesAndOffset().first; }

bool SpacedArray::follow(Value memref) {
  auto shown = dyn_cast<MemRefType>(memref.getType());
  if (!shown || !shown.hasStaticShape() || !shown.getLayout().isIdentity() ||
      shown.getRank() == 0 || shown.getNumElements() != type.getNumElements())
    return false;
  types.push_back(shown);
  for (Operation *user : memref.getUsers()) {
    if (isa<affine::AffineLoadOp, affine::AffineStoreOp, affine::AffineVectorLoadOp,
            affine::AffineVectorStoreOp>(user)) {
      // A vector that begins anywhere may go on in the next row.
      if (auto place = VectorPlace::of(user)) {
        if (!place->isMultiple())
          return false;
        lanes = std::lcm(lanes, place->type().getNumElements());
      }
      accesses[user->getBlock()].push_back(user);
      continue;
    }
    auto view = dyn_cast<ViewLikeOpInterface>(user);
    if (!view || user->getNumResults() != 1 || !follow(user->getResult(0)))
      return false;
    views.push_back(user);
  }
  return true;
}

bool SpacedArray::find() {
  return isa<FloatType>(type.getElementType()) && lineBytes % elementBytes() == 0 &&
         follow(array) && !accesses.empty();
}

SmallVector<int64_t> SpacedArray::rows() const {
  SmallVector<int64_t> found;
  for (int64_t row : stridesOf(type)) {
    bool isShared = llvm::all_of(
        types, [&](MemRefType view) { return llvm::is_contained(stridesOf(view), row); });
    if (isShared && row % ofLine() == 0 && row % lanes == 0 && !llvm::is_contained(found, row))
      found.push_back(row);
  }
  return found;
}

/// Of an access to a view: its row, of so many elements, and where in the row it begins.
AffineMap byRows(const Access &access, int64_t row) {
  MLIRContext *context = access.map.getContext();
  AffineExpr number = getAffineConstantExpr(0, context), within = number;
  for (auto [index, stride] :
       llvm::zip(access.map.getResults(), stridesOf(cast<MemRefType>(access.memref.getType()))))
    if (stride >= row)
      number = number + index * (stride / row);
    else
      within = within + index * stride;
  return AffineMap::get(access.map.getNumDims(), access.map.getNumSymbols(), {number, within},
                        context);
}

int64_t SpacedArray::crowd(int64_t row, int64_t more) const {
  int64_t most = 0;
  for (const auto &[block, ops] : accesses) {
    // Places that are one number of bytes from the first one's: lines are counted from there.
    AffineExpr first;
    AddressSpace space;
    llvm::SetVector<int64_t> lines;
    for (Operation *op : ops) {
      Access access = *Access::ofVector(op, space);
      AffineMap map = byRows(access, row);
      SmallVector<AffineExpr> dims, symbols;
      for (auto [number, operand] : llvm::enumerate(access.operands))
        (number < map.getNumDims() ? dims : symbols).push_back(space.dim(operand));
      AffineExpr address = map.getResult(0) * (row + more) + map.getResult(1);
      address = address.replaceDimsAndSymbols(dims, symbols);
      first = first ? first : address;
      auto apart =
          dyn_cast<AffineConstantExpr>(simplifyAffineExpr(address - first, space.size(), 0));
      if (apart)
        lines.insert(llvm::divideFloorSigned(apart.getValue(), ofLine()));
    }
    llvm::DenseMap<int64_t, int64_t> ofSet;
    for (int64_t line : lines)
      most = std::max(most, ++ofSet[llvm::mod(line, sets)]);
  }
  return most;
}

void SpacedArray::rewrite(int64_t row, int64_t more) {
  OpBuilder builder(array);
  auto spaced = memref::AllocOp::create(
      builder, array.getLoc(),
      MemRefType::get({type.getNumElements() / row, row + more}, type.getElementType()));
  spaced->setAttrs(array->getAttrs());
  AddressSpace space;
  for (const auto &[block, ops] : accesses)
    for (Operation *op : ops) {
      Access access = *Access::ofVector(op, space);
      accessElsewhere(op, spaced, byRows(access, row), access.operands);
    }
  for (Operation *view : views)
    view->erase();
  array.erase();
}

} // namespace

LogicalResult spaceRows(func::FuncOp func, const Target &target) {
  FailureOr<int64_t> lineBytes = target.number("line_bytes"), l1Bytes = target.number("l1d_bytes");
  if (failed(lineBytes) || failed(l1Bytes))
    return failure();
  std::optional<int64_t> ways = target.numberIfAny("l1d_ways");
  int64_t sets = ways ? *l1Bytes / *ways / *lineBytes : 0;
  if (sets < 2 || target.numberIfAny("ldm_bytes"))
    return success();
  int64_t allowed = std::max(*ways, mostOfStages);
  SmallVector<memref::AllocOp> arrays;
  func.walk([&](memref::AllocOp array) { arrays.push_back(array); });
  for (memref::AllocOp array : arrays) {
    SpacedArray spaced(array, *lineBytes, sets);
    if (!spaced.find())
      continue;
    for (int64_t row : spaced.rows()) {
      int64_t crowd = spaced.crowd(row, 0);
      if (crowd <= allowed)
        break;
      if (spaced.crowd(row, spaced.ofLine()) > allowed)
        continue;
      notes.decided(array, "rows of {0} elements lie a line farther apart", row)
          .because("{0} lines of them that are touched at once fall into one set of the first "
                   "cache, which holds {1}",
                   crowd, *ways)
          .number("lines", crowd);
      spaced.rewrite(row, spaced.ofLine());
      break;
    }
  }
  return success();
}

} // namespace weft
