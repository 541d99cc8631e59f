//===- PairBody.h - one loop body on interleaved complex numbers --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_VECTORS_PAIRBODY_H
#define WEFT_PASSES_VECTORS_PAIRBODY_H

#include "dialect/Target.h"
#include "passes/loops/AccessPattern.h"
#include "passes/vectors/SlabTranspose.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>
#include <string>

namespace weft {

/// The body of a lane loop on vectors that hold complex numbers as memory has them, real
/// and imaginary parts by turns. The scalar body computes both parts apart; here two
/// scalars, one for each part, are found to be one operation on such vectors: a sum whose
/// signs may differ between the parts, or a product by a real number, by parts exchanged
/// (one shuffle) or by one part in both places. A multiplication by i is then a shuffle and
/// a sum, one by a complex number a shuffle, a product and a sum; loads and stores take no
/// shuffles at all (FT paper, section 4.2: one exchange by mask 177, and vectors of signs).
///
/// Real numbers side by side, such as a window, stand in both places: one vector of them, shuffled
/// twice, serves the two vectors that a turn then does.
///
/// `byParts`, a turn does two vectors, too, and products that mix parts are computed on parts in
/// vectors of their own: two shuffles bring the parts of both vectors apart, two bring them
/// together again, the other form that the FT paper describes.
class PairBody {
public:
  PairBody(mlir::affine::AffineForOp loop, const VectorUnit &vectorUnit, bool hasFma,
           bool byParts = false);

  /// Finds the operations; false, with `reason`, where some scalars are no such pair. The
  /// reason is empty where nothing shows that complex numbers lie side by side at all.
  bool analyse();
  const std::string &reason() const { return why; }
  /// Whether an iteration that runs twice changes nothing: it reads nothing that the loop
  /// stores.
  bool mayRepeat() const;
  /// Whether vectors that only begin to be filled can do the loop: what is beyond its iterations
  /// can be left out of each access.
  bool mayBeMasked() const;
  /// So many complex numbers of a vector are there, and no others are read or stored.
  void leaveOut(int64_t iterations) { present = iterations; }
  /// Complex numbers in a vector.
  int64_t lanes() const { return count / 2; }
  /// Iterations of a turn.
  int64_t step() const { return copies * lanes(); }
  /// Vector operations, shuffles included, for as many iterations as a vector has real
  /// elements: in this form, and with parts in vectors of their own.
  int64_t operations() const { return 2 * (arithmetic + shuffles + turning); }
  int64_t operationsSplit() const { return scalarOps + 2 * (loadedPairs + storedPairs) + apart; }

  /// Tables of at most so many bytes get others that hold one part of each number twice.
  void allowTwins(int64_t bytes) { twinBytes = bytes; }
  /// Writes the body into `main`, an empty loop whose variable steps by step().
  void emitInto(mlir::affine::AffineForOp main);

private:
  struct Signs {
    bool re = false, im = false; // negative
    bool mixed() const { return re != im; }
    Signs operator^(Signs other) const { return {re != other.re, im != other.im}; }
  };
  struct Node;
  struct Term {
    Node *a = nullptr, *b = nullptr; // their product, or `a` alone
    Signs signs;
  };
  struct Node {
    enum class Kind { Uniform, Load, Reals, Swapped, Twin, TwinTable, Sum } kind;
    mlir::Value re, im;
    Node *of = nullptr; // Swapped, Twin
    int64_t part = 0;   // Twin: which part stands in both places
    llvm::SmallVector<Term, 2> terms;
    bool fused = false;     // Sum: a product may be added without a rounding of its own
    mlir::Value vectors[2]; // of each copy, once emitted
    mlir::Value parts[2];   // of both copies, once emitted
  };
  /// A product of one or two scalars.
  struct Product {
    mlir::Value a, b;
    bool negative = false;
  };
  struct Scalars {
    llvm::SmallVector<Product, 2> terms;
    bool fused = false;
  };
  struct Store {
    mlir::Operation *first, *second;
    Node *value;
  };
  /// One element of each lane: a store of it, or all loads of its parts.
  struct Row {
    const Access *access; ///< to one of its parts
    Store *store = nullptr;
    llvm::SmallVector<mlir::Operation *, 2> loads;
  };
  /// Elements side by side, whose lanes lie further apart: turned in registers, stores at the
  /// last of them, loads at the first.
  struct Square {
    llvm::SmallVector<Row> rows; ///< in order of their addresses
    mlir::Operation *place;
    /// The rows are not lanes() many, but the lanes follow one another without a gap.
    bool isDense = false;
  };

  bool refuse(mlir::Operation *op, const llvm::Twine &reason);

  // Analysis.
  bool analyseOp(mlir::Operation &op);
  bool readsReals();
  bool isReals(const Access &access);
  bool pairStores();
  bool formSquares();
  bool formSquares(llvm::SmallVectorImpl<Row> &rows);
  bool addSquares(llvm::ArrayRef<Row> run);
  bool isApart(const Access &access);
  bool loadsMayBeEarly();
  bool isVarying(mlir::Value value) const { return varying.contains(value); }
  std::optional<int64_t> distanceBetween(const Row &from, const Row &to) const;
  mlir::memref::GlobalOp tableOf(mlir::Value memref) const;
  const Access *loadOf(mlir::Value value) const;
  const Access *leafOf(mlir::Value value);
  int64_t leafPart(mlir::Value value);
  bool haveOneLeaf(mlir::Value re, mlir::Value im);
  std::optional<Scalars> scalarsOf(mlir::Value value) const;
  Node *make(Node::Kind kind, mlir::Value re, mlir::Value im);
  Node *find(mlir::Value re, mlir::Value im);
  Node *findNew(mlir::Value re, mlir::Value im);
  Node *findLoad(mlir::Value re, mlir::Value im);
  bool mixesParts(mlir::Value re, mlir::Value im) const;
  Node *findNegated(mlir::Value re, mlir::Value im);
  Node *findTwin(mlir::Value value);
  bool isOfReals(mlir::Value value);
  Node *findSum(mlir::Value re, mlir::Value im);
  bool findTerm(const Product &re, const Product &im, Term &term);
  int score(mlir::Value re, mlir::Value im);
  int score(const Product &re, const Product &im, bool *crossed = nullptr);
  void dropUnused();
  void countOperations();

  // Emission.
  mlir::Value loadVector(const Access &access, int64_t ahead);
  void storeVector(const Access &access, mlir::Value value, int64_t ahead);
  void loadReals(Node *node, const Access &access);
  mlir::Value mask(int64_t numbers);
  mlir::Value loadAt(const Access &access, mlir::AffineMap map, int64_t there);
  void storeAt(const Access &access, mlir::AffineMap map, mlir::Value value, int64_t there);
  mlir::Value uniform(mlir::Value value) const { return scalars.lookupOrDefault(value); }
  mlir::Value emit(Node *node);
  bool isByParts(const Node *node) const;
  void emitParts(Node *node);
  mlir::Value part(Node *node, int64_t number);
  mlir::Value joined(Node *node);
  mlir::Value splat(mlir::Value scalar);
  mlir::Value emitTwinTable(Node *node);
  bool liesByVectors(const Access &access) const;
  llvm::SmallVector<llvm::APFloat> byVectors(llvm::ArrayRef<llvm::APFloat> numbers,
                                             mlir::MemRefType type) const;
  mlir::Value otherTable(mlir::memref::GlobalOp global, llvm::StringRef suffix,
                         mlir::MemRefType type, llvm::ArrayRef<llvm::APFloat> numbers,
                         mlir::Value shown);
  void emitSquare(const Square &square);
  void emitLoads(const Square &square);
  int64_t thereOf(const Square &square, int64_t number) const;
  SlabTranspose slabOf(int64_t rows) const;
  mlir::AffineMap placeOf(const Square &square, int64_t number, const Access *&access) const;
  llvm::SmallVector<mlir::Value> mapped(const Access &access) const;
  mlir::Value emitUniform(Node *node);
  mlir::Value emitSum(Node *node);
  mlir::Value alternating(Signs signs);
  mlir::Value turnedOnce(mlir::Value value, Signs signs);
  mlir::Value withSigns(mlir::Value value, Signs signs);
  mlir::Value addSingles(mlir::Value a, Signs aSigns, mlir::Value b, Signs bSigns);
  mlir::Value multiplyAdd(const Term &term, mlir::Value addend, Signs addendSigns);
  mlir::VectorType vectorType() const;
  mlir::Value shuffled(mlir::Value value, llvm::function_ref<int64_t(int64_t)> from);

  mlir::affine::AffineForOp loop, main;
  mlir::OpBuilder builder;
  mlir::Location where;
  VectorUnit unit;
  bool hasFma, byParts;
  mlir::Type element;
  int64_t count = 0, twinBytes = 0;
  int64_t present = 0;      ///< complex numbers of a vector that are there, if not all are
  int64_t copies, copy = 0; ///< vectors of a turn, and the one that is being emitted
  int64_t arithmetic = 0, shuffles = 0, turning = 0, scalarOps = 0, loadedPairs = 0,
          storedPairs = 0, apart = 0;
  bool seesComplex = false;
  std::string why;

  AddressSpace space;
  LaneBlock block;
  llvm::MapVector<mlir::Operation *, Access> accesses;
  llvm::DenseSet<mlir::Value> varying;
  llvm::DenseMap<mlir::Value, const Access *> leaves;
  llvm::DenseMap<mlir::Value, bool> ofReals;
  llvm::SmallVector<std::unique_ptr<Node>> nodes;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, Node *> known;
  llvm::DenseSet<std::pair<mlir::Value, mlir::Value>> failed; ///< what is no pair
  llvm::DenseMap<mlir::Value, Node *> whole; ///< a scalar -> the node that has it as a part
  llvm::SmallVector<Store> stores;
  llvm::SmallVector<Square> squares;

  mlir::IRMapping scalars;
};

} // namespace weft

#endif // WEFT_PASSES_VECTORS_PAIRBODY_H
