//===- weft-opt.cpp - run passes on IR, with mlir-opt's words ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// mlir-opt with Weft's dialect and passes, and three things more: the options that start
// with mlir- go without it too (--print-ir-after-all, --timing); an unknown option or pass
// is told with what comes close; and that is exit status 2, as everywhere in weft.
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "tools/VerifyEach.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/ToolOutputFile.h"

#include <string>
#include <vector>

namespace {

constexpr int usage = 2;
constexpr llvm::StringRef prefix = "mlir-";

bool isOption(llvm::StringRef name) { return llvm::cl::getRegisteredOptions().contains(name); }

bool isPass(llvm::StringRef name) {
  return mlir::PassInfo::lookup(name) || mlir::PassPipelineInfo::lookup(name);
}

/// `did you mean 'a' or 'b'?`, of the known names that come close; else empty.
std::string closeTo(llvm::StringRef name, bool onlyPasses) {
  std::vector<std::pair<unsigned, std::string>> close;
  unsigned limit = std::max<unsigned>(1, name.size() / 3);
  for (llvm::StringRef known : llvm::cl::getRegisteredOptions().keys()) {
    if (onlyPasses && !isPass(known))
      continue;
    // As the user may write it.
    if (!isPass(known))
      known.consume_front(prefix);
    unsigned distance = name.edit_distance(known, /*AllowReplacements=*/true, limit);
    if (distance <= limit)
      close.emplace_back(distance, known.str());
  }
  llvm::sort(close);
  std::string text;
  for (size_t n = 0; n < std::min<size_t>(3, close.size()); ++n)
    text += (n ? " or '" : "; did you mean '") + close[n].second + "'";
  return text.empty() ? text : text + "?";
}

int refuse(const llvm::Twine &why) {
  llvm::errs() << "weft-opt: " << why << "\n";
  return usage;
}

/// Status 0 where all passes of a pipeline exist. Names before a `(` are ops.
int checkPipeline(llvm::StringRef pipeline) {
  while (!pipeline.empty()) {
    if (pipeline.front() == '{') {
      // Options of a pass; they may nest.
      size_t depth = 0, at = 0;
      do
        depth += pipeline[at] == '{' ? 1 : pipeline[at] == '}' ? -1 : 0;
      while (++at < pipeline.size() && depth > 0);
      pipeline = pipeline.drop_front(at);
      continue;
    }
    llvm::StringRef name = pipeline.take_until([](char c) { return strchr("(),{}", c); });
    pipeline = pipeline.drop_front(name.size());
    name = name.trim();
    if (!name.empty() && !pipeline.starts_with("(") && !isPass(name))
      return refuse("there is no pass '" + name + "'" + closeTo(name, true));
    if (!pipeline.empty() && pipeline.front() != '{')
      pipeline = pipeline.drop_front();
  }
  return 0;
}

constexpr llvm::StringRef overview = "Weft's optimizer: one pass or pipeline from the shell\n";

llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::desc("FILE"), llvm::cl::init("-"));
llvm::cl::opt<std::string> output("o", llvm::cl::desc("Where to; - is standard output"),
                                  llvm::cl::value_desc("FILE"), llvm::cl::init("-"));
llvm::cl::opt<bool> verifyEach(
    "verify-each-numerically",
    llvm::cl::desc(
        "Run the IR before and after each pass; name the first that changes the result"));

/// MlirOptMain, with its passes watched.
mlir::LogicalResult runVerified(mlir::DialectRegistry &registry) {
  auto complain = [](const std::string &error) {
    llvm::errs() << "weft-opt: " << error << "\n";
    return mlir::failure();
  };
  std::string error;
  auto file = mlir::openInputFile(input, &error);
  if (!file)
    return complain(error);
  auto out = mlir::openOutputFile(output, &error);
  if (!out)
    return complain(error);
  auto asked = mlir::MlirOptMainConfig::createFromCLOptions();
  mlir::MlirOptMainConfig config = asked;
  config.setPassPipelineSetupFn([&](mlir::PassManager &manager) {
    if (failed(asked.setupPassPipeline(manager)))
      return mlir::failure();
    weft::verifyEachNumerically(manager);
    return mlir::success();
  });
  if (failed(mlir::MlirOptMain(out->os(), std::move(file), registry, config)))
    return mlir::failure();
  out->keep();
  return mlir::success();
}

/// Whether a file ends with the passes that are to run on it.
bool isReproducer(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file && (*file)->getBuffer().take_back(1 << 16).contains("mlir_reproducer: {");
}

/// Status 0 where all passes that are asked for take their options.
int checkPassOptions() {
  mlir::MLIRContext context;
  std::string why;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    llvm::StringRef text = why = diagnostic.str();
    text.consume_front("<Pass-Options-Parser>: ");
    why = text.trim().str();
    return mlir::success();
  });
  mlir::PassManager manager(&context, mlir::ModuleOp::getOperationName());
  if (succeeded(mlir::MlirOptMainConfig::createFromCLOptions().setupPassPipeline(manager)))
    return 0;
  return refuse(llvm::Twine(why) + "; weft opt --help has the passes and their options");
}

/// The words as MLIR knows them.
int translate(std::vector<std::string> &words) {
  bool printsChanges = false, printsAfter = false, hasPasses = false, hasReproducer = false;
  for (size_t n = 1; n < words.size(); ++n) {
    llvm::StringRef word = words[n];
    if (word == "--")
      break;
    llvm::StringRef name = word.ltrim('-').split('=').first;
    if (!word.starts_with("-") || name.empty()) {
      hasReproducer |= isReproducer(word);
      continue;
    }
    if (word == "-h") {
      words[n] = "--help";
      continue;
    }
    std::string full = (prefix + name).str();
    if (!isOption(name) && !isOption(full))
      return refuse("there is no option or pass '" + name + "'" + closeTo(name, false));
    if (name == "pass-pipeline") {
      llvm::StringRef pipeline = word.split('=').second;
      if (pipeline.empty() && n + 1 < words.size())
        pipeline = words[n + 1];
      if (int status = checkPipeline(pipeline))
        return status;
    }
    hasPasses |= isPass(name) || name == "pass-pipeline" || name == "run-reproducer";
    name.consume_front(prefix);
    printsChanges |= name == "print-ir-after-change";
    printsAfter |= name == "print-ir-after-all" || name == "print-ir-after";
    if (!isOption(word.ltrim('-').split('=').first))
      words[n] = "--" + (prefix + word.ltrim('-')).str();
  }
  // MLIR prints changes only of the passes that another option names.
  if (printsChanges && !printsAfter)
    words.insert(words.begin() + 1, "--mlir-print-ir-after-all");
  // A file that brings its passes, and nothing else to do with it.
  if (hasReproducer && !hasPasses)
    words.insert(words.begin() + 1, "--run-reproducer");
  return 0;
}

/// LLVM's own options, of back ends and of passes on LLVM IR, stay out of --help: nothing here runs
/// those. They are what is known before MLIR adds its own; --help-hidden has them.
void hideOptionsOfLlvm() {
  for (auto entry : llvm::cl::getRegisteredOptions()) {
    llvm::cl::Option *option = entry.second;
    bool ours = option == &output || option == &verifyEach || entry.first.starts_with("help") ||
                entry.first == "version";
    if (!ours && option->getOptionHiddenFlag() == llvm::cl::NotHidden)
      option->setHiddenFlag(llvm::cl::Hidden);
  }
}

} // namespace

int main(int argc, char **argv) {
  llvm::setBugReportMsg("weft-opt crashed: a fault of Weft, please report it with the IR.\n");
  hideOptionsOfLlvm();
  mlir::DialectRegistry registry;
  weft::registerDialects(registry);
  weft::registerUpstreamPasses();
  weft::registerWeftPasses();
  weft::registerTestPasses();

  // What MlirOptMain registers when it parses, now: to know which words there are.
  mlir::MlirOptMainConfig::registerCLOptions(registry);
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();

  std::vector<std::string> words(argv, argv + argc);
  if (int status = translate(words))
    return status;
  std::vector<char *> translated;
  translated.reserve(words.size() + 1);
  for (std::string &word : words)
    translated.push_back(word.data());
  translated.push_back(nullptr);
  int count = static_cast<int>(words.size());
  if (!llvm::cl::ParseCommandLineOptions(count, translated.data(), overview, &llvm::errs()))
    return usage;
  if (int status = checkPassOptions())
    return status;
  if (input != "-" && !llvm::sys::fs::exists(input))
    return refuse("no such file: " + input);
  if (verifyEach)
    return mlir::asMainReturnCode(runVerified(registry));
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(count, translated.data(), input, output, registry));
}
