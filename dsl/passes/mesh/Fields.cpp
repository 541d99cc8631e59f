//===- Fields.cpp - arrays of a loop over time, row by row -------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Which dimension of an array is its rows follows from one nest to the next: the loop over rows of
// a nest is the one whose variable is in just that dimension of all arrays that are known already.
// Its index there is tried number by number, so that it does not matter how a remainder is written.
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/Fields.h"

#include "passes/Notes.h"
#include "passes/loops/LoopIndices.h"
#include "passes/mesh/CoreLoops.h"
#include "passes/transfers/Footprint.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// Elements of what every core has for itself.
constexpr int64_t mostOfTable = 1024;

bool isAccess(Operation *op) { return isa<affine::AffineLoadOp, affine::AffineStoreOp>(op); }

} // namespace

bool Fields::isUsedOutside(Value array) const {
  Operation *loop = time;
  bool found = !array.getDefiningOp<memref::AllocOp>(); // a parameter, a constant
  forEachAccess(array, [&](Operation *user) { found |= !loop->isProperAncestor(user); });
  return found;
}

bool Fields::no(const Twine &why) {
  reason = why.str();
  return false;
}

/// A nest, sum or not, of which every access is to a whole array.
bool Fields::classifyNest(AffineForOp root) {
  auto &found = accesses[root];
  WalkResult walked = root->walk([&](Operation *op) {
    if (isAccess(op)) {
      found.push_back(op);
      return isWhole(arrayOf(op)) ? WalkResult::advance() : WalkResult::interrupt();
    }
    bool isFine = isa<affine::AffineIfOp, affine::AffineYieldOp>(op) ||
                  (isa<AffineForOp>(op) && cast<AffineForOp>(op).hasConstantBounds()) ||
                  (op->getNumRegions() == 0 && isMemoryEffectFree(op));
    return isFine ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return no("a nest in it does more than compute elements from elements");
  return true;
}

bool Fields::classify() {
  SmallVector<Value> loaded;
  llvm::SetVector<Value> stored;
  for (Operation &op : time.getBody()->without_terminator()) {
    if (auto loop = dyn_cast<AffineForOp>(op)) {
      bool sums = loop.getNumIterOperands() != 0;
      if (sums ? !combinedOverCores(loop) || loop.getStepAsInt() != 1
               : !loop->hasAttr("weft.independent"))
        return no("a loop in it takes its iterations one after the other");
      FieldNest nest{loop, {}, 0, 0, 0, sums, {}, {}};
      findCopy(nest);
      if (nest.to ? !isWhole(nest.to) || !isWhole(nest.source) : !classifyNest(loop))
        return no(reason.empty() ? "an array in it is part of another one" : reason);
      nests.push_back(nest);
    } else if (isAccess(&op)) {
      if (!isWhole(arrayOf(&op)))
        return no("an array in it is part of another one");
      if (isa<affine::AffineLoadOp>(op))
        loaded.push_back(arrayOf(&op));
      else
        stored.insert(arrayOf(&op));
    } else if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op)) {
      return no("it does more than nests and numbers");
    }
  }
  auto isRead = [&](Value array) {
    return llvm::is_contained(loaded, array) ||
           llvm::any_of(nests, [&](const FieldNest &nest) { return reads(nest, array); });
  };
  auto isMade = [&](Value array) {
    return llvm::any_of(nests, [&](const FieldNest &nest) { return writes(nest, array); });
  };
  for (Value array : stored)
    if (isRead(array)) {
      if (cast<MemRefType>(array.getType()).getNumElements() > mostNumbers)
        return no("it stores numbers that it reads later");
      numbers.insert(array);
    }
  for (Operation &op : time.getBody()->without_terminator()) {
    auto load = dyn_cast<affine::AffineLoadOp>(op);
    if (!load || numbers.contains(load.getMemref()) || !isMade(load.getMemref()))
      continue;
    if (!isa<Float64Type, Float32Type>(load.getType()) || !indicesOf(load).first.isConstant())
      return no("it reads single elements of what a nest makes");
    probes.insert(load);
  }
  if (llvm::any_of(stored, isMade))
    return no("it stores single elements of what a nest makes");
  return !nests.empty() || no("it has no nest");
}

bool Fields::isKnown(const FieldNest &nest) const {
  if (nest.to && (fields.contains(nest.to) || fields.contains(nest.source)))
    return true;
  return llvm::any_of(accesses.lookup(nest.root),
                      [&](Operation *op) { return fields.contains(arrayOf(op)); });
}

/// The dimensions of the arrays of a nest whose rows are made by the iterations of a loop; null
/// where it makes one row of each.
bool Fields::assign(FieldNest &nest, AffineForOp rows, bool mayCollect) {
  llvm::MapVector<Value, Field> found = fields;
  llvm::SetVector<Value> others;
  SmallVector<Operation *> anywhere;
  auto isAnywhere = [&](Operation *op) {
    if (!mayCollect || !isa<affine::AffineLoadOp>(op))
      return false;
    anywhere.push_back(op);
    return true;
  };
  for (Operation *op : accesses[nest.root]) {
    Value array = arrayOf(op);
    if (numbers.contains(array))
      continue;
    auto known = found.find(array);
    if (!rows) {
      bool isRow = known != found.end() && !IndexOf(op, known->second.dim).isMadeOfOthers({});
      if (isRow || isAnywhere(op))
        continue;
      if (known != found.end())
        return false;
      others.insert(array);
      continue;
    }
    Value variable = rows.getInductionVar();
    std::optional<unsigned> dim = dimOf(op, variable);
    bool isRow = dim && !IndexOf(op, *dim).isMadeOfOthers(variable) &&
                 (known != found.end() ? known->second.dim == *dim
                                       : !others.contains(array) && !tables.contains(array));
    if (isRow) {
      found[array].dim = *dim;
      continue;
    }
    if (isAnywhere(op))
      continue;
    // Twice in it is no table.
    if (isIndexedBy(op, variable))
      return false;
    others.insert(array);
  }
  for (Value array : others)
    if (found.contains(array) || !isTable(array))
      return false;
  fields = std::move(found);
  tables.insert_range(others);
  collecting.insert(anywhere.begin(), anywhere.end());
  nest.rows = rows;
  return true;
}

/// Whether each core may have a small array that the loop only reads.
bool Fields::isTable(Value array) const {
  bool isWritten = llvm::any_of(nests, [&](const FieldNest &one) { return writes(one, array); });
  return !isWritten && cast<MemRefType>(array.getType()).getNumElements() <= mostOfTable;
}

/// The loop that goes with what is known.
bool Fields::assignFitting(FieldNest &nest) {
  if (nest.to) {
    auto to = fields.find(nest.to), from = fields.find(nest.source);
    bool isToKnown = to != fields.end(), isFromKnown = from != fields.end();
    if ((!isToKnown && !isFromKnown) || tables.contains(nest.source) ||
        (isToKnown && isFromKnown && to->second.dim != from->second.dim))
      return false;
    unsigned dim = isToKnown ? to->second.dim : from->second.dim;
    for (Value array : {nest.to, nest.source})
      fields[array].dim = dim;
    return true;
  }
  SmallVector<AffineForOp> loops = nest.isSum ? SmallVector{nest.root} : rowLoopsOf(nest.root);
  if (!nest.isSum && isKnown(nest))
    loops.push_back({});
  auto assignAny = [&](bool mayCollect) {
    return llvm::any_of(loops, [&](AffineForOp loop) { return assign(nest, loop, mayCollect); });
  };
  return assignAny(false) || (collects && assignAny(true));
}

bool Fields::assignFrom(AffineForOp first) {
  fields.clear();
  tables.clear();
  collecting.clear();
  SmallVector<FieldNest *> open;
  for (FieldNest &nest : nests)
    open.push_back(&nest);
  auto *start = llvm::find_if(
      open, [&](FieldNest *nest) { return nest->root->isAncestor(first) && !nest->isSum; });
  if (start == open.end() || !assign(**start, first, collects))
    return false;
  open.erase(start);
  while (!open.empty()) {
    auto *next = llvm::find_if(open, [&](FieldNest *nest) { return isKnown(*nest); });
    if (next == open.end())
      next = open.begin();
    if (!assignFitting(**next))
      return false;
    open.erase(next);
  }
  for (Operation *op : collecting)
    if (!fields.contains(arrayOf(op))) {
      if (!isTable(arrayOf(op)))
        return no("all rows of " + spoken(arrayOf(op)) + " are read, which no nest of it makes");
      tables.insert(arrayOf(op));
    }
  return true;
}

int64_t Fields::offsetOf(Operation *access, const FieldNest &nest) const {
  const Field &field = fields.find(arrayOf(access))->second;
  IndexOf index(access, field.dim);
  AffineForOp rows = nest.rows;
  int64_t number = rows ? rows.getConstantLowerBound() : 0;
  int64_t row = nest.rows ? number + nest.shift : nest.shift;
  int64_t offset = (index.at(number) + field.base - row) % extent;
  if (offset < 0)
    offset += extent;
  return 2 * offset < extent ? offset : offset - extent;
}

/// The first row that a sum reads minus the number of its iteration.
int64_t Fields::rowOfSum(const FieldNest &nest) {
  AffineForOp rows = nest.rows;
  int64_t first = rows.getConstantLowerBound(), least = extent;
  for (Operation *op : accesses[nest.root])
    if (auto *field = fields.find(arrayOf(op)); field != fields.end() && !isCollected(op))
      least =
          std::min(least, IndexOf(op, field->second.dim).at(first) + field->second.base - first);
  // One that wraps around is behind.
  return least + rows.getConstantUpperBound() <= extent ? least : 0;
}

/// The rows that a nest makes, and those that it reads.
bool Fields::measure(FieldNest &nest) {
  if (nest.to) {
    fields.find(nest.to)->second.isWritten = true;
    nest.until = extent;
    return true;
  }
  int64_t first = nest.rows ? nest.rows.getConstantLowerBound() : 0;
  int64_t behind = nest.rows ? nest.rows.getConstantUpperBound() : 1;
  if (first >= behind)
    return no("a nest in it does nothing");
  std::optional<int64_t> shift;
  for (Operation *op : accesses[nest.root]) {
    auto field = fields.find(arrayOf(op));
    if (field == fields.end() || !isa<affine::AffineStoreOp>(op))
      continue;
    field->second.isWritten = true;
    IndexOf index(op, field->second.dim);
    int64_t base = field->second.base;
    int64_t mine = index.at(first) + base - (nest.rows ? first : 0);
    if (shift && *shift != mine)
      return no("a nest in it makes different rows of two arrays");
    shift = mine;
    for (int64_t number = first; number < behind; ++number)
      if (index.at(number) + base != (nest.rows ? number : 0) + mine)
        return no("rows of an array are not made in their order");
  }
  if (!shift && !nest.isSum)
    return no("a nest in it stores nothing that it keeps");
  nest.shift = shift.value_or(nest.isSum ? rowOfSum(nest) : 0);
  nest.from = (nest.rows ? first : 0) + nest.shift;
  nest.until = (nest.rows ? behind - 1 : 0) + nest.shift + 1;
  if (nest.from < 0 || nest.until > extent)
    return no("a nest in it is of rows that are not there");
  for (Operation *op : accesses[nest.root]) {
    auto found = fields.find(arrayOf(op));
    if (found == fields.end())
      continue;
    Field &field = found->second;
    bool wraps = false, inOrder = !isCollected(op);
    IndexOf index(op, field.dim);
    int64_t offset = inOrder ? offsetOf(op, nest) : 0;
    for (int64_t number = first; inOrder && number < behind; ++number) {
      int64_t away = index.at(number) + field.base - (nest.rows ? number : 0) - nest.shift - offset;
      inOrder = away % extent == 0;
      wraps |= away != 0;
    }
    if (!inOrder) {
      if (!collects)
        return no("rows of " + spoken(arrayOf(op)) + " are not read in their order");
      if (field.dim != 0)
        return no("all rows of " + spoken(arrayOf(op)) +
                  " are read, which are not its first dimension");
      collecting.insert(op);
      field.isCollected = true;
      continue;
    }
    field.wraps |= wraps;
    field.before = std::max(field.before, -offset);
    field.after = std::max(field.after, offset);
  }
  return true;
}

bool Fields::measure() {
  extent = 0;
  auto rowsOf = [](Value array, const Field &field) {
    return cast<MemRefType>(array.getType()).getDimSize(field.dim);
  };
  for (auto &[array, field] : fields)
    extent = std::max(extent, rowsOf(array, field));
  // Of a field with a border around it, and of one between the rows of another, the others have
  // fewer rows: as many before the first as behind the last.
  for (auto &[array, field] : fields) {
    int64_t own = rowsOf(array, field);
    if (2 * own <= extent)
      return no("its arrays have " + Twine(extent) + " and " + Twine(own) + " rows");
    field.base = (extent - own) / 2;
  }
  return llvm::all_of(nests, [&](FieldNest &nest) { return measure(nest); });
}

bool Fields::look() {
  if (time.getNumIterOperands() != 0 || !time.hasConstantBounds() ||
      time->hasAttr("weft.independent") || tripsOf(time) < 1)
    return no("it is no loop over time");
  if (!classify())
    return false;
  // That which makes most says most.
  for (const FieldNest &nest : nests)
    if (!nest.isSum && !nest.to && (!largest || pointsOf(nest.root) > pointsOf(largest)))
      largest = nest.root;
  return largest || no("it only copies");
}

int64_t Fields::firstLane() {
  int64_t first = 0;
  largest->walk([&](affine::AffineStoreOp store) {
    auto index = loopIndices(store);
    auto lane = store->getParentOfType<AffineForOp>();
    if (!index || !lane->hasAttr("weft.lane") || !lane.hasConstantBounds())
      return;
    for (const LoopIndex &one : llvm::reverse(*index))
      if (one.value == lane.getInductionVar() && one.factor == 1) {
        first = lane.getConstantLowerBound() + one.constant;
        return;
      }
  });
  return first;
}

SmallVector<AffineForOp> Fields::rowLoops() { return rowLoopsOf(largest); }

bool Fields::find(AffineForOp rows) {
  reason.clear();
  return (assignFrom(rows) && measure()) ||
         no(reason.empty() ? "no dimension is one of rows for all of its nests" : reason);
}

} // namespace weft
