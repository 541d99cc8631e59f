// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler for the slave side gives every function the prefix slave_, so that host and slave
// code may define functions of one name; variables keep theirs and are shared.
#include "Swcc.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// Intrinsics that native code would serve by calling the host's C library: they are calls of the
/// slave's instead, with their own cost.
StringRef libraryName(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::tanh:
    return "tanh";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::pow:
    return "pow";
  default:
    return {};
  }
}

StringRef suffixOf(Type *type) {
  return type->isFloatTy() ? "f" : type->isX86_FP80Ty() || type->isFP128Ty() ? "l" : "";
}

void callLibrary(Module &module) {
  SmallVector<IntrinsicInst *> calls;
  for (Function &function : module)
    if (!libraryName(function.getIntrinsicID()).empty())
      for (User *user : function.users())
        calls.push_back(cast<IntrinsicInst>(user));
  for (IntrinsicInst *call : calls) {
    Type *type = call->getType();
    if (type->isVectorTy())
      continue; // clang makes none of C code; native code generation would refuse it
    const std::string name = (libraryName(call->getIntrinsicID()) + suffixOf(type)).str();
    FunctionCallee callee = module.getOrInsertFunction(
        name,
        FunctionType::get(type, call->getCalledFunction()->getFunctionType()->params(), false));
    IRBuilder<> builder(call);
    SmallVector<Value *> arguments(call->args());
    CallInst *plain = builder.CreateCall(callee, arguments);
    plain->takeName(call);
    call->replaceAllUsesWith(plain);
    call->eraseFromParent();
  }
}

/// The core's stack would not follow a jump out of a function.
void refuseJumps(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (auto *call = dyn_cast<CallBase>(&instruction);
            call && call->hasFnAttr(Attribute::ReturnsTwice))
          error(*call, "setjmp in slave code",
                "slave code cannot jump out of a function; return "
                "a status instead");
}

} // namespace

void renameFunctions(Module &module) {
  refuseJumps(module);
  callLibrary(module);
  SmallVector<GlobalValue *> named;
  for (Function &function : module)
    if (!isEmulators(function))
      named.push_back(&function);
  for (GlobalAlias &alias : module.aliases())
    if (isa<Function>(alias.getAliaseeObject()))
      named.push_back(&alias);
  // Names of the program that have the prefix already come first, or f would take the place of a
  // slave_f that has not moved yet.
  std::stable_sort(named.begin(), named.end(), [](const GlobalValue *a, const GlobalValue *b) {
    return a->getName().size() > b->getName().size();
  });
  for (GlobalValue *value : named) {
    const std::string name = value->getName().str();
    // asm("name") on a declaration: what follows the mark is the symbol, as it is.
    if (name.empty() || name[0] == '\1')
      continue;
    const bool prefixed = StringRef(name).starts_with("slave_");
    const bool plainIsTaken =
        prefixed && module.getNamedValue(StringRef(name).drop_front(StringRef("slave_").size()));
    // Some programs write the prefix themselves in slave code, and SLAVE_FUN without it on the
    // host: such a function keeps its name, unless that is another function's.
    if (prefixed && !plainIsTaken)
      continue;
    value->setName("slave_" + name);
  }
}

} // namespace weft::swcc
