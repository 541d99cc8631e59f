#include "targets/common/CEmitter.h"

mlir::FailureOr<weft::Emitted> weft::emitC(mlir::ModuleOp module, llvm::StringRef banner) {
  return module.emitError("no emitter yet");
}
