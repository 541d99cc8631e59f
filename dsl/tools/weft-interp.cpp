//===- weft-interp.cpp - run IR of any stage, plainly ----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Exit status: 0 done, 1 the IR is at fault or refused, 2 usage, 3 a check of the
// program failed (an index that is data and out of range): as `weft` itself.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Interpreter.h"
#include "dialect/Weft.h"
#include "tools/NpyFile.h"
#include "tools/RandomInputs.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace weft::interpreter;

namespace {

llvm::cl::OptionCategory category("weft-interp");
llvm::cl::opt<std::string> file(llvm::cl::Positional, llvm::cl::desc("FILE"), llvm::cl::init("-"),
                                llvm::cl::cat(category));
llvm::cl::opt<std::string> entryName("entry", llvm::cl::desc("the function to run"),
                                     llvm::cl::value_desc("NAME"), llvm::cl::cat(category));
llvm::cl::list<std::string> inputs("input",
                                   llvm::cl::desc("a .npy file, or elements such as "
                                                  "'dense<[1.0, 2.0]> : tensor<2xf64>'; one for "
                                                  "each input, in their order"),
                                   llvm::cl::value_desc("ARRAY"), llvm::cl::cat(category));
llvm::cl::list<std::string> outputs("output", llvm::cl::desc("a .npy file for each output"),
                                    llvm::cl::value_desc("FILE"), llvm::cl::cat(category));
llvm::cl::opt<uint32_t> seed("random", llvm::cl::desc("random inputs instead of --input"),
                             llvm::cl::value_desc("SEED"), llvm::cl::cat(category));
llvm::cl::opt<int64_t> maxSteps("max-steps", llvm::cl::desc("stop after that many operations"),
                                llvm::cl::value_desc("N"), llvm::cl::init(Options().maxSteps),
                                llvm::cl::cat(category));
llvm::cl::opt<bool> reverse("reverse-independent",
                            llvm::cl::desc("run loops marked independent backwards"),
                            llvm::cl::cat(category));
llvm::cl::opt<unsigned> shownElements("show", llvm::cl::desc("elements printed of each output"),
                                      llvm::cl::value_desc("N"), llvm::cl::init(64),
                                      llvm::cl::cat(category));
llvm::cl::opt<bool> locations("locations", llvm::cl::desc("show each message's op in full"),
                              llvm::cl::cat(category));

constexpr int usage = 2, checkFailed = 3;

int refuse(const llvm::Twine &why, int status = usage) {
  llvm::errs() << "weft-interp: " << why << "\n";
  return status;
}

/// An input as `--input` gives it.
llvm::Expected<HostArray> readInput(llvm::StringRef text, MLIRContext &context) {
  if (llvm::StringRef(text).ends_with(".npy"))
    return weft::readNpy(text);
  auto elements = dyn_cast_or_null<ElementsAttr>(parseAttribute(text, &context));
  if (!elements || !dtypeOf(elements.getElementType()))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "--input: expected FILE.npy or dense<...> : tensor<...>, "
                                   "found " +
                                       text);
  return HostArray{"", *dtypeOf(elements.getElementType()), arrayOf(elements)};
}

void printElement(llvm::raw_ostream &out, const Element &element, DType dtype) {
  unsigned digits = dtype == DType::F32 || dtype == DType::C64 ? 8 : 15;
  auto real = [&](double value) { out << llvm::format("%.*g", digits, value); };
  if (isComplex(dtype)) {
    out << '(';
    real(element.re);
    out << ", ";
    real(element.im);
    out << ')';
  } else if (dtype == DType::F32 || dtype == DType::F64) {
    real(element.re);
  } else if (dtype == DType::Bool) {
    out << (element.i ? "true" : "false");
  } else {
    out << element.i;
  }
}

/// `y: float64[2, 3] = [[1, 2, 3], [4, 5, 6]]`, cut after `--show` elements.
void print(const HostArray &output) {
  llvm::raw_ostream &out = llvm::outs();
  llvm::ArrayRef<int64_t> shape = output.array.shape;
  out << output.name << ": " << nameOf(output.dtype);
  if (!shape.empty()) {
    out << '[';
    llvm::interleaveComma(shape, out);
    out << ']';
  }
  out << " = ";
  size_t shown = std::min<size_t>(output.array.elements.size(), shownElements);
  for (size_t n = 0; n < shown; ++n) {
    size_t block = 1, opened = 0, closed = 0;
    for (size_t d = shape.size(); d-- > 0;) {
      block *= static_cast<size_t>(shape[d]);
      opened += n % block == 0;
      closed += (n + 1) % block == 0;
    }
    out << std::string(opened, '[');
    printElement(out, output.array.elements[n], output.dtype);
    out << std::string(closed, ']');
    if (n + 1 < output.array.elements.size())
      out << ", ";
  }
  out << (shown < output.array.elements.size() ? "...\n" : "\n");
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "Weft's interpreter: runs IR of any stage of the pipeline\n");

  DialectRegistry registry;
  weft::registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(locations);
  std::string error;
  auto text = openInputFile(file, &error);
  if (!text)
    return refuse(error);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;

  FailureOr<FunctionOpInterface> entry = findEntry(*module, entryName);
  if (failed(entry))
    return usage;
  FailureOr<std::vector<HostArray>> arrays = inputsOf(*entry);
  if (failed(arrays))
    return 1;
  if (seed.getNumOccurrences()) {
    std::mt19937_64 engine(seed);
    for (HostArray &input : *arrays)
      weft::fillRandomly(input, engine);
  } else if (inputs.size() != arrays->size()) {
    return refuse("expected " + llvm::Twine(arrays->size()) +
                  " times --input, or --random, found " + llvm::Twine(inputs.size()));
  } else {
    for (auto [given, input] : llvm::zip_equal(inputs, *arrays)) {
      llvm::Expected<HostArray> read = readInput(given, context);
      if (!read)
        return refuse(llvm::toString(read.takeError()));
      input = std::move(*read);
    }
  }

  Options options;
  options.maxSteps = maxSteps;
  options.reverseIndependent = reverse;
  FailureOr<Outcome> outcome = interpret(*entry, *arrays, options);
  if (failed(outcome))
    return 1;
  if (outcome->code != 0)
    return refuse("the kernel returned " + llvm::Twine(outcome->code), checkFailed);
  if (!outputs.empty() && outputs.size() != outcome->outputs.size())
    return refuse("expected " + llvm::Twine(outcome->outputs.size()) + " times --output, found " +
                  llvm::Twine(outputs.size()));
  for (auto [n, output] : llvm::enumerate(outcome->outputs)) {
    if (outputs.empty()) {
      print(output);
    } else if (llvm::Error failed = weft::writeNpy(outputs[n], output)) {
      return refuse(llvm::toString(std::move(failed)), 1);
    }
  }
  return 0;
}
