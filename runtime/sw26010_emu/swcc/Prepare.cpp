// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before the optimizer: what it must not assume of this machine's programs.
#include "Swcc.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// As driver/Rewrite.cpp writes it.
constexpr StringLiteral inlineMark = "weft inline";

/// Functions that the driver marked as `inline`: without optimization clang does not tell.
DenseSet<const Value *> inlineMarks(const Module &module) {
  DenseSet<const Value *> marked;
  const GlobalVariable *table = module.getNamedGlobal("llvm.global.annotations");
  if (!table)
    return marked;
  const auto *rows = dyn_cast<ConstantArray>(table->getInitializer());
  for (unsigned n = 0; rows && n < rows->getNumOperands(); ++n) {
    const auto *row = cast<ConstantStruct>(rows->getOperand(n));
    const auto *name = dyn_cast<GlobalVariable>(row->getOperand(1)->stripPointerCasts());
    const auto *text = name ? dyn_cast<ConstantDataArray>(name->getInitializer()) : nullptr;
    if (text && text->isCString() && text->getAsCString() == inlineMark)
      marked.insert(row->getOperand(0)->stripPointerCasts());
  }
  return marked;
}

/// Inline functions of old C: `inline` alone defines the function in every file that has it, and
/// `extern inline` in none. Here each file has it, and the linker keeps one: both rules, and C99's,
/// find what they call.
void settleInlineFunctions(Module &module) {
  const DenseSet<const Value *> marked = inlineMarks(module);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    const bool otherwise = function.hasAvailableExternallyLinkage();
    const bool here = function.hasExternalLinkage() && marked.contains(&function);
    if (otherwise || here)
      function.setLinkage(GlobalValue::WeakODRLinkage);
  }
}

bool changesNothing(const Instruction &instruction) {
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return call->isInlineAsm() ||
           (isa<IntrinsicInst>(call) &&
            (cast<IntrinsicInst>(call)->isAssumeLikeIntrinsic() || !call->mayWriteToMemory()));
  // A volatile load counts as a write to those who ask LLVM.
  return isa<LoadInst>(instruction) || !instruction.mayWriteToMemory();
}

/// A loop that changes nothing and goes round waits for a transfer, another core or the MPE to
/// change memory, declared volatile or not: plain C would make it endless, or remove it.
void readAgainInWaits(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    bool waits = true;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &instruction : *block)
        waits &= changesNothing(instruction);
    if (!waits)
      continue;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &instruction : *block)
        if (auto *load = dyn_cast<LoadInst>(&instruction)) {
          auto *local = dyn_cast<AllocaInst>(load->getPointerOperand());
          if (!local || !isAllocaPromotable(local))
            load->setVolatile(true);
        }
  }
}

/// Assembly that does more than compute a register: sw5cc keeps each such statement, in order,
/// also where the program forgets to say volatile or "memory".
bool acts(StringRef text) {
  // Mnemonics of which any operation begins with one of these reads or writes more than registers.
  static constexpr StringLiteral effects[] = {"put",   "get",  "ld",   "st",    "vld",   "vst",
                                              "dma",   "rcsr", "wcsr", "rfpcr", "wfpcr", "rtc",
                                              "faa",   "upd",  "syn",  "memb",  "halt",  "sel",
                                              "ucadd", "addo", "subo", "uaddo", "usubo", "lookup"};
  SmallVector<StringRef> lines;
  SplitString(text, lines, "\n;");
  for (StringRef line : lines) {
    line = line.trim();
    if (line.starts_with("ldi"))
      continue;
    for (StringRef effect : effects)
      if (line.starts_with(effect))
        return true;
  }
  return false;
}

void keepAssembly(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : block) {
        auto *call = dyn_cast<CallInst>(&instruction);
        auto *code = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
        if (!code || !acts(code->getAsmString()))
          continue;
        call->setCalledOperand(InlineAsm::get(code->getFunctionType(), code->getAsmString(),
                                              code->getConstraintString(), true,
                                              code->isAlignStack(), code->getDialect()));
        call->removeFnAttr(Attribute::Memory);
        call->setMemoryEffects(MemoryEffects::unknown());
      }
}

/// The square root is an instruction; that the library's function sets errno is of no use here.
void useRootInstruction(Module &module) {
  for (StringRef name : {"sqrt", "sqrtf"}) {
    Function *library = module.getFunction(name);
    if (!library || !library->isDeclaration() || library->arg_size() != 1 ||
        library->getReturnType() != library->getArg(0)->getType())
      continue;
    for (User *user : make_early_inc_range(library->users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledFunction() != library)
        continue;
      IRBuilder<> builder(call);
      call->replaceAllUsesWith(
          builder.CreateUnaryIntrinsic(Intrinsic::sqrt, call->getArgOperand(0)));
      call->eraseFromParent();
    }
  }
}

/// a * b + c of one expression is one fused instruction on this machine, whatever the host has.
void fuseProducts(Module &module) {
  SmallVector<IntrinsicInst *> calls;
  for (Function &function : module)
    if (function.getIntrinsicID() == Intrinsic::fmuladd)
      for (User *user : function.users())
        calls.push_back(cast<IntrinsicInst>(user));
  for (IntrinsicInst *call : calls) {
    IRBuilder<> builder(call);
    Value *fused = builder.CreateIntrinsic(
        Intrinsic::fma, {call->getType()},
        {call->getArgOperand(0), call->getArgOperand(1), call->getArgOperand(2)}, call);
    call->replaceAllUsesWith(fused);
    call->eraseFromParent();
  }
}

/// Vectors of 32 bytes, and floatv4 of 16, are loaded and stored aligned, but for the intrinsics
/// that say otherwise, whose accesses have no alignment at all. clang knows better where it sees
/// that an array is aligned less, and would have the misaligned access pass for an intended one.
void alignVectors(Function &function) {
  constexpr std::uint64_t vector = 32;
  constexpr std::uint64_t floats = 16;
  const auto natural = [](Type *type, Align known) {
    const auto *lanes = dyn_cast<FixedVectorType>(type);
    const std::uint64_t bytes = lanes ? lanes->getPrimitiveSizeInBits() / 8 : 0;
    const bool whole = bytes == vector || (bytes == floats && lanes->getElementType()->isFloatTy());
    return whole && known > Align(1) ? std::max(known, Align(bytes)) : known;
  };
  for (BasicBlock &block : function)
    for (Instruction &instruction : block) {
      if (auto *load = dyn_cast<LoadInst>(&instruction))
        load->setAlignment(natural(load->getType(), load->getAlign()));
      else if (auto *store = dyn_cast<StoreInst>(&instruction))
        store->setAlignment(natural(store->getValueOperand()->getType(), store->getAlign()));
    }
}

/// The vendor's compiler puts arrays at multiples of 32 bytes, so that vectors fit.
void alignArrays(Module &module) {
  constexpr std::uint64_t bytes = 32;
  const DataLayout &layout = module.getDataLayout();
  const auto large = [&](Type *type) {
    return type->isArrayTy() && layout.getTypeAllocSize(type) >= bytes;
  };
  for (GlobalVariable &variable : module.globals())
    if (!variable.isDeclaration() && !variable.isConstant() && large(variable.getValueType()))
      variable.setAlignment(std::max(variable.getAlign().valueOrOne(), Align(bytes)));
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (auto *local = dyn_cast<AllocaInst>(&instruction);
            local && large(local->getAllocatedType()))
          local->setAlignment(std::max(local->getAlign(), Align(bytes)));
}

} // namespace

void prepareSlave(Module &module) {
  alignArrays(module);
  settleInlineFunctions(module);
  keepAssembly(module);
  useRootInstruction(module);
  fuseProducts(module);
  for (Function &function : module)
    if (isProgram(function)) {
      alignVectors(function);
      readAgainInWaits(function);
    }
  keepCarried(module);
  keepProducts(module);
}

void prepareHost(Module &module) {
  alignArrays(module);
  settleInlineFunctions(module);
  for (Function &function : module)
    if (isProgram(function))
      readAgainInWaits(function);
  keepAssembly(module);
}

} // namespace weft::swcc
