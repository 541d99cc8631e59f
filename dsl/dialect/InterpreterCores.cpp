//===- InterpreterCores.cpp - cores, transfers -----------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// One core does all of what the cores share out: which of them does what changes no
// result. A transfer is complete at once, and an array that is spread over the cores is one.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "dialect/InterpreterCore.h"

using namespace mlir;

namespace weft::interpreter {

static void cores(Machine &machine, cpe::CoresOp op) {
  for (Operation &inner : op.getBody().front())
    machine.execute(&inner);
}

/// Where blocks begin that lie at equal distances along several directions.
static SmallVector<int64_t> startsOf(int64_t first, ArrayRef<int64_t> counts,
                                     ArrayRef<int64_t> strides) {
  SmallVector<int64_t> starts{first};
  for (auto [count, stride] : llvm::zip_equal(counts, strides)) {
    SmallVector<int64_t> next;
    for (int64_t start : starts)
      for (int64_t n = 0; n < count; ++n)
        next.push_back(start + n * stride);
    starts = std::move(next);
  }
  return starts;
}

/// Elements of the main memory's array that a transfer moves, in order.
template <typename Transfer>
static SmallVector<int64_t> elementsOf(Machine &machine, Transfer op, const View &main) {
  SmallVector<int64_t> starts =
      startsOf(machine.integer(op, op.getAt()), op.getCounts(), op.getStrides());
  SmallVector<int64_t> elements;
  int64_t extent = count(main.sizes);
  for (int64_t start : starts)
    for (int64_t n = 0; n < static_cast<int64_t>(op.getBlock()); ++n) {
      int64_t element = start + n;
      if (element < 0 || element >= extent)
        fault(op, "reaches element " + Twine(element) + " of " + main.buffer->name +
                      ", which has " + Twine(extent));
      elements.push_back(main.offset + element);
    }
  machine.spend(op, elements.size());
  return elements;
}

/// Where the LDM's elements of a transfer begin: of what is spread, those of a core.
template <typename Transfer>
static int64_t startOf(Machine &machine, Transfer op, const View &ldm) {
  cpe::SpreadOp spread = cpe::spreadArray(op.getLdm());
  if (!spread)
    return ldm.offset;
  int64_t row = machine.integer(op, op.getCore()[0]), column = machine.integer(op, op.getCore()[1]);
  if (row < 0 || row >= ldm.sizes[0] || column < 0 || column >= ldm.sizes[1])
    fault(op, "is of row " + Twine(row) + " and column " + Twine(column) + ", where no core is");
  return ldm.offset + (row * ldm.sizes[1] + column) * spread.elements();
}

/// Calls `move` with each element of main memory and the one of the LDM that it belongs to.
template <typename Transfer>
static void forEachMoved(Machine &machine, Transfer op,
                         llvm::function_ref<void(int64_t inMain, int64_t inLdm)> move) {
  const View &main = machine.view(op.getMain()), &ldm = machine.view(op.getLdm());
  int64_t start = startOf(machine, op, ldm);
  if (Value first = op.startInLdm()) {
    cpe::SpreadOp spread = cpe::spreadArray(op.getLdm());
    int64_t from = machine.integer(op, first);
    int64_t room = spread ? spread.elements() : count(ldm.sizes);
    if (from < 0 || from + op.reachInLdm() > room)
      fault(op, Twine(std::is_same_v<Transfer, cpe::DmaGetOp> ? "moves to" : "moves") +
                    " elements " + Twine(from) + " to " + Twine(from + op.reachInLdm() - 1) +
                    " of the LDM's array, which has " + Twine(room));
    start += from;
  }
  SmallVector<int64_t> blocks = startsOf(start, op.getCounts(), op.pitchesInLdm());
  auto block = static_cast<int64_t>(op.getBlock());
  for (auto [n, element] : llvm::enumerate(elementsOf(machine, op, main))) {
    auto number = static_cast<int64_t>(n);
    move(element, blocks[number / block] + number % block);
  }
}

static void get(Machine &machine, cpe::DmaGetOp op) {
  const View &main = machine.view(op.getMain()), &ldm = machine.view(op.getLdm());
  forEachMoved(machine, op, [&](int64_t inMain, int64_t inLdm) {
    ldm.buffer->elements[inLdm] = main.buffer->elements[inMain];
  });
}

static void put(Machine &machine, cpe::DmaPutOp op) {
  const View &main = machine.view(op.getMain()), &ldm = machine.view(op.getLdm());
  if (main.buffer->constant)
    fault(op, "writes to " + main.buffer->name + ", which is constant");
  forEachMoved(machine, op, [&](int64_t inMain, int64_t inLdm) {
    main.buffer->elements[inMain] = ldm.buffer->elements[inLdm];
  });
}

static void wait(Machine &, cpe::DmaWaitOp) {}
static void sync(Machine &, cpe::SyncOp) {}

static void spread(Machine &machine, cpe::SpreadOp op) {
  machine.checkSize(op, op.getType().getShape());
  machine.set(op.getArray(), contiguous("an array spread over the cores", op.getType().getShape()));
}

static void exchange(Machine &machine, cpe::ExchangeOp op) {
  const View &from = machine.view(op.getFrom()), &to = machine.view(op.getTo());
  int64_t rows = from.sizes[0], columns = from.sizes[1];
  int64_t ofFrom = cpe::spreadArray(op.getFrom()).elements();
  int64_t ofTo = cpe::spreadArray(op.getTo()).elements();
  SmallVector<std::pair<int64_t, int64_t>> part{{0, 0}};
  auto spreadOver = [&](int64_t count, int64_t fromStride, int64_t toStride) {
    SmallVector<std::pair<int64_t, int64_t>> next;
    for (auto [a, b] : part)
      for (int64_t n = 0; n < count; ++n)
        next.push_back({a + n * fromStride, b + n * toStride});
    part = std::move(next);
  };
  for (auto [count, fromStride, toStride] :
       llvm::zip_equal(op.getCounts(), op.getFromStrides(), op.getToStrides()))
    spreadOver(count, fromStride, toStride);
  spreadOver(static_cast<int64_t>(op.getBlock()), 1, 1);
  bool alongRows = op.getAlongRows();
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t other = 0; other < (alongRows ? columns : rows); ++other) {
        int64_t mine = row * columns + column;
        int64_t its = alongRows ? row * columns + other : other * columns + column;
        int64_t place = alongRows ? column : row;
        for (auto [a, b] : part)
          to.buffer->elements[to.offset + its * ofTo +
                              place * static_cast<int64_t>(op.getToStep()) + b] =
              from.buffer->elements[from.offset + mine * ofFrom +
                                    other * static_cast<int64_t>(op.getFromStep()) + a];
      }
  machine.spend(op, rows * columns * static_cast<int64_t>(part.size()));
}

static void broadcast(Machine &machine, cpe::BroadcastOp op) {
  const View &from = machine.view(op.getFrom()), &to = machine.view(op.getTo());
  int64_t rows = from.sizes[0], columns = from.sizes[1], elements = op.sent();
  int64_t ofFrom = cpe::spreadArray(op.getFrom()).elements();
  int64_t ofTo = cpe::spreadArray(op.getTo()).elements();
  int64_t place = machine.integer(op, op.getPlace());
  bool alongRows = op.getAlongRows();
  if (place < 0 || place >= (alongRows ? columns : rows))
    fault(op, "sends from " + Twine(alongRows ? "column " : "row ") + Twine(place) +
                  ", where no core is");
  auto firstOf = [&](Value part, int64_t all) {
    int64_t number = part ? machine.integer(op, part) : 0;
    if (number < 0 || (number + 1) * elements > all)
      fault(op, "part " + Twine(number) + " of " + Twine(elements) +
                    " elements, where a core has " + Twine(all));
    return number * elements;
  };
  int64_t first = from.offset + firstOf(op.getFromPart(), ofFrom);
  int64_t into = to.offset + firstOf(op.getToPart(), ofTo);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      int64_t sender = alongRows ? row * columns + place : place * columns + column;
      for (int64_t n = 0; n < elements; ++n)
        to.buffer->elements[into + (row * columns + column) * ofTo + n] =
            from.buffer->elements[first + sender * ofFrom + n];
    }
  machine.spend(op, rows * columns * elements);
}

/// Rows of neighbours are copied from what they have as their own, which no copy changes.
static void halo(Machine &machine, cpe::HaloOp op) {
  const View &view = machine.view(op.getArray());
  int64_t elements = cpe::spreadArray(op.getArray()).elements();
  int64_t cores = static_cast<int64_t>(op.getCores()), own = static_cast<int64_t>(op.getOwn());
  int64_t rows = static_cast<int64_t>(op.getRows()), block = static_cast<int64_t>(op.getBlock());
  int64_t before = static_cast<int64_t>(op.getBefore()),
          after = static_cast<int64_t>(op.getAfter());
  SmallVector<int64_t> parts = startsOf(0, op.getCounts(), op.getStrides());
  auto copy = [&](int64_t from, int64_t fromRow, int64_t to, int64_t toRow, int64_t count) {
    for (int64_t part : parts)
      for (int64_t n = 0; n < count * block; ++n)
        view.buffer->elements[view.offset + to * elements + part + toRow * block + n] =
            view.buffer->elements[view.offset + from * elements + part + fromRow * block + n];
    machine.spend(op, parts.size() * static_cast<size_t>(count * block));
  };
  for (int64_t place = 0; place < cores; ++place) {
    bool isLast = place + 1 == cores;
    if (isLast && !op.getWraps())
      continue;
    int64_t next = isLast ? 0 : place + 1;
    int64_t apart = isLast ? rows - op.startOf(place) : op.startOf(next) - op.startOf(place);
    copy(place, apart, next, 0, before);
    copy(next, before + own - apart, place, before + own, after);
  }
}

/// Parts of the cores of a line, one behind the other; all cores have them then.
static void collect(Machine &machine, cpe::CollectOp op) {
  const View &part = machine.view(op.getPart());
  const View &all = machine.view(op.getAll());
  int64_t each = cpe::spreadArray(op.getPart()).elements();
  auto elements = static_cast<int64_t>(op.getElements());
  auto first = static_cast<int64_t>(op.getFirst()), cores = static_cast<int64_t>(op.getCores());
  for (int64_t place = 0; place < cores; ++place)
    for (int64_t n = 0; n < elements; ++n)
      all.buffer->elements[all.offset + place * elements + n] =
          part.buffer->elements[part.offset + place * each + first + n];
  machine.spend(op, cores * elements);
}

void addCoreOps(HandlerTable &table) {
  table.add(cores);
  table.add(get);
  table.add(put);
  table.add(wait);
  table.add(sync);
  table.add(spread);
  table.add(exchange);
  table.add(broadcast);
  table.add(halo);
  table.add(collect);
}

} // namespace weft::interpreter
