//===- GroupOps.cpp - rules of what groups exchange ----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/Groups.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

#define GET_OP_CLASSES
#include "dialect/GroupOps.cpp.inc"

using namespace mlir;
using namespace weft;

static LogicalResult checkGroups(Operation *op, StringRef rule, int64_t groups) {
  if (groups >= 2)
    return success();
  return op->emitOpError() << "[" << rule << "] groups is " << groups << ": expected at least 2";
}

/// `whole` is `groups` times `part`, along the first axis.
static LogicalResult checkParts(Operation *op, StringRef rule, Value part, Value whole,
                                int64_t groups) {
  auto small = cast<RankedTensorType>(part.getType());
  SmallVector<int64_t> shape(small.getShape());
  if (!shape.empty())
    shape.front() *= groups;
  auto expected = RankedTensorType::get(shape, small.getElementType());
  if (!shape.empty() && whole.getType() == expected)
    return success();
  return op->emitOpError() << "[" << rule << "] " << groups << " parts " << part.getType()
                           << " along the first axis are no " << whole.getType();
}

/// Equal blocks along the first axis, by the two rules of an op.
template <typename Op> static LogicalResult checkBlocks(Op op, StringRef atLeast, StringRef parts) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  auto groups = static_cast<int64_t>(op.getGroups());
  if (failed(checkGroups(op, atLeast, groups)))
    return failure();
  if (type.getRank() == 0 || type.getDimSize(0) % groups != 0)
    return op.emitOpError() << "[" << parts << "] " << groups
                            << " groups do not divide the first extent of " << type;
  return success();
}

LogicalResult AlltoallOp::verify() { return checkBlocks(*this, "D1501", "D1502"); }
LogicalResult AlltoallBeginOp::verify() { return checkBlocks(*this, "D1901", "D1902"); }
LogicalResult AlltoallEndOp::verify() { return checkBlocks(*this, "D2001", "D2002"); }

LogicalResult AllgatherOp::verify() {
  if (failed(checkGroups(*this, "D1601", getGroups())))
    return failure();
  return checkParts(*this, "D1602", getInput(), getResult(), getGroups());
}

LogicalResult OwnOp::verify() {
  if (failed(checkGroups(*this, "D1701", getGroups())))
    return failure();
  return checkParts(*this, "D1702", getResult(), getInput(), getGroups());
}

LogicalResult ExchangeOp::verify() {
  auto from = cast<MemRefType>(getFrom().getType()), to = cast<MemRefType>(getTo().getType());
  StringRef kind = getKind();
  auto groups = static_cast<int64_t>(getGroups());
  if (!llvm::is_contained({"alltoall", "alltoall_begin", "alltoall_end", "allgather", "own"}, kind))
    return emitOpError("[D1801] kind '")
           << kind << "': expected alltoall, alltoall_begin, alltoall_end, "
           << "allgather or own";
  if (failed(checkGroups(*this, "D1802", groups)))
    return failure();
  bool fits = from.hasStaticShape() && to.hasStaticShape() && from.getLayout().isIdentity() &&
              to.getLayout().isIdentity() && from.getElementType() == to.getElementType();
  if (fits) {
    int64_t given = from.getNumElements(), taken = to.getNumElements();
    fits = kind.starts_with("alltoall") ? given == taken && given % groups == 0
           : kind == "allgather"        ? taken == given * groups
                                        : given == taken * groups;
  }
  if (!fits)
    return emitOpError("[D1803] ") << kind << " of " << groups << " groups from " << from << " to "
                                   << to << ": expected contiguous arrays of one type whose "
                                   << "numbers of elements fit";
  return success();
}
