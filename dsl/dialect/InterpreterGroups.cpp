//===- InterpreterGroups.cpp - collectives, by what all groups give -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/InterpreterGroups.h"
#include "dialect/Groups.h"

#include "llvm/ADT/StringExtras.h"

#include <thread>

using namespace mlir;

namespace weft::interpreter {

/// The group that this thread is; no meeting where the function is no one over groups.
static thread_local Meeting *here = nullptr;
static thread_local int64_t hereGroup = 0;

std::vector<Meeting::Elements> Meeting::exchange(Operation *op, int64_t group, Elements mine) {
  // `running` is held by whoever runs.
  std::unique_lock<std::mutex> lock(running, std::adopt_lock);
  auto release = [&] { lock.release(); };
  if (someEnded) {
    release();
    throw Abandoned();
  }
  if (waiting > 0 && place != op) {
    release();
    fault(op, "is where one group comes to while others wait at another collective");
  }
  place = op;
  given[group] = std::move(mine);
  if (++waiting == groups) {
    waiting = 0;
    ++rounds;
    taken = given;
    changed.notify_all();
  } else {
    int64_t round = rounds;
    changed.wait(lock, [&] { return rounds != round || someEnded; });
    if (rounds == round) {
      release();
      throw Abandoned();
    }
  }
  std::vector<Elements> all = taken;
  release();
  return all;
}

void Meeting::end() {
  someEnded = true;
  changed.notify_all();
}

void Meeting::run(llvm::function_ref<void(int64_t)> work) {
  auto turn = [&](int64_t group) {
    std::scoped_lock lock(running);
    here = this;
    hereGroup = group;
    work(group);
    here = nullptr;
    end();
  };
  std::vector<std::thread> others;
  for (int64_t group = 1; group < groups; ++group)
    others.emplace_back(turn, group);
  turn(0);
  for (std::thread &other : others)
    other.join();
}

/// What the group meets the others with; a fault where there are none.
static Meeting &meetingOf(Operation *op, int64_t groups) {
  if (!here || here->groups != groups)
    fault(op, "is of " + Twine(groups) +
                  " groups: the function should have weft.groups = " + Twine(groups));
  return *here;
}

/// The elements of all groups' inputs, by group; a row-major tensor is its parts along the first
/// axis one behind the other.
static std::vector<Meeting::Elements> inputsOfAll(Machine &machine, Operation *op, int64_t groups) {
  const Array &mine = machine.array(op->getOperand(0));
  machine.spend(op, count(mine.shape));
  return meetingOf(op, groups).exchange(op, hereGroup, mine.elements);
}

static Array resultOf(Operation *op) {
  Array result(cast<ShapedType>(op->getResult(0).getType()).getShape());
  result.elements.clear();
  return result;
}

static void append(Array &array, const std::vector<Element> &from, int64_t first, int64_t number) {
  array.elements.insert(array.elements.end(), from.begin() + first, from.begin() + first + number);
}

template <typename Op> static void alltoall(Machine &machine, Op op) {
  auto groups = static_cast<int64_t>(op.getGroups());
  Array result = resultOf(op);
  int64_t part = count(result.shape) / groups;
  for (const auto &sent : inputsOfAll(machine, op, groups))
    append(result, sent, hereGroup * part, part);
  machine.set(op.getResult(), std::move(result));
}

/// Who needs the result comes behind.
static void alltoallEnd(Machine &machine, AlltoallEndOp op) {
  machine.set(op.getResult(), Array(machine.array(op.getComing())));
}

static void allgather(Machine &machine, AllgatherOp op) {
  auto groups = static_cast<int64_t>(op.getGroups());
  Array result = resultOf(op);
  for (const auto &sent : inputsOfAll(machine, op, groups))
    append(result, sent, 0, static_cast<int64_t>(sent.size()));
  machine.set(op.getResult(), std::move(result));
}

static void own(Machine &machine, OwnOp op) {
  meetingOf(op, op.getGroups());
  Array result = resultOf(op);
  int64_t part = count(result.shape);
  append(result, machine.array(op.getInput()).elements, hereGroup * part, part);
  machine.set(op.getResult(), std::move(result));
}

static std::vector<Element> elementsOf(Operation *op, const View &view) {
  if (view.buffer->freed)
    fault(op, "reads " + view.buffer->name + ", which is freed");
  auto first = view.buffer->elements.begin() + view.offset;
  return {first, first + count(view.sizes)};
}

static void exchange(Machine &machine, ExchangeOp op) {
  const View &from = machine.view(op.getFrom()), &to = machine.view(op.getTo());
  if (to.buffer->constant || to.buffer->freed)
    fault(op, "writes to " + to.buffer->name +
                  (to.buffer->freed ? ", which is freed" : ", an input or a table"));
  Meeting &meeting = meetingOf(op, op.getGroups());
  int64_t block = std::min(count(from.sizes), count(to.sizes));
  bool parts = op.getKind().starts_with("alltoall");
  if (parts)
    block /= meeting.groups;
  std::vector<Element> mine = elementsOf(op, from);
  machine.spend(op, count(to.sizes));
  auto out = to.buffer->elements.begin() + to.offset;
  // What was begun arrives at the end, and nobody is to use what is there before.
  if (op.getKind() == "alltoall_begin") {
    std::fill_n(out, count(to.sizes), Element::poison(op));
    return;
  }
  if (op.getKind() == "own") {
    std::copy_n(mine.begin() + hereGroup * block, block, out);
    return;
  }
  int64_t at = parts ? hereGroup * block : 0;
  for (const auto &sent : meeting.exchange(op, hereGroup, std::move(mine)))
    out = std::copy_n(sent.begin() + at, block, out);
}

void addGroupOps(HandlerTable &table) {
  table.add(alltoall<AlltoallOp>);
  table.add(alltoall<AlltoallBeginOp>);
  table.add(alltoallEnd);
  table.add(allgather);
  table.add(own);
  table.add(exchange);
}

} // namespace weft::interpreter
