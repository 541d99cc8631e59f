//===- FunctionEmitter.h - one function as C -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_FUNCTIONEMITTER_H
#define WEFT_TARGETS_COMMON_FUNCTIONEMITTER_H

#include "dialect/Cpe.h"
#include "dialect/Weft.h"
#include "targets/common/CEmitter.h"
#include "targets/common/Counts.h"
#include "targets/common/IndexForm.h"
#include "targets/common/Intrinsics.h"
#include "targets/common/Memory.h"
#include "targets/common/Names.h"
#include "targets/common/Nesting.h"
#include "targets/common/Prefetch.h"
#include "targets/common/RowsAhead.h"
#include "targets/common/TargetEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace weft {

/// What all functions of a file share.
struct FileContext {
  llvm::StringRef targetName;
  const TargetEmitter &target;
  const Intrinsics &intrinsics;
  int64_t stackBytes;
  CacheModel cache;
  llvm::StringMap<std::string> tables; ///< C name of each global that a function uses
  Names names;
  int64_t cores = 0, ldmBytes = 0; ///< of a core group, 0 elsewhere; bytes of a core for data
  bool mergesLoads = false;        ///< loads under a mask take what no shuffle needs (merged_loads)
  int64_t rowCores = 0;            ///< of a row of the mesh
  int64_t ldmUsed = 0;
  /// Of a second file, and what the first knows of it.
  std::string structs = {}, coreBodies = {}, spawned = {};
};

/// Prints one function: statements in the order of the ops, one variable for a value
/// that is used more than once or is a vector.
class FunctionEmitter {
public:
  FunctionEmitter(mlir::func::FuncOp func, FileContext &file);

  mlir::FailureOr<EmittedKernel> run(std::string &out);

private:
  using ForOp = mlir::affine::AffineForOp;

  // Statements.cpp
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation *op);
  mlir::LogicalResult emitFor(ForOp loop);
  /// With what is written in it; of its iterations, if it is shared, those of one member of a team.
  mlir::LogicalResult emitLoop(ForOp loop, llvm::StringRef sharedBy,
                               llvm::function_ref<mlir::LogicalResult()> emitBody);
  mlir::LogicalResult emitIf(mlir::affine::AffineIfOp op);
  mlir::LogicalResult emitYield(ForOp loop);
  /// The variables of what a loop carries, beginning with what it says or with zero.
  mlir::LogicalResult openCarried(ForOp loop, bool fromZero);
  mlir::LogicalResult emitFailure(FailIfOp fail);
  mlir::LogicalResult emitCopy(mlir::memref::CopyOp copy);
  mlir::LogicalResult emitBuffer(mlir::Operation *op);
  mlir::LogicalResult define(mlir::Operation *op, Expr value);
  void line(const llvm::Twine &text);
  void place(mlir::Location loc);

  // Threads.cpp
  mlir::LogicalResult emitParallel(ForOp loop);
  mlir::LogicalResult emitTurns(llvm::ArrayRef<ForOp> nests);
  mlir::LogicalResult emitTurn(llvm::ArrayRef<ForOp> loops, const IndexForm &before);
  mlir::LogicalResult emitInTurn(mlir::Block &block);
  mlir::LogicalResult emitShare(ForOp loop);

  // Cores.cpp
  mlir::LogicalResult emitCores(cpe::CoresOp cores);
  void beginNest(mlir::Operation *op, llvm::StringRef kind = "");
  mlir::LogicalResult emitOwn(ForOp loop);
  mlir::LogicalResult emitShared(ForOp loop);
  mlir::LogicalResult emitSums(ForOp loop);
  void emitMessages(cpe::ExchangeOp op, llvm::StringRef place, llvm::StringRef receiver);
  mlir::LogicalResult emitExchange(cpe::ExchangeOp op);
  mlir::LogicalResult emitBroadcast(cpe::BroadcastOp op);
  mlir::LogicalResult emitHalo(cpe::HaloOp op);
  mlir::LogicalResult emitCollect(cpe::CollectOp op);
  mlir::LogicalResult emitInLine(ForOp loop, int64_t columns);
  std::string placeInLine(int64_t columns, int64_t cores) const;
  mlir::LogicalResult emitCoreOp(mlir::Operation *op);
  template <typename Transfer>
  mlir::LogicalResult emitTransfer(Transfer op, std::string call, bool written);

  // Accesses.cpp
  mlir::LogicalResult emitStore(mlir::Operation *op);
  mlir::FailureOr<Expr> load(mlir::Operation *op);
  mlir::FailureOr<Expr> vectorLoad(mlir::Operation *op);
  /// The lower or the upper halves of what two loads read.
  mlir::FailureOr<Expr> loadHalves(mlir::vector::ShuffleOp pair, bool upper);
  mlir::FailureOr<Expr> maskedLoad(mlir::vector::MaskedLoadOp op);
  mlir::LogicalResult emitMaskedStore(mlir::vector::MaskedStoreOp op);
  mlir::LogicalResult emitVectorStore(mlir::Operation *op);
  std::string entryFor(llvm::StringRef entry, mlir::Operation *op, llvm::StringRef types);
  IndexForm address(mlir::MemRefType type, llvm::ArrayRef<IndexForm> indices);
  IndexForm addressOf(mlir::Operation *op);
  Expr element(mlir::Value memref, const IndexForm &address);
  IndexForm form(mlir::Value index);
  IndexForm formOf(mlir::affine::AffineApplyOp apply);
  /// A hint for the next block, where `op` at `address` is to give one.
  void askAhead(mlir::Operation *op, const std::string &address);
  /// The same of a load that is written elsewhere.
  void askAhead(mlir::Operation *load);
  /// The same at the begin of a loop's turn, for rows that later blocks read.
  void askForRows(mlir::Operation *loop);
  void countBytes(mlir::Value memref, bool written, int64_t bytes);

  // Scalars.cpp
  mlir::FailureOr<Expr> scalar(mlir::Operation *op);
  mlir::FailureOr<Expr> compare(mlir::Operation *op);
  mlir::FailureOr<Expr> convert(mlir::Operation *op);
  Expr get(mlir::Value value);

  // Vectors.cpp
  mlir::FailureOr<Expr> vector(mlir::Operation *op);
  mlir::FailureOr<Expr> vectorConstant(mlir::arith::ConstantOp op);
  mlir::FailureOr<Expr> shuffle(mlir::vector::ShuffleOp op);
  mlir::FailureOr<Expr> fused(mlir::math::FmaOp op);
  mlir::FailureOr<Expr> reduction(mlir::vector::ReductionOp op);
  bool absorbsNegation(mlir::OpOperand &use);
  /// Loads of a loop's body, in the order in which they are written.
  struct Reads {
    llvm::StringMap<int64_t> last; ///< the constant of the address, by all else of it
    bool outOfOrder = false;
  };
  /// Operands and results of a template, besides the operation itself.
  struct Filling {
    llvm::SmallVector<Expr> operands;
    std::string address;
    int64_t immediate = 0;
    llvm::SmallVector<int64_t> mask;
  };
  /// The text of the table's entry, counted; an error at `op` where there is none.
  mlir::FailureOr<Expr> fromTable(mlir::Operation *op, llvm::StringRef entry,
                                  const std::string &types, const Filling &filling, int64_t lanes,
                                  llvm::StringRef cost = {});
  std::string indexVector(llvm::ArrayRef<int64_t> mask);

  /// "expected, found, way out" for an op without a C form.
  mlir::LogicalResult refuse(mlir::Operation *op, const llvm::Twine &why);
  llvm::StringRef cType(mlir::Type type);

  mlir::func::FuncOp func;
  FileContext &file;
  MemoryPlan memory;
  Nesting nesting;
  Names names;
  Counts counts;

  llvm::DenseMap<mlir::Value, Expr> values;
  llvm::DenseMap<mlir::Value, Range> ranges;            ///< of loop variables
  llvm::DenseMap<mlir::Value, std::string> bufferNames; ///< of memrefs
  llvm::StringMap<std::string> indexVectors;
  /// By the access that asks for them.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Ahead, 2>> ahead;
  RowsAhead inOrder;                          ///< asked for where turns of loops begin
  llvm::DenseSet<mlir::Operation *> past;     ///< stores that pass the caches
  bool hasPast = false;                       ///< the target has them, and some are there
  llvm::DenseSet<mlir::Operation *> inHalves; ///< loads that pairs of their halves stand for

  std::string hoisted; ///< constant vectors of indices, set once
  std::string body;
  unsigned depth = 1;
  std::string lastPlace;
  bool inParallel = false;
  llvm::DenseSet<mlir::Operation *> emitted; ///< before their place
  std::string team; ///< the variable that says what a thread does of turns, while they are written
  bool inCores = false;
  unsigned nests = 0;    ///< of the cores' function that is being written
  bool inNest = false;   ///< what is in it begins none
  bool isComing = false; ///< so far the nest has nothing but transfers
  std::string cName;     ///< of the function
  std::string core;      ///< the variable with a core's number
  Reads reads;           ///< of the loop that is being written
};

} // namespace weft

#endif // WEFT_TARGETS_COMMON_FUNCTIONEMITTER_H
