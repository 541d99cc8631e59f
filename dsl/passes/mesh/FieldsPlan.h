//===- FieldsPlan.h - which core has which rows of fields -------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_FIELDSPLAN_H
#define WEFT_PASSES_MESH_FIELDSPLAN_H

#include "passes/mesh/CollectedRows.h"
#include "passes/mesh/FieldTurns.h"
#include "passes/mesh/LocalRows.h"
#include "passes/mesh/MeshTiling.h"
#include "passes/mesh/NestsOnCores.h"

namespace weft {

/// How the cores keep the fields of a loop over time.
class FieldsPlan {
public:
  FieldsPlan(Fields &fields, Mesh mesh, int64_t capacity, int64_t word, const StartCosts &costs)
      : fields(fields), mesh(mesh), capacity(capacity), word(word), costs(costs) {}

  /// Whether it pays, and all cores together have room; else why not.
  bool fits();
  llvm::StringRef why() const { return reason; }
  /// Whether a core's rows of a nest may be lanes: their elements lie side by side.
  bool haveLanes(const FieldNest &nest) const;
  double cycles() const { return kept; } ///< of a step
  /// What is left to find for one that is carried out: copies before the loop go.
  void complete();

  Fields &fields;
  Mesh mesh;
  Ring ring;
  llvm::MapVector<mlir::Value, LocalRows> local;
  FieldTurns turns;
  /// By the number of a nest: fields of which it needs halos anew.
  std::vector<llvm::SmallVector<mlir::Value>> halosBefore;
  /// All rows of some fields, and by the number of a nest which it needs anew.
  llvm::MapVector<mlir::Value, CollectedRows> collected;
  std::vector<llvm::SmallVector<mlir::Value>> collectedBefore;

private:
  bool no(const llvm::Twine &why);
  bool hasRoom();
  bool hasRoom(bool areEven);
  double stepCycles() const;
  bool movesWords();
  bool goesWithSchedule();
  bool pays();
  void findSources();
  bool isHaloRead(const FieldNest &nest, mlir::Value array) const;
  bool isCollectedRead(const FieldNest &nest, mlir::Value array) const;
  void findHalos();

  int64_t capacity;
  int64_t word; ///< bytes of which transfers are multiples
  const StartCosts &costs;
  std::string reason;
  double kept = 0;
};

} // namespace weft

#endif // WEFT_PASSES_MESH_FIELDSPLAN_H
