#include "passes/Passes.h"

namespace weft {
#define GEN_PASS_DEF_LOWERTOLOOPS
#include "passes/Passes.h.inc"
} // namespace weft

namespace {
struct LowerToLoops : public weft::impl::LowerToLoopsBase<LowerToLoops> {
  using LowerToLoopsBase::LowerToLoopsBase;
  void runOnOperation() override {
    getOperation().emitError("not available yet");
    signalPassFailure();
  }
};
} // namespace
