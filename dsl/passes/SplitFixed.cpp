//===- SplitFixed.cpp - what fixed inputs need once, and what calls need ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Both parts are made of the same IR by the same passes, one compilation each, so that what one
// returns is what the other expects, in the layout that arrange-contractions has chosen.
//
//===-----------------------------------------------------------------------===//

#include "passes/Notes.h"
#include "passes/tensors/FixedInputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringSet.h"

namespace weft {
#define GEN_PASS_DEF_SPLITFIXED
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;

namespace {

constexpr Notes notes("split-fixed");

class Split {
public:
  explicit Split(func::FuncOp func) : func(func), body(func.getBody().front()) { collect(); }

  void prepare();
  void run();
  void explain();

private:
  void collect();
  bool isView(Value value);
  void dropArguments(llvm::function_ref<bool(BlockArgument)> goes);
  void eraseUnread(bool ofCalls);
  std::string nameOf(size_t number);

  func::FuncOp func;
  Block &body;
  FixedInputs inputs;
  llvm::SetVector<Value> prepared; ///< what calls read of the values that fixed inputs give
  llvm::SetVector<Value> kept;     ///< fixed inputs, and other shapes of them, that calls read
};

/// A fixed input, or the same elements under another shape: nothing is computed for it.
bool Split::isView(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  return isa<BlockArgument>(value);
}

void Split::collect() {
  for (Operation &op : body) {
    if (inputs.of(&op) != Dependence::Call)
      continue;
    llvm::SetVector<Value> read(op.operand_begin(), op.operand_end());
    getUsedValuesDefinedAbove(op.getRegions(), read);
    for (Value value : read)
      if (inputs.of(value) == Dependence::Fixed)
        (isView(value) ? kept : prepared).insert(value);
  }
  for (size_t n = 0; n < kept.size(); ++n)
    if (auto reshape = kept[n].getDefiningOp<ReshapeOp>())
      kept.insert(reshape.getInput());
}

void Split::dropArguments(llvm::function_ref<bool(BlockArgument)> goes) {
  BitVector gone(func.getNumArguments());
  for (BlockArgument argument : func.getArguments())
    if (goes(argument))
      gone.set(argument.getArgNumber());
  (void)func.eraseArguments(gone);
}

/// What nobody reads any more; and, where `ofCalls`, all that is not of fixed inputs alone.
void Split::eraseUnread(bool ofCalls) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (!op.hasTrait<OpTrait::IsTerminator>() && ((ofCalls && inputs.of(&op) == Dependence::Call) ||
                                                  (op.use_empty() && isMemoryEffectFree(&op))))
      op.erase();
}

/// Of no other argument.
std::string Split::nameOf(size_t number) {
  std::string name = "prepared" + std::to_string(number);
  llvm::StringSet<> taken;
  auto note = [&](Attribute attribute) {
    if (auto named = dyn_cast_or_null<StringAttr>(attribute))
      taken.insert(named.getValue());
  };
  for (unsigned n = 0; n < func.getNumArguments(); ++n)
    note(func.getArgAttr(n, "weft.name"));
  for (unsigned n = 0; n < func.getNumResults(); ++n)
    note(func.getResultAttr(n, "weft.name"));
  while (taken.contains(name))
    name += "_";
  return name;
}

void Split::explain() {
  for (Value value : prepared) {
    auto type = cast<RankedTensorType>(value.getType());
    notes.decided(value.getLoc(), "{0} is computed once", spoken(value))
        .because("fixed inputs give it; calls read its {0} elements", type.getNumElements())
        .number("elements", type.getNumElements());
  }
}

void Split::prepare() {
  SmallVector<std::string> names;
  for (size_t n = 0; n < prepared.size(); ++n)
    names.push_back(nameOf(n));
  Operation *last = body.getTerminator();
  last->setOperands(prepared.getArrayRef());
  eraseUnread(/*ofCalls=*/true);
  auto type = FunctionType::get(func.getContext(), func.getFunctionType().getInputs(),
                                ValueRange(prepared.getArrayRef()).getTypes());
  func.setResAttrsAttr(ArrayAttr());
  func.setFunctionType(type);
  for (auto [n, name] : llvm::enumerate(names))
    func.setResultAttr(n, "weft.name", StringAttr::get(func.getContext(), name));
  dropArguments([&](BlockArgument argument) { return inputs.of(argument) != Dependence::Fixed; });
}

void Split::run() {
  for (auto [n, found] : llvm::enumerate(prepared)) {
    Value value = found;
    auto name = StringAttr::get(func.getContext(), nameOf(n));
    auto attributes = DictionaryAttr::get(
        func.getContext(), {NamedAttribute(StringAttr::get(func.getContext(), "weft.name"), name)});
    (void)func.insertArgument(func.getNumArguments(), value.getType(), attributes, value.getLoc());
    value.replaceAllUsesWith(func.getArguments().back());
  }
  eraseUnread(/*ofCalls=*/false);
  dropArguments([&](BlockArgument argument) {
    return inputs.of(argument) == Dependence::Fixed && !kept.contains(argument);
  });
}

struct SplitFixed : public weft::impl::SplitFixedBase<SplitFixed> {
  using SplitFixedBase::SplitFixedBase;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      auto part = func->getAttrOfType<StringAttr>(partMark);
      if (!part)
        continue;
      Split split(func);
      split.explain();
      if (part.getValue() == "prepare")
        split.prepare();
      else
        split.run();
    }
  }
};

} // namespace
