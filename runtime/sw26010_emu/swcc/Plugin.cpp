// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass that clang loads: -fpass-plugin=WeftSwcc.so. Each stage is a file of its own; this one
// says their order.
#include "Charge.h"
#include "HostCost.h"
#include "Swcc.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace weft::swcc;

namespace {

enum class Side { Host, Slave };

cl::opt<Side> side("weft-side", cl::desc("whose code this is"), cl::init(Side::Host),
                   cl::values(clEnumValN(Side::Host, "host", "the MPE's"),
                              clEnumValN(Side::Slave, "slave", "the CPEs'")));

// What clang compiles may be a temporary file.
cl::opt<std::string> source("weft-source", cl::desc("the file as the programmer named it"));
cl::opt<std::string> listing("weft-listing", cl::desc("where --emit=asm goes"));

struct Prepare : PassInfoMixin<Prepare> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    if (!source.empty())
      module.setSourceFileName(source);
    joinLdmSections(module);
    if (side == Side::Slave)
      prepareSlave(module);
    else
      prepareHost(module);
    stopOnErrors();
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct Finish : PassInfoMixin<Finish> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    if (side == Side::Slave)
      slave(module, analyses);
    else
      host(module, analyses);
    stopOnErrors();
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  void slave(Module &module, ModuleAnalysisManager &analyses) {
    Abi abi(module);
    releaseKept(module);
    // Charging looks at library calls by their slave names, and at assembly as operations.
    renameFunctions(module);
    lowerAssembly(abi, analyses);
    stopOnErrors();
    // Charging comes before anything is added: LDM variables and stack objects still have their
    // plain addresses, accesses no checks.
    chargeModule(module, analyses, {.listing = listing});
    forgetDeductions(module);
    placeVariables(abi);
    placeLocals(abi);
    insertPreemption(abi, analyses);
    insertChecks(abi, analyses);
    insertSites(abi);
    for (Function &function : module)
      if (isProgram(function))
        lowerCharges(function, abi.coreOf(function));
    resolveOperations(module, analyses);
  }

  void host(Module &module, ModuleAnalysisManager &analyses) {
    Abi abi(module);
    lowerHostAssembly(abi);
    stopOnErrors();
    const HostLoops loops = insertHostPreemption(abi, analyses);
    placeHostVariables(module);
    chargeHost(module, analyses);
    // Last: neither is an access of the program's.
    insertHostSites(abi);
    giveHostWay(abi, loops);
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "WeftSwcc", "1", [](PassBuilder &builder) {
            builder.registerPipelineStartEPCallback(
                [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(Prepare()); });
            builder.registerOptimizerLastEPCallback(
                [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
                  passes.addPass(Finish());
                });
          }};
}
