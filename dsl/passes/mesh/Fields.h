//===- Fields.h - arrays of a loop over time, row by row ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_FIELDS_H
#define WEFT_PASSES_MESH_FIELDS_H

#include "passes/mesh/FieldNests.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace weft {

/// An array of which each core has rows: the indices of one of its dimensions.
struct Field {
  unsigned dim = 0;
  int64_t base = 0;              ///< the row of the ring that its first one is
  int64_t before = 0, after = 0; ///< rows that making a row reads before it, and behind it
  bool wraps = false;            ///< the row behind the last one is the first one
  bool isCollected = false;      ///< every core reads rows of all others
  bool isWritten = false;
};

/// The arrays of a loop over time that cores may keep by rows, since all that makes a row of any of
/// them reads rows near by.
class Fields {
public:
  /// Elements of what every core has for itself of what the loop changes.
  static constexpr int64_t mostNumbers = 64;

  explicit Fields(mlir::affine::AffineForOp time) : time(time) {}

  /// From here on cores may have all rows of what each of them has some of.
  void mayCollect() { collects = true; }
  /// Whether all of the loop is nests, sums, and numbers; else why not.
  bool look();
  /// Loops of the nest that makes most, of which one may be that over rows.
  llvm::SmallVector<mlir::affine::AffineForOp> rowLoops();
  /// Whether arrays have rows if that loop goes over them; else why not.
  bool find(mlir::affine::AffineForOp rows);
  llvm::StringRef why() const { return reason; }

  /// Whether somebody but the loop sees an array.
  bool isUsedOutside(mlir::Value array) const;
  /// Of the array that has most.
  int64_t rows() const { return extent; }
  /// Where in a row the lanes of the nest that makes most begin.
  int64_t firstLane();
  /// Whether an access is to what every core has of all others, wherever its row is.
  bool isCollected(mlir::Operation *access) const { return collecting.contains(access); }
  /// Rows from the one that a nest makes to the one that an access is of.
  int64_t offsetOf(mlir::Operation *access, const FieldNest &nest) const;

  mlir::affine::AffineForOp time;
  llvm::SmallVector<FieldNest> nests; ///< in their order
  llvm::MapVector<mlir::Value, Field> fields;
  llvm::SetVector<mlir::Value> tables;  ///< read alone, by all cores
  llvm::SetVector<mlir::Value> numbers; ///< small arrays that the loop reads and writes
  /// Loads of single elements of what nests make, by the loop itself.
  llvm::SetVector<mlir::Operation *> probes;

private:
  bool no(const llvm::Twine &why);
  bool classify();
  bool classifyNest(mlir::affine::AffineForOp root);
  bool assignFrom(mlir::affine::AffineForOp first);
  bool assign(FieldNest &nest, mlir::affine::AffineForOp rows, bool mayCollect);
  bool isTable(mlir::Value array) const;
  bool assignFitting(FieldNest &nest);
  bool isKnown(const FieldNest &nest) const;
  int64_t rowOfSum(const FieldNest &nest);
  bool measure();
  bool measure(FieldNest &nest);

  std::string reason;
  int64_t extent = 0;
  bool collects = false;
  llvm::SetVector<mlir::Operation *> collecting; ///< loads of rows that are anywhere
  mlir::affine::AffineForOp largest;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> accesses;
};

} // namespace weft

#endif // WEFT_PASSES_MESH_FIELDS_H
