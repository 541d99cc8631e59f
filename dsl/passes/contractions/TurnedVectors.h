//===- TurnedVectors.h - what vectors are loaded from -------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Where a sum's columns do not lie side by side, what its vectors are loaded from is turned before.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_TURNEDVECTORS_H
#define WEFT_PASSES_CONTRACTIONS_TURNEDVECTORS_H

#include "passes/contractions/WindowSums.h"

namespace weft {

/// The order of the image's indices when it is turned: the columns last, the rest in the order of
/// the terms.
llvm::SmallVector<unsigned> turnedOrder(const WindowSum &sum);

/// The dimension that counts blocks of columns, where columns follow each other from one block to
/// the next in what vectors are loaded from, and lie elsewhere in the result: of filters, as many
/// as a layout has side by side.
std::optional<unsigned> blocksOfColumns(const WindowSum &sum);

/// Lets so many blocks of columns be one, whose vectors share what the rows read.
void joinBlocks(const WindowSum &sum, unsigned blocks, int64_t together);

/// The dimension that counts lines of rows, of which one follows the other in the result; nothing
/// where what vectors are loaded from depends on the line, too.
std::optional<unsigned> linesOfRows(const WindowSum &sum);

/// Lets the rows of all lines be one: a line's go on with the next one's.
void joinLines(const WindowSum &sum, unsigned lines);

/// Lets a sum read its image turned.
void turnImage(WindowSum &sum);

/// Lets a sum read its vectors where all those of a block of `width` columns lie one behind the
/// other, [before, block, behind .., column]: in the order of the terms where they are fixed, else
/// in the order in which they lie now. As rows that are whole lines of all columns they would lie a
/// power of two of bytes apart, often, and drive each other from the first cache. False where
/// columns are no whole blocks.
bool readInPanels(WindowSum &sum, int64_t width);

/// The order of the dimensions around rows and columns. Those that choose vectors alone, blocks of
/// filters, go last where all their vectors stay in half of the second cache and what the rows read
/// meanwhile does not: then an image is read once.
void blocksLast(const WindowSum &sum, const PanelLimits &limits,
                llvm::SmallVectorImpl<unsigned> &order);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_TURNEDVECTORS_H
