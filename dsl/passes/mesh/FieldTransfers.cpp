//===- FieldTransfers.cpp - rows of fields from and to main memory --------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/FieldCode.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// Some of a core's own rows, from or to main memory.
void FieldCode::moveBlocks(OpBuilder &builder, Value place, const LocalRows &rows, int64_t first,
                           int64_t count, bool isGet) {
  int64_t inMain = rows.parts, at = 0, stride = 0, block = rows.parts;
  SmallVector<int64_t> counts, strides, pitches;
  bool isBlock = true;
  for (unsigned dim = rows.extents.size(); dim-- > 0;) {
    int64_t many = dim == rows.field.dim ? count : rows.extents[dim];
    int64_t pitch = rows.strides[dim] * rows.parts;
    if (dim == rows.field.dim) {
      stride = inMain;
      at = (rows.field.before + first) * pitch + rows.lead * rows.parts;
    }
    isBlock &= inMain == block && pitch == block;
    if (isBlock) {
      block *= many;
    } else {
      counts.insert(counts.begin(), many);
      strides.insert(strides.begin(), inMain);
      pitches.insert(pitches.begin(), pitch);
    }
    inMain *= rows.extents[dim];
  }
  AffineExpr p = builder.getAffineDimExpr(0);
  auto index = [&](AffineExpr expr) -> Value {
    return affine::AffineApplyOp::create(builder, where, AffineMap::get(1, 0, expr), place);
  };
  Value from = index((plan.ring.startOf(p) + first - rows.field.base) * stride);
  Value to = index(builder.getAffineConstantExpr(at));
  SmallVector<Value> core{index(p.floorDiv(plan.mesh.columns)), index(p % plan.mesh.columns)};
  auto packed = builder.getDenseI64ArrayAttr(pitches);
  if (isGet)
    cpe::DmaGetOp::create(builder, where, rows.source, from, now.lookup(rows.array), to, core,
                          block, counts, strides, packed, false, false);
  else
    cpe::DmaPutOp::create(builder, where, now.lookup(rows.array), to, rows.array, from, core, block,
                          counts, strides, packed);
}

/// Of a field with fewer rows than others, row by row those that there are.
void FieldCode::moveSomeRows(OpBuilder &builder, Value place, const LocalRows &rows, bool isGet) {
  AffineExpr p = builder.getAffineDimExpr(0), start = plan.ring.startOf(p);
  int64_t base = rows.field.base, many = rows.extents[rows.field.dim];
  bool isShared = !isGet && !plan.ring.isExact();
  for (int64_t row = 0; row < plan.ring.own; ++row) {
    SmallVector<AffineExpr> exists{start + (row - base), base + many - 1 - row - start};
    if (isShared) {
      OpBuilder last = onlyIf(builder, {p - (plan.ring.cores - 1), exists[0], exists[1]}, place);
      moveBlocks(last, place, rows, row, 1, isGet);
      // No core behind it has the row.
      exists.push_back(plan.ring.cores - 2 - p);
      exists.push_back(plan.ring.startOf(p + 1) - start - (row + 1));
    }
    OpBuilder inside = onlyIf(builder, exists, place);
    moveBlocks(inside, place, rows, row, 1, isGet);
  }
}

/// All of a core's own rows; to main memory those that no core behind it has.
void FieldCode::moveRows(OpBuilder &builder, Value place, const LocalRows &rows, bool isGet) {
  if (rows.extents[rows.field.dim] != plan.ring.rows)
    return moveSomeRows(builder, place, rows, isGet);
  if (isGet || plan.ring.isExact())
    return moveBlocks(builder, place, rows, 0, plan.ring.own, isGet);
  AffineExpr p = builder.getAffineDimExpr(0);
  int64_t least = (plan.ring.rows - plan.ring.own) / (plan.ring.cores - 1);
  moveBlocks(builder, place, rows, 0, least, isGet);
  if ((plan.ring.rows - plan.ring.own) % (plan.ring.cores - 1) != 0) {
    AffineExpr more = plan.ring.startOf(p + 1) - plan.ring.startOf(p) - (least + 1);
    OpBuilder one = onlyIf(builder, {more, plan.ring.cores - 2 - p}, place);
    moveBlocks(one, place, rows, least, 1, isGet);
  }
  if (least < plan.ring.own) {
    OpBuilder rest = onlyIf(builder, {p - (plan.ring.cores - 1)}, place);
    moveBlocks(rest, place, rows, least, plan.ring.own - least, isGet);
  }
}

/// A small array that every core has for itself.
void FieldCode::fetchWhole(OpBuilder &builder, Value array) {
  Value zero = affine::AffineApplyOp::create(
      builder, where, AffineMap::get(0, 0, builder.getAffineConstantExpr(0)), ValueRange());
  int64_t all = cast<MemRefType>(array.getType()).getNumElements();
  cpe::DmaGetOp::create(builder, where, array, zero, own[array], ValueRange(), all,
                        ArrayRef<int64_t>(), ArrayRef<int64_t>());
}

void FieldCode::load(OpBuilder &builder) {
  for (Value array : plan.fields.tables)
    fetchWhole(builder, array);
  for (Value array : plan.fields.numbers)
    if (plan.fields.isUsedOutside(array))
      fetchWhole(builder, array);
  AffineForOp over = overCores(builder);
  OpBuilder inside = OpBuilder::atBlockBegin(over.getBody());
  for (auto &[array, rows] : plan.local) {
    now[array] = rows.spread;
    if (rows.source != array || plan.fields.isUsedOutside(array))
      moveRows(inside, over.getInductionVar(), rows, true);
  }
  cpe::DmaWaitOp::create(builder, where);
}

void FieldCode::store(OpBuilder &builder) {
  AffineForOp over = overCores(builder);
  OpBuilder inside = OpBuilder::atBlockBegin(over.getBody());
  for (auto &[array, rows] : plan.local)
    if (rows.field.isWritten && plan.fields.isUsedOutside(array))
      moveRows(inside, over.getInductionVar(), rows, false);
  if (over.getBody()->without_terminator().empty())
    over.erase();
  else
    cpe::DmaWaitOp::create(builder, where);
  // Numbers are the same with each core.
  for (Value array : plan.fields.numbers) {
    auto type = cast<MemRefType>(array.getType());
    for (int64_t n = 0; plan.fields.isUsedOutside(array) && n < type.getNumElements(); ++n) {
      SmallVector<AffineExpr> index;
      int64_t rest = n;
      for (int64_t dim = type.getRank(); dim-- > 0; rest /= type.getDimSize(dim))
        index.insert(index.begin(), builder.getAffineConstantExpr(rest % type.getDimSize(dim)));
      AffineMap map = AffineMap::get(0, 0, index, builder.getContext());
      Value value = affine::AffineLoadOp::create(builder, where, own[array], map, ValueRange());
      affine::AffineStoreOp::create(builder, where, value, array, map, ValueRange());
    }
  }
}

} // namespace weft
