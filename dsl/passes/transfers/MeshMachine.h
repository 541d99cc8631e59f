//===- MeshMachine.h - a core group as plans see it -------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFERS_MESHMACHINE_H
#define WEFT_PASSES_TRANSFERS_MESHMACHINE_H

#include "dialect/Target.h"

#include <cstdint>
#include <optional>

namespace weft {

/// What of the machine decides.
struct MeshMachine {
  int64_t meshRows = 1, meshColumns = 1, ldmBytes = 0, lanes = 1, registers = 0, lineBytes = 1;
  int64_t codeInstructions = 0; ///< that a core holds
  int64_t messageBytes = 1;
  int64_t longRunBytes = 0;   ///< a run that is written costs as much as so many bytes more
  int64_t partCycles = 0;     ///< what a get of every core costs beside its bytes; 0: not known
  double ownLineCycles = 0;   ///< that a core waits for each line of its own transfer
  int64_t replyCycles = 0;    ///< and behind the last one
  int64_t restCycles = 0;     ///< after which of computing alone puts are served as fast as gets
  int64_t mixingCycles = 0;   ///< that a kilobyte of puts takes longer where gets come between
  double operationCycles = 1; ///< of a vector's operation at least, with all that it waits for
  double crowdedCycles = 1;   ///< the same in a body that stores more numbers than registers hold
  double functionCycles = 1;  ///< of a function of the C library, on one number
  double openShare = 1;       ///< how many times that what no transfer hides takes
  double bytesPerCycle = 1;

  /// Nothing where the target is no mesh of cores.
  static std::optional<MeshMachine> of(const Target &target);
};

/// Bytes that memory moves to fetch runs of so many elements.
double panelMoved(int64_t runs, int64_t run, int64_t elementBytes, const MeshMachine &machine);

} // namespace weft

#endif // WEFT_PASSES_TRANSFERS_MESHMACHINE_H
