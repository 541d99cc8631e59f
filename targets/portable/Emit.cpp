//===- Emit.cpp - vector extensions of gcc and clang -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/TargetEmitter.h"

namespace weft {

namespace {

class PortableEmitter : public TargetEmitter {
  /// Compilers choose the instructions of a shuffle themselves.
  ShuffleForm shuffle(llvm::ArrayRef<int64_t> mask, int64_t, bool) const override {
    ShuffleForm form;
    form.op = "vector.shuffle";
    form.mask.assign(mask.begin(), mask.end());
    return form;
  }
};

} // namespace

const TargetEmitter &portableEmitter() {
  static const PortableEmitter emitter;
  return emitter;
}

} // namespace weft
