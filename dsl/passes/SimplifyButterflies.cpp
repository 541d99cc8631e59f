#include "passes/Passes.h"

namespace weft {
#define GEN_PASS_DEF_SIMPLIFYBUTTERFLIES
#include "passes/Passes.h.inc"
} // namespace weft

namespace {
struct SimplifyButterflies : public weft::impl::SimplifyButterfliesBase<SimplifyButterflies> {
  using SimplifyButterfliesBase::SimplifyButterfliesBase;
  void runOnOperation() override {
    getOperation().emitError("not available yet");
    signalPassFailure();
  }
};
} // namespace
