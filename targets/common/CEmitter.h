//===- CEmitter.h - lowered IR to readable C -------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_CEMITTER_H
#define WEFT_TARGETS_COMMON_CEMITTER_H

#include "targets/common/Traffic.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft {

/// What one emitted function is and does.
/// An array that the C function takes. Complex elements are pairs: a last dimension of two.
struct EmittedParameter {
  std::string name;    ///< as in the source
  std::string element; ///< f32, f64, i32, i64 or i1
  std::vector<int64_t> shape;
  bool isOutput = false;
};

struct EmittedKernel {
  std::string name;  ///< as in the source
  std::string cName; ///< the C function
  std::vector<EmittedParameter> parameters;
  int64_t scratchBytes = 0;              ///< shared scratch of one call
  std::map<std::string, int64_t> counts; ///< operations by kind, exact
  std::map<std::string, int64_t> bytes;  ///< bytes moved by memory: arguments, scratch, tables
  std::map<std::string, std::map<std::string, int64_t>> byElement; ///< arithmetic by type
  MemoryTraffic memory;
};

struct Emitted {
  std::string c;
  std::string slave; ///< what the compute cores of a core group run; empty elsewhere
  std::vector<EmittedKernel> kernels;
};

/// Prints `module` as C11 for its target. Emits diagnostics and fails on whatever
/// has no C form. `banner` goes into the leading comment, the generating command.
mlir::FailureOr<Emitted> emitC(mlir::ModuleOp module, llvm::StringRef banner);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_CEMITTER_H
