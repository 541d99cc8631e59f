//===- InterpreterCore.h - the loop over ops, as op handlers see it ----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_DIALECT_INTERPRETERCORE_H
#define WEFT_DIALECT_INTERPRETERCORE_H

#include "dialect/Interpreter.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace weft::interpreter {

/// An element takes 40 bytes: what is bigger than this is not for an interpreter.
constexpr int64_t maxElements = 1 << 26;

/// Thrown at an op that has no meaning as it stands. Never leaves `interpret`.
struct Fault {
  mlir::Operation *op;
  std::string text;
  /// A second place, with what it has to do with the fault.
  mlir::Operation *noteAt = nullptr;
  std::string note;
};

/// Thrown by a check of the program that fails: the kernel returns `code`.
struct Ended {
  int64_t code;
};

class Machine;
using Handler = std::function<void(Machine &, mlir::Operation *)>;

/// What each op does, by name; filled once by the `add...Ops` below.
class HandlerTable {
public:
  static const HandlerTable &all();

  template <typename Op> void add(void (*run)(Machine &, Op)) {
    byName[Op::getOperationName()] = [run](Machine &machine, mlir::Operation *op) {
      run(machine, llvm::cast<Op>(op));
    };
  }
  void add(llvm::StringRef name, Handler run) { byName[name] = std::move(run); }
  /// Null for an op without a meaning here.
  const Handler *find(llvm::StringRef name) const;

private:
  llvm::StringMap<Handler> byName;
};

void addControlOps(HandlerTable &table);
void addScalarOps(HandlerTable &table);
void addComplexOps(HandlerTable &table);
void addTensorOps(HandlerTable &table);
void addTransformOps(HandlerTable &table);
void addMemoryOps(HandlerTable &table);
void addAccessOps(HandlerTable &table);
void addVectorOps(HandlerTable &table);
void addCoreOps(HandlerTable &table);

/// The values of one run of a module.
class Machine {
public:
  Machine(mlir::ModuleOp module, const Options &options) : options(options), symbols(module) {}

  /// Runs a function's body; the operands of its return.
  llvm::SmallVector<Datum> call(mlir::FunctionOpInterface func, llvm::ArrayRef<Datum> arguments);
  /// Runs the ops of a block up to its terminator, whose operands are what it yields.
  mlir::Operation *run(mlir::Block &block);
  void execute(mlir::Operation *op);

  // ---- values

  void set(mlir::Value value, Datum datum) { values[value] = std::move(datum); }
  void set(mlir::Value value, Array array) {
    values[value] = std::make_shared<const Array>(std::move(array));
  }
  void set(mlir::Value value, View view) {
    values[value] = std::make_shared<const View>(std::move(view));
  }
  const Datum &get(mlir::Value value) const;
  const Element &element(mlir::Value value) const { return std::get<Element>(get(value)); }
  const Array &array(mlir::Value value) const { return *std::get<ArrayPtr>(get(value)); }
  const View &view(mlir::Value value) const { return *std::get<ViewPtr>(get(value)); }
  /// An integer that `op` decides something by: no poison.
  int64_t integer(mlir::Operation *op, mlir::Value value) const;
  llvm::SmallVector<int64_t> integers(mlir::Operation *op, mlir::ValueRange values) const;
  llvm::SmallVector<Datum> data(mlir::ValueRange values) const;
  /// The results of an affine map at the values of its operands.
  llvm::SmallVector<int64_t> apply(mlir::Operation *op, mlir::AffineMap map,
                                   mlir::ValueRange operands) const;

  // ---- memory

  /// A global, initialised when first asked for.
  ViewPtr global(mlir::Operation *user, llvm::StringRef name);

  // ---- guards

  /// Counts `steps` scalar operations of `op`; a fault once there were too many.
  void spend(mlir::Operation *op, int64_t steps);
  int64_t stepsTaken() const { return steps; }
  /// Refuses a shape of more elements than the interpreter holds.
  void checkSize(mlir::Operation *op, llvm::ArrayRef<int64_t> shape) const;

  const Options options;

private:
  llvm::DenseMap<mlir::Value, Datum> values;
  llvm::DenseMap<mlir::OperationName, const Handler *> handlers;
  llvm::StringMap<ViewPtr> globals;
  mlir::SymbolTable symbols;
  int64_t steps = 0;
  int64_t nextPoll = 0;
  int64_t depth = 0;
};

[[noreturn]] void fault(mlir::Operation *op, const llvm::Twine &text);
/// Where poison came from, as a fault of its use.
[[noreturn]] void faultOfPoison(mlir::Operation *op, const llvm::Twine &use, const Element &poison);

/// `[1, 2]`.
std::string shown(llvm::ArrayRef<int64_t> index);

/// The value of an affine map at a point; symbols follow dimensions in `operands`.
llvm::SmallVector<int64_t> evaluate(mlir::AffineMap map, llvm::ArrayRef<int64_t> operands);

/// A fault where an index lies outside of a shape.
void checkInside(mlir::Operation *op, llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape,
                 const llvm::Twine &what);

/// The element type of a shaped type, else the type itself.
mlir::Type elementType(mlir::Type type);

} // namespace weft::interpreter

#endif // WEFT_DIALECT_INTERPRETERCORE_H
