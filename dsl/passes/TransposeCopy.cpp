#include "passes/TransposeCopy.h"
namespace weft {
bool transposeInRegisters(mlir::affine::AffineForOp, int64_t) { return false; }
} // namespace weft
