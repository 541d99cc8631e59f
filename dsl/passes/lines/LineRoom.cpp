//===- LineRoom.cpp - what a line needs beside it -----------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lines/LineRoom.h"

#include "passes/loops/Buffers.h"
#include "passes/transfers/LdmPlan.h"
#include "passes/transforms/LineCosts.h"
#include "passes/transforms/LineShape.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace weft {

int64_t bytesPerLine(const LineChain &chain, const Stage &stage) {
  MapOp map = stage.map;
  auto type = cast<RankedTensorType>(map.getResult(0).getType());
  int64_t bytes = 1;
  for (int64_t extent : type.getShape().slice(chain.pre, stage.innerResult))
    bytes *= extent;
  Type element = type.getElementType();
  auto complexType = dyn_cast<ComplexType>(element);
  return bytes *
         (complexType ? 2 * complexType.getElementType().getIntOrFloatBitWidth()
                      : element.getIntOrFloatBitWidth()) /
         8;
}

/// Bytes of results in use at each stage: one is until the last stage that reads it, or goes on
/// with it.
static SmallVector<int64_t> resultsInUse(const LineChain &chain) {
  ArrayRef<Stage> stages = chain.stages;
  SmallVector<int64_t> inUse(stages.size(), 0);
  for (size_t n = 0; n < stages.size(); ++n) {
    if (stages[n].goesOn)
      continue;
    // One array, whichever stages fill it.
    size_t last = n;
    for (size_t of = n; of < stages.size() && (of == n || stages[of].goesOn); ++of) {
      MapOp filled = stages[of].map;
      for (size_t reader = of + 1; reader < stages.size(); ++reader) {
        MapOp map = stages[reader].map;
        if (llvm::any_of(filled->getUsers(), [&](Operation *user) {
              return user == map || map->isProperAncestor(user);
            }))
          last = std::max(last, reader);
      }
    }
    for (size_t at = n; at <= last; ++at)
      inUse[at] += bytesPerLine(chain, stages[n]);
  }
  return inUse;
}

int64_t bytesPerLine(const LineChain &chain) { return *llvm::max_element(resultsInUse(chain)); }

/// Bytes of a tensor that a line needs where it is read so; 0 where the lines are not what indices
/// of it are.
static int64_t bytesPerLine(const LineChain &chain, const Stage &stage, tensor::ExtractOp read) {
  auto lines = linesRead(chain, stage, read);
  if (!lines)
    return 0;
  RankedTensorType type = read.getTensor().getType();
  int64_t bytes = bytesOf(type);
  for (auto [dim, line] : llvm::enumerate(*lines))
    if (line != -1)
      bytes /= type.getDimSize(dim);
  return bytes;
}

int64_t bytesPerLineWithInputs(const LineChain &chain) {
  SmallVector<int64_t> inUse = resultsInUse(chain);
  llvm::SmallPtrSet<Operation *, 8> own;
  for (const Stage &stage : chain.stages)
    own.insert(stage.map);
  for (auto [stage, bytes] : llvm::zip(chain.stages, inUse)) {
    llvm::SmallDenseMap<Value, int64_t> inputs;
    MapOp map = stage.map;
    map.getBody().walk([&, &at = stage](tensor::ExtractOp read) {
      Operation *made = read.getTensor().getDefiningOp();
      if (made && (own.contains(made) || isa<TableOp>(made)))
        return;
      int64_t &most = inputs[read.getTensor()];
      most = std::max(most, bytesPerLine(chain, at, read));
    });
    int64_t all = 0, largest = 0;
    for (auto [input, size] : inputs) {
      all += size;
      largest = std::max(largest, size);
    }
    // Where lines are packed, all are before the stage has its result; one comes unpacked.
    int64_t packing = chain.post == 0 ? bytes - bytesPerLine(chain, stage) + all + largest : 0;
    bytes = std::max(bytes + all - (chain.stages.size() == 1 ? largest : 0), packing);
  }
  return *llvm::max_element(inUse);
}

bool suitsAlongLines(const LineChain &chain, const VectorUnit &vectors, const Target &target) {
  if (!chain.parts.empty())
    return llvm::all_of(
        chain.parts, [&](const LineChain &part) { return suitsAlongLines(part, vectors, target); });
  MapOp result = chain.last();
  auto complexType =
      dyn_cast<ComplexType>(cast<RankedTensorType>(result.getResult(0).getType()).getElementType());
  int64_t complexLanes =
      complexType ? std::max<int64_t>(
                        vectors.lanes(complexType.getElementType().getIntOrFloatBitWidth()) / 2, 0)
                  : 0;
  int64_t units = vectors.bytes / 16; // of 128 bits: what shuffles move at once
  if (chain.transformStages() < 2 || chain.post != 0 || complexLanes < 2)
    return false;
  int64_t lines = mostAlongOne(chain.extents);
  bool first = true, inParts = false;
  SmallVector<int64_t> radices;
  RankedTensorType line;
  for (const Stage &stage : chain.stages) {
    if (stage.isEdge)
      continue;
    MapOp map = stage.map;
    if (stage.innerDomain != 2 || stage.innerResult != 1 || map.getStores().size() < 2)
      return false;
    auto type = cast<RankedTensorType>(map.getResult(0).getType());
    if (!isa<ComplexType>(type.getElementType()))
      return false;
    int64_t count = map.getUpper()[chain.pre], done = map.getUpper()[chain.pre + 1];
    auto radix = static_cast<int64_t>(map.getStores().size());
    bool readsComplex = true;
    map.getBody().walk([&](tensor::ExtractOp read) {
      readsComplex &= isa<ComplexType>(read.getTensor().getType().getElementType());
    });
    if (!readsComplex)
      return false;
    bool turns = done == 1;
    int64_t least = turns ? complexLanes : fewestBeside(complexLanes, lines, target);
    if ((turns && !first) || (turns ? count : done) < least)
      return false;
    inParts |= turns &&
               (radix % units != 0 || radix % (complexLanes / units) != 0 || radix < complexLanes);
    radices.push_back(radix);
    line = type;
    first = false;
  }
  bool hasEdges = chain.transformStages() != chain.stages.size();
  return !inParts || (!vectors.onlyFloats() && goesAlongInParts(line, stageCostsOf(line, target),
                                                                radices, radices, hasEdges));
}

bool hasRoomForLine(const LineChain &chain, int64_t capacity) {
  LineChain stages = chain;
  stages.stages.erase(stages.stages.begin(), llvm::find_if(stages.stages, [](const Stage &stage) {
                        return !stage.isEdge;
                      }));
  int64_t bytes = bytesPerLine(stages);
  return bytes <= roomForLines(capacity) &&
         (stages.stages.back().isEdge ||
          bytes + bytesPerLine(stages, stages.stages.back()) <= capacity);
}

int64_t tableBytesOf(Value table) {
  return llvm::alignTo(bytesOf(cast<RankedTensorType>(table.getType())), ldmAlignment);
}

std::optional<LineInPlace> inPlace(const LineChain &chain) {
  if (chain.post != 0 || chain.lineDims() == 0 || chain.transformStages() < 2 ||
      chain.transformStages() != chain.stages.size())
    return std::nullopt;
  llvm::SmallPtrSet<Operation *, 8> own;
  for (const Stage &stage : chain.stages)
    own.insert(stage.map);
  LineInPlace found;
  found.lineBytes = llvm::alignTo(bytesPerLine(chain), ldmAlignment);
  llvm::SmallSetVector<Value, 4> inputs, tables;
  for (const Stage &stage : chain.stages) {
    MapOp map = stage.map;
    map.getBody().walk([&](tensor::ExtractOp read) {
      Value from = read.getTensor();
      if (from.getDefiningOp<TableOp>())
        tables.insert(from);
      else if (!from.getDefiningOp() || !own.contains(from.getDefiningOp()))
        inputs.insert(from);
    });
  }
  MapOp last = chain.last();
  if (inputs.size() != 1 || inputs.front().getType() != last.getResult(0).getType())
    return std::nullopt;
  for (Value table : tables)
    found.tableBytes += tableBytesOf(table);
  found.tables = tables.takeVector();
  return found;
}

} // namespace weft
