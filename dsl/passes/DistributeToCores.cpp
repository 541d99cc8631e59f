#include "passes/Passes.h"

namespace weft {
#define GEN_PASS_DEF_DISTRIBUTETOCORES
#include "passes/Passes.h.inc"
} // namespace weft

namespace {
struct DistributeToCores : public weft::impl::DistributeToCoresBase<DistributeToCores> {
  using DistributeToCoresBase::DistributeToCoresBase;
  void runOnOperation() override {
    getOperation().emitError("not available yet");
    signalPassFailure();
  }
};
} // namespace
