//===- VerifyEach.cpp - which pass changes what IR computes? -------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// `weft compile --verify-each-numerically` knows the program and what roundings do to
// it. Here there is only IR, as it was given: its own result is the measure, and the
// bound is a guess from the largest element. Nothing is passed over in silence: IR that
// cannot be run before the first pass is an error as well.
//
//===-----------------------------------------------------------------------===//

#include "tools/VerifyEach.h"

#include "tools/RandomInputs.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace weft::interpreter;

namespace {

/// As in weft/verification.py.
constexpr int64_t maxSteps = 1'000'000'000;
/// Rounding errors, for each binary digit of the number of elements.
constexpr double room = 256;

struct Subject {
  std::string name;
  std::vector<HostArray> inputs;
  Outcome expected;
};

/// One number of an array; of a complex one the real part comes first. From some pass on
/// the two are elements of their own: numbers are counted, not elements.
double numberAt(const HostArray &array, size_t n) {
  if (isComplex(array.dtype)) {
    const Element &element = array.array.elements[n / 2];
    return n % 2 ? element.im : element.re;
  }
  const Element &element = array.array.elements[n];
  bool real = array.dtype == DType::F32 || array.dtype == DType::F64;
  return real ? element.re : static_cast<double>(element.i);
}

size_t numbersOf(const HostArray &array) {
  return array.array.elements.size() * (isComplex(array.dtype) ? 2 : 1);
}

double roundingOf(DType dtype) {
  switch (dtype) {
  case DType::F32:
  case DType::C64:
    return std::numeric_limits<float>::epsilon();
  case DType::F64:
  case DType::C128:
    return std::numeric_limits<double>::epsilon();
  default:
    return 0;
  }
}

/// `y[1, 2]`, with the part of a complex number.
std::string placeOf(const HostArray &array, size_t n) {
  size_t element = isComplex(array.dtype) ? n / 2 : n;
  std::string index;
  for (size_t d = array.array.shape.size(); d-- > 0;) {
    size_t extent = static_cast<size_t>(array.array.shape[d]);
    index.insert(0, std::to_string(element % extent) + (index.empty() ? "" : ", "));
    element /= extent;
  }
  std::string text = array.name + "[" + index + "]";
  if (isComplex(array.dtype))
    text += n % 2 ? " (imaginary part)" : " (real part)";
  return text;
}

std::string shown(double value) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// What differs first, and by how much; empty where nothing does.
std::string difference(const HostArray &was, const HostArray &is) {
  size_t count = numbersOf(was);
  if (numbersOf(is) != count)
    return was.name + " has another number of elements";
  double largest = 0;
  for (size_t n = 0; n < count; ++n)
    if (std::isfinite(numberAt(was, n)))
      largest = std::max(largest, std::abs(numberAt(was, n)));
  double bound = roundingOf(was.dtype) * largest * room * std::log2(static_cast<double>(count + 2));
  size_t first = count, wrong = 0;
  for (size_t n = 0; n < count; ++n) {
    double before = numberAt(was, n), after = numberAt(is, n);
    if (before == after || (std::isnan(before) && std::isnan(after)) ||
        std::abs(before - after) <= bound)
      continue;
    first = std::min(first, n);
    ++wrong;
  }
  if (!wrong)
    return "";
  return placeOf(was, first) + " is " + shown(numberAt(is, first)) + ", before it was " +
         shown(numberAt(was, first)) + " (bound " + shown(bound) + ", " + std::to_string(wrong) +
         " of " + std::to_string(count) + " numbers differ)";
}

class Watch : public PassInstrumentation {
public:
  explicit Watch(bool &wrong) : wrong(wrong) {}

  void runBeforePass(Pass *, Operation *op) override {
    auto module = dyn_cast<ModuleOp>(op);
    if (!module || last)
      return;
    last.emplace(op);
    for (auto function : module.getOps<FunctionOpInterface>())
      if (function->hasAttr("weft.entry"))
        add(function);
    if (!subjects.empty() || wrong)
      return;
    FailureOr<FunctionOpInterface> only = findEntry(module, "");
    if (failed(only))
      wrong = true;
    else
      add(*only);
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    auto module = dyn_cast<ModuleOp>(op);
    if (!module || wrong || *last == OperationFingerPrint(op))
      return;
    last.emplace(op);
    // Passes on single functions come as one that has no flag.
    llvm::StringRef flag = pass->getArgument().empty() ? pass->getName() : pass->getArgument();
    for (const Subject &subject : subjects)
      if (std::string what = compare(module, subject); !what.empty()) {
        wrong = true;
        Operation *function = module.lookupSymbol(subject.name);
        emitError((function ? function : op)->getLoc())
            << "the pass " << flag << " changed the result: " << what;
        return;
      }
  }

private:
  static FailureOr<Outcome> run(FunctionOpInterface function, llvm::ArrayRef<HostArray> inputs,
                                bool backwards) {
    Options options;
    options.maxSteps = maxSteps;
    options.reverseIndependent = backwards;
    return interpret(function, inputs, options);
  }

  void add(FunctionOpInterface function) {
    FailureOr<std::vector<HostArray>> inputs = inputsOf(function);
    FailureOr<Outcome> outcome = failure();
    // Integers may be indices: smaller ones, where they are out of range.
    for (uint64_t integers : {10, 2, 1}) {
      if (failed(inputs))
        break;
      // The same numbers before and after a pass.
      std::mt19937_64 engine(1); // NOLINT(bugprone-random-generator-seed)
      for (HostArray &input : *inputs)
        weft::fillRandomly(input, engine, integers);
      outcome = run(function, *inputs, false);
      if (failed(outcome) || outcome->code == 0)
        break;
    }
    if (failed(outcome)) {
      emitError(function.getLoc()) << "cannot be run before any pass: nothing to verify passes by";
      wrong = true;
      return;
    }
    subjects.push_back({function.getName().str(), *inputs, std::move(*outcome)});
    for (HostArray &input : *inputs)
      if (input.dtype == DType::I32 || input.dtype == DType::I64)
        for (int64_t number : {int64_t(-1), int64_t(std::numeric_limits<int32_t>::max())})
          addFault(function, *inputs, input, number);
  }

  /// An integer that may be an index, and out of range: then the same check must find it.
  void addFault(FunctionOpInterface function, std::vector<HostArray> &inputs, HostArray &input,
                int64_t number) {
    Element &element = number < 0 ? input.array.elements.front() : input.array.elements.back();
    Element before = element;
    element = Element::integer(number);
    ScopedDiagnosticHandler silent(function.getContext(), [](Diagnostic &) { return success(); });
    FailureOr<Outcome> outcome = run(function, inputs, false);
    if (succeeded(outcome) && outcome->code != 0)
      subjects.push_back({function.getName().str(), inputs, std::move(*outcome)});
    element = before;
  }

  static std::string compare(ModuleOp module, const Subject &subject) {
    FailureOr<FunctionOpInterface> function = findEntry(module, subject.name);
    if (failed(function))
      return subject.name + " is gone";
    // Loops that say they are independent give the same results backwards.
    for (bool backwards : {false, true}) {
      std::string how = backwards ? " when independent loops run backwards" : "";
      FailureOr<Outcome> outcome = run(*function, subject.inputs, backwards);
      if (failed(outcome))
        return subject.name + " cannot be run any more" + how;
      if (outcome->code != subject.expected.code)
        return subject.name + " returns " + std::to_string(outcome->code) +
               ", before it returned " + std::to_string(subject.expected.code) + how;
      if (outcome->code != 0)
        continue;
      if (outcome->outputs.size() != subject.expected.outputs.size())
        return subject.name + " has another number of outputs";
      for (auto [was, is] : llvm::zip_equal(subject.expected.outputs, outcome->outputs))
        if (std::string what = difference(was, is); !what.empty())
          return what + how;
    }
    return "";
  }

  bool &wrong;
  std::vector<Subject> subjects;
  std::optional<OperationFingerPrint> last;
};

/// Fails the pipeline where a pass before was wrong: an instrumentation cannot.
struct Verdict : public PassWrapper<Verdict, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Verdict)
  explicit Verdict(std::shared_ptr<bool> wrong) : wrong(std::move(wrong)) {}
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (*wrong)
      signalPassFailure();
  }
  std::shared_ptr<bool> wrong;
};

} // namespace

void weft::verifyEachNumerically(PassManager &manager) {
  auto wrong = std::make_shared<bool>(false);
  manager.addPass(std::make_unique<Verdict>(wrong));
  manager.addInstrumentation(std::make_unique<Watch>(*wrong));
}
