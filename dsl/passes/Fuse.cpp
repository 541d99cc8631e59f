#include "passes/Passes.h"

namespace weft {
#define GEN_PASS_DEF_FUSE
#include "passes/Passes.h.inc"
} // namespace weft

namespace {
struct Fuse : public weft::impl::FuseBase<Fuse> {
  using FuseBase::FuseBase;
  void runOnOperation() override {
    getOperation().emitError("not available yet");
    signalPassFailure();
  }
};
} // namespace
