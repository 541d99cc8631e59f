#include "passes/Passes.h"

namespace weft {
#define GEN_PASS_DEF_UNROLL
#include "passes/Passes.h.inc"
} // namespace weft

namespace {
struct Unroll : public weft::impl::UnrollBase<Unroll> {
  using UnrollBase::UnrollBase;
  void runOnOperation() override {
    getOperation().emitError("not available yet");
    signalPassFailure();
  }
};
} // namespace
