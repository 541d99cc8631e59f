//===- InterpreterTensors.cpp - points, blocks and elements of tensors ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/InterpreterScalars.h"
#include "dialect/Weft.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft::interpreter {

/// Results under construction: what they start from, and which elements were given.
class Results {
public:
  Results(Machine &machine, Operation *op, ValueRange inits) : op(op), hasInits(!inits.empty()) {
    for (auto [n, result] : llvm::enumerate(op->getResults())) {
      ArrayRef<int64_t> shape = cast<ShapedType>(result.getType()).getShape();
      machine.checkSize(op, shape);
      arrays.push_back(hasInits ? machine.array(inits[n]) : Array(shape));
      given.emplace_back(arrays.back().elements.size(), false);
    }
  }

  void put(size_t result, ArrayRef<int64_t> index, const Element &element) {
    Array &array = arrays[result];
    checkInside(op, index, array.shape, "the store at");
    int64_t flat = array.flat(index);
    if (given[result][flat])
      fault(op, "gives element " + shown(index) + " of result " + Twine(result) + " twice");
    given[result][flat] = true;
    array.elements[flat] = element;
  }

  void finish(Machine &machine) {
    for (auto [n, array] : llvm::enumerate(arrays)) {
      if (!hasInits && !llvm::all_of(given[n], [](bool is) { return is; }))
        fault(op, "leaves elements of result " + Twine(n) + " without a value");
      machine.set(op->getResult(n), std::move(array));
    }
  }

private:
  Operation *op;
  bool hasInits;
  SmallVector<Array> arrays;
  SmallVector<std::vector<bool>> given;
};

/// Runs a body at each point of a box, in row-major order.
template <typename Each>
static void forEachPoint(Machine &machine, Operation *op, Block &body, ArrayRef<int64_t> lower,
                         ArrayRef<int64_t> upper, Each each) {
  SmallVector<int64_t> point(lower);
  do {
    for (auto [argument, at] : llvm::zip_equal(body.getArguments(), point))
      machine.set(argument, Element::integer(at));
    each(ArrayRef<int64_t>(point), machine.run(body)->getOperands());
    machine.spend(op, 1);
  } while (advance(point, lower, upper));
}

static void map(Machine &machine, MapOp op) {
  Results results(machine, op, op.getInits());
  forEachPoint(machine, op, *op.bodyBlock(), op.getLower(), op.getUpper(),
               [&](ArrayRef<int64_t> point, ValueRange yielded) {
                 for (auto [n, value] : llvm::enumerate(yielded))
                   results.put(op.target(n), evaluate(op.storeMap(n), point),
                               machine.element(value));
               });
  results.finish(machine);
}

static void reduce(Machine &machine, ReduceOp op) {
  Type type = op.getResult().getType();
  Element total = neutral(op.getKind(), type);
  forEachPoint(machine, op, *op.bodyBlock(), op.getLower(), op.getUpper(),
               [&](ArrayRef<int64_t>, ValueRange yielded) {
                 total = combine(op.getKind(), total, machine.element(yielded[0]), type);
               });
  machine.set(op.getResult(), total);
}

static void blocks(Machine &machine, BlocksOp op) {
  Results results(machine, op, op.getInits());
  // The grid of blocks, counted from 0; origins are lower + number * step.
  SmallVector<int64_t> zero(op.rank(), 0), trips;
  for (auto [lower, upper, step] : llvm::zip_equal(op.getLower(), op.getUpper(), op.getSteps())) {
    if (upper <= lower)
      return results.finish(machine);
    trips.push_back((upper - lower) / step);
  }
  SmallVector<int64_t> number(op.rank(), 0), origin(op.rank());
  do {
    for (unsigned d = 0; d < op.rank(); ++d) {
      origin[d] = op.getLower()[d] + number[d] * op.getSteps()[d];
      machine.set(op.bodyBlock()->getArgument(d), Element::integer(origin[d]));
    }
    for (auto [n, value] : llvm::enumerate(machine.run(*op.bodyBlock())->getOperands())) {
      const Array local = machine.array(value);
      SmallVector<int64_t> at(local.shape.size(), 0), first(at);
      do {
        SmallVector<int64_t> place(origin);
        llvm::append_range(place, at);
        results.put(n, evaluate(op.place(n), place), local.at(at));
      } while (advance(at, first, local.shape));
      machine.spend(op, count(local.shape));
    }
  } while (advance(number, zero, trips));
  results.finish(machine);
}

static void table(Machine &machine, TableOp op) {
  machine.checkSize(op, cast<ShapedType>(op.getResult().getType()).getShape());
  machine.set(op.getResult(), arrayOf(op.getValue()));
}

static void reshape(Machine &machine, ReshapeOp op) {
  Array array = machine.array(op.getInput());
  auto from = cast<ShapedType>(op.getInput().getType());
  auto to = cast<ShapedType>(op.getResult().getType());
  ArrayRef<int64_t> shape = to.getShape();
  bool fromPairs = isa<ComplexType>(from.getElementType());
  if (fromPairs != isa<ComplexType>(to.getElementType())) {
    std::vector<Element> parts = std::move(array.elements);
    array.elements.clear();
    for (size_t n = 0; n < parts.size(); n += fromPairs ? 1 : 2) {
      const Element &first = parts[n];
      if (fromPairs) {
        for (double part : {first.re, first.im})
          array.elements.push_back(first.isPoison() ? first : Element::real(part));
        continue;
      }
      const Element &second = parts[n + 1];
      if (first.isPoison() || second.isPoison())
        array.elements.push_back(first.isPoison() ? first : second);
      else
        array.elements.push_back(Element::complex({first.re, second.re}));
    }
  }
  array.shape.assign(shape.begin(), shape.end());
  machine.set(op.getResult(), std::move(array));
}

static void transpose(Machine &machine, TransposeOp op) {
  const Array &from = machine.array(op.getInput());
  Array to(cast<ShapedType>(op.getResult().getType()).getShape());
  machine.spend(op, count(to.shape));
  SmallVector<int64_t> index(to.shape.size(), 0), zero(to.shape.size(), 0), source(index);
  do {
    for (auto [d, of] : llvm::enumerate(op.getPerm()))
      source[of] = index[d];
    to.at(index) = from.at(source);
  } while (advance(index, zero, to.shape));
  machine.set(op.getResult(), std::move(to));
}

static void extract(Machine &machine, tensor::ExtractOp op) {
  const Array &array = machine.array(op.getTensor());
  SmallVector<int64_t> index = machine.integers(op, op.getIndices());
  checkInside(op, index, array.shape, "the index");
  Element element = array.at(index);
  if (element.isPoison() && !element.origin)
    element.origin = op;
  machine.set(op.getResult(), element);
}

static void insert(Machine &machine, tensor::InsertOp op) {
  Array array = machine.array(op.getDest());
  SmallVector<int64_t> index = machine.integers(op, op.getIndices());
  checkInside(op, index, array.shape, "the index");
  array.at(index) = machine.element(op.getScalar());
  machine.set(op.getResult(), std::move(array));
}

/// A row of a result; slices of the language are whole dimensions or single indices.
static void insertSlice(Machine &machine, tensor::InsertSliceOp op) {
  Array array = machine.array(op.getDest());
  const Array &part = machine.array(op.getSource());
  SmallVector<int64_t> origin, point(op.getStaticSizes().size(), 0), zero(point);
  auto offsets = machine.integers(op, op.getOffsets());
  unsigned dynamic = 0;
  for (int64_t offset : op.getStaticOffsets())
    origin.push_back(ShapedType::isDynamic(offset) ? offsets[dynamic++] : offset);
  size_t next = 0;
  do {
    SmallVector<int64_t> index;
    for (auto [from, at, step] : llvm::zip_equal(origin, point, op.getStaticStrides()))
      index.push_back(from + at * step);
    checkInside(op, index, array.shape, "the index");
    array.at(index) = part.elements[next++];
  } while (advance(point, zero, op.getStaticSizes()));
  machine.set(op.getResult(), std::move(array));
}

static void empty(Machine &machine, tensor::EmptyOp op) {
  if (!op.getType().hasStaticShape())
    fault(op, "expected a static shape");
  machine.checkSize(op, op.getType().getShape());
  machine.set(op.getResult(), Array(op.getType().getShape()));
}

static void fromElements(Machine &machine, tensor::FromElementsOp op) {
  Array array(op.getType().getShape());
  for (auto [n, value] : llvm::enumerate(op.getElements()))
    array.elements[n] = machine.element(value);
  machine.set(op.getResult(), std::move(array));
}

// ---- indices that are data ----------------------------------------------------------

static void checkedIndices(Machine &machine, CheckedIndicesOp op) {
  for (const Element &index : machine.array(op.getSource()).elements) {
    if (index.isPoison())
      faultOfPoison(op, "checks", index);
    if (index.i < 0 || index.i >= static_cast<int64_t>(op.getBelow()))
      throw Ended{static_cast<int64_t>(op.getCode())};
  }
  machine.set(op.getResult(), machine.get(op.getSource()));
}

static void failIf(Machine &machine, FailIfOp op) {
  if (machine.integer(op, op.getCondition()) != 0)
    throw Ended{static_cast<int64_t>(op.getCode())};
}

static void scatter(Machine &machine, ScatterOp op) {
  Array result = machine.array(op.getBase());
  const Array &indices = machine.array(op.getIndices());
  const Array &updates = machine.array(op.getUpdates());
  Type type = elementType(op.getResult().getType());
  int64_t row = count(ArrayRef<int64_t>(result.shape).drop_front());
  machine.spend(op, count(updates.shape));
  for (auto [j, index] : llvm::enumerate(indices.elements)) {
    if (index.isPoison())
      faultOfPoison(op, "scatters by", index);
    checkInside(op, {index.i}, {result.shape[0]}, "the index");
    for (int64_t k = 0; k < row; ++k) {
      Element &into = result.elements[index.i * row + k];
      into = combine(op.getKind(), into, updates.elements[j * row + k], type);
    }
  }
  machine.set(op.getResult(), std::move(result));
}

void addTensorOps(HandlerTable &handlers) {
  handlers.add(map);
  handlers.add(reduce);
  handlers.add(blocks);
  handlers.add(table);
  handlers.add(reshape);
  handlers.add(transpose);
  handlers.add(extract);
  handlers.add(insert);
  handlers.add(insertSlice);
  handlers.add(empty);
  handlers.add(fromElements);
  handlers.add(checkedIndices);
  handlers.add(failIf);
  handlers.add(scatter);
}

} // namespace weft::interpreter
