//===- CrashGuard.cpp - a crash becomes a message ----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// LLVM's crash recovery: handlers of the signals of a crash, which jump back to where
// `work` was called. They are installed only while work is under way, so that whatever
// else the process has (faulthandler, a debugger's) stays in force otherwise.
//
//===-----------------------------------------------------------------------===//

#include "bindings/CrashGuard.h"

#include "llvm/Support/CrashRecoveryContext.h"

#include <csignal>
#include <mutex>

namespace {

std::mutex mutex;
int running = 0;
thread_local bool inPython = false;

/// Handlers are the process's; threads may compile at the same time.
struct Handlers {
  Handlers() {
    std::lock_guard lock(mutex);
    if (running++ == 0)
      llvm::CrashRecoveryContext::Enable();
  }
  ~Handlers() {
    std::lock_guard lock(mutex);
    if (--running == 0)
      llvm::CrashRecoveryContext::Disable();
  }
};

} // namespace

int weft::guarded(llvm::function_ref<void()> work) {
  llvm::CrashRecoveryContext recovery;
  bool survived;
  {
    Handlers handlers;
    survived = recovery.RunSafely(work);
  }
  if (survived)
    return 0;
  // Codes of the shell.
  int signal = recovery.RetCode - 128;
  if (inPython)
    std::raise(signal);
  return signal;
}

weft::Unguarded::Unguarded() : outer(inPython) { inPython = true; }

weft::Unguarded::~Unguarded() { inPython = outer; }
