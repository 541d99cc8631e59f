//===- MeshMachine.cpp - a core group as plans see it ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/MeshMachine.h"

#include "passes/loops/Functions.h"
#include "passes/transfers/LdmPlan.h"

#include "llvm/Support/MathExtras.h"

namespace weft {

std::optional<MeshMachine> MeshMachine::of(const Target &target) {
  std::optional<int64_t> rows = target.numberIfAny("mesh_rows");
  if (!rows)
    return std::nullopt;
  mlir::FailureOr<int64_t> cores = target.number("cores"),
                           registers = target.number("vector_registers"),
                           line = target.number("line_bytes"),
                           bandwidth = target.number("memory_bytes_per_second"),
                           clock = target.number("clock_hz");
  mlir::FailureOr<int64_t> capacity = ldmCapacity(target);
  mlir::FailureOr<VectorUnit> vectors = target.vectors();
  if (failed(cores) || failed(registers) || failed(line) || failed(bandwidth) || failed(clock) ||
      failed(capacity) || failed(vectors))
    return std::nullopt;
  MeshMachine machine;
  machine.meshRows = *rows;
  machine.meshColumns = *cores / *rows;
  machine.ldmBytes = *capacity;
  machine.lanes = vectors->lanes(64);
  machine.registers = *registers;
  machine.lineBytes = *line;
  machine.longRunBytes = target.numberIfAny("long_run_bytes").value_or(0);
  machine.partCycles = target.numberIfAny("part_cycles").value_or(0);
  machine.ownLineCycles = double(target.numberIfAny("own_line_hundredths").value_or(0)) / 100;
  machine.replyCycles = target.numberIfAny("reply_cycles").value_or(0);
  machine.restCycles = target.numberIfAny("rest_cycles").value_or(0);
  machine.mixingCycles = target.numberIfAny("mixing_cycles").value_or(0);
  auto hundredths = [&](llvm::StringRef key) {
    return double(target.numberIfAny(key).value_or(100)) / 100;
  };
  machine.operationCycles = hundredths("operation_hundredths");
  machine.functionCycles = double(target.numberIfAny("function_cycles").value_or(functionWork));
  machine.crowdedCycles = hundredths("crowded_hundredths");
  machine.openShare = hundredths("open_hundredths");
  machine.codeInstructions = target.numberIfAny("code_instructions").value_or(0);
  machine.messageBytes = vectors->bytes;
  machine.bytesPerCycle = double(*bandwidth) / *clock;
  return machine;
}

double panelMoved(int64_t runs, int64_t run, int64_t elementBytes, const MeshMachine &machine) {
  int64_t bytes = run * elementBytes;
  return double(runs) * llvm::alignTo(bytes + machine.lineBytes / 2, machine.lineBytes);
}

} // namespace weft
