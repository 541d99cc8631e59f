//===- JoinedRows.cpp - rows behind each other as one loop ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/JoinedRows.h"

#include "passes/loops/AccessPattern.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

constexpr llvm::StringLiteral laneMark = "weft.lane", independentMark = "weft.independent";

/// The loop that is all that another one has in it.
AffineForOp onlyLoopIn(AffineForOp loop) {
  return llvm::hasSingleElement(loop.getBody()->without_terminator())
             ? dyn_cast<AffineForOp>(loop.getBody()->front())
             : AffineForOp();
}

int64_t extentOf(AffineForOp loop) {
  return loop.getConstantUpperBound() - loop.getConstantLowerBound();
}

/// Whether nothing but independence is said of a loop: a mark of a schedule names it.
bool isPlain(AffineForOp loop) {
  return loop->hasAttr(independentMark) && loop.getNumIterOperands() == 0 &&
         loop.hasConstantBounds() && loop.getStepAsInt() == 1 &&
         llvm::all_of(loop->getDiscardableAttrs(), [](NamedAttribute mark) {
           return mark.getName() == laneMark || mark.getName() == independentMark;
         });
}

/// A load or store of the innermost loop, by the variables of the loops around it.
struct Element {
  Operation *op;
  Value memref;
  AffineMap map;
  SmallVector<Value> operands;
  bool isStore = false;

  MemRefType type() const { return cast<MemRefType>(memref.getType()); }
  /// The variable that alone is an index; null for another index.
  Value variableAt(unsigned dim) const {
    auto index = dyn_cast<AffineDimExpr>(map.getResult(dim));
    return index ? operands[index.getPosition()] : Value();
  }
};

class RowNest {
public:
  explicit RowNest(AffineForOp outermost) : loops{outermost} {}

  /// Finds the most loops that can be one; false where these are not two, or nothing is gained.
  bool analyse(const VectorUnit &vectors);
  void rewrite(const Notes &notes);

private:
  /// Of arrays, by the first dimension that is joined with those behind it.
  using Views = llvm::SmallDenseMap<std::pair<Value, unsigned>, Value>;

  bool analyseBody();
  bool addElement(Operation *op, Value memref, AffineMap map, ValueRange operands, bool isStore);
  bool mayJoin(const Element &element, ArrayRef<AffineForOp> joined) const;
  std::optional<unsigned> firstDim(const Element &element, Value variable) const;
  int64_t widest() const;
  Value flatView(OpBuilder &builder, const Element &element, unsigned first) const;
  void moveAccess(OpBuilder &builder, Element &element, Value variable, Views &views);

  SmallVector<AffineForOp> loops; ///< outermost first
  SmallVector<Element> elements;
};

bool RowNest::analyse(const VectorUnit &vectors) {
  for (AffineForOp inner = onlyLoopIn(loops.back()); inner && isPlain(inner);
       inner = onlyLoopIn(inner))
    loops.push_back(inner);
  if (loops.size() < 2 || !analyseBody())
    return false;
  int64_t lanes = vectors.lanes(widest());
  if (lanes < 2 || extentOf(loops.back()) % lanes == 0)
    return false;
  size_t first = loops.size() - 1;
  while (first > 0 && llvm::all_of(elements, [&](const Element &element) {
           return mayJoin(element, ArrayRef(loops).drop_front(first - 1));
         }))
    --first;
  loops.erase(loops.begin(), loops.begin() + first);
  return loops.size() > 1;
}

/// False where something is there but accesses and operations on what they give.
bool RowNest::analyseBody() {
  for (Operation &op : loops.back().getBody()->without_terminator()) {
    if (isa<affine::AffineApplyOp>(op))
      continue; // composed into accesses, the only ones that may use it
    bool fine = op.getNumRegions() == 0;
    if (auto load = dyn_cast<affine::AffineLoadOp>(op))
      fine &= addElement(&op, load.getMemRef(), load.getAffineMap(), load.getMapOperands(), false);
    else if (auto store = dyn_cast<affine::AffineStoreOp>(op))
      fine &=
          addElement(&op, store.getMemRef(), store.getAffineMap(), store.getMapOperands(), true);
    else
      fine &= isMemoryEffectFree(&op) &&
              llvm::none_of(op.getOperandTypes(), [](Type type) { return type.isIndex(); });
    if (!fine)
      return false;
  }
  return llvm::any_of(elements, [](const Element &element) { return element.isStore; });
}

bool RowNest::addElement(Operation *op, Value memref, AffineMap map, ValueRange operands,
                         bool isStore) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrFloat())
    return false;
  SmallVector<Value> values(operands);
  affine::fullyComposeAffineMapAndOperands(&map, &values);
  affine::canonicalizeMapAndOperands(&map, &values);
  elements.push_back({op, memref, map, values, isStore});
  return true;
}

/// Bits of the widest number, which decides how many are in a vector; truth values alone are lanes
/// of 32.
int64_t RowNest::widest() const {
  int64_t bits = 32;
  for (const Element &element : elements)
    bits = std::max<int64_t>(bits, element.type().getElementTypeBitWidth());
  return bits;
}

std::optional<unsigned> RowNest::firstDim(const Element &element, Value variable) const {
  for (unsigned dim = 0; dim < element.map.getNumResults(); ++dim)
    if (element.variableAt(dim) == variable)
      return dim;
  return std::nullopt;
}

/// Whether an access walks through memory as the variables of these loops do, row by row with
/// nothing left out, or does not vary with them.
bool RowNest::mayJoin(const Element &element, ArrayRef<AffineForOp> joined) const {
  auto isJoined = [&](Value operand) {
    return llvm::any_of(joined,
                        [&](AffineForOp loop) { return loop.getInductionVar() == operand; });
  };
  if (llvm::none_of(element.operands, isJoined))
    return !element.isStore;
  std::optional<unsigned> first = firstDim(element, AffineForOp(joined.front()).getInductionVar());
  if (!first || *first + joined.size() > element.map.getNumResults())
    return false;
  for (auto [number, each] : llvm::enumerate(joined)) {
    AffineForOp loop = each;
    unsigned dim = *first + number;
    bool isWhole = number == 0 || (loop.getConstantLowerBound() == 0 &&
                                   loop.getConstantUpperBound() == element.type().getDimSize(dim));
    if (!isWhole || element.variableAt(dim) != loop.getInductionVar())
      return false;
  }
  // And no other index has one of them.
  for (auto [dim, index] : llvm::enumerate(element.map.getResults())) {
    if (dim >= *first && dim < *first + joined.size())
      continue;
    for (auto [position, operand] : llvm::enumerate(element.operands))
      if (isJoined(operand) && index.isFunctionOfDim(position))
        return false;
  }
  return true;
}

/// The array of an access with one dimension in place of those of the joined loops.
Value RowNest::flatView(OpBuilder &builder, const Element &element, unsigned first) const {
  MemRefType type = element.type();
  SmallVector<int64_t> shape(type.getShape().take_front(first));
  int64_t joined = 1;
  for (int64_t extent : type.getShape().slice(first, loops.size()))
    joined *= extent;
  shape.push_back(joined);
  llvm::append_range(shape, type.getShape().drop_front(first + loops.size()));
  auto viewed = MemRefType::get(shape, type.getElementType());
  auto [strides, offset] = viewed.getStridesAndOffset();
  return memref::ReinterpretCastOp::create(builder, element.op->getLoc(), viewed, element.memref,
                                           offset, shape, strides);
}

/// An access by the variable of the one loop, in place of those of the joined ones.
void RowNest::moveAccess(OpBuilder &builder, Element &element, Value variable, Views &views) {
  std::optional<unsigned> first = firstDim(element, loops.front().getInductionVar());
  if (!first)
    return; // the same element for all
  Value &view = views[{element.memref, *first}];
  if (!view)
    view = flatView(builder, element, *first);
  unsigned dims = element.map.getNumDims();
  SmallVector<AffineExpr> indices(element.map.getResults());
  indices[*first] = builder.getAffineDimExpr(dims);
  indices.erase(indices.begin() + *first + 1, indices.begin() + *first + loops.size());
  SmallVector<Value> operands(element.operands);
  operands.insert(operands.begin() + dims, variable); // symbols come behind dimensions
  AffineMap map =
      AffineMap::get(dims + 1, element.map.getNumSymbols(), indices, builder.getContext());
  affine::canonicalizeMapAndOperands(&map, &operands);
  accessElsewhere(element.op, view, map, operands);
}

void RowNest::rewrite(const Notes &notes) {
  AffineForOp outermost = loops.front(), innermost = loops.back();
  int64_t row = 1;
  for (AffineForOp loop : ArrayRef(loops).drop_front())
    row *= extentOf(loop);
  OpBuilder builder(outermost);
  auto flat =
      AffineForOp::create(builder, outermost.getLoc(), outermost.getConstantLowerBound() * row,
                          outermost.getConstantUpperBound() * row);
  flat->setAttr(independentMark, builder.getUnitAttr());
  flat->setAttr(laneMark, builder.getUnitAttr());
  flat.getInductionVar().setLoc(outermost.getInductionVar().getLoc());
  builder.setInsertionPoint(flat);
  flat.getBody()->getOperations().splice(
      flat.getBody()->begin(), innermost.getBody()->getOperations(), innermost.getBody()->begin(),
      std::prev(innermost.getBody()->end()));
  Views views;
  for (Element &element : elements)
    moveAccess(builder, element, flat.getInductionVar(), views);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*flat.getBody())))
    if (isa<affine::AffineApplyOp>(op) && op.use_empty())
      op.erase();
  notes.decided(flat, "{0}: its rows of {1} as one loop", spokenLoop(flat.getInductionVar()), row)
      .because("all it reads and stores lies one behind the other: {0} elements", extentOf(flat))
      .number("row", row)
      .number("elements", extentOf(flat));
  outermost.erase();
}

} // namespace

void joinRows(Operation *root, const VectorUnit &vectors, const Notes &notes) {
  SmallVector<RowNest> nests;
  root->walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
    if (!isPlain(loop))
      return WalkResult::advance();
    RowNest nest(loop);
    if (!nest.analyse(vectors))
      return WalkResult::advance();
    nests.push_back(std::move(nest));
    return WalkResult::skip();
  });
  for (RowNest &nest : nests)
    nest.rewrite(notes);
}

} // namespace weft
