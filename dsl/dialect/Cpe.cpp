//===- Cpe.cpp - the cpe dialect ---------------------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"

#include "dialect/CpeDialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialect/CpeOps.cpp.inc"

using namespace mlir;

namespace weft::cpe {

namespace {

/// Constants of a core's work stay with it: it is another function in the end.
struct CpeFolds : public DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final {
    return isa<CoresOp>(region->getParentOp());
  }
};

} // namespace

void CpeDialect::initialize() {
  addInterfaces<CpeFolds>();
  addOperations<
#define GET_OP_LIST
#include "dialect/CpeOps.cpp.inc"
      >();
}

bool isInLdm(Value memref) {
  Operation *op = memref.getDefiningOp();
  while (op && isa<memref::ReinterpretCastOp, memref::CastOp, memref::CollapseShapeOp,
                   memref::ExpandShapeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return op && isa<memref::AllocaOp>(op) && op->getParentOfType<CoresOp>();
}

LogicalResult CoresOp::verify() {
  if ((*this)->getParentOfType<CoresOp>()) // K101
    return emitOpError("stands in another one: expected it on the management core");
  return success();
}

template <typename Transfer> static LogicalResult verifyTransfer(Transfer op) {
  auto main = cast<MemRefType>(op.getMain().getType());
  auto ldm = cast<MemRefType>(op.getLdm().getType());
  if (main.getElementType() != ldm.getElementType()) // K201
    return op.emitOpError("moves ") << main.getElementType() << " of main memory and "
                                    << ldm.getElementType() << " of the LDM: expected one type";
  auto positive = [](int64_t number) { return number > 0; };
  if (op.getCounts().size() != op.getStrides().size() || op.getBlock() < 1 ||
      !llvm::all_of(op.getCounts(), positive) || !llvm::all_of(op.getStrides(), positive)) // K202
    return op.emitOpError("expected a positive block, and positive counts and strides in pairs");
  if (!ldm.hasStaticShape() || ldm.getNumElements() != op.elements()) // K203
    return op.emitOpError("moves ")
           << op.elements() << " elements: expected an LDM array of as many, found " << ldm;
  if (!isInLdm(op.getLdm()) || isInLdm(op.getMain())) // K204
    return op.emitOpError("expected one array in main memory and one made in `cpe.cores`");
  return success();
}

LogicalResult DmaGetOp::verify() { return verifyTransfer(*this); }
LogicalResult DmaPutOp::verify() { return verifyTransfer(*this); }

LogicalResult DmaWaitOp::verify() {
  if (!(*this)->getParentOfType<CoresOp>()) // K401
    return emitOpError("expected it in `cpe.cores`");
  return success();
}

LogicalResult SyncOp::verify() {
  if (!isa<CoresOp>((*this)->getParentOp())) // K501
    return emitOpError("expected it just in `cpe.cores`, where all cores come by");
  return success();
}

} // namespace weft::cpe
