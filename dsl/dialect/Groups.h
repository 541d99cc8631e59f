//===- Groups.h - ops by which groups meet ----------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_DIALECT_GROUPS_H
#define WEFT_DIALECT_GROUPS_H

#include "dialect/Weft.h"

#define GET_OP_CLASSES
#include "dialect/GroupOps.h.inc"

#endif // WEFT_DIALECT_GROUPS_H
