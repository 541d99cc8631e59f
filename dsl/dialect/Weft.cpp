//===- Weft.cpp - the weft dialect -----------------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/Weft.h"

#include "dialect/Cpe.h"
#include "dialect/Groups.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

#include "dialect/WeftDialect.cpp.inc"

using namespace mlir;

namespace {

/// Every op of the dialect may move with the function that holds it.
struct WeftInliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  // A body is pure and moves as a whole. Upstream would refuse the affine.apply in it
  // wherever the call stands in a loop of another dialect.
  bool shouldAnalyzeRecursively(Operation *) const final { return false; }
};

} // namespace

void weft::WeftDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialect/WeftOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/GroupOps.cpp.inc"
      >();
  addInterfaces<WeftInliner>();
}

void weft::registerDialects(DialectRegistry &registry) {
  registry.insert<WeftDialect, cpe::CpeDialect, func::FuncDialect, arith::ArithDialect,
                  math::MathDialect, scf::SCFDialect, affine::AffineDialect, memref::MemRefDialect,
                  tensor::TensorDialect, vector::VectorDialect, complex::ComplexDialect>();
  func::registerInlinerExtension(registry);
}
