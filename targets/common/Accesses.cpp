//===- Accesses.cpp - loads, stores, indices -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/FunctionEmitter.h"

#include "passes/loops/Alignment.h"
#include "targets/common/VectorAccess.h"

using namespace mlir;

namespace weft {

IndexForm FunctionEmitter::form(Value index) {
  if (auto apply = index.getDefiningOp<affine::AffineApplyOp>())
    return formOf(apply);
  if (auto constant = index.getDefiningOp<arith::ConstantIndexOp>())
    return IndexForm(constant.value());
  auto known = ranges.find(index);
  return IndexForm::atom(values.lookup(index), known == ranges.end() ? Range() : known->second);
}

static IndexForm resultForm(AffineExpr expr, unsigned dims, ArrayRef<IndexForm> operands) {
  return IndexForm::of(expr, operands.take_front(dims), operands.drop_front(dims));
}

IndexForm FunctionEmitter::formOf(affine::AffineApplyOp apply) {
  auto operands = llvm::map_to_vector(apply.getMapOperands(), [&](Value v) { return form(v); });
  AffineMap map = apply.getAffineMap();
  return resultForm(map.getResult(0), map.getNumDims(), operands);
}

IndexForm FunctionEmitter::address(MemRefType type, ArrayRef<IndexForm> indices) {
  IndexForm sum(0);
  int64_t stride = 1;
  for (size_t n = indices.size(); n-- > 0;) {
    sum = indices[n].times(stride).plus(sum);
    stride *= type.getShape()[n];
  }
  return sum;
}

IndexForm FunctionEmitter::addressOf(Operation *op) {
  SmallVector<IndexForm> indices;
  auto fromMap = [&](AffineMap map, ValueRange values) {
    auto operands = llvm::map_to_vector(values, [&](Value v) { return form(v); });
    for (AffineExpr expr : map.getResults())
      indices.push_back(resultForm(expr, map.getNumDims(), operands));
  };
  Value memref;
  auto fromValues = [&](Value array, ValueRange points) {
    memref = array;
    indices = llvm::map_to_vector(points, [&](Value v) { return form(v); });
  };
  if (auto access = dyn_cast<affine::AffineReadOpInterface>(op)) {
    memref = access.getMemRef();
    fromMap(access.getAffineMap(), access.getMapOperands());
  } else if (auto access = dyn_cast<affine::AffineWriteOpInterface>(op)) {
    memref = access.getMemRef();
    fromMap(access.getAffineMap(), access.getMapOperands());
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    fromValues(load.getMemRef(), load.getIndices());
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    fromValues(store.getMemRef(), store.getIndices());
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    fromValues(load.getBase(), load.getIndices());
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    fromValues(store.getBase(), store.getIndices());
  } else if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
    fromValues(load.getBase(), load.getIndices());
  } else {
    auto store = cast<vector::MaskedStoreOp>(op);
    fromValues(store.getBase(), store.getIndices());
  }
  // A core has its own part of what is spread, and no other.
  if (cpe::spreadArray(memref))
    indices[0] = indices[1] = IndexForm(0);
  return address(cast<MemRefType>(memref.getType()), indices);
}

Expr FunctionEmitter::element(Value memref, const IndexForm &address) {
  return {bufferNames.lookup(memref) + "[" + address.text().text + "]", Binding::Primary};
}

void FunctionEmitter::countBytes(Value memref, bool written, int64_t bytes) {
  Operation *made = baseOf(memref).getDefiningOp();
  StringRef where = !made                                        ? "arguments"
                    : isa<memref::GetGlobalOp>(made)             ? "tables"
                    : isa<memref::AllocaOp, cpe::SpreadOp>(made) ? "local"
                                                                 : "scratch";
  counts.addBytes(where, written, bytes);
}

FailureOr<Expr> FunctionEmitter::load(Operation *op) {
  Value memref = op->getOperand(0);
  counts.add("load");
  countBytes(memref, false, elementBytes(op->getResult(0).getType()));
  IndexForm address = addressOf(op);
  if (isa<FloatType>(op->getResult(0).getType())) {
    auto [rest, constant] = address.apart();
    auto [last, isNew] = reads.last.try_emplace(bufferNames.lookup(memref) + " " + rest, constant);
    reads.outOfOrder |= address.goesBack() || last->second > constant;
    last->second = constant;
  }
  return element(memref, address);
}

LogicalResult FunctionEmitter::emitStore(Operation *op) {
  Value stored = op->getOperand(0), memref = op->getOperand(1);
  place(op->getLoc());
  // What all cores have, one stores.
  bool byOne = inCores && !inParallel && !cpe::isInLdm(memref);
  line((byOne ? "if (" + core + " == 0) " : std::string()) + element(memref, addressOf(op)).text +
       " = " + get(stored).text + ";");
  counts.add("store");
  countBytes(memref, true, elementBytes(stored.getType()));
  return success();
}

static std::string pointer(const Expr &element) {
  StringRef text = element.text;
  return text.ends_with("[0]") ? text.drop_back(3).str() : ("&" + text).str();
}

static int64_t bytesOf(VectorType type) {
  return type.getNumElements() * elementBytes(type.getElementType());
}

static std::string addressKey(VectorType type) { return typeKey(type.getElementType()) + "*"; }

void FunctionEmitter::askAhead(Operation *op, const std::string &address) {
  for (const Ahead &asked : ahead.lookup(op)) {
    std::string place = asked.array ? pointer(element(asked.array, addressOf(op))) : address;
    line(Twine(asked.isStore ? "weft_store_ahead(" : "weft_load_ahead(") + place + ", " +
         Twine(asked.bytes) + ");");
  }
}

void FunctionEmitter::askAhead(Operation *load) {
  if (ahead.contains(load))
    askAhead(load, pointer(element(load->getOperand(0), addressOf(load))));
}

void FunctionEmitter::askForRows(Operation *loop) {
  auto found = inOrder.byLoop.find(loop);
  if (found == inOrder.byLoop.end())
    return;
  for (const RowAhead &row : found->second) {
    // Variables of loops that have not begun are not in the address of a row.
    auto operands = llvm::map_to_vector(
        row.operands, [&](Value v) { return values.contains(v) ? form(v) : IndexForm(); });
    IndexForm bytes(row.bytes);
    for (auto [variable, each] : row.perTurn)
      bytes = bytes.plus(form(variable).times(each));
    line(Twine(row.goesOn ? "weft_row_ahead(" : "weft_lines_ahead(") +
         pointer(element(row.memref, IndexForm::of(row.address, operands, {}))) + ", " +
         bytes.text().text + ", " + Twine(row.lines) + ", " + Twine(file.cache.lineBytes) + ");");
  }
}

/// Of the two entries that a target may have for an access: where vectors must lie at
/// multiples of their length, and it is not known that this one does, the other one.
std::string FunctionEmitter::entryFor(StringRef entry, Operation *op, StringRef types) {
  std::string other = (entry + ":unaligned").str();
  return !op->hasAttr(alignedMark) && file.intrinsics.find(other, types) ? other : entry.str();
}

FailureOr<Expr> FunctionEmitter::vectorLoad(Operation *op) {
  auto type = cast<VectorType>(op->getResult(0).getType());
  Value memref = op->getOperand(0);
  Filling filling;
  IndexForm address = addressOf(op);
  filling.address = pointer(element(memref, address));
  countBytes(memref, false, bytesOf(type));
  askAhead(op, filling.address);
  return fromTable(op,
                   entryFor("affine.vector_load", op, addressKey(type) + " -> " + typeKey(type)),
                   addressKey(type) + " -> " + typeKey(type), filling, type.getNumElements());
}

FailureOr<Expr> FunctionEmitter::loadHalves(vector::ShuffleOp pair, bool upper) {
  VectorType type = pair.getResultVectorType();
  Filling filling;
  for (Value row : pair->getOperands()) {
    Operation *load = row.getDefiningOp();
    Value memref = load->getOperand(0);
    IndexForm address = addressOf(load).plus(upper ? type.getNumElements() / 2 : 0);
    filling.operands.push_back({pointer(element(memref, address)), Binding::Unary});
    countBytes(memref, false, bytesOf(type) / 2);
  }
  std::string from = addressKey(type), types = from + ", " + from + " -> " + typeKey(type);
  StringRef merged = "affine.vector_load:merged";
  bool merges = file.mergesLoads && file.intrinsics.find(merged, types);
  return fromTable(pair, merges ? merged : "affine.vector_load:halves", types, filling,
                   type.getNumElements());
}

FailureOr<Expr> FunctionEmitter::maskedLoad(vector::MaskedLoadOp op) {
  VectorType type = op.getVectorType();
  std::string address = pointer(element(op.getBase(), addressOf(op)));
  countBytes(op.getBase(), false, bytesUnder(type, op.getMask()));
  Filling filling;
  filling.address = address;
  filling.operands = {Expr{address, Binding::Unary}, get(op.getMask()), get(op.getPassThru())};
  return fromTable(op, "vector.maskedload",
                   addressKey(type) + ", " + typeKey(op.getMaskVectorType()) + ", " +
                       typeKey(type) + " -> " + typeKey(type),
                   filling, type.getNumElements());
}

LogicalResult FunctionEmitter::emitMaskedStore(vector::MaskedStoreOp op) {
  VectorType type = op.getVectorType();
  Filling filling;
  filling.operands = {get(op.getValueToStore()), get(op.getMask())};
  filling.address = pointer(element(op.getBase(), addressOf(op)));
  FailureOr<Expr> text = fromTable(
      op, "vector.maskedstore",
      typeKey(type) + ", " + typeKey(op.getMaskVectorType()) + ", " + addressKey(type), filling, 1);
  if (failed(text))
    return failure();
  countBytes(op.getBase(), true, bytesUnder(type, op.getMask()));
  place(op->getLoc());
  line(text->text + ";");
  return success();
}

LogicalResult FunctionEmitter::emitVectorStore(Operation *op) {
  Value stored = op->getOperand(0), memref = op->getOperand(1);
  auto type = cast<VectorType>(stored.getType());
  Filling filling;
  filling.operands = {get(stored)};
  IndexForm address = addressOf(op);
  filling.address = pointer(element(memref, address));
  std::string types = typeKey(type) + ", " + addressKey(type);
  std::string entry = entryFor("affine.vector_store", op, types);
  if (past.contains(op) && file.intrinsics.find("affine.vector_store:past", types)) {
    entry = "affine.vector_store:past";
    hasPast = true;
  }
  FailureOr<Expr> text = fromTable(op, entry, types, filling, 1);
  if (failed(text))
    return failure();
  countBytes(memref, true, bytesOf(type));
  place(op->getLoc());
  line(text->text + ";");
  askAhead(op, filling.address);
  return success();
}

} // namespace weft
