//===- GroupedRuns.h - long runs for several cores ----------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_GROUPEDRUNS_H
#define WEFT_PASSES_MESH_GROUPEDRUNS_H

#include "dialect/Cpe.h"
#include "passes/mesh/SpreadLayout.h"

#include <optional>

namespace weft {

/// Which runs of memory are long: in bytes, or in elements if the schedule says so.
struct LongRun {
  int64_t bytes = 0;
  std::optional<int64_t> asked;
};

/// Of a nest whose cores move runs shorter than the schedule asks for, each alone: why they do.
inline constexpr llvm::StringLiteral runsAloneMark = "weft.runs_alone";

/// Where each core would fetch short runs beside those of its neighbours, a row fetches and puts
/// back long ones together, as `longRun` has it, and its cores exchange what is in them. FT
/// paper, section 4.3.
void groupRuns(cpe::CoresOp cores, Mesh mesh, int64_t capacity, LongRun longRun);

} // namespace weft

#endif // WEFT_PASSES_MESH_GROUPEDRUNS_H
