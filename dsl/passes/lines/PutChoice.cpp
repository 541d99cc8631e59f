//===- PutChoice.cpp - whether a transform puts its results transposed -------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lines/PutChoice.h"

#include "passes/lines/LineRoom.h"
#include "passes/loops/BeyondCaches.h"
#include "passes/loops/Buffers.h"

using namespace mlir;

namespace weft {

int64_t lanesOf(const LineChain &chain, const VectorUnit &vectors) {
  Type element = cast<RankedTensorType>(chain.last()->getResult(0).getType()).getElementType();
  return std::max<int64_t>(vectors.lanes(realType(element).getIntOrFloatBitWidth()), 1);
}

std::optional<unsigned> lastLineOf(const LineChain &chain, const TransposedCopy &copy) {
  return chain.lineOf(copy.sourceAxis(copy.indexAt.size() - 1));
}

/// Bytes of a line as it is fetched, where that takes memory beside what its stages have.
static int64_t comingBytes(const LineChain &chain) {
  return chain.post == 0 ? bytesPerLine(chain, chain.stages.back()) : 0;
}

/// Cores put runs of at least a vector's numbers, a block for each core. Where there are several
/// dimensions of lines cores exchange what they copy, and nothing goes to memory in between: 2048
/// lines of 32 points took 2.5 times as long with a copy, 16 by 64 of 64 points 0.7 times.
static bool coresPut(const LineChain &chain, unsigned lane, const PutMachine &machine) {
  int64_t lines = 1;
  for (auto [line, extent] : llvm::enumerate(chain.extents)) {
    lines *= extent;
    if (line != lane && extent >= machine.meshRows)
      return false;
  }
  return machine.lanes * (bytesPerLine(chain) + comingBytes(chain)) <= machine.room &&
         lines / machine.lanes >= machine.cores && chain.extents[lane] % machine.lanes == 0;
}

/// Whether the rows that a vector of columns becomes lie at multiples of a page, more of them than
/// the first cache has places for, and all else is in the second one: a copy by smaller squares is
/// faster then (1024 points of 64 columns, c64: 0.85).
static bool rowsMeet(const LineChain &chain, unsigned lane, const TransposedCopy &copy,
                     const PutMachine &machine) {
  auto type = cast<RankedTensorType>(MapOp(copy.map).getResult(0).getType());
  int64_t bytes = bytesOf(type), distance = bytes / type.getNumElements();
  for (int64_t extent : type.getShape().drop_front(copy.indexAt[chain.axisOf(lane)] + 1))
    distance *= extent;
  return machine.lanes > machine.nearBytes / pageBytes && distance % pageBytes == 0 &&
         bytes <= machine.farBytes;
}

bool putsByCost(const LineChain &chain, const TransposedCopy &copy, const PutMachine &machine) {
  // A line beyond caches is computed in the memory of its result, which is then no place to put
  // anything: 8 lines of 131072 points took 1.3 times as long.
  if (chain.lineDims() == 0 || MapOp(copy.map)->hasAttr(ofLineMark))
    return false;
  std::optional<unsigned> last = lastLineOf(chain, copy);
  unsigned lane = last.value_or(chain.lineDims() - 1);
  // Vectors of columns that lie apart in the copy as well would be put number by number.
  if (chain.post != 0 && lane != chain.lineDims() - 1)
    return false;
  bool rowsStayRows = !last && chain.post == 0;
  if (machine.meshRows != 0)
    return !rowsStayRows && coresPut(chain, lane, machine);
  if (rowsStayRows)
    return true;
  int64_t extent = chain.extents[lane];
  if (extent < machine.lanes)
    return false;
  // Lines that are done twice, as the last vector begins earlier, cost more where they are long.
  if (chain.post == 0)
    return extent % machine.lanes == 0 ||
           machine.lanes * (bytesPerLine(chain) + comingBytes(chain)) <= machine.farBytes / 4;
  return last || !rowsMeet(chain, lane, copy, machine);
}

} // namespace weft
