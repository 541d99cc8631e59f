//===- MeshCode.h - what loops over panels are made of --------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PANELS_MESHCODE_H
#define WEFT_PASSES_PANELS_MESHCODE_H

#include "passes/mesh/MeshTiling.h"
#include "passes/panels/PanelLoops.h"
#include "passes/panels/PointNest.h"

namespace weft {

/// The values of an index, numbered.
struct IndexValues {
  llvm::SmallVector<mlir::Value> values;
  mlir::AffineExpr of(mlir::Value value) {
    auto found = llvm::find(values, value);
    unsigned number = found - values.begin();
    if (found == values.end())
      values.push_back(value);
    return getAffineDimExpr(number, value.getContext());
  }
};

/// Where the first of several runs lies, and what has to be at least zero for a core to copy them.
struct FirstRun {
  int64_t from = 0, to = 0;
  llvm::function_ref<llvm::SmallVector<mlir::AffineExpr>(IndexValues &, mlir::AffineExpr row,
                                                         mlir::AffineExpr column)>
      conditions = nullptr;
};

/// Blocks of a result that all cores of a mesh make, each its own, and write in turn where they
/// overlap.
class MeshCode {
protected:
  using Body = llvm::function_ref<void(mlir::OpBuilder &, mlir::Value row, mlir::Value column)>;
  /// An index of what an access is made of, in other words; nothing for one that stays.
  using Replacement = llvm::function_ref<mlir::AffineExpr(mlir::Value)>;

  /// Written in the place of `nest`.
  MeshCode(mlir::Operation *nest, mlir::Location loc, mlir::Value result,
           const MeshMachine &machine, bool fma);

  /// An array of so many elements with each core, named after one in memory.
  mlir::Value spread(int64_t elements, mlir::Value memref, llvm::StringRef what);
  /// One of which all cores have the same.
  mlir::Value same(int64_t elements, mlir::Value memref, llvm::StringRef what);
  /// What one core does, at the builder's place.
  void onCores(Body body);
  mlir::affine::AffineForOp loop(int64_t upper, int64_t step, mlir::ValueRange carried = {});
  /// Where the block of a number begins, of so many numbers; those beyond the blocks begin with the
  /// first ones again.
  mlir::AffineExpr beginOf(mlir::AffineExpr number, const PanelBlocks &blocks,
                           int64_t numbers) const;
  /// Tells what is at least zero, or just zero, of the numbers of blocks that write so many of
  /// their elements: all, or what the last one has for itself.
  void onlyOf(const PanelBlocks &blocks, mlir::AffineExpr number, int64_t numbers, int64_t extent,
              llvm::function_ref<void(mlir::AffineExpr, bool)> only) const;
  /// A number that each block has, by the block's: steps up and down from one to the next.
  mlir::AffineExpr stepsOf(llvm::ArrayRef<int64_t> ofBlocks, mlir::AffineExpr block) const;
  mlir::AffineExpr constant(int64_t value) const {
    return getAffineConstantExpr(value, loc.getContext());
  }
  mlir::AffineExpr placeOf(const PanelAccess &access, IndexValues &values,
                           Replacement replaced) const;
  mlir::Value elementAt(mlir::OpBuilder &at, const PanelAccess &access, IndexValues &values,
                        Replacement replaced) const {
    return applied(at, placeOf(access, values, replaced), values);
  }
  mlir::Value applied(mlir::OpBuilder &at, mlir::AffineExpr expr, const IndexValues &values) const;
  /// Where an element of a core's array lies.
  mlir::AffineMap indexOf(mlir::Value array, mlir::AffineExpr row, mlir::AffineExpr column,
                          mlir::AffineExpr place, const IndexValues &values) const;
  /// An element of a core's array, or the vector that begins with it.
  mlir::Value load(mlir::OpBuilder &at, mlir::Value array, mlir::Value row, mlir::Value column,
                   mlir::AffineExpr place, IndexValues &values, bool isVector) const;
  /// `runs` runs of `run` elements that lie `apart` in memory, as a transfer has them.
  struct Runs {
    int64_t run;
    llvm::SmallVector<int64_t> counts, strides; ///< outermost first
    explicit Runs(int64_t run) : run(run) {}
    Runs(int64_t run, int64_t runs, int64_t apart);
  };

  /// One factor of a phase: where a panel comes to, the core's part of it, and all that a step
  /// needs.
  struct FactorArrays {
    mlir::Value coming, part, all;
    bool shared = false;
    bool forAll = false; ///< all cores have the same, in arrays that are not spread
    mlir::Value comes() const { return coming ? coming : part; }
    int64_t terms = 0; ///< of the part
  };
  struct Phase {
    PanelPhase of;
    FactorArrays left, right;
  };

  /// A loop over so many blocks, if there are several, with what follows in it.
  void overBlocks(int64_t blocks);
  mlir::AffineExpr blockIn(IndexValues &values) const {
    return block ? values.of(block) : constant(0);
  }
  using BlockAndPanel =
      llvm::function_ref<std::pair<mlir::AffineExpr, mlir::AffineExpr>(IndexValues &)>;
  /// The panels of a phase one after the other: each is fetched, or was while the one before was
  /// used; then `take` makes room for the next one.
  void panels(const PanelPhase &phase, int64_t blocks,
              llvm::function_ref<void(BlockAndPanel)> fetch, llvm::function_ref<void()> take,
              llvm::function_ref<void()> steps);

  /// A core's part to all of its row, or of its column.
  void broadcast(const FactorArrays &factor, mlir::Value place, bool alongRows);
  /// The steps of a panel: in each, one column and one row of the mesh send their parts of the
  /// factors, and `body` follows; its step is null where there is one.
  void overSteps(const Phase &phase, llvm::function_ref<void(mlir::Value step)> body);
  /// A term of a step among those that a factor's array has.
  mlir::AffineExpr termIn(const FactorArrays &factor, mlir::AffineExpr term, const Phase &phase,
                          mlir::Value step, IndexValues &values) const;

  void copy(mlir::Value from, mlir::Value to, int64_t elements);
  /// What is done with each element of a result, and its small arrays: with each core one of each,
  /// which has come after the next wait.
  void keep(const std::optional<PointNest> &reworked);
  /// Loops over the elements of a core's array, the last ones the lanes of vectors; their numbers.
  llvm::SmallVector<mlir::AffineExpr>
  overElements(mlir::OpBuilder &at, llvm::ArrayRef<int64_t> extents, IndexValues &values) const;
  /// An element of a core's array, by where it lies there and in the whole result.
  void rework(mlir::OpBuilder &at, const PointNest &reworked, mlir::Value array,
              mlir::AffineExpr element, llvm::ArrayRef<mlir::AffineExpr> whole,
              const IndexValues &values) const;

  /// So many runs, and how far apart they lie.
  struct Pitch {
    int64_t runs, from, to;
  };
  /// Runs from one array of a core to another, by vectors that lie anywhere, the last one of a run
  /// at its end.
  void copyRuns(mlir::Value from, mlir::Value to, llvm::ArrayRef<Pitch> pitches, int64_t run,
                const FirstRun &first = {});
  void clear(mlir::Value array, int64_t elements);
  /// Each core a part of what all cores have of an array, added up: of so many elements, whole
  /// vectors for each. The core at a row and a column has the part of number column * rows + row.
  mlir::Value addOverCores(mlir::Value sums, int64_t elements, mlir::Value memref);

  /// Rows by vectors of a core's block of sums, `pitch` elements a row, of which `height` by
  /// `width` are in registers at a time while `terms` adds to them. There may be groups of several
  /// blocks, of which one is at work.
  struct Sums {
    mlir::Value array;
    int64_t rows, pitch, height, width;
    int64_t blocks = 1;
    mlir::Value group = {};
  };
  /// Which sums are in registers: the number of their block (null where there is one), the first
  /// row and column.
  struct SumsAt {
    mlir::Value block, i, j;
  };
  using Terms = llvm::function_ref<void(mlir::OpBuilder &, mlir::Value row, mlir::Value column,
                                        const SumsAt &place, llvm::SmallVector<mlir::Value> &sums)>;
  void multiply(const Sums &sums, Terms terms);
  /// A loop over terms that carries sums, if it has more than one turn.
  using OfTerms = llvm::function_ref<void(mlir::OpBuilder &, mlir::AffineExpr number, IndexValues &,
                                          llvm::SmallVector<mlir::Value> &sums)>;
  void overTerms(mlir::OpBuilder &at, int64_t upper, int64_t step, IndexValues values,
                 llvm::SmallVector<mlir::Value> &sums, OfTerms body) const;
  /// One term of such sums: an element of each row by the vectors.
  void addTerm(mlir::OpBuilder &at, llvm::SmallVector<mlir::Value> &sums,
               llvm::ArrayRef<mlir::Value> vectors,
               llvm::function_ref<mlir::Value(int64_t)> ofRow) const;

  /// What a core's block is among those that overlap, and what has to be positive for it to exist.
  struct Turn {
    mlir::AffineExpr row, column;
    llvm::SmallVector<mlir::AffineExpr> exists;
  };
  /// What is done where expressions are at least zero, or just zero.
  mlir::OpBuilder onlyIf(mlir::OpBuilder &at, llvm::ArrayRef<mlir::AffineExpr> are,
                         llvm::ArrayRef<bool> areZero, const IndexValues &values) const;
  /// Blocks that overlap take turns to write, and what two make is written by one.
  void
  putInTurns(int64_t rowTurns, int64_t columnTurns,
             llvm::function_ref<Turn(IndexValues &, mlir::AffineExpr, mlir::AffineExpr)> turnOf,
             Body put);

  const MeshMachine &machine;
  bool fma;
  Mesh mesh;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Type element;
  mlir::VectorType vector;
  mlir::Value block; ///< the number of the block at work, null where there is one
  llvm::SmallVector<mlir::Value> kept;
};

} // namespace weft

#endif // WEFT_PASSES_PANELS_MESHCODE_H
