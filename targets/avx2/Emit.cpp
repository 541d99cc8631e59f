//===- Emit.cpp - shuffles of AVX2 -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/TargetEmitter.h"

namespace weft {

namespace {

class Avx2Emitter : public TargetEmitter {
  /// Compilers choose the instructions of a shuffle themselves: unpack, blend, permutation of
  /// 128-bit halves, or two of these. With four or eight lanes they find the fewest.
  ShuffleForm shuffle(llvm::ArrayRef<int64_t> mask, int64_t, bool) const override {
    ShuffleForm form;
    form.op = "vector.shuffle";
    form.mask.assign(mask.begin(), mask.end());
    return form;
  }
};

} // namespace

const TargetEmitter &avx2Emitter() {
  static const Avx2Emitter emitter;
  return emitter;
}

} // namespace weft
