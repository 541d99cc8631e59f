//===- FieldsPlan.cpp - which core has which rows of fields ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/FieldsPlan.h"

#include "passes/Directives.h"
#include "passes/Notes.h"
#include "passes/loops/LoopIndices.h"
#include "passes/transfers/Footprint.h"
#include "passes/transfers/LdmPlan.h"

#include <numeric>

using namespace mlir;
using affine::AffineForOp;

namespace weft {

bool FieldsPlan::no(const Twine &why) {
  reason = why.str();
  return false;
}

bool FieldsPlan::fits() {
  auto asFound = fields.fields;
  turns = takeTurns(fields);
  if (hasRoom())
    return goesWithSchedule() && movesWords() && pays();
  if (turns.copies.empty())
    return false;
  // Arrays that take turns have all of them room for halos.
  fields.fields = asFound;
  turns = {};
  return hasRoom() && goesWithSchedule() && movesWords() && pays();
}

/// More rows of each core, where what is collected then lies in its order, or as few as can be.
bool FieldsPlan::hasRoom() {
  if (llvm::none_of(fields.fields, [](auto &one) { return one.second.isCollected; }))
    return hasRoom(false);
  double even = hasRoom(true) ? stepCycles() : 0;
  bool fits = hasRoom(false);
  return even != 0 && (!fits || even < stepCycles()) ? hasRoom(true) : fits;
}

void FieldsPlan::complete() {
  findSources();
  findHalos();
}

/// Whether all that comes from main memory and goes there is whole words of a transfer.
bool FieldsPlan::movesWords() {
  for (auto &[array, rows] : local)
    if (fields.isUsedOutside(array) && !rows.movesWords(word))
      return no("rows of " + spoken(array) + " are no whole words of a transfer");
  for (Value array : llvm::concat<const Value>(fields.tables, fields.numbers)) {
    auto type = cast<MemRefType>(array.getType());
    if (fields.isUsedOutside(array) && type.getNumElements() * elementBytes(array) % word != 0)
      return no(spoken(array) + " is no whole words of a transfer");
  }
  return true;
}

/// Whether what the schedule says of nests holds: each core has rows, and no lanes of several.
bool FieldsPlan::goesWithSchedule() {
  for (const FieldNest &one : fields.nests) {
    AffineForOp root = one.root;
    bool goes = true;
    root.walk([&](AffineForOp loop) {
      goes &= loop == one.rows ? !loop->hasAttr(vectorizeMark) : !loop->hasAttr(distributeMark);
    });
    if (!goes)
      return no("the schedule asks for another order of " + spokenLoop(root.getInductionVar()));
  }
  auto func = fields.time->getParentOfType<func::FuncOp>();
  for (const Directive &place : directivesOf(func, "place"))
    for (auto &[array, rows] : local)
      if (llvm::is_contained(place.flags, "double_buffered") &&
          llvm::is_contained(place.operands, ownName(array.getLoc())))
        return no("the schedule asks for parts of " + spoken(array));
  return true;
}

bool FieldsPlan::hasRoom(bool areEven) {
  local.clear();
  collected.clear();
  RingDemand demand{fields.rows(), 0, false, 0};
  for (auto &[array, field] : fields.fields) {
    if (field.isCollected && areEven)
      demand.even = std::lcm(std::max<int64_t>(1, demand.even), CollectedRows::evenRows(array));
    demand.reach = std::max({demand.reach, field.before, field.after});
    demand.closed |= field.wraps;
  }
  auto found = ringFor(demand, mesh.rows, mesh.columns);
  if (!found)
    return no("cores would not have rows enough for their neighbours");
  ring = *found;
  int64_t bytes = 0;
  for (auto &[array, field] : fields.fields) {
    local[array] = LocalRows::of(array, field, ring, fields.firstLane(), word);
    bytes += local[array].bytes();
    if (!field.isCollected)
      continue;
    if (field.base != 0 || local[array].extents[0] != ring.rows)
      return no("all cores need " + spoken(array) + ", which has fewer rows than others");
    collected[array] = CollectedRows(local[array], ring);
    bytes += collected[array].bytes();
  }
  for (Value array : llvm::concat<const Value>(fields.tables, fields.numbers))
    bytes += ldmBytesOf(cast<MemRefType>(array.getType()));
  constexpr int64_t forOthers = 1024;
  int64_t room = capacity - forOthers;
  if (bytes > room)
    return no("they take " + Twine(bytes) + " bytes of a core's memory, " + Twine(bytes - room) +
              " more than there are");
  return true;
}

/// Cycles of a step whose fields stay with the cores.
double FieldsPlan::stepCycles() const {
  // Numbers instead of vectors, each waiting for the one before.
  constexpr double perScalar = 8;
  double cycles = 0;
  for (const FieldNest &one : fields.nests) {
    if (one.to)
      continue;
    CoreNest nest{one.root};
    nest.parts = ring.rows / ring.own;
    // Where rows are no lanes, a loop within may have some.
    AffineForOp over = one.rows;
    bool isScalar =
        over && over->hasAttr("weft.lane") && !haveLanes(one) && lanesWithin(over).empty();
    cycles += costs.computing(nest) * (isScalar ? perScalar : 1);
  }
  for (const auto &[array, rows] : local) {
    int64_t reach = rows.field.before + rows.field.after;
    if (reach == 0 || !rows.field.isWritten)
      continue;
    cycles +=
        costs.halo(double(rows.bytes() * reach) / double(messageBytes * rows.rowsOfCore(ring)));
  }
  for (const auto &[array, all] : collected)
    if (local.find(array)->second.field.isWritten)
      cycles += costs.collect(double(all.messages()), double(all.moved()));
  return cycles;
}

/// Whether steps take fewer cycles than with arrays in main memory, and a start of the cores pays.
bool FieldsPlan::pays() {
  llvm::DenseMap<Value, double> seen;
  double alone = 0, passing = 0;
  for (const FieldNest &one : fields.nests) {
    CoreNest nest{one.root};
    nest.parts = mesh.cores();
    costs.estimate(nest, seen);
    alone += nest.alone;
    passing += nest.together;
  }
  kept = stepCycles();
  auto steps = double(tripsOf(fields.time)), start = costs.start() + 2 * costs.nest();
  if (alone * steps < start + kept * steps)
    return no("the management core takes about " + Twine(int64_t(alone * steps)) +
              " cycles, the cores and their start " + Twine(int64_t(start + kept * steps)));
  if (passing < kept)
    return no("computing takes about " + Twine(int64_t(kept)) + " cycles a step with " +
              Twine(ring.cores) + " cores, with all of them and main memory " +
              Twine(int64_t(passing)));
  return true;
}

bool FieldsPlan::haveLanes(const FieldNest &nest) const {
  AffineForOp over = nest.rows;
  bool isOfAll = nest.from == 0 && nest.until == ring.rows;
  if (!over || !over->hasAttr("weft.lane") || nest.isSum || !isOfAll ||
      ring.own % mesh.messageLanes != 0)
    return false;
  bool lieSoInCores = true;
  over->walk([&](Operation *op) {
    if (!isa<affine::AffineLoadOp, affine::AffineStoreOp>(op))
      return;
    lieSoInCores &= goesAlong(op, over);
    if (auto field = fields.fields.find(arrayOf(op)); field != fields.fields.end())
      lieSoInCores &= field->second.before + field->second.after == 0;
  });
  return lieSoInCores;
}

bool FieldsPlan::isHaloRead(const FieldNest &nest, Value array) const {
  if (nest.to)
    return false;
  bool found = false;
  AffineForOp(nest.root).walk([&](affine::AffineLoadOp load) {
    found |=
        load.getMemref() == array && !fields.isCollected(load) && fields.offsetOf(load, nest) != 0;
  });
  return found;
}

bool FieldsPlan::isCollectedRead(const FieldNest &nest, Value array) const {
  bool found = false;
  forEachAccess(array, [&](Operation *user) {
    found |= AffineForOp(nest.root)->isProperAncestor(user) && fields.isCollected(user);
  });
  return found;
}

/// Which nests need halos and rows of all cores anew. In the first nest of a step all are old.
void FieldsPlan::findHalos() {
  halosBefore.resize(fields.nests.size());
  collectedBefore.resize(fields.nests.size());
  for (auto &[array, rows] : local) {
    bool isOld = true, areOld = true;
    for (auto [number, nest] : llvm::enumerate(fields.nests)) {
      if (isOld && rows.field.isWritten && isHaloRead(nest, array)) {
        halosBefore[number].push_back(array);
        isOld = false;
      }
      if (areOld && rows.field.isWritten && isCollectedRead(nest, array)) {
        collectedBefore[number].push_back(array);
        areOld = false;
      }
      isOld |= writes(nest, array);
      areOld |= writes(nest, array);
    }
  }
}

/// A field that is a copy of another array when the loop begins is fetched from that one; all of
/// its own array is put behind the loop.
void FieldsPlan::findSources() {
  for (auto &[array, rows] : local) {
    Value mine = array;
    // Another one is fetched from it.
    bool isSource = llvm::any_of(
        local, [&](auto &one) { return one.first != mine && one.second.source == mine; });
    if (!rows.field.isWritten || isSource)
      continue;
    auto touches = [](Operation *op, Value value, bool writesOnly) {
      bool found = false;
      forEachAccess(value, [&](Operation *user) {
        found |= op->isAncestor(user) && !(writesOnly && isa<affine::AffineLoadOp>(user));
      });
      return found;
    };
    SmallVector<Operation *> between;
    for (Operation *op = fields.time->getPrevNode(); op; op = op->getPrevNode()) {
      if (!touches(op, mine, false)) {
        between.push_back(op);
        continue;
      }
      FieldNest nest;
      nest.root = dyn_cast<AffineForOp>(op);
      if (nest.root)
        findCopy(nest);
      if (nest.to != mine ||
          llvm::any_of(between, [&](Operation *one) { return touches(one, nest.source, true); }))
        break;
      rows.source = nest.source;
      op->erase();
      break;
    }
  }
}

} // namespace weft
