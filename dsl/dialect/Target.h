//===- Target.h - the module's machine, as passes see it ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_DIALECT_TARGET_H
#define WEFT_DIALECT_TARGET_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace weft {

/// What one vector of a target holds.
struct VectorUnit {
  int64_t bytes = 0;      ///< of a register
  int64_t floatLanes = 0; ///< numbers in it where floats of any width take as much of it, else 0
  bool packsTruths =
      false; ///< truth values of lanes go to bytes in memory, and back, by few operations

  /// Only floats have vectors, and truth values only choose between them.
  bool onlyFloats() const { return floatLanes != 0; }
  /// Numbers of so many bits in a register.
  int64_t lanes(int64_t width) const { return floatLanes ? floatLanes : bytes * 8 / width; }
  /// Bits of the register that a number of so many bits takes.
  unsigned laneBits(unsigned width) const {
    return floatLanes ? static_cast<unsigned>(bytes * 8 / floatLanes) : width;
  }
};

/// The attribute `weft.target` of a module: a dictionary filled from
/// targets/<name>/machine.toml, the only place for machine numbers. A pass that
/// asks for a number that is not there fails with an error that names it.
class Target {
public:
  /// Reads the attribute; emits an error at the module and fails where there is none.
  static mlir::FailureOr<Target> of(mlir::ModuleOp module);
  static bool isGiven(mlir::ModuleOp module) { return module->hasAttr("weft.target"); }

  std::string name() const;
  /// The integer under `key`, for example "vector_bytes"; an error where absent.
  mlir::FailureOr<int64_t> number(llvm::StringRef key) const;
  /// The same; nothing where absent.
  std::optional<int64_t> numberIfAny(llvm::StringRef key) const;
  /// `vector_bytes`, `float_lanes` and `packed_truths`; an error where the former is absent.
  mlir::FailureOr<VectorUnit> vectors() const;
  /// The integers under `key`, none where absent.
  llvm::ArrayRef<int64_t> numbers(llvm::StringRef key) const;
  /// The truth value under `key`, for example "fma"; false where absent.
  bool flag(llvm::StringRef key) const;

private:
  Target(mlir::ModuleOp module, mlir::DictionaryAttr values) : module(module), values(values) {}
  mlir::ModuleOp module;
  mlir::DictionaryAttr values;
};

} // namespace weft

#endif // WEFT_DIALECT_TARGET_H
