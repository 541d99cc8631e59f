//===- PanelPlan.h - how a mesh of cores shares products of matrices -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PANELS_PANELPLAN_H
#define WEFT_PASSES_PANELS_PANELPLAN_H

#include "passes/transfers/MeshMachine.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace weft {

/// A batch of products of matrices: sums over `terms` of left[b, row, term] * right[b, term,
/// column].
struct ProductShape {
  int64_t batch = 1, rows = 0, columns = 0, terms = 0;
  int64_t elementBytes = 8;
  bool leftAlongTerms = true; ///< in memory; else along rows
  /// Elements of memory from one row (or term) to the next, of columns of a term, of the result.
  int64_t leftApart = 0, rightApart = 0, resultApart = 0;
};

/// A stretch of the reduced index in panels of one depth.
struct PanelPhase {
  int64_t from = 0;    ///< the first term
  int64_t depth = 0;   ///< terms of a step, written out
  int64_t steps = 1;   ///< of a panel
  int64_t panels = 1;  ///< one after the other
  bool ahead = false;  ///< the next panel is fetched while this one is used
  bool ofSome = false; ///< of a term each for some of the cores
  bool forAll = false; ///< one factor comes for all cores at once
};

/// Cycles from a vector's product to the next one that adds to the same sum.
inline constexpr int64_t panelChain = 7;
/// What begins and ends a block of sums in registers; what a step costs beside products and
/// messages: syncs, loops; what it costs to wait for a transfer and for all cores.
inline constexpr int64_t panelBlockStart = 35, panelStep = 120, panelTurn = 1500;
/// Of a message: to load and send it or to receive it, and a store; of a copied vector as many.
inline constexpr double panelMessage = 2.25;
inline constexpr int64_t panelCopy = 2;
/// Of a vector that is copied to where it begins anywhere.
inline constexpr double panelRepitch = 4;

/// Sums of a core's block in registers, such that blocks of them fill it.
struct PanelRegisters {
  int64_t rows = 0, vectors = 0;
  double cyclesOfTerm = 0, cyclesOfStep = 0;
};
PanelRegisters choosePanelRegisters(int64_t rows, int64_t vectors, int64_t registers);

/// Elements of sums that each core has all of, so that each core of the mesh gets whole vectors of
/// them.
int64_t panelSumsOf(int64_t elements, const MeshMachine &machine);

/// Blocks of one width that cover an extent. The last one ends with it: it begins in what the one
/// before has, which writes that.
struct PanelBlocks {
  int64_t extent = 0, width = 0;
  int64_t whole() const { return std::max<int64_t>(extent / width, 1); }
  /// Of the last one, what no other has; 0 where all are whole.
  int64_t rest() const { return width < extent ? extent % width : 0; }
  int64_t count() const { return whole() + (rest() != 0); }
};

/// Whole panels of so many steps of a depth; of what is left one that is shared again, if there is
/// enough of it: depths of whole multiples of `whole`; and the rest each core for itself.
llvm::SmallVector<PanelPhase, 3> panelPhases(int64_t terms, int64_t steps, int64_t depth,
                                             int64_t whole, int64_t blocks);

/// How cores share the products. Rows of the mesh have rows of the result, its columns columns;
/// or one of them, or both, have products of their own. Or all cores have a part of the rows, of
/// the columns, or of the terms of each, and send each other nothing but sums of terms. A block of
/// whole rows may have columns beyond them, up to a multiple of the lanes: they are neither fetched
/// nor written.
struct PanelPlan {
  int64_t rowPlaces = 1, columnPlaces = 1;                  ///< of the mesh, over one product
  int64_t termPlaces = 1;                                   ///< all cores, or one
  int64_t batchPlaces = 1;                                  ///< products at a time
  bool isAlone = false;                                     ///< each core fetches all that it needs
  int64_t rows = 0, columns = 0;                            ///< of a core's block of the result
  int64_t rowBlocks = 1, columnBlocks = 1, batchRounds = 1; ///< one after the other
  int64_t registerRows = 1, registerVectors = 1;            ///< of sums that stay in registers
  llvm::SmallVector<PanelPhase, 3> phases;
  int64_t bytes = 0; ///< of a core's memory
  double cycles = 0; ///< of all products, as estimated
  double bound = 0;  ///< cycles that the products alone take: one vector of them a cycle

  PanelBlocks blocksOfRows(const ProductShape &shape) const { return {shape.rows, rows}; }
  PanelBlocks blocksOfColumns(const ProductShape &shape) const {
    return {shape.columns, columnsThere(shape)};
  }
  /// Of each core, where they have parts of the terms; the first ones have another one behind them.
  int64_t termsOfCore(const ProductShape &shape) const { return shape.terms / termPlaces; }
  /// Rows and columns of what cores write of a block: all of it, and what others have not.
  llvm::SmallVector<std::pair<int64_t, int64_t>> partsOf(const ProductShape &shape) const;
  bool isFilledUp(const ProductShape &shape) const { return columns > shape.columns; }
  /// Of a block's columns, those that there are.
  int64_t columnsThere(const ProductShape &shape) const { return std::min(columns, shape.columns); }
  /// Whether what a core needs of the left factor comes from the cores of its row, each of which
  /// fetches a part of it; and of the right factor from those of its column.
  bool sharesLeft() const { return columnPlaces > 1 && !isAlone; }
  bool sharesRight() const { return rowPlaces > 1 && !isAlone; }
  /// Whether all cores need the same of a factor: of the right one where they have parts of the
  /// rows, of the left one where they have parts of the columns.
  bool isRightForAll() const { return isAlone && rowPlaces > 1; }
  bool isLeftForAll() const { return isAlone && columnPlaces > 1; }
  /// Whether that is the same for all of a core's blocks: it comes once.
  bool keepsForAll() const {
    return phases.size() == 1 && phases.front().panels == 1 && batchRounds == 1 &&
           (rowPlaces > 1 ? columnBlocks : rowBlocks) == 1;
  }
  /// Cores that have a block, where each works for itself.
  int64_t coresAtWork(const ProductShape &shape, int64_t cores) const;
  int64_t blocks() const { return rowBlocks * columnBlocks * batchRounds; }
};

/// The plan with the fewest cycles; nothing, and why, where there is none.
std::optional<PanelPlan> planPanels(const ProductShape &shape, const MeshMachine &machine,
                                    std::string &why);

} // namespace weft

#endif // WEFT_PASSES_PANELS_PANELPLAN_H
