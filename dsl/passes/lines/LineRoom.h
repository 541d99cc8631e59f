//===- LineRoom.h - what a line needs beside it --------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LINES_LINEROOM_H
#define WEFT_PASSES_LINES_LINEROOM_H

#include "dialect/Target.h"
#include "passes/tensors/LineChain.h"

namespace weft {

/// Bytes of one line of a stage's result.
int64_t bytesPerLine(const LineChain &chain, const Stage &stage);

/// Bytes of local arrays that one line needs: the most that are in use at once.
int64_t bytesPerLine(const LineChain &chain);

/// The same with the lines of what each stage reads from outside of the chain, tables aside.
int64_t bytesPerLineWithInputs(const LineChain &chain);

/// Whether vectors may lie along the lines of a chain, as interleaved complex numbers:
/// the first stage then reads points side by side and stores them apart, `radix` vectors
/// turned in registers; the other stages read and store what the first have put side by
/// side. No line is packed: the first stage reads memory, the last one writes it, or the edges do.
/// A first stage whose results fill no squares turns slabs, on CPUs, where the table says that this
/// is faster than packing.
bool suitsAlongLines(const LineChain &chain, const VectorUnit &vectors, const Target &target);

/// What a core holds that has all of a line: the line, which becomes the result, what its stages
/// pass on, and their tables.
struct LineInPlace {
  int64_t lineBytes = 0, tableBytes = 0;
  llvm::SmallVector<mlir::Value> tables;

  int64_t bytes() const { return lineBytes + tableBytes; }
};

/// Nothing where a line needs more: there are edges, or more than one input.
std::optional<LineInPlace> inPlace(const LineChain &chain);

/// Whether a core whose memory holds `capacity` bytes has room for what the stages of a line need
/// and for the line as it comes or goes beside them; with an edge behind the stages, which sends
/// the line off, for the former and tables.
bool hasRoomForLine(const LineChain &chain, int64_t capacity);

/// Of a core's memory, what lines may take: a quarter is for tables.
inline int64_t roomForLines(int64_t capacity) { return capacity * 3 / 4; }

/// Bytes of a table in an LDM.
int64_t tableBytesOf(mlir::Value table);

} // namespace weft

#endif // WEFT_PASSES_LINES_LINEROOM_H
