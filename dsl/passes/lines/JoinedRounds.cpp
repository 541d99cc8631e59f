//===- JoinedRounds.cpp - lines in the rounds of columns before them ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A round of whole columns (SplitLines, `over`) holds planes. A transform along the lines of these
// planes that alone reads them needs no pass over memory of its own: its blocks of a line move into
// the round, behind the last stage along columns, and the round puts what they give. Lines whose
// columns are transformed next come first in the round. Between the two the cores of a row exchange
// their parts, as they would to put the columns or to get them.
//
//===-----------------------------------------------------------------------===//

#include "passes/lines/JoinedRounds.h"

#include "passes/Notes.h"
#include "passes/lowering/ContractionLoops.h"
#include "passes/tensors/LineChain.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

constexpr Notes notes("tile-for-ldm");

class JoinedRounds {
public:
  JoinedRounds(BlocksOp rounds, BlocksOp lines) : rounds(rounds), lines(lines) {}

  /// Whether the lines read what the rounds give, and nobody else does; or the other way round.
  bool canFollow() { return areOfOneShape() && linesReadPlanes(); }
  bool canLead() { return areOfOneShape() && planesReadLines(); }
  void follow();
  void lead();

private:
  bool areOfOneShape();
  bool linesReadPlanes();
  bool planesReadLines();
  std::optional<SmallVector<Value>> placeInPlanes(tensor::ExtractOp read);
  BlocksOp linesIn(OpBuilder &builder);
  /// The dimension of a round's arrays that a dimension of the result counts, if any.
  std::optional<unsigned> localDim(unsigned dim) const {
    AffineMap place = BlocksOp(rounds).place(0);
    for (unsigned local = 0; local < 3; ++local)
      if (place.getResult(dim).isFunctionOfDim(BlocksOp(rounds).rank() + local))
        return local;
    return std::nullopt;
  }
  Value applied(OpBuilder &builder, AffineExpr expr, ValueRange values) const {
    return affine::AffineApplyOp::create(builder, BlocksOp(lines).getLoc(),
                                         AffineMap::get(values.size(), 0, expr), values);
  }
  /// The round's index along a dimension of the result that its arrays count, too; null where it is
  /// all of it.
  Value originOf(unsigned dim) const {
    BlocksOp op = rounds;
    for (unsigned origin = 0; origin < op.rank(); ++origin)
      if (op.place(0).getResult(dim).isFunctionOfDim(origin))
        return op.bodyBlock()->getArgument(origin);
    return {};
  }

  BlocksOp rounds, lines;
  SmallVector<unsigned> dims; ///< of the result: points, `over`, and along lines
};

bool JoinedRounds::areOfOneShape() {
  auto type = cast<RankedTensorType>(rounds.getResult(0).getType());
  unsigned last = type.getRank() - 1;
  auto isOne = [](int64_t step) { return step == 1; };
  if (!rounds->hasAttr(planesMark) || rounds->getNumResults() != 1 || !rounds.getInits().empty() ||
      !lines->hasAttr(alongLinesMark) || !lines->hasAttr("weft.own_lines") ||
      lines->getNumResults() != 1 || !lines.getInits().empty() ||
      lines.getResult(0).getType() != type || lines.rank() != last ||
      !llvm::all_of(lines.getSteps(), isOne) || rounds->getBlock() != lines->getBlock() ||
      localDim(last) != 2)
    return false;
  // All lines, and of each its own: the last dimension.
  for (unsigned dim = 0; dim < last; ++dim)
    if (lines.getLower()[dim] != 0 || lines.getUpper()[dim] != type.getDimSize(dim))
      return false;
  dims.assign(2, 0);
  for (unsigned dim = 0; dim < last; ++dim)
    if (auto local = localDim(dim))
      dims[*local] = dim;
  dims.push_back(last);
  return true;
}

bool JoinedRounds::linesReadPlanes() {
  return llvm::all_of(rounds.getResult(0).getUsers(), [&](Operation *user) {
    return isa<tensor::ExtractOp>(user) && lines->isProperAncestor(user);
  });
}

bool JoinedRounds::planesReadLines() {
  return llvm::all_of(lines.getResult(0).getUsers(), [&](Operation *user) {
    auto read = dyn_cast<tensor::ExtractOp>(user);
    return read && placeInPlanes(read);
  });
}

/// Where in a round's arrays what a stage reads lies, if it is of the stage's own columns.
std::optional<SmallVector<Value>> JoinedRounds::placeInPlanes(tensor::ExtractOp read) {
  auto stage = dyn_cast<MapOp>(read->getParentOp());
  if (!stage || stage->getParentOp() != rounds)
    return std::nullopt;
  Value columns[] = {
      {}, stage.bodyBlock()->getArgument(0), stage.bodyBlock()->getArguments().back()};
  for (auto [dim, index] : llvm::enumerate(read.getIndices())) {
    Value origin = originOf(dim);
    std::optional<unsigned> local = localDim(dim);
    if (local == 0)
      continue;
    auto apply = index.getDefiningOp<affine::AffineApplyOp>();
    MLIRContext *context = read.getContext();
    bool isOwn = !local ? index == origin
                        : apply && apply.getAffineMap().getNumDims() == 2 &&
                              apply.getAffineMap().getResult(0) ==
                                  getAffineDimExpr(0, context) + getAffineDimExpr(1, context) &&
                              apply.getMapOperands() == ValueRange{origin, columns[*local]};
    if (!isOwn)
      return std::nullopt;
  }
  return SmallVector<Value>{read.getIndices()[dims[0]], columns[1], columns[2]};
}

/// The blocks of a line for the planes of a round.
BlocksOp JoinedRounds::linesIn(OpBuilder &builder) {
  auto type = cast<RankedTensorType>(rounds.yielded().front().getType());
  unsigned rank = lines.rank();

  // From (over, point) and what a line's last stage counts to the round's array.
  MLIRContext *context = builder.getContext();
  AffineMap place = lines.place(0);
  auto dimOf = [&](unsigned n) { return getAffineDimExpr(n, context); };
  SmallVector<AffineExpr> renamed;
  for (unsigned n = 0; n < place.getNumDims(); ++n)
    renamed.push_back(n == dims[1]   ? dimOf(0)
                      : n == dims[0] ? dimOf(1)
                      : n < rank     ? getAffineConstantExpr(0, context)
                                     : dimOf(n - rank + 2));
  SmallVector<AffineExpr> index;
  for (unsigned dim : dims)
    index.push_back(place.getResult(dim).replaceDims(renamed));
  auto inner =
      BlocksOp::create(builder, lines.getLoc(), TypeRange{type}, ArrayRef<int64_t>{0, 0},
                       ArrayRef<int64_t>{type.getDimSize(1), type.getDimSize(0)},
                       ArrayRef<int64_t>{1, 1}, ValueRange(),
                       builder.getAffineMapArrayAttr(
                           {AffineMap::get(place.getNumDims() - rank + 2, 0, index, context)}));
  inner->setAttr(alongLinesMark, builder.getUnitAttr());
  Block *body = &inner.getBody().emplaceBlock();
  Value over =
      body->addArgument(builder.getIndexType(), lines.bodyBlock()->getArgument(dims[1]).getLoc());
  Value point =
      body->addArgument(builder.getIndexType(), lines.bodyBlock()->getArgument(dims[0]).getLoc());

  OpBuilder within = OpBuilder::atBlockEnd(body);
  IRMapping mapping;
  for (unsigned dim = 0; dim < rank; ++dim) {
    Value origin = originOf(dim), own = dim == dims[1] ? over : dim == dims[0] ? point : Value();
    Value at = !own ? origin : !origin ? own : applied(within, dimOf(0) + dimOf(1), {origin, own});
    mapping.map(lines.bodyBlock()->getArgument(dim), at);
  }
  for (Operation &op : *lines.bodyBlock())
    within.clone(op, mapping);
  return inner;
}

void JoinedRounds::follow() {
  Value between = rounds.yielded().front();
  rounds->moveBefore(lines);
  Operation *end = rounds.bodyBlock()->getTerminator();
  OpBuilder builder(end);
  BlocksOp inner = linesIn(builder);
  MLIRContext *context = builder.getContext();
  AffineExpr apart = getAffineDimExpr(0, context) - getAffineDimExpr(1, context);
  SmallVector<tensor::ExtractOp> reads;
  inner.walk([&](tensor::ExtractOp read) {
    if (read.getTensor() == rounds.getResult(0))
      reads.push_back(read);
  });
  for (tensor::ExtractOp read : reads) {
    OpBuilder at(read);
    SmallVector<Value> local;
    for (unsigned dim : dims) {
      Value place = read.getIndices()[dim], origin = originOf(dim);
      local.push_back(origin ? applied(at, apart, {place, origin}) : place);
    }
    read.getTensorMutable().assign(between);
    read.getIndicesMutable().assign(local);
  }
  end->setOperands(inner.getResult(0));
  lines.getResult(0).replaceAllUsesWith(rounds.getResult(0));
  notes
      .decided(rounds, "{0}: its lines in the rounds of columns before them",
               spoken(rounds.getResult(0)))
      .because("they alone read these, and a round has whole planes");
  lines.erase();
}

void JoinedRounds::lead() {
  OpBuilder builder = OpBuilder::atBlockBegin(rounds.bodyBlock());
  BlocksOp inner = linesIn(builder);
  for (Operation *user : llvm::make_early_inc_range(lines.getResult(0).getUsers())) {
    auto read = cast<tensor::ExtractOp>(user);
    SmallVector<Value> local = *placeInPlanes(read);
    read.getTensorMutable().assign(inner.getResult(0));
    read.getIndicesMutable().assign(local);
  }
  notes
      .decided(rounds, "{0}: the lines before its columns in their rounds",
               spoken(rounds.getResult(0)))
      .because("the columns alone read these, and a round has whole planes");
  lines.erase();
}

} // namespace

void joinRounds(Operation *op) {
  SmallVector<BlocksOp> all;
  op->walk([&](BlocksOp blocks) {
    if (blocks->hasAttr(alongLinesMark))
      all.push_back(blocks);
  });
  for (BlocksOp lines : all) {
    BlocksOp before, behind;
    lines.walk([&](tensor::ExtractOp read) {
      if (auto made = read.getTensor().getDefiningOp<BlocksOp>(); made && made->hasAttr(planesMark))
        before = made;
    });
    for (Operation *user : lines->getUsers())
      if (auto rounds = user->getParentOfType<BlocksOp>(); rounds && rounds->hasAttr(planesMark))
        behind = rounds;
    if (JoinedRounds join(before, lines); before && join.canFollow())
      join.follow();
    else if (JoinedRounds join(behind, lines); behind && join.canLead())
      join.lead();
  }
}

} // namespace weft
