#include "passes/Passes.h"

namespace weft {
#define GEN_PASS_DEF_VECTORIZECOMPLEX
#include "passes/Passes.h.inc"
} // namespace weft

namespace {
struct VectorizeComplex : public weft::impl::VectorizeComplexBase<VectorizeComplex> {
  using VectorizeComplexBase::VectorizeComplexBase;
  void runOnOperation() override {
    getOperation().emitError("not available yet");
    signalPassFailure();
  }
};
} // namespace
