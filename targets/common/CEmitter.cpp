//===- CEmitter.cpp - a module as one C file -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/CEmitter.h"

#include "dialect/Target.h"
#include "passes/transfers/LdmPlan.h"
#include "targets/common/FunctionEmitter.h"
#include "targets/common/Support.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace weft {

static const EmbeddedTarget *findTarget(StringRef name) {
  for (const EmbeddedTarget &target : embeddedTargets())
    if (name == target.name)
      return &target;
  return nullptr;
}

/// `static const` array of a table, its elements in lines that fit.
static LogicalResult emitTable(memref::GlobalOp global, StringRef name, std::string &out) {
  MemRefType type = global.getType();
  StringRef element = scalarType(type.getElementType());
  auto value = dyn_cast_or_null<DenseElementsAttr>(global.getInitialValueAttr());
  if (!value || element.empty())
    return global.emitError("no C form for the table '")
           << global.getSymName() << "': expected dense elements of f32, f64, i32, i64 or i1";
  out += (Twine("\n") + alignedAs(global) + "static const " + element + " " + name + "[" +
          Twine(type.getNumElements()) + "] = {")
             .str();
  size_t column = 200;
  for (Attribute entry : value.getValues<Attribute>()) {
    std::string text = literal(type.getElementType(), entry).text;
    if (column + text.size() + 2 > 98) {
      out += "\n   ";
      column = 3;
    }
    out += " " + text + ",";
    column += text.size() + 2;
  }
  out += "\n};\n";
  return success();
}

/// A comment may not end before its end.
static std::string commented(StringRef text) {
  std::string lines;
  for (StringRef line : llvm::split(text.trim(), '\n')) {
    std::string safe;
    for (char c : line)
      safe +=
          c == '/' && !safe.empty() && safe.back() == '*' ? std::string(" /") : std::string(1, c);
    lines += (" * " + safe).c_str();
    lines += "\n";
  }
  return lines;
}

/// A constant array, as C.
struct Table {
  std::string name, text;
};

/// The tables that a text names.
static std::string tablesNamedIn(ArrayRef<Table> tables, StringRef text) {
  auto names = [&](StringRef name) {
    for (size_t at = text.find(name); at != StringRef::npos; at = text.find(name, at + 1)) {
      auto inWord = [&](size_t n) {
        return n < text.size() && (llvm::isAlnum(text[n]) || text[n] == '_');
      };
      if (!inWord(at + name.size()) && (at == 0 || !inWord(at - 1)))
        return true;
    }
    return false;
  };
  std::string wanted;
  for (const Table &table : tables)
    if (names(table.name))
      wanted += table.text;
  return wanted;
}

FailureOr<Emitted> emitC(ModuleOp module, StringRef banner) {
  FailureOr<Target> machine = Target::of(module);
  if (failed(machine))
    return failure();
  std::string targetName = machine->name();
  const EmbeddedTarget *target = findTarget(targetName);
  if (!target) {
    std::string known;
    llvm::interleave(
        embeddedTargets(), [&](const auto &one) { known += one.name; }, [&] { known += ", "; });
    return module.emitError("no emitter for target '")
           << targetName << "': expected one of " << known;
  }
  FailureOr<int64_t> stackBytes = machine->number("stack_bytes");
  FailureOr<int64_t> cacheBytes = machine->number("l3_bytes");
  FailureOr<int64_t> l1Bytes = machine->number("l1d_bytes");
  FailureOr<int64_t> l2Bytes = machine->number("l2_bytes");
  FailureOr<int64_t> lineBytes = machine->number("line_bytes");
  if (failed(stackBytes) || failed(cacheBytes) || failed(l1Bytes) || failed(l2Bytes) ||
      failed(lineBytes))
    return failure();

  Intrinsics intrinsics(target->intrinsics);
  FileContext file{
      targetName,
      target->emitter(),
      intrinsics,
      *stackBytes,
      {*cacheBytes, *l1Bytes, *l2Bytes, *lineBytes, machine->numberIfAny("l2_ways").value_or(0),
       machine->numberIfAny("l3_kept_bytes").value_or(*cacheBytes),
       machine->numberIfAny("ahead_bytes").value_or(0),
       std::min(machine->numberIfAny("ahead_array_bytes").value_or(*cacheBytes), *cacheBytes),
       machine->numberIfAny("short_line_bytes").value_or(0),
       machine->numberIfAny("ahead_in_order_bytes").value_or(0),
       machine->numberIfAny("past_in_place_bytes"), machine->flag("results_ask")},
      {},
      {}};
  file.mergesLoads = machine->flag("merged_loads");
  file.cores = machine->numberIfAny("cores").value_or(0);
  file.rowCores = file.cores / machine->numberIfAny("mesh_rows").value_or(1);
  file.ldmBytes = machine->numberIfAny("ldm_bytes").value_or(0) -
                  machine->numberIfAny("ldm_reserved_bytes").value_or(0);
  SmallVector<func::FuncOp> functions;
  for (Operation &op : *module.getBody()) {
    if (isa<memref::GlobalOp>(op))
      continue;
    auto func = dyn_cast<func::FuncOp>(op);
    if (!func)
      return op.emitError("no C form for `") << op.getName() << "` outside of a function";
    // What is private was inlined where it was called.
    if (!func.isPrivate() && !func.isDeclaration())
      functions.push_back(func);
  }
  llvm::StringSet<> used;
  for (func::FuncOp func : functions)
    func.walk([&](memref::GetGlobalOp get) { used.insert(get.getName()); });
  std::vector<Table> tables;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    if (!used.contains(global.getSymName()))
      continue;
    std::string name = file.names.unique(global.getSymName());
    file.tables[global.getSymName()] = name;
    tables.push_back({name, ""});
    if (failed(emitTable(global, name, tables.back().text)))
      return failure();
  }

  Emitted emitted;
  std::string bodies;
  for (func::FuncOp func : functions) {
    FailureOr<EmittedKernel> kernel = FunctionEmitter(func, file).run(bodies);
    if (failed(kernel))
      return failure();
    emitted.kernels.push_back(*kernel);
  }
  std::string support = (llvm::Twine(commonSupport()) + "\n" + target->support).str();
  std::string head = "/* C for " + targetName + ", made by Weft:\n" + commented(banner) +
                     " * Integers wrap around: compile with -fwrapv.\n */\n\n";
  auto whole = [&](const std::string &text) {
    std::string constants = tablesNamedIn(tables, text);
    return supportFor(support, constants + text) + constants + text;
  };
  if (file.cores == 0) {
    emitted.c = head + whole(bodies);
    return emitted;
  }
  std::string memory;
  if (file.ldmUsed > 0)
    memory = "\n/* All arrays in a core's own memory. */\n__thread_local char weft_arrays[" +
             std::to_string(file.ldmUsed) + "] __attribute__((aligned(" +
             std::to_string(ldmAlignment) + ")));\n";
  std::string spawned = file.spawned.empty() ? "" : "\n" + file.spawned;
  emitted.c = head + "#include <athread.h>\n" + whole(file.structs + spawned + bodies);
  if (!file.coreBodies.empty())
    emitted.slave = head + "#include <slave.h>\n#include <simd.h>\n" +
                    whole(file.structs + memory + file.coreBodies);
  return emitted;
}

} // namespace weft
