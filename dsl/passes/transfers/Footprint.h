//===- Footprint.h - what ops touch of main memory ----------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The elements of an array that a few ops touch, as a start that depends on the loops
// around the ops and a set that depends on the loops among them. Sets are enumerated, so
// that they are exact: a transfer may write back only what is its own.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFERS_FOOTPRINT_H
#define WEFT_PASSES_TRANSFERS_FOOTPRINT_H

#include "passes/Passes.h"
#include "passes/loops/AccessPattern.h"

#include "llvm/ADT/MapVector.h"

#include <map>
#include <optional>
#include <vector>

namespace weft {

/// A sum of products of whole numbers with values and with remainders and quotients of
/// them, and a constant: an index, its values numbered as dims.
struct LinearForm {
  std::map<unsigned, std::pair<mlir::AffineExpr, int64_t>> terms; ///< in order of appearance
  int64_t constant = 0;
};

/// One access of a footprint: where it lies, in elements.
struct Touch {
  mlir::Operation *op;
  bool isWrite;
  int64_t lanes = 1;    ///< consecutive elements
  unsigned section = 0; ///< ops that run one after the other
  bool certain = true;  ///< no condition around it
  LinearForm inner;     ///< the part of the loops among the ops, constant included
  llvm::SmallVector<LinearForm, 4> indices; ///< that part of each index
};

/// Blocks of elements at regular distances.
struct BlockedRegion {
  int64_t block = 0;
  llvm::SmallVector<int64_t> counts, strides; ///< outermost first
  int64_t elements() const;
};

/// What some ops touch of one array, all from one start.
struct Footprint {
  mlir::Value array; ///< an argument, an allocation or a table
  LinearForm start;  ///< of the loops around the ops, without a constant
  bool isRead = false, isWritten = false, needsGet = false;
  bool isWhollyWritten = false; ///< each element for certain
  llvm::SmallVector<Touch, 4> touches;
  /// Of each index the part of the loops around the ops, and how many elements lie along it; none
  /// where touches differ in them.
  llvm::SmallVector<LinearForm, 4> starts;
  llvm::SmallVector<int64_t, 4> shape;
  std::vector<int64_t> elements; ///< touched, relative to the start, rising
  BlockedRegion region;
  /// By touch, its place among the elements as they lie one behind the other.
  std::vector<LinearForm> places;

  /// Of its array in the LDM.
  int64_t bytes() const;
};

/// The footprints of ops that stand one behind the other in a block.
class FootprintAnalysis {
public:
  /// Sees up to `most` elements of an array; more than that is no footprint. `spread`, where
  /// given, is a loop around the ops that counts as one among them, `times` iterations of it.
  FootprintAnalysis(llvm::ArrayRef<mlir::Operation *> ops, int64_t most,
                    mlir::affine::AffineForOp spread = {}, int64_t times = 1);

  llvm::ArrayRef<Footprint> footprints() const { return found; }
  /// Arrays of which no footprint is known, and why.
  const llvm::MapVector<mlir::Value, std::string> &others() const { return refused; }
  /// Whether one of them may have one where fewer loops are among the ops.
  bool mayKnowMoreInside() const { return insideHelps; }

  /// The part of an array that has a footprint, or nothing.
  const Footprint *of(mlir::Value array) const;
  /// Where the part starts while the loops around have these values, and no others matter.
  std::optional<int64_t> startAt(const Footprint &footprint,
                                 llvm::ArrayRef<std::pair<mlir::Value, int64_t>> around) const;
  /// The most elements that one of its accesses touches.
  int64_t widestTouch(const Footprint &footprint) const;
  /// Whether a part of its start depends on one of these values and on one of those together.
  bool mixes(const Footprint &footprint, llvm::ArrayRef<mlir::Value> these,
             llvm::ArrayRef<mlir::Value> those) const;
  /// Pairs stay pairs where memory has complex numbers.
  bool isOfPairs(const Footprint &footprint) const;
  /// Its accesses, or only those that read or write, go to another array instead, which holds its
  /// elements one behind the other, from `leading` indices on, in pairs or one by one.
  enum class Accesses { All, Reads, Writes };
  void redirect(const Footprint &footprint, mlir::Value array,
                llvm::ArrayRef<mlir::AffineExpr> leading, Accesses which = Accesses::All);
  /// A value as an operand of maps; see `mapOf`.
  mlir::AffineExpr dimOf(mlir::Value value);

  mlir::AffineExpr exprOf(const LinearForm &form) const;
  /// A map with these results, and the values that it is applied to.
  std::pair<mlir::AffineMap, llvm::SmallVector<mlir::Value>>
  mapOf(llvm::ArrayRef<mlir::AffineExpr> results) const;

private:
  void collect(mlir::Operation *op, bool certain);
  void add(mlir::Operation *op, mlir::Value memref, mlir::AffineMap map, mlir::ValueRange operands,
           bool isWrite, int64_t lanes, bool certain);
  void refuse(mlir::Value array, std::string why, bool insideMayHelp = false);
  bool flatten(mlir::AffineExpr expr, int64_t factor, LinearForm &form);
  void addTerm(LinearForm &form, mlir::AffineExpr atom, int64_t factor);
  /// Whether an atom varies with the loops among the ops (first), around them (second).
  std::pair<bool, bool> variesWith(mlir::AffineExpr atom) const;
  bool isCut(mlir::AffineExpr atom) const;
  bool isInner(mlir::Value value) const;
  std::optional<std::vector<int64_t>> valuesOf(const LinearForm &inner, int64_t lanes) const;
  llvm::SmallVector<mlir::Operation *> pathTo(mlir::Operation *op) const;
  LinearForm takeTermsOf(LinearForm &form, llvm::ArrayRef<mlir::Operation *> loops) const;
  bool isWrittenJustBefore(const Footprint &footprint, const Touch &read) const;
  /// How many elements may be moved for each one that is read: where all are one region, and where
  /// there is nothing better.
  static constexpr int64_t fewForEach = 2, mostForEach = 4;
  bool finish(Footprint &footprint, int64_t forEach) const;
  bool fill(Footprint &footprint, int64_t most) const;
  bool takeApart(Footprint &footprint, std::vector<Footprint> &parts) const;
  std::optional<std::vector<int64_t>> boxAround(const Footprint &footprint, int64_t most) const;
  bool isOfWholeWords(const Footprint &footprint) const;
  static bool toBlocks(Footprint &footprint);
  bool locate(Footprint &footprint) const;
  template <typename Visit> bool forEachPoint(const LinearForm &form, Visit visit) const;

  llvm::ArrayRef<mlir::Operation *> ops;
  int64_t most;
  mlir::affine::AffineForOp spread;
  int64_t times;
  unsigned section = 0;
  mlir::MLIRContext *context = nullptr;
  llvm::SmallVector<mlir::Value> numbered;
  llvm::DenseMap<mlir::Value, unsigned> numberOf;
  llvm::SmallVector<mlir::AffineExpr> atoms;
  llvm::DenseMap<mlir::AffineExpr, unsigned> atomNumber;
  std::vector<Footprint> found;
  llvm::MapVector<mlir::Value, std::string> refused;
  bool insideHelps = false;
};

/// Of one element of an array.
int64_t elementBytes(mlir::Value array);

/// The ops of a body without what ends it.
llvm::SmallVector<mlir::Operation *> opsOf(mlir::Block &block);

/// Iterations of a loop; 0 where they are not known.
int64_t tripsOf(mlir::affine::AffineForOp loop);

} // namespace weft

#endif // WEFT_PASSES_TRANSFERS_FOOTPRINT_H
