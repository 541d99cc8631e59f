//===- InterpreterCore.cpp - the loop over ops --------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/InterpreterCore.h"

#include "dialect/InterpreterGroups.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft::interpreter {

/// Steps between two questions whether to go on.
static constexpr int64_t pollInterval = 1 << 18;

void fault(Operation *op, const Twine &text) { throw Fault{op, text.str(), nullptr, ""}; }

void faultOfPoison(Operation *op, const Twine &use, const Element &poison) {
  throw Fault{op, use.str() + " an element that was never written or is undefined", poison.origin,
              "the element comes from here"};
}

std::string shown(ArrayRef<int64_t> index) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << '[';
  llvm::interleaveComma(index, out);
  out << ']';
  return text;
}

Type elementType(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.getElementType() : type;
}

void checkInside(Operation *op, ArrayRef<int64_t> index, ArrayRef<int64_t> shape,
                 const Twine &what) {
  for (size_t d = 0; d < index.size(); ++d)
    if (index[d] < 0 || index[d] >= shape[d])
      fault(op, what + " " + shown(index) + " is outside of the shape " + shown(shape) +
                    " in dimension " + Twine(d));
}

static int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = evaluate(binary.getLHS(), dims, symbols);
  int64_t right = evaluate(binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::Mod:
    return llvm::mod(left, right);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(left, right);
  default:
    return llvm::divideCeilSigned(left, right);
  }
}

SmallVector<int64_t> evaluate(AffineMap map, ArrayRef<int64_t> operands) {
  SmallVector<int64_t> results;
  for (AffineExpr expr : map.getResults())
    results.push_back(evaluate(expr, operands.take_front(map.getNumDims()),
                               operands.drop_front(map.getNumDims())));
  return results;
}

const HandlerTable &HandlerTable::all() {
  static const HandlerTable table = [] {
    HandlerTable table;
    for (auto add : {addControlOps, addScalarOps, addComplexOps, addTensorOps, addTransformOps,
                     addMemoryOps, addAccessOps, addVectorOps, addCoreOps, addGroupOps})
      add(table);
    return table;
  }();
  return table;
}

const Handler *HandlerTable::find(StringRef name) const {
  auto found = byName.find(name);
  return found == byName.end() ? nullptr : &found->second;
}

const Datum &Machine::get(Value value) const {
  auto found = values.find(value);
  if (found == values.end())
    llvm::report_fatal_error("interpreter: an op gave its result no value");
  return found->second;
}

int64_t Machine::integer(Operation *op, Value value) const {
  const Element &found = element(value);
  if (found.isPoison())
    faultOfPoison(op, "is decided by", found);
  return found.i;
}

SmallVector<int64_t> Machine::integers(Operation *op, ValueRange wanted) const {
  return llvm::map_to_vector(wanted, [&](Value value) { return integer(op, value); });
}

SmallVector<Datum> Machine::data(ValueRange wanted) const {
  return llvm::map_to_vector(wanted, [&](Value value) { return get(value); });
}

SmallVector<int64_t> Machine::apply(Operation *op, AffineMap map, ValueRange operands) const {
  return evaluate(map, integers(op, operands));
}

ViewPtr Machine::global(Operation *user, StringRef name) {
  ViewPtr &known = globals[name];
  if (known)
    return known;
  auto global = symbols.lookup<memref::GlobalOp>(name);
  if (!global)
    fault(user, "there is no memref.global @" + name);
  checkSize(global, global.getType().getShape());
  View view = contiguous(name.str(), global.getType().getShape());
  view.buffer->constant = global.getConstant();
  if (auto value = dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr()))
    view.buffer->elements = arrayOf(value).elements;
  known = std::make_shared<const View>(std::move(view));
  return known;
}

void Machine::spend(Operation *op, int64_t taken) {
  steps += taken;
  if (steps > options.maxSteps)
    fault(op, "stopped here after " + Twine(options.maxSteps) + " steps");
  if (steps < nextPoll)
    return;
  nextPoll = steps + pollInterval;
  if (options.interrupted && options.interrupted())
    fault(op, "interrupted here");
}

void Machine::checkSize(Operation *op, ArrayRef<int64_t> shape) const {
  if (count(shape) > maxElements)
    fault(op, "has more than " + Twine(maxElements) + " elements: too many to interpret");
}

SmallVector<Datum> Machine::call(FunctionOpInterface func, ArrayRef<Datum> arguments) {
  if (func.isExternal())
    fault(func, "is only declared: there is nothing to run");
  if (++depth > 256)
    fault(func, "calls nest deeper than 256: a recursion");
  for (auto [parameter, argument] : llvm::zip_equal(func.getArguments(), arguments))
    set(parameter, argument);
  Operation *returned = run(func.getFunctionBody().front());
  --depth;
  return data(returned->getOperands());
}

Operation *Machine::run(Block &block) {
  for (Operation &op : block.without_terminator())
    execute(&op);
  Operation *terminator = block.getTerminator();
  if (terminator->getNumSuccessors() != 0)
    fault(terminator, "is not known to the interpreter: branches between blocks are not");
  return terminator;
}

void Machine::execute(Operation *op) {
  auto [known, isNew] = handlers.try_emplace(op->getName(), nullptr);
  if (isNew)
    known->second = HandlerTable::all().find(op->getName().getStringRef());
  const Handler *handler = known->second;
  if (!handler)
    fault(op, "is not known to the interpreter");
  spend(op, 1);
  (*handler)(*this, op);
}

} // namespace weft::interpreter
