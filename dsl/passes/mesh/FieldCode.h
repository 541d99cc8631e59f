//===- FieldCode.h - steps over fields that stay with the cores --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_FIELDCODE_H
#define WEFT_PASSES_MESH_FIELDCODE_H

#include "dialect/Cpe.h"
#include "passes/mesh/FieldsPlan.h"

#include "mlir/IR/IRMapping.h"

namespace weft {

/// Writes what cores do with the rows that they have.
class FieldCode {
public:
  explicit FieldCode(FieldsPlan &plan) : plan(plan) {}

  /// Arrays of the cores, and what they hold when the loop begins.
  void begin(mlir::OpBuilder &builder);
  /// A step of the loop, behind which names have changed their memory.
  void step(mlir::OpBuilder &builder, mlir::Value number);
  /// What is to be found in main memory behind the loop.
  void store(mlir::OpBuilder &builder);

private:
  mlir::affine::AffineForOp overCores(mlir::OpBuilder &builder, mlir::ValueRange carried = {});
  mlir::OpBuilder onlyIf(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::AffineExpr> positive,
                         mlir::ValueRange values);
  /// The indices of an element of a core's part of a field.
  llvm::SmallVector<mlir::AffineExpr> elementOf(mlir::AffineExpr place, mlir::AffineExpr at) const;
  void makeArrays(mlir::OpBuilder &builder);
  void sumOnlyOwn(mlir::Value place, mlir::affine::AffineForOp rows, const FieldNest &nest);
  void moveSomeRows(mlir::OpBuilder &builder, mlir::Value place, const LocalRows &rows, bool isGet);
  void moveRows(mlir::OpBuilder &builder, mlir::Value place, const LocalRows &rows, bool isGet);
  void moveBlocks(mlir::OpBuilder &builder, mlir::Value place, const LocalRows &rows, int64_t first,
                  int64_t count, bool isGet);
  void fetchWhole(mlir::OpBuilder &builder, mlir::Value array);
  void load(mlir::OpBuilder &builder);
  void giveHalos(mlir::OpBuilder &builder, const LocalRows &rows);
  void place(mlir::OpBuilder &builder, const FieldNest &nest, mlir::IRMapping &values);
  void placeRows(mlir::affine::AffineForOp over, mlir::affine::AffineForOp clone,
                 mlir::affine::AffineForOp rows, const FieldNest &nest,
                 const llvm::DenseSet<mlir::Operation *> &collecting);
  void redirect(mlir::Operation *access, mlir::Value place, mlir::affine::AffineForOp rows,
                const FieldNest &nest);
  void redirectCollected(mlir::affine::AffineLoadOp load);
  void copy(mlir::OpBuilder &builder, const FieldNest &nest);
  mlir::Value probe(mlir::OpBuilder &builder, mlir::affine::AffineLoadOp load);
  void rotate();

  FieldsPlan &plan;
  llvm::DenseMap<mlir::Value, mlir::Value> own;   ///< of each core: tables and numbers
  llvm::DenseMap<mlir::Type, mlir::Value> probed; ///< and what is read of a single element
  llvm::DenseMap<mlir::Value, mlir::Value> now;   ///< the memory of each field in this step
  mlir::Location where = plan.fields.time.getLoc();
};

} // namespace weft

#endif // WEFT_PASSES_MESH_FIELDCODE_H
