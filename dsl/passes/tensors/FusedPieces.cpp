//===- FusedPieces.cpp - what several stores make, where it is read -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/tensors/FusedPieces.h"

#include "passes/Notes.h"
#include "passes/tensors/Elementwise.h"
#include "passes/tensors/FixedInputs.h"
#include "passes/tensors/PiecedValues.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace weft {

bool readsReals(MapOp map) {
  return map.getBody()
      .walk([](tensor::ExtractOp read) {
        return isa<FloatType>(read.getType()) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool isComputedOnce(MapOp producer, MapOp consumer) {
  if (!isFixed(producer.getResult(0)) || isFixed(consumer.getResult(0)))
    return false;
  llvm::SmallSetVector<Value, 4> from;
  producer.getBody().walk([&](tensor::ExtractOp read) { from.insert(read.getTensor()); });
  int64_t elements = 0;
  for (Value value : from)
    elements += cast<RankedTensorType>(value.getType()).getNumElements();
  return cast<RankedTensorType>(producer.getResult(0).getType()).getNumElements() <= elements;
}

namespace {

constexpr Notes notes("fuse");

/// The tensors that the pieces of a value read, tables aside.
size_t inputsOf(const PiecedValue &value) {
  llvm::SmallDenseSet<Value> inputs;
  for (MapOp piece : value.pieces())
    piece.getBody().walk([&](tensor::ExtractOp read) {
      if (!read.getTensor().getDefiningOp<TableOp>())
        inputs.insert(read.getTensor());
    });
  return inputs.size();
}

/// Whether what pieces make is evaluated where it is read, without being asked for.
bool goToReaders(const PiecedValue &value, bool hasCores) {
  // Vectors of complex numbers go along the line, which these make of real ones.
  auto makesAlongLines = [](const PieceRead &read) {
    return read.reader()->hasAttr(alongMark) && readsReals(read.piece);
  };
  if (llvm::any_of(value.reads(), makesAlongLines))
    return false;
  if (llvm::all_of(value.pieces(), isFree))
    return true;
  // A core has room for one array more beside its lines, not for several.
  if (hasCores && inputsOf(value) > 1)
    return false;
  return value.areEvaluatedOnce() && llvm::none_of(value.reads(), [](const PieceRead &read) {
           return isComputedOnce(read.piece, read.reader());
         });
}

} // namespace

bool fusePieces(Block &block, bool hasCores, const AskedPairs *only) {
  bool changed = false;
  for (MapOp map : llvm::to_vector(block.getOps<MapOp>())) {
    if (map->getNumResults() != 1)
      continue;
    std::optional<PiecedValue> value = PiecedValue::of(map.getResult(0));
    if (!value)
      continue;
    bool isAsked = only && llvm::all_of(value->reads(), [&](const PieceRead &read) {
                     return only->of(map, read.reader()) != nullptr;
                   });
    if (only ? !isAsked : !goToReaders(*value, hasCores))
      continue;
    for (const PieceRead &read : value->reads())
      notes
          .decided(read.reader(), "{0} is computed where {1} reads it", spoken(map),
                   spoken(read.reader()))
          .because(isAsked ? "the schedule asks for it"
                           : "each read is of one store, and of each element there is one at most");
    value->evaluateInReaders();
    changed = true;
  }
  return changed;
}

} // namespace weft
