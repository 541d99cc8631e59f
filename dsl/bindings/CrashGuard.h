//===- CrashGuard.h - a crash becomes a message ------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A pass that crashes must not take the user's Python process with it, nor leave
// without a reproducer.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_BINDINGS_CRASHGUARD_H
#define WEFT_BINDINGS_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace weft {

/// Calls `work`; 0, or the signal of the crash that ended it. Objects that `work` was
/// in the middle of changing must not be used any more, nor destroyed.
int guarded(llvm::function_ref<void()> work);

/// While one lives, the thread runs what is not `work`'s: Python. A crash there is not
/// caught, for Python's own state would be lost.
class Unguarded {
public:
  Unguarded();
  ~Unguarded();
  Unguarded(const Unguarded &) = delete;
  Unguarded &operator=(const Unguarded &) = delete;

private:
  bool outer;
};

} // namespace weft

#endif // WEFT_BINDINGS_CRASHGUARD_H
