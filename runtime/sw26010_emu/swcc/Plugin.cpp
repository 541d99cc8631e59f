// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass that clang loads: -fpass-plugin=WeftSwcc.so. Each stage is a file of its own; this one
// says their order.
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;

namespace {

struct SwccPass : PassInfoMixin<SwccPass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "WeftSwcc", "1", [](PassBuilder &builder) {
            builder.registerOptimizerLastEPCallback(
                [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
                  passes.addPass(SwccPass());
                });
          }};
}
