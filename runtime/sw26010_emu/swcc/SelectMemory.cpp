// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores.
#include "Select.h"

#include "llvm/IR/DataLayout.h"

using namespace llvm;

namespace weft::swcc {

namespace {

unsigned alignmentOf(const Value *access) {
  if (const auto *load = dyn_cast<LoadInst>(access))
    return load->getAlign().value();
  return cast<StoreInst>(access)->getAlign().value();
}

} // namespace

void Selector::emitLoad(Type *type, unsigned alignment, const Address &from, Register into,
                        const Instruction &source, const Value *pointer) {
  const Shape shape = shapeOf(type);
  const std::uint64_t bytes = function_.getDataLayout().getTypeStoreSize(type);
  const auto load = [&](StringRef mnemonic, Register name, std::uint64_t offset) {
    Operation &operation = emit(here(), mnemonic, name, {from.base}, &source);
    operation.immediate = from.displacement + std::int64_t(offset);
    operation.hasImmediate = true;
    operation.symbol = from.symbol;
    operation.pointer = pointer;
    operation.bytes = bytes;
    operation.reads = true;
  };
  if (shape.vector) {
    const StringRef mnemonic = shape.floating && shape.single ? "vlds" : "vldd";
    const std::uint64_t part = bytes / shape.registers;
    for (unsigned index = 0; index < shape.registers; ++index) {
      if (alignment >= part) {
        load(mnemonic, into, index * part);
        continue;
      }
      // Two aligned loads and a merge.
      const Register high = code_.fresh(), low = code_.fresh();
      load(shape.single ? "vlds_u" : "vldd_u", high, index * part);
      load(shape.single ? "vlds_u" : "vldd_u", low, (index + 1) * part);
      // Goes behind them where a pipe is free, whatever order is kept.
      emit(here(), "vbisw", into, {high, low}, &source).glue = true;
    }
    return;
  }
  if (type->isFloatingPointTy())
    return load(type->isFloatTy() ? "flds" : "fldd", into, 0);
  const unsigned wide = type->isPointerTy() ? 8 : unsigned(bytes);
  if (wide <= 8)
    return load(wide == 1 ? "ldbu" : wide == 2 ? "ldhu" : wide <= 4 ? "ldw" : "ldl", into, 0);
  for (std::uint64_t offset = 0; offset < bytes; offset += 8)
    load("ldl", into, offset);
}

void Selector::emitStore(Type *type, unsigned alignment, const Address &to, Register value,
                         const Instruction &source, const Value *pointer) {
  const Shape shape = shapeOf(type);
  const std::uint64_t bytes = function_.getDataLayout().getTypeStoreSize(type);
  const auto store = [&](StringRef mnemonic, std::uint64_t offset) {
    Operation &operation = emit(here(), mnemonic, noRegister, {value, to.base}, &source);
    operation.immediate = to.displacement + std::int64_t(offset);
    operation.hasImmediate = true;
    operation.symbol = to.symbol;
    operation.pointer = pointer;
    operation.bytes = bytes;
    operation.writes = true;
  };
  if (shape.vector) {
    const std::uint64_t part = bytes / shape.registers;
    for (unsigned index = 0; index < shape.registers; ++index) {
      if (alignment >= part) {
        store(shape.floating && shape.single ? "vsts" : "vstd", index * part);
        continue;
      }
      store(shape.single ? "vsts_u" : "vstd_u", index * part);
      store(shape.single ? "vsts_u" : "vstd_u", (index + 1) * part);
    }
    return;
  }
  if (type->isFloatingPointTy())
    return store(type->isFloatTy() ? "fsts" : "fstd", 0);
  const unsigned wide = type->isPointerTy() ? 8 : unsigned(bytes);
  if (wide <= 8)
    return store(wide == 1 ? "stb" : wide == 2 ? "sth" : wide <= 4 ? "stw" : "stl", 0);
  for (std::uint64_t offset = 0; offset < bytes; offset += 8)
    store("stl", offset);
}

void Selector::selectLoad(const LoadInst &load) {
  const Address from = address(load.getPointerOperand(), load);
  emitLoad(load.getType(), alignmentOf(&load), from, defined(load), load, load.getPointerOperand());
}

/// ldde and ldse load one element into all lanes.
void Selector::selectSplatLoad(const Instruction &splat, const LoadInst &load) {
  const Address from = address(load.getPointerOperand(), load);
  Operation &operation = emit(here(), load.getType()->isFloatTy() ? "ldse" : "ldde", defined(splat),
                              {from.base}, &load);
  operation.immediate = from.displacement;
  operation.hasImmediate = true;
  operation.symbol = from.symbol;
  operation.pointer = load.getPointerOperand();
  operation.bytes = load.getType()->isFloatTy() ? 4 : 8;
  operation.reads = true;
}

void Selector::selectStore(const StoreInst &store) {
  const Address to = address(store.getPointerOperand(), store);
  const Register value = registerOf(store.getValueOperand());
  emitStore(store.getValueOperand()->getType(), alignmentOf(&store), to, value, store,
            store.getPointerOperand());
}

} // namespace weft::swcc
