//===- Compiler.cpp - stages 4 and 5 for Python -----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Text in, text out: Python holds IR only as opaque modules. Diagnostics become
// values of a Python exception, with the place in the user's source. The file that
// joins pybind11 and MLIR; keep it small, it is slow to compile.
//
//===-----------------------------------------------------------------------===//

#include "bindings/Arrays.h"
#include "bindings/CrashGuard.h"
#include "dialect/Interpreter.h"
#include "dialect/Places.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/transforms/TransformChoices.h"
#include "targets/common/CEmitter.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstring>

namespace py = pybind11;
using namespace mlir;

namespace {

/// One message of the compiler, with the place in the source that it speaks of.
struct Message {
  std::string severity, text, file;
  unsigned line = 0, column = 0;
};

struct IrError : std::runtime_error {
  explicit IrError(std::vector<Message> messages)
      : std::runtime_error(messages.empty() ? "the compiler failed without a message"
                                            : messages.front().text),
        messages(std::move(messages)) {}
  std::vector<Message> messages;
};

/// A check of the program failed while it was interpreted.
struct CheckFailed : std::runtime_error {
  explicit CheckFailed(int64_t code)
      : std::runtime_error("the kernel returned " + std::to_string(code)), code(code) {}
  int64_t code;
};

/// What a pass said of a choice, and how often the same.
struct PassNote {
  std::string pass, outcome, what, why, file;
  std::map<std::string, int64_t> numbers;
  unsigned line = 0, column = 0, times = 1;

  bool isSame(const PassNote &other) const {
    return std::tie(pass, outcome, what, why, numbers, line, column) ==
           std::tie(other.pass, other.outcome, other.what, other.why, other.numbers, other.line,
                    other.column);
  }
};

/// Gathers the notes of a context, in the order in which they were made first.
class NoteCollector : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit NoteCollector(std::vector<PassNote> &notes) : notes(notes) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    PassNote note;
    note.pass = remark.getCategoryName().str();
    note.outcome = remark.getRemarkName().str();
    for (const auto &argument : remark.getArgs()) {
      int64_t number = 0;
      if (argument.key == weft::noteWhat)
        note.what = argument.val;
      else if (argument.key == weft::noteWhy)
        note.why = argument.val;
      else if (!llvm::StringRef(argument.val).getAsInteger(10, number))
        note.numbers[argument.key] = number;
    }
    if (auto place = weft::fileIn(remark.getLocation())) {
      note.file = place.getFilename().str();
      note.line = place.getLine();
      note.column = place.getColumn();
    }
    auto same = llvm::find_if(notes, [&](const PassNote &other) { return note.isSame(other); });
    if (same == notes.end())
      notes.push_back(std::move(note));
    else
      ++same->times;
  }

private:
  std::vector<PassNote> &notes;
};

/// Collects diagnostics of a context while it lives.
class Collector {
public:
  explicit Collector(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) { add(diagnostic); }) {}

  [[noreturn]] void fail() { throw IrError(std::move(messages)); }
  std::vector<Message> messages;

private:
  void add(Diagnostic &diagnostic) {
    Message message;
    switch (diagnostic.getSeverity()) {
    case DiagnosticSeverity::Error:
      message.severity = "error";
      break;
    case DiagnosticSeverity::Warning:
      message.severity = "warning";
      break;
    case DiagnosticSeverity::Note:
      message.severity = "note";
      break;
    case DiagnosticSeverity::Remark:
      message.severity = "remark";
      break;
    }
    message.text = diagnostic.str();
    if (auto place = weft::fileIn(diagnostic.getLocation())) {
      message.file = place.getFilename().str();
      message.line = place.getLine();
      message.column = place.getColumn();
    }
    messages.push_back(message);
    for (Diagnostic &note : diagnostic.getNotes())
      add(note);
  }

  ScopedDiagnosticHandler handler;
};

std::string print(Operation *op, bool locations) {
  std::string text;
  llvm::raw_string_ostream out(text);
  OpPrintingFlags flags;
  if (locations)
    flags.enableDebugInfo(true, false);
  flags.useLocalScope();
  op->print(out, flags);
  out << "\n";
  return text;
}

/// Hands the module's text to Python after each pass. What Python raises is kept, for MLIR
/// must not be unwound; then nobody is called any more.
struct Listener : public PassInstrumentation {
  using Callback = std::function<void(const std::string &, py::object)>;
  Listener(Callback callback, std::unique_ptr<py::error_already_set> &raised)
      : callback(std::move(callback)), raised(raised) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    llvm::StringRef flag = pass->getArgument();
    if (flag.empty() || !isa<ModuleOp>(op))
      return;
    py::gil_scoped_acquire lock;
    if (raised)
      return;
    weft::Unguarded python;
    try {
      callback(flag.str(), py::cpp_function([op] { return print(op, true); }));
    } catch (py::error_already_set &error) {
      raised = std::make_unique<py::error_already_set>(std::move(error));
    }
  }
  Callback callback;
  std::unique_ptr<py::error_already_set> &raised;
};

class Module {
public:
  explicit Module(const std::string &text, bool withNotes) {
    DialectRegistry registry;
    weft::registerDialects(registry);
    context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    Collector collector(*context);
    module = parseSourceString<ModuleOp>(text, ParserConfig(context.get()));
    if (!module)
      collector.fail();
    if (!withNotes)
      return;
    // A kind without a pattern of its own is not told, whatever `all` says.
    remark::RemarkCategories told;
    told.passed = told.missed = ".*";
    if (failed(remark::enableOptimizationRemarks(
            *context, std::make_unique<NoteCollector>(notes),
            std::make_unique<remark::RemarkEmittingPolicyAll>(), told)))
      throw IrError({{"error", "the notes of passes cannot be collected", "", 0, 0}});
  }

  std::vector<Message> run(const std::string &pipeline, std::optional<Listener::Callback> onPass,
                           bool verify) {
    auto collector = std::make_unique<Collector>(*context);
    auto manager = std::make_unique<PassManager>(context.get(), ModuleOp::getOperationName());
    manager->enableVerifier(verify);
    std::string error;
    llvm::raw_string_ostream out(error);
    if (failed(parsePassPipeline(pipeline, *manager, out)))
      throw IrError({{"error", "no such pipeline: " + error, "", 0, 0}});
    std::unique_ptr<py::error_already_set> raised;
    if (onPass)
      manager->addInstrumentation(std::make_unique<Listener>(std::move(*onPass), raised));
    LogicalResult result = failure();
    if (int signal = unlocked([&] { result = manager->run(*module); })) {
      // Left as it is, as all that crashed().
      static_cast<void>(manager.release()); // NOLINT(bugprone-unused-return-value)
      crashed(std::move(collector), signal);
    }
    if (raised)
      throw py::error_already_set(*raised);
    if (failed(result))
      collector->fail();
    return collector->messages;
  }

  std::string text(bool locations) { return print(*module, locations); }

  /// What the radices of each transform could be; before any pass.
  std::vector<weft::TransformChoices> transforms(size_t most) {
    std::vector<weft::TransformChoices> found;
    module->walk([&](weft::DftOp op) { found.push_back(weft::choicesOf(op, most)); });
    return found;
  }

  weft::Emitted emit(const std::string &banner) {
    auto collector = std::make_unique<Collector>(*context);
    FailureOr<weft::Emitted> emitted = failure();
    if (int signal = unlocked([&] { emitted = weft::emitC(*module, banner); }))
      crashed(std::move(collector), signal);
    if (failed(emitted))
      collector->fail();
    return *emitted;
  }

  std::vector<py::array> interpret(const std::string &name, const std::vector<py::array> &inputs,
                                   int64_t maxSteps, bool reverseIndependent) {
    auto collector = std::make_unique<Collector>(*context);
    std::vector<weft::interpreter::HostArray> arrays;
    arrays.reserve(inputs.size());
    for (const py::array &input : inputs)
      arrays.push_back(weft::fromNumpy(input));
    weft::interpreter::Options options;
    options.maxSteps = maxSteps;
    options.reverseIndependent = reverseIndependent;
    options.interrupted = [] {
      py::gil_scoped_acquire lock;
      weft::Unguarded python;
      return PyErr_CheckSignals() != 0;
    };
    FailureOr<weft::interpreter::Outcome> outcome = failure();
    int signal = unlocked([&] {
      auto entry = weft::interpreter::findEntry(*module, name);
      if (succeeded(entry))
        outcome = weft::interpreter::interpret(*entry, arrays, options);
    });
    if (signal)
      crashed(std::move(collector), signal);
    if (PyErr_Occurred())
      throw py::error_already_set();
    if (failed(outcome))
      collector->fail();
    if (outcome->code != 0)
      throw CheckFailed(outcome->code);
    std::vector<py::array> outputs;
    for (const weft::interpreter::HostArray &output : outcome->outputs)
      outputs.push_back(weft::toNumpy(output));
    return outputs;
  }

  /// What the passes that ran said of their choices.
  std::vector<PassNote> notes;

private:
  /// Without Python's lock; the signal where it crashed.
  static int unlocked(llvm::function_ref<void()> work) {
    py::gil_scoped_release released;
    return weft::guarded(work);
  }

  /// What was in use when it crashed is left as it is, for ever: its locks may be held.
  [[noreturn]] void crashed(std::unique_ptr<Collector> collector, int signal) {
    std::vector<Message> messages = std::move(collector.release()->messages);
    std::string name = strsignal(signal);
    messages.insert(messages.begin(),
                    {"error", "crashed: " + name + " (signal " + std::to_string(signal) + ")"});
    static_cast<void>(module.release());
    static_cast<void>(context.release()); // NOLINT(bugprone-unused-return-value)
    throw IrError(std::move(messages));
  }

  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
};

std::vector<std::pair<std::string, std::string>> passes() {
  std::vector<std::pair<std::string, std::string>> found;
  // In the order of Passes.td.
  for (const char *flag : {"order-axes",           "four-step",
                           "factor-transform",     "split-products",
                           "simplify-butterflies", "fuse",
                           "eliminate-transposes", "arrange-contractions",
                           "split-fixed",          "recompute-twiddles",
                           "tile-for-ldm",         "overlap",
                           "lower-to-loops",       "join-nests",
                           "keep-slices",          "keep-fields",
                           "split-borders",        "stream-reductions",
                           "distribute-to-cores",  "join-cores",
                           "share-panels",         "insert-exchanges",
                           "insert-transfers",     "expand-math",
                           "vectorize-complex",    "order-lanes",
                           "alternate-nests",      "lend-results",
                           "interleave-lines",     "unroll",
                           "shift-rows",           "align-arrays",
                           "order-accesses",       "balance-sums",
                           "overlap-turns",        "schedule-dual-issue",
                           "check-emittable"})
    if (const PassInfo *info = PassInfo::lookup(flag))
      found.emplace_back(flag, info->getPassDescription().str());
  return found;
}

} // namespace

PYBIND11_MODULE(_compiler, module) {
  module.doc() = "Weft's passes and emitters (stages 4 and 5).";
  weft::registerUpstreamPasses();
  weft::registerWeftPasses();
  weft::registerTestPasses();

  py::class_<Message>(module, "Message")
      .def_readonly("severity", &Message::severity)
      .def_readonly("text", &Message::text)
      .def_readonly("file", &Message::file)
      .def_readonly("line", &Message::line)
      .def_readonly("column", &Message::column);

  py::class_<PassNote>(module, "Note")
      .def_readonly("pass_", &PassNote::pass)
      .def_readonly("outcome", &PassNote::outcome)
      .def_readonly("what", &PassNote::what)
      .def_readonly("why", &PassNote::why)
      .def_readonly("numbers", &PassNote::numbers)
      .def_readonly("file", &PassNote::file)
      .def_readonly("line", &PassNote::line)
      .def_readonly("column", &PassNote::column)
      .def_readonly("times", &PassNote::times);

  static py::exception<IrError> irError(module, "IrError");
  static py::exception<CheckFailed> checkFailed(module, "CheckFailed");
  py::register_exception_translator([](std::exception_ptr pending) {
    try {
      if (pending)
        std::rethrow_exception(pending);
    } catch (const IrError &error) {
      py::object type = irError;
      py::object instance = type(error.what());
      instance.attr("messages") = py::cast(error.messages);
      PyErr_SetObject(irError.ptr(), instance.ptr());
    } catch (const CheckFailed &failed) {
      py::object type = checkFailed;
      py::object instance = type(failed.what());
      instance.attr("code") = failed.code;
      PyErr_SetObject(checkFailed.ptr(), instance.ptr());
    }
  });

  py::class_<weft::EmittedParameter>(module, "EmittedParameter")
      .def_readonly("name", &weft::EmittedParameter::name)
      .def_readonly("element", &weft::EmittedParameter::element)
      .def_readonly("shape", &weft::EmittedParameter::shape)
      .def_readonly("is_output", &weft::EmittedParameter::isOutput);
  py::class_<weft::EmittedKernel>(module, "EmittedKernel")
      .def_readonly("name", &weft::EmittedKernel::name)
      .def_readonly("c_name", &weft::EmittedKernel::cName)
      .def_readonly("scratch_bytes", &weft::EmittedKernel::scratchBytes)
      .def_readonly("parameters", &weft::EmittedKernel::parameters)
      .def_readonly("counts", &weft::EmittedKernel::counts)
      .def_readonly("bytes", &weft::EmittedKernel::bytes)
      .def_readonly("by_element", &weft::EmittedKernel::byElement)
      .def_property_readonly("arrays",
                             [](const weft::EmittedKernel &kernel) { return kernel.memory.arrays; })
      .def_property_readonly(
          "passes", [](const weft::EmittedKernel &kernel) { return kernel.memory.passes; });
  py::class_<weft::MemoryPass>(module, "MemoryPass")
      .def_readonly("place", &weft::MemoryPass::place)
      .def_readonly("times", &weft::MemoryPass::times)
      .def_readonly("read", &weft::MemoryPass::read)
      .def_readonly("written", &weft::MemoryPass::written);
  py::class_<weft::ArrayTraffic>(module, "ArrayTraffic")
      .def_readonly("name", &weft::ArrayTraffic::name)
      .def_readonly("memory", &weft::ArrayTraffic::memory)
      .def_readonly("bytes", &weft::ArrayTraffic::bytes)
      .def_readonly("loaded", &weft::ArrayTraffic::loaded)
      .def_readonly("stored", &weft::ArrayTraffic::stored)
      .def_readonly("read", &weft::ArrayTraffic::read)
      .def_readonly("written", &weft::ArrayTraffic::written);
  py::class_<weft::Emitted>(module, "Emitted")
      .def_readonly("c", &weft::Emitted::c)
      .def_readonly("slave", &weft::Emitted::slave)
      .def_readonly("kernels", &weft::Emitted::kernels);

  py::class_<weft::RankedRadices>(module, "RankedRadices")
      .def_property_readonly("radices",
                             [](const weft::RankedRadices &order) {
                               return std::vector<int64_t>(order.radices.begin(),
                                                           order.radices.end());
                             })
      .def_readonly("cost", &weft::RankedRadices::cost);
  py::class_<weft::TransformChoices>(module, "TransformChoices")
      .def_readonly("function", &weft::TransformChoices::function)
      .def_readonly("name", &weft::TransformChoices::name)
      .def_readonly("axis", &weft::TransformChoices::axis)
      .def_readonly("length", &weft::TransformChoices::length)
      .def_readonly("is_given", &weft::TransformChoices::isGiven)
      .def_readonly("chooses_none", &weft::TransformChoices::choosesNone)
      .def_readonly("is_by_table", &weft::TransformChoices::isByTable)
      .def_readonly("orders", &weft::TransformChoices::orders);

  py::class_<Module>(module, "Module")
      .def(py::init<const std::string &, bool>(), py::arg("text"), py::arg("notes") = false)
      .def_readonly("notes", &Module::notes)
      .def("run", &Module::run, py::arg("pipeline"), py::arg("on_pass") = py::none(),
           py::arg("verify") = true)
      .def("transforms", &Module::transforms, py::arg("most"))
      .def("text", &Module::text, py::arg("locations") = true)
      .def("emit", &Module::emit, py::arg("banner"))
      .def("interpret", &Module::interpret, py::arg("entry"), py::arg("inputs"),
           py::arg("max_steps") = weft::interpreter::Options().maxSteps,
           py::arg("reverse_independent") = false);

  module.def("passes", &passes, "(flag, summary) of Weft's own passes, in pipeline order");
}
