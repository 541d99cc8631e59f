// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckCalls.h"

#include "Abi.h"

using namespace llvm;

namespace weft::swcc {

namespace {

constexpr StringLiteral quickName = "__weft_check", slowName = "__weft_access";

/// 256-bit registers are the caller's to keep: functions of both kinds may meet in one program.
bool hasWideRegisters(const Function &function) {
  return function.getFnAttribute("target-features").getValueAsString().contains("+avx");
}

Value *granuleIsBusy(IRBuilderBase &builder, Value *shadow, Value *offset) {
  Type *byte = builder.getInt8Ty();
  Value *granule = builder.CreateLShr(offset, Log2_32(WEFT_SW_GRANULE));
  return builder.CreateLoad(byte, builder.CreateInBoundsGEP(byte, shadow, granule));
}

} // namespace

Function *makeHelper(const Function &caller, StringRef name, unsigned pointers) {
  Module &module = *const_cast<Module *>(caller.getParent());
  LLVMContext &context = module.getContext();
  const SmallVector<Type *> parameters(pointers, PointerType::getUnqual(context));
  Function *made = Function::Create(FunctionType::get(Type::getVoidTy(context), parameters, false),
                                    GlobalValue::LinkOnceODRLinkage, name, module);
  made->setVisibility(GlobalValue::HiddenVisibility);
  made->setComdat(module.getOrInsertComdat(name));
  made->setCallingConv(CallingConv::PreserveAll);
  made->setDoesNotThrow();
  made->addFnAttr(Attribute::NoInline);
  // Which registers there are to keep is a matter of the target's features. The upper halves of
  // vectors are among them: they must not be cleared on the way back.
  std::string features = caller.getFnAttribute("target-features").getValueAsString().str();
  features += features.empty() ? "-vzeroupper" : ",-vzeroupper";
  made->addFnAttr("target-features", features);
  for (const StringRef kind : {"target-cpu", "tune-cpu"})
    if (caller.hasFnAttribute(kind))
      made->addFnAttr(caller.getFnAttribute(kind));
  return made;
}

std::string helperName(const Function &caller, StringRef name) {
  return (name + (hasWideRegisters(caller) ? "_wide" : "")).str();
}

CallInst *callHelper(IRBuilderBase &builder, Function *helper, ArrayRef<Value *> arguments) {
  CallInst *call = builder.CreateCall(helper, arguments);
  call->setCallingConv(helper->getCallingConv());
  return call;
}

Value *isOutside(IRBuilderBase &builder, Value *offset, const Access &access) {
  if (access.kind & WEFT_SW_UNALIGNED)
    return builder.CreateICmpUGT(offset, builder.getInt64(WEFT_SW_LDM_BYTES - access.bytes));
  return builder.CreateIsNotNull(
      builder.CreateAnd(offset, builder.getInt64(~(WEFT_SW_LDM_BYTES - access.bytes))));
}

Value *isBusy(IRBuilderBase &builder, Value *shadow, Value *offset, const Access &access) {
  Value *busy = granuleIsBusy(builder, shadow, offset);
  if ((access.kind & WEFT_SW_UNALIGNED) && access.bytes > 1)
    busy = builder.CreateOr(
        busy, granuleIsBusy(builder, shadow,
                            builder.CreateAdd(offset, builder.getInt64(access.bytes - 1))));
  return builder.CreateIsNotNull(busy);
}

bool isCheckCall(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(quickName);
}

void CheckCalls::check(const Access &access) {
  OwnBuilder builder(access.at);
  callHelper(builder, checker(access, false), {access.pointer, abi_.siteOf(*access.at)});
}

void CheckCalls::leave(OwnBuilder &builder, const Access &access) {
  callHelper(builder, checker(access, true), {access.pointer, abi_.siteOf(*access.at)});
}

Function *CheckCalls::checker(const Access &access, bool slow) {
  const std::string name = (helperName(function_, slow ? slowName : quickName) + "_" +
                            Twine(access.bytes) + "_" + Twine(access.kind))
                               .str();
  if (Function *known = abi_.module.getFunction(name))
    return known;
  Function *made = makeHelper(function_, name, 2);
  if (slow)
    defineSlow(*made, access);
  else
    defineQuick(*made, access);
  return made;
}

Value *CheckCalls::currentCore(IRBuilderBase &builder) const {
  return builder.CreateLoad(abi_.ptr, abi_.module.getOrInsertGlobal("weft_sw_current", abi_.ptr));
}

void CheckCalls::defineSlow(Function &checker, const Access &access) const {
  IRBuilder<> builder(BasicBlock::Create(abi_.context, "", &checker));
  builder.CreateCall(abi_.access(),
                     {currentCore(builder), checker.getArg(0), builder.getInt64(access.bytes),
                      builder.getInt32(access.kind), checker.getArg(1)});
  builder.CreateRetVoid();
}

void CheckCalls::defineQuick(Function &checker, const Access &access) {
  Function *callee = this->checker(access, true);
  auto *start = BasicBlock::Create(abi_.context, "", &checker);
  auto *inside = BasicBlock::Create(abi_.context, "inside", &checker);
  auto *plain = BasicBlock::Create(abi_.context, "plain", &checker);
  auto *slow = BasicBlock::Create(abi_.context, "slow", &checker);
  IRBuilder<> builder(start);
  Value *core = currentCore(builder);
  Value *offset = builder.CreateSub(builder.CreatePtrToInt(checker.getArg(0), abi_.i64),
                                    abi_.load(builder, core, LdmBase));
  builder.CreateCondBr(isOutside(builder, offset, access), slow, inside);
  builder.SetInsertPoint(inside);
  Value *shadow = abi_.load(builder, core, Shadow);
  builder.CreateCondBr(isBusy(builder, shadow, offset, access), slow, plain);
  IRBuilder<>(plain).CreateRetVoid();
  builder.SetInsertPoint(slow);
  callHelper(builder, callee, {checker.getArg(0), checker.getArg(1)})->setTailCall();
  builder.CreateRetVoid();
}

} // namespace weft::swcc
