//===- GroupCalls.h - how C meets other groups --------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_GROUPCALLS_H
#define WEFT_TARGETS_COMMON_GROUPCALLS_H

#include "dialect/Groups.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {

/// The last parameter of a kernel that several groups run (`struct weft_groups`).
constexpr llvm::StringRef groupsName = "weft_groups";

inline bool isOverGroups(mlir::func::FuncOp func) {
  auto groups = func->getAttrOfType<mlir::IntegerAttr>("weft.groups");
  return groups && groups.getInt() > 1;
}

} // namespace weft

#endif // WEFT_TARGETS_COMMON_GROUPCALLS_H
