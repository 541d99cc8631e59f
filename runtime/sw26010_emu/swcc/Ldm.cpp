// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where variables of a CPE are. Section weft_ldm holds the first values of LDM variables, at the
// same offsets as in every core's LDM; weft_private likewise for each core's private main memory.
// The address on the running core is therefore that in the section plus one distance a function.
// slave.h gives each declaration a section of its own, for C allows no constants beside variables
// in one; they are joined first of all.
#include "Swcc.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace weft::swcc {

namespace {

constexpr StringLiteral ldmSection = "weft_ldm", ldmPart = "weft_ldm.",
                        privateSection = "weft_private", relocationSection = "weft_ldm_relocations";

struct Sections {
  explicit Sections(Abi &abi) : abi(abi) {}

  Abi &abi;
  DenseMap<std::pair<Function *, unsigned>, Value *> distances;
  DenseMap<std::pair<Function *, GlobalVariable *>, Value *> addresses;

  /// Distance of the running core's copies from the section, in bytes.
  Value *distance(Function &function, CoreField base, StringRef section) {
    Value *&known = distances[{&function, base}];
    if (known)
      return known;
    auto *core = cast<Instruction>(abi.coreOf(function));
    OwnBuilder builder(core->getNextNode());
    auto *start =
        cast<GlobalVariable>(abi.module.getOrInsertGlobal(("__start_" + section).str(), abi.i8));
    start->setVisibility(GlobalValue::HiddenVisibility);
    Value *at = abi.load(builder, core, base);
    cast<LoadInst>(at)->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(abi.context, {}));
    return known = builder.CreateSub(at, builder.CreatePtrToInt(start, abi.i64));
  }

  Value *address(Function &function, GlobalVariable &variable) {
    Value *&known = addresses[{&function, &variable}];
    if (known)
      return known;
    const bool ldm = variable.getSection() == ldmSection;
    Value *bytes =
        distance(function, ldm ? LdmBase : PrivateBase, ldm ? ldmSection : privateSection);
    OwnBuilder builder(cast<Instruction>(bytes)->getNextNode());
    return known = builder.CreateGEP(abi.i8, &variable, bytes, variable.getName() + ".here");
  }
};

/// Pointers to LDM variables among first values: the loader of an LDM image adds its distance.
/// Elsewhere such a pointer would mean another place on each core, and there is one copy only.
void relocateInitializers(Abi &abi, GlobalVariable &variable) {
  for (GlobalVariable &holder : make_early_inc_range(abi.module.globals())) {
    if (!holder.hasInitializer() || holder.getName().starts_with("llvm.") ||
        holder.getSection() == relocationSection)
      continue;
    SmallVector<std::pair<Constant *, std::uint64_t>> work = {{holder.getInitializer(), 0}};
    while (!work.empty()) {
      auto [constant, offset] = work.pop_back_val();
      const DataLayout &layout = abi.module.getDataLayout();
      if (auto *type = dyn_cast<StructType>(constant->getType())) {
        for (unsigned i = 0; i < type->getNumElements(); ++i)
          work.push_back({constant->getAggregateElement(i),
                          offset + layout.getStructLayout(type)->getElementOffset(i)});
        continue;
      }
      if (auto *type = dyn_cast<ArrayType>(constant->getType())) {
        if (isa<ConstantAggregateZero, ConstantDataSequential, UndefValue>(constant))
          continue;
        for (unsigned i = 0; i < type->getNumElements(); ++i)
          work.push_back({constant->getAggregateElement(i),
                          offset + i * layout.getTypeAllocSize(type->getElementType())});
        continue;
      }
      if (!constant->getType()->isPointerTy() ||
          constant->stripInBoundsConstantOffsets() != &variable)
        continue;
      if (holder.getSection() != ldmSection || variable.getSection() != ldmSection) {
        error(abi.module,
              "'" + holder.getName() + "' is initialised with the address of '" +
                  variable.getName() + "', which is another on each core",
              "assign the pointer at run time, or make it __thread_local as well");
        continue;
      }
      Constant *slot =
          ConstantExpr::getGetElementPtr(abi.i8, &holder, ConstantInt::get(abi.i64, offset));
      auto *entry = new GlobalVariable(abi.module, abi.ptr, false, GlobalValue::InternalLinkage,
                                       slot, "weft.ldm.pointer");
      entry->setSection(relocationSection);
      appendToCompilerUsed(abi.module, entry);
    }
  }
}

/// Program functions use `variable` through its place on the running core.
void redirect(Sections &sections, GlobalVariable &variable) {
  SmallVector<Use *> uses;
  for (Use &use : variable.uses())
    if (auto *user = dyn_cast<Instruction>(use.getUser()))
      if (!isOwn(*user) && isProgram(*user->getFunction()))
        uses.push_back(&use);
  for (Use *use : uses) {
    auto *user = cast<Instruction>(use->getUser());
    use->set(sections.address(*user->getFunction(), variable));
  }
}

/// llvm.threadlocal.address: the variable is no thread's any more.
void dropThreadLocal(GlobalVariable &variable) {
  for (User *user : make_early_inc_range(variable.users()))
    if (auto *call = dyn_cast<IntrinsicInst>(user);
        call && call->getIntrinsicID() == Intrinsic::threadlocal_address) {
      call->replaceAllUsesWith(&variable);
      call->eraseFromParent();
    }
  variable.setThreadLocal(false);
}

} // namespace

void joinLdmSections(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (variable.getSection().starts_with(ldmPart))
      variable.setSection(ldmSection);
}

void placeVariables(Abi &abi) {
  Sections sections(abi);
  SmallVector<GlobalVariable *> own;
  SmallVector<Constant *> constants;
  for (GlobalVariable &variable : abi.module.globals()) {
    if (variable.isThreadLocal()) {
      dropThreadLocal(variable);
      variable.setSection(privateSection);
    }
    if (variable.getSection() != ldmSection && variable.getSection() != privateSection)
      continue;
    variable.setConstant(false);
    own.push_back(&variable);
    constants.push_back(&variable);
  }
  for (GlobalVariable *variable : own)
    relocateInitializers(abi, *variable);
  convertUsersOfConstantsToInstructions(constants);
  for (GlobalVariable *variable : own)
    redirect(sections, *variable);
}

} // namespace weft::swcc
