//===- Interpreter.h - the reference semantics of the IR --------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Runs a module as it is, at every stage of the pipeline: `weft` ops on tensors,
// loops over buffers, vectors. Plain and slow, so that it can be read as the meaning
// of the ops. What the C code would do without a word is an error here: an index out
// of bounds, a use of an element never written, a store into an input.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_DIALECT_INTERPRETER_H
#define WEFT_DIALECT_INTERPRETER_H

#include "dialect/InterpreterValues.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <functional>

namespace weft::interpreter {

/// Element types of arrays that come from outside and go there: NumPy's.
enum class DType { Bool, I32, I64, F32, F64, C64, C128 };

/// The type of an MLIR element; nothing for those that NumPy has no like of.
std::optional<DType> dtypeOf(mlir::Type element);
llvm::StringRef nameOf(DType dtype);
bool isComplex(DType dtype);

/// An input or an output.
struct HostArray {
  std::string name;
  DType dtype;
  Array array;
};

struct Options {
  /// Ops executed (for whole-tensor ops, scalar operations) before it gives up.
  int64_t maxSteps = 2'000'000'000;
  /// Iterations of loops marked `weft.independent` in reverse: the result must not
  /// depend on their order.
  bool reverseIndependent = false;
  /// Asked now and then; true stops the interpretation.
  std::function<bool()> interrupted;
};

struct Outcome {
  std::vector<HostArray> outputs;
  /// 0, or the code of the check that failed; then the outputs hold nothing of use.
  int64_t code = 0;
  int64_t steps = 0;
};

/// The function that `name` means; without a name the one marked `weft.entry`, or the
/// only one that is public. Emits an error where there is none.
mlir::FailureOr<mlir::FunctionOpInterface> findEntry(mlir::ModuleOp module, llvm::StringRef name);

/// What `entry` must be given: name, type and shape, elements poison. Complex arguments
/// of the user are pairs of reals once tensors are buffers; both forms are taken.
mlir::FailureOr<std::vector<HostArray>> inputsOf(mlir::FunctionOpInterface entry);

/// Runs it. Emits an error at the op that is at fault.
mlir::FailureOr<Outcome> interpret(mlir::FunctionOpInterface entry,
                                   llvm::ArrayRef<HostArray> inputs, const Options &options);

} // namespace weft::interpreter

#endif // WEFT_DIALECT_INTERPRETER_H
