#include "passes/Passes.h"

namespace weft {
#define GEN_PASS_DEF_FACTORTRANSFORM
#include "passes/Passes.h.inc"
} // namespace weft

namespace {
struct FactorTransform : public weft::impl::FactorTransformBase<FactorTransform> {
  using FactorTransformBase::FactorTransformBase;
  void runOnOperation() override {
    getOperation().emitError("not available yet");
    signalPassFailure();
  }
};
} // namespace
