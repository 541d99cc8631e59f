//===- Interpreter.cpp - arguments in, results out ------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A function on tensors returns its results. One on buffers has them as arguments:
// `weft.role` says "in" (given, and not to be written), "out" (nothing in it yet, read
// back afterwards); an argument without a role is both.
//
//===-----------------------------------------------------------------------===//

#include "dialect/InterpreterGroups.h"

using namespace mlir;

namespace weft::interpreter {

std::optional<DType> dtypeOf(Type element) {
  if (element.isInteger(1))
    return DType::Bool;
  if (element.isInteger(32))
    return DType::I32;
  if (element.isInteger(64) || element.isIndex())
    return DType::I64;
  if (element.isF32())
    return DType::F32;
  if (element.isF64())
    return DType::F64;
  if (auto complex = dyn_cast<ComplexType>(element))
    return complex.getElementType().isF32() ? DType::C64 : DType::C128;
  return std::nullopt;
}

StringRef nameOf(DType dtype) {
  static constexpr StringRef names[] = {"bool",    "int32",     "int64",     "float32",
                                        "float64", "complex64", "complex128"};
  return names[static_cast<size_t>(dtype)];
}

bool isComplex(DType dtype) { return dtype == DType::C64 || dtype == DType::C128; }

/// The dtype of the pairs that a complex array consists of.
static DType partOf(DType dtype) { return dtype == DType::C64 ? DType::F32 : DType::F64; }

/// An argument or a result: a number, a tensor or a buffer of numbers.
static FailureOr<HostArray> described(FunctionOpInterface func, Type type, StringRef kind,
                                      unsigned number, Attribute name) {
  HostArray described;
  auto named = dyn_cast_or_null<StringAttr>(name);
  described.name = named ? named.str() : (kind + Twine(number)).str();
  ArrayRef<int64_t> shape;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!shaped.hasStaticShape() || (memref && !memref.getLayout().isIdentity()))
      return func->emitOpError() << kind << " " << number
                                 << ": expected a static contiguous shape, found " << type;
    shape = shaped.getShape();
  }
  std::optional<DType> dtype = dtypeOf(elementType(type));
  if (!dtype)
    return func->emitOpError() << kind << " " << number << ": expected numbers, found " << type;
  described.dtype = *dtype;
  if (count(shape) > maxElements)
    return func->emitOpError() << kind << " " << number << " has more than " << maxElements
                               << " elements: too many to interpret";
  described.array = Array(shape);
  return described;
}

enum class Role { In, Out, Both };

static Role roleOf(FunctionOpInterface func, unsigned number) {
  auto role = func.getArgAttrOfType<StringAttr>(number, "weft.role");
  if (!isa<MemRefType>(func.getArgumentTypes()[number]))
    return Role::In;
  if (role && role.getValue() == "in")
    return Role::In;
  return role && role.getValue() == "out" ? Role::Out : Role::Both;
}

static FailureOr<HostArray> argument(FunctionOpInterface func, unsigned number) {
  return described(func, func.getArgumentTypes()[number], "argument", number,
                   func.getArgAttr(number, "weft.name"));
}

FailureOr<FunctionOpInterface> findEntry(ModuleOp module, StringRef name) {
  FunctionOpInterface entry;
  unsigned found = 0;
  bool marked = false;
  for (auto func : module.getOps<FunctionOpInterface>()) {
    if (!name.empty()) {
      if (func.getName() != name)
        continue;
      return func;
    }
    bool isEntry = func->hasAttr("weft.entry");
    if (func.isPrivate() || (marked && !isEntry))
      continue;
    found = isEntry && !marked ? 1 : found + 1;
    marked |= isEntry;
    entry = func;
  }
  if (!name.empty())
    return module.emitError("there is no function @") << name;
  if (found != 1)
    return module.emitError("which function? expected one that is public or marked "
                            "weft.entry, found ")
           << found;
  return entry;
}

/// How many groups run it at once, each on arrays of its own; nothing for a plain function.
static std::optional<int64_t> groupsOf(FunctionOpInterface entry) {
  auto groups = entry->getAttrOfType<IntegerAttr>("weft.groups");
  return groups ? std::optional(groups.getInt()) : std::nullopt;
}

FailureOr<std::vector<HostArray>> inputsOf(FunctionOpInterface entry) {
  std::vector<HostArray> inputs;
  std::optional<int64_t> groups = groupsOf(entry);
  for (unsigned n = 0; n < entry.getNumArguments(); ++n) {
    if (roleOf(entry, n) == Role::Out)
      continue;
    FailureOr<HostArray> input = argument(entry, n);
    if (failed(input))
      return failure();
    if (groups) {
      input->array.shape.insert(input->array.shape.begin(), *groups);
      input->array.elements.resize(static_cast<size_t>(count(input->array.shape)));
    }
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

/// What one group has of arrays that have the groups in front.
static FailureOr<std::vector<HostArray>> partsOf(FunctionOpInterface entry, int64_t group,
                                                 int64_t groups, ArrayRef<HostArray> whole) {
  std::vector<HostArray> parts;
  for (const HostArray &array : whole) {
    if (array.array.shape.empty() || array.array.shape.front() != groups)
      return entry->emitOpError("input ") << array.name << ": expected " << groups
                                          << " groups in front, found " << shown(array.array.shape);
    HostArray part{array.name, array.dtype, Array(ArrayRef(array.array.shape).drop_front())};
    auto size = static_cast<int64_t>(part.array.elements.size());
    std::copy_n(array.array.elements.begin() + group * size, size, part.array.elements.begin());
    parts.push_back(std::move(part));
  }
  return parts;
}

/// The outputs of all groups, the groups in front.
static std::vector<HostArray> stacked(ArrayRef<std::vector<HostArray>> outputs) {
  std::vector<HostArray> whole = outputs.front();
  for (HostArray &array : whole)
    array.array.shape.insert(array.array.shape.begin(), static_cast<int64_t>(outputs.size()));
  for (const std::vector<HostArray> &group : outputs.drop_front())
    for (auto [array, more] : llvm::zip_equal(whole, group))
      llvm::append_range(array.array.elements, more.array.elements);
  return whole;
}

/// The elements as the parameter has them; complex ones may be wanted as pairs.
static FailureOr<std::vector<Element>> fitted(FunctionOpInterface func, const HostArray &given,
                                              const HostArray &wanted) {
  if (given.dtype == wanted.dtype && given.array.shape == wanted.array.shape)
    return given.array.elements;
  SmallVector<int64_t> paired(given.array.shape);
  paired.push_back(2);
  if (isComplex(given.dtype) && partOf(given.dtype) == wanted.dtype &&
      paired == wanted.array.shape) {
    std::vector<Element> parts;
    for (const Element &element : given.array.elements) {
      parts.push_back(Element::real(element.re));
      parts.push_back(Element::real(element.im));
    }
    return parts;
  }
  return func->emitOpError("input ")
         << wanted.name << ": expected " << nameOf(wanted.dtype) << shown(wanted.array.shape)
         << ", found " << nameOf(given.dtype) << shown(given.array.shape);
}

/// A result of the kernel; all of it must have been written.
static HostArray output(FunctionOpInterface func, HostArray described, const Datum &datum) {
  std::vector<Element> &elements = described.array.elements;
  if (const auto *number = std::get_if<Element>(&datum))
    elements = {*number};
  else if (const auto *array = std::get_if<ArrayPtr>(&datum))
    elements = (*array)->elements;
  else
    elements = std::get<ViewPtr>(datum)->buffer->elements;
  const SmallVector<int64_t> zero(described.array.shape.size(), 0);
  SmallVector<int64_t> index(zero);
  for (const Element &element : elements) {
    if (element.isPoison())
      faultOfPoison(func, "output " + described.name + " " + shown(index) + " is", element);
    advance(index, zero, described.array.shape);
  }
  return described;
}

/// The arguments of the function: what is given, and memory for what comes out.
static FailureOr<SmallVector<Datum>> argumentsOf(Machine &machine, FunctionOpInterface entry,
                                                 ArrayRef<HostArray> inputs) {
  SmallVector<Datum> arguments;
  unsigned taken = 0;
  for (unsigned n = 0; n < entry.getNumArguments(); ++n) {
    Role role = roleOf(entry, n);
    FailureOr<HostArray> parameter = argument(entry, n);
    if (failed(parameter))
      return failure();
    std::vector<Element> elements;
    if (role != Role::Out) {
      FailureOr<std::vector<Element>> given = fitted(entry, inputs[taken++], *parameter);
      if (failed(given))
        return failure();
      elements = std::move(*given);
    }
    Type type = entry.getArgumentTypes()[n];
    if (isa<MemRefType>(type)) {
      machine.checkSize(entry, parameter->array.shape);
      View view = contiguous(parameter->name, parameter->array.shape);
      view.buffer->constant = role == Role::In;
      if (role != Role::Out)
        view.buffer->elements = std::move(elements);
      arguments.push_back(std::make_shared<const View>(std::move(view)));
    } else if (isa<ShapedType>(type)) {
      Array array(parameter->array.shape);
      array.elements = std::move(elements);
      arguments.push_back(std::make_shared<const Array>(std::move(array)));
    } else {
      arguments.push_back(elements.front());
    }
  }
  return arguments;
}

static FailureOr<std::vector<HostArray>>
outputsOf(FunctionOpInterface entry, ArrayRef<Datum> arguments, ArrayRef<Datum> results) {
  std::vector<HostArray> outputs;
  for (unsigned n = 0; n < entry.getNumArguments(); ++n) {
    if (roleOf(entry, n) != Role::In)
      outputs.push_back(output(entry, *argument(entry, n), arguments[n]));
  }
  for (auto [n, result] : llvm::enumerate(results)) {
    FailureOr<HostArray> parameter = described(entry, entry.getResultTypes()[n], "result", n,
                                               entry.getResultAttr(n, "weft.name"));
    if (failed(parameter))
      return failure();
    outputs.push_back(output(entry, *parameter, result));
  }
  return outputs;
}

/// One run of the function: by one group, where several run it.
struct Run {
  explicit Run(ModuleOp module, const Options &options) : machine(module, options) {}

  /// Calls the function; what ends it early is kept, for nothing may leave a thread.
  void call(FunctionOpInterface entry) {
    try {
      results = machine.call(entry, arguments);
    } catch (const Ended &early) {
      code = early.code;
    } catch (const Fault &found) {
      fault = found;
    } catch (const Abandoned &) {
      abandoned = true;
    }
  }

  Machine machine;
  SmallVector<Datum> arguments, results;
  int64_t code = 0;
  std::optional<Fault> fault;
  bool abandoned = false; ///< it waited for a group that had ended
};

static InFlightDiagnostic told(const Fault &fault) {
  InFlightDiagnostic error = fault.op->emitOpError() << fault.text;
  if (fault.noteAt)
    error.attachNote(fault.noteAt->getLoc()) << fault.note;
  return error;
}

FailureOr<Outcome> interpret(FunctionOpInterface entry, ArrayRef<HostArray> inputs,
                             const Options &options) {
  FailureOr<std::vector<HostArray>> wanted = inputsOf(entry);
  if (failed(wanted))
    return failure();
  if (wanted->size() != inputs.size())
    return entry->emitOpError("expected ") << wanted->size() << " inputs, found " << inputs.size();

  std::optional<int64_t> groups = groupsOf(entry);
  Meeting meeting(groups.value_or(1));
  std::vector<std::unique_ptr<Run>> runs;
  for (int64_t group = 0; group < meeting.groups; ++group) {
    auto run = std::make_unique<Run>(entry->getParentOfType<ModuleOp>(), options);
    FailureOr<std::vector<HostArray>> own = std::vector<HostArray>(inputs);
    if (groups)
      own = partsOf(entry, group, *groups, inputs);
    if (failed(own))
      return failure();
    FailureOr<SmallVector<Datum>> arguments = argumentsOf(run->machine, entry, *own);
    if (failed(arguments))
      return failure();
    run->arguments = std::move(*arguments);
    runs.push_back(std::move(run));
  }
  if (groups)
    meeting.run([&](int64_t group) { runs[group]->call(entry); });
  else
    runs.front()->call(entry);

  Outcome outcome;
  std::vector<std::vector<HostArray>> outputs;
  for (const std::unique_ptr<Run> &run : runs) {
    outcome.steps += run->machine.stepsTaken();
    if (run->fault)
      return told(*run->fault);
    if (outcome.code == 0)
      outcome.code = run->code;
  }
  if (outcome.code != 0)
    return outcome;
  try {
    for (const std::unique_ptr<Run> &run : runs) {
      if (run->abandoned)
        return entry->emitOpError("one group waits at a collective that another does not come to");
      FailureOr<std::vector<HostArray>> found = outputsOf(entry, run->arguments, run->results);
      if (failed(found))
        return failure();
      outputs.push_back(std::move(*found));
    }
  } catch (const Fault &fault) {
    return told(fault);
  }
  outcome.outputs = groups ? stacked(outputs) : std::move(outputs.front());
  return outcome;
}

} // namespace weft::interpreter
