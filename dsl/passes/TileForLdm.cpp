#include "passes/Passes.h"

namespace weft {
#define GEN_PASS_DEF_TILEFORLDM
#include "passes/Passes.h.inc"
} // namespace weft

namespace {
struct TileForLdm : public weft::impl::TileForLdmBase<TileForLdm> {
  using TileForLdmBase::TileForLdmBase;
  void runOnOperation() override {
    getOperation().emitError("not available yet");
    signalPassFailure();
  }
};
} // namespace
