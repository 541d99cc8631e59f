//===- NpyFile.h - NumPy's file format --------------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TOOLS_NPYFILE_H
#define WEFT_TOOLS_NPYFILE_H

#include "dialect/Interpreter.h"

#include "llvm/Support/Error.h"

namespace weft {

/// Reads a .npy file of an element type that kernels have; fails with a message.
llvm::Expected<interpreter::HostArray> readNpy(llvm::StringRef path);
/// Writes one (format 1.0, row-major).
llvm::Error writeNpy(llvm::StringRef path, const interpreter::HostArray &array);

} // namespace weft

#endif // WEFT_TOOLS_NPYFILE_H
