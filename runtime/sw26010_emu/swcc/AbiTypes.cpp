// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AbiTypes.h"

#include "Abi.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft::swcc {

void markOwn(Instruction &instruction) {
  instruction.setMetadata(ownMark, MDNode::get(instruction.getContext(), {}));
}

bool isOwn(const Instruction &instruction) { return instruction.hasMetadata(ownMark); }

constexpr StringLiteral orderMark = "weft.order";

void keepInOrder(Instruction &instruction) {
  instruction.setMetadata(orderMark, MDNode::get(instruction.getContext(), {}));
}

bool isKeptInOrder(const Instruction &instruction) { return instruction.hasMetadata(orderMark); }

OwnBuilder::OwnBuilder(Instruction *before)
    : OwnBuilder(before->getParent(), before->getIterator()) {
  SetCurrentDebugLocation(before->getDebugLoc());
}

OwnBuilder::OwnBuilder(BasicBlock *block, BasicBlock::iterator before)
    : IRBuilder(block->getContext(), ConstantFolder(),
                IRBuilderCallbackInserter([](Instruction *made) { markOwn(*made); })) {
  SetInsertPoint(block, before);
  // A call without a place in a function that has one is no valid IR once it is inlined.
  if (!getCurrentDebugLocation())
    if (DISubprogram *program = block->getParent()->getSubprogram())
      SetCurrentDebugLocation(DILocation::get(block->getContext(), program->getLine(), 0, program));
}

Abi::Abi(Module &module)
    : module(module), context(module.getContext()), i8(Type::getInt8Ty(context)),
      i16(Type::getInt16Ty(context)), i32(Type::getInt32Ty(context)),
      i64(Type::getInt64Ty(context)), ptr(PointerType::getUnqual(context)),
      voidType(Type::getVoidTy(context)) {
  site = StructType::create(context, {ptr, ptr, i32, i32}, "WeftSite");
  core = StructType::create(context, {i64, i64, i64, i64, i64, ptr, i64, ptr, i64, i64, i64, i64},
                            "WeftCore");
  static_assert(sizeof(WeftSite) == 24 && sizeof(WeftCore) == 96 &&
                    offsetof(WeftCore, index) == std::size_t{8} * Index &&
                    offsetof(WeftCore, fetched) == std::size_t{8} * Fetched,
                "Abi.h and the types here must have the same layout");
}

Value *Abi::coreOf(Function &function) {
  Value *&known = cores_[&function];
  if (known)
    return known;
  BasicBlock &entry = function.getEntryBlock();
  OwnBuilder builder(&entry, entry.getFirstInsertionPt());
  auto *current = module.getOrInsertGlobal("weft_sw_current", ptr);
  auto *load = builder.CreateLoad(ptr, current, "core");
  // The core of a function never changes, whatever else is written.
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  return known = load;
}

Value *Abi::field(IRBuilderBase &builder, Value *ofCore, CoreField which) const {
  return builder.CreateConstInBoundsGEP2_32(core, ofCore, 0, which);
}

Value *Abi::load(IRBuilderBase &builder, Value *ofCore, CoreField which) const {
  return builder.CreateLoad(core->getElementType(which), field(builder, ofCore, which));
}

void Abi::store(IRBuilderBase &builder, Value *value, Value *ofCore, CoreField which) const {
  builder.CreateStore(value, field(builder, ofCore, which));
}

FunctionCallee Abi::function(StringRef name, Type *result, ArrayRef<Type *> parameters) const {
  FunctionCallee callee =
      module.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
  if (auto *declared = dyn_cast<Function>(callee.getCallee()))
    declared->setDoesNotThrow();
  return callee;
}

FunctionCallee Abi::preempt() const { return function("weft_sw_preempt", voidType, {ptr, ptr}); }
FunctionCallee Abi::spin() const { return function("weft_sw_spin", voidType, {ptr, ptr, i64}); }
FunctionCallee Abi::access() const {
  return function("weft_sw_access", voidType, {ptr, ptr, i64, i32, ptr});
}
FunctionCallee Abi::range() const {
  return function("weft_sw_range", voidType, {ptr, ptr, i64, i32, ptr});
}
FunctionCallee Abi::stackOverflow() const {
  FunctionCallee callee = function("weft_sw_stack_overflow", voidType, {ptr, i64, ptr});
  cast<Function>(callee.getCallee())->setDoesNotReturn();
  return callee;
}
FunctionCallee Abi::indirectCall() const {
  return function("weft_sw_indirect_call", voidType, {ptr, ptr, ptr});
}
FunctionCallee Abi::hostPreempt() const {
  return function("weft_sw_host_preempt", voidType, {ptr});
}

Constant *Abi::text(StringRef text) {
  Constant *&known = texts_[text];
  if (known)
    return known;
  Constant *data = ConstantDataArray::getString(context, text);
  auto *global = new GlobalVariable(module, data->getType(), true, GlobalValue::PrivateLinkage,
                                    data, "weft.text");
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return known = global;
}

Constant *Abi::makeSite(StringRef function, StringRef file, unsigned line, unsigned column) {
  const std::string key =
      (function + "\n" + file + "\n" + Twine(line) + "\n" + Twine(column)).str();
  Constant *&known = sites_[key];
  if (known)
    return known;
  Constant *value =
      ConstantStruct::get(site, {text(function), text(file), ConstantInt::get(i32, line),
                                 ConstantInt::get(i32, column)});
  return known = new GlobalVariable(module, site, true, GlobalValue::PrivateLinkage, value,
                                    "weft.site");
}

Constant *Abi::siteOf(const Instruction &instruction) {
  const DILocation *place = instruction.getDebugLoc().get();
  // What was inlined from a header of the emulator is the caller's place.
  while (place && place->getInlinedAt() && place->getFilename().contains("/include/sw26010/"))
    place = place->getInlinedAt();
  if (!place)
    return siteOf(*instruction.getFunction());
  return makeSite(place->getScope()->getSubprogram()->getName(), place->getFilename(),
                  place->getLine(), place->getColumn());
}

Constant *Abi::siteOf(const Function &function) {
  if (const DISubprogram *program = function.getSubprogram())
    return makeSite(program->getName(), program->getFilename(), program->getLine(), 0);
  return makeSite(sourceName(function), module.getSourceFileName(), 0, 0);
}

StringRef sourceName(const Function &function) {
  if (const DISubprogram *program = function.getSubprogram())
    return program->getName();
  StringRef name = function.getName();
  name.consume_front("slave_");
  return name;
}

bool isEmulators(const Function &function) {
  const StringRef name = function.getName();
  return function.isIntrinsic() || name.starts_with("weft_sw_") || name.starts_with("__weft_");
}

bool isProgram(const Function &function) {
  return !function.isDeclaration() && !isEmulators(function);
}

} // namespace weft::swcc
