#include "passes/Passes.h"

namespace weft {
#define GEN_PASS_DEF_CHECKEMITTABLE
#include "passes/Passes.h.inc"
} // namespace weft

namespace {
struct CheckEmittable : public weft::impl::CheckEmittableBase<CheckEmittable> {
  using CheckEmittableBase::CheckEmittableBase;
  void runOnOperation() override {
    getOperation().emitError("not available yet");
    signalPassFailure();
  }
};
} // namespace
