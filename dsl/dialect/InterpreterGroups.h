//===- InterpreterGroups.h - groups that run one function --------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_DIALECT_INTERPRETERGROUPS_H
#define WEFT_DIALECT_INTERPRETERGROUPS_H

#include "dialect/InterpreterCore.h"

#include <condition_variable>
#include <mutex>

namespace weft::interpreter {

/// Thrown in a group that waits for one that has ended.
struct Abandoned {};

/// Where groups come together. Each has a thread, for its place in the function; only one
/// runs at a time, until it waits here or ends: nothing of MLIR sees two threads at once.
class Meeting {
public:
  using Elements = std::vector<Element>;

  explicit Meeting(int64_t groups) : groups(groups), given(groups) {}

  const int64_t groups;

  /// What all groups give, by group; returns once the last one has come.
  std::vector<Elements> exchange(mlir::Operation *op, int64_t group, Elements mine);

  /// Runs `work` of all groups, that of group 0 on this thread.
  void run(llvm::function_ref<void(int64_t)> work);

private:
  void end();

  std::mutex running;
  std::condition_variable changed;
  std::vector<Elements> given, taken;
  mlir::Operation *place = nullptr; ///< where those that wait are
  int64_t waiting = 0, rounds = 0;
  bool someEnded = false;
};

/// What collectives do.
void addGroupOps(HandlerTable &table);

} // namespace weft::interpreter

#endif // WEFT_DIALECT_INTERPRETERGROUPS_H
