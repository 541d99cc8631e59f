//===- Factorisation.h - lengths to radices -------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_FACTORISATION_H
#define WEFT_PASSES_TRANSFORMS_FACTORISATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace weft {

/// How radices follow each other where nothing else decides.
enum class RadixOrder { LargeFirst, SmallFirst, SmallFirstOfTwo };

/// The radices of the stages of a transform of `length`, in order of the stages:
/// primes without a codelet first, then the fewest codelets, of these the fewest
/// operations, of these the smallest largest radix.
llvm::SmallVector<int64_t> factorise(int64_t length, RadixOrder order = RadixOrder::LargeFirst);

/// The same with radices below `limit` only; empty where the length has none.
llvm::SmallVector<int64_t> factoriseBelow(int64_t length, int64_t limit);

/// Radices without common factors, as few as there are at all, of these the fewest operations,
/// largest first; empty where no such radices are as few as those of `factorise`.
llvm::SmallVector<int64_t> coprimeRadices(int64_t length);

/// What the stages of a transform cost: a machine's table of rows (radix, first stage, inner stage,
/// last stage), in hundredths of a cycle for a vector of points (`dft_stage_cycles`), of each stage
/// once a line (`dft_line_cycles`), of each stage, or two that take turns, more where the first
/// cache does not hold the arrays (`dft_l2_stage_cycles`), and of a line whose first stage's
/// results fill no squares (`dft_slab_line_cycles`). Vectors lie along the line, or across columns;
/// of these each first stage is as an inner one, as nothing is turned.
struct StageCosts {
  llvm::ArrayRef<int64_t> rows;
  llvm::StringRef table = "dft_stage_cycles"; ///< what the machine calls these rows
  int64_t perLine = 0;
  int64_t perRound = 0;    ///< of a line of this length, for a vector of points
  int64_t lanes = 1;       ///< complex numbers in a vector
  int64_t fewest = 1;      ///< of a vector's lanes that are not left empty
  int64_t units = 1;       ///< parts of 128 bits in a vector
  int64_t perSlabLine = 0; ///< of a line whose first stage's results fill no squares
  int64_t pointBytes = 16; ///< from a point to the next: of a complex number, or a row of columns
  int64_t together = 1;    ///< points that are in one vector, or in one line of the cache
  int64_t firstCache = 0;  ///< bytes
  bool areColumns = false;
  /// Of columns: they come from contiguous lines, and the copy that packs these takes turns with
  /// the first stage; the last one stores them where rows lie `rowBytes` apart.
  bool isPut = false;
  int64_t beside = 1; ///< numbers beside a point that count as points of its line (LineShape)
  /// Ways of the first cache, and how often what they do not hold of the last round's rows goes to
  /// the second one and comes back: of lines `dft_crowded_rounds`, of columns and of lines with
  /// others beside each point once, or twice if the last stage works in place.
  int64_t ways = 0, crowdedRounds = 0;
  /// The same of lines whose last two stages take turns, of the rows that both need at once
  /// (`dft_crowded_turns`), beside which the part between them takes ways as well.
  int64_t crowdedTurns = 0;
  /// What a first stage of 16 rows and more costs of lines whose arrays fill that cache, but not
  /// two of them alone (`dft_double_many_rows_cycles`).
  int64_t perManyRows = 0;
  int64_t lineBytes = 0; ///< of the caches
  int64_t rowBytes = 0;  ///< of columns: from a row of the input or the result to the next
  /// What rows of a result cost that half of the ways do not hold while the last stage stores them:
  /// of columns in blocks (`dft_crowded_columns_cycles`), or, of columns that are put, that all of
  /// them do not.
  int64_t perCrowdedResult = 0;
  /// Of columns with a table of their own (`dft_column_stage_cycles`), which tells first stages
  /// from inner ones: what a round costs whose rows the ways do not hold
  /// (`dft_crowded_rows_cycles`), rather than each round.
  bool hasOwnTable = false;
  int64_t perCrowdedRows = 0;
  /// Of lines of several numbers beside each point: of 100 that a full lane costs.
  int64_t perEmptyLane = 100;
  int64_t perPairStage = 0; ///< of columns that are pairs side by side (`dft_pair_stage_cycles`)
  RadixOrder ties = RadixOrder::SmallFirst; ///< of orders that cost the same
  /// What lines in lanes cost: `dft_packing_cycles`, `dft_packed_operation_cycles`.
  int64_t perPacking = 0, perOperation = 0;
  bool isFar = false;         ///< too many bytes to pack lines from (`dft_packed_array_bytes`)
  int64_t perPackedStage = 0; ///< of lines in lanes, where the first cache does not hold them
  /// What lines of one butterfly cost that are turned in registers: for each step of turning
  /// (`dft_turning_cycles`), operation a point (`dft_turned_operation_cycles`), and point of the
  /// line (`dft_turned_point_cycles`); and how many points and operations they have at most.
  int64_t perTurning = 0, perTurnedOperation = 0, perPointOfLine = 0;
  int64_t mostTurned = 0, mostTurnedOperations = 0;
  int64_t mostPackedEdged = 0; ///< points of lines with edges that are packed rather than in parts

  bool isKnown() const { return !rows.empty(); }
  /// Whether the first stage turns what it reads along lines; any order of radices will do
  /// otherwise.
  bool turnsLines() const { return !areColumns && beside == 1; }
  /// Whether a transform of `length` can begin with a stage of `radix` whose results are turned in
  /// registers.
  bool mayBegin(int64_t length, int64_t radix) const;
  /// Whether it can at all: the last vectors of stages may begin earlier, and do some points again,
  /// and those of the stages behind the first may leave lanes empty.
  bool mayBeginInParts(int64_t length, int64_t radix) const {
    return length % radix == 0 && radix >= fewest && length / radix >= lanes;
  }
  /// Times that a line goes to the second cache and comes back, where the first one does not hold
  /// it: two stages that take turns (alternate-nests) count as one. Rows that the last
  /// round needs at once, but the ways of the cache do not hold, go once more.
  double rounds(llvm::ArrayRef<int64_t> radices) const;
  /// The share of `rows`, so many bytes from one to the next, that leave the first cache before
  /// they are used again, as its ways are too few; so many bytes are beside them.
  double crowdedShare(int64_t rows, int64_t apartBytes, int64_t besideBytes = 0) const;
  /// Of columns: the sum of such shares of what rounds read at once, and twice of what they write,
  /// which is read before it is written.
  double crowdedRows(llvm::ArrayRef<int64_t> radices) const;
  /// Of the rows of a result that the last stage stores at once, the square of the share for which
  /// half of the ways are too few; the other half has what the stage reads.
  double crowdedResultShare(int64_t length, int64_t rows) const;
  /// How two stages behind so many points take turns, if they do.
  enum class Turns { None, ByGroups, ByPoints };
  Turns turnsOf(int64_t length, int64_t done, int64_t one, int64_t other) const;
  /// What a first stage of so many rows costs beside its row of the table.
  double manyRows(int64_t length, int64_t rows) const;
  /// Hundredths of a cycle for each point of a line, with what last vectors do again.
  double perPoint(llvm::ArrayRef<int64_t> radices) const;
  /// The same of lines that are packed line beside line, each a lane of its own.
  double perPackedPoint(llvm::ArrayRef<int64_t> radices) const;
  /// Whether a line of `length` may be one butterfly that is more than a stage.
  bool mayBeTurned(int64_t length) const;
  /// The same of lines that are one butterfly each and are turned in registers.
  double perTurnedPoint(int64_t length) const;
};

/// An order of radices and what the model says that it costs.
struct RankedRadices {
  llvm::SmallVector<int64_t> radices; ///< in order of the stages
  double cost = 0;                    ///< for each point: operations, or hundredths of a cycle
};

/// Orders of radices that let vectors lie along the line, the cheapest first, at most `most`; empty
/// where no order does.
std::vector<RankedRadices> rankAlongLine(int64_t length, const StageCosts &costs, size_t most);

/// The same where the results of the first stage need fill no squares.
std::vector<RankedRadices> rankInParts(int64_t length, const StageCosts &costs, size_t most);

/// The same of stages that all have others beside their points, as `costs.beside` says; one
/// butterfly before any two.
std::vector<RankedRadices> rankBeside(int64_t length, const StageCosts &costs, size_t most);

/// Orders of radices of columns, the cheapest first, at most `most`, but one butterfly before any
/// two; none where a prime has no codelet.
std::vector<RankedRadices> rankColumns(int64_t length, const StageCosts &costs, size_t most);

/// Orders of radices by their number of stages, then by operations, behind the one that is
/// `chosen`, an order of factorise()'s radices. Primes without a codelet lead all of them.
std::vector<RankedRadices> rankByOperations(int64_t length, size_t most, RadixOrder order,
                                            llvm::ArrayRef<int64_t> chosen);

/// Real operations of stages of these radices, for each point; all have codelets.
double operationsPerPoint(llvm::ArrayRef<int64_t> radices);

/// Real operations of a transform of `length` by codelets; nothing known (-1) where
/// a prime has none.
int64_t operations(int64_t length);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_FACTORISATION_H
