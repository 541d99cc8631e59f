//===- FunctionEmitter.cpp - one function as C -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/FunctionEmitter.h"

#include "targets/common/GroupCalls.h"
#include "targets/common/HalfLoads.h"
#include "targets/common/PastStores.h"
#include "targets/common/TermsAhead.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace weft {

FunctionEmitter::FunctionEmitter(func::FuncOp func, FileContext &file)
    : func(func), file(file), memory(func, file.stackBytes),
      nesting(func, [this](OpOperand &use) { return absorbsNegation(use); }), names(file.names) {}

/// Whether the caller's array is written to.
static bool isOutput(func::FuncOp func, unsigned number) {
  if (auto role = func.getArgAttrOfType<StringAttr>(number, "weft.role"))
    return role.getValue() == "out";
  bool written = false;
  SmallVector<Value> views{func.getArgument(number)};
  while (!views.empty())
    for (OpOperand &use : views.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (user->getNumResults() == 1 && isa<MemRefType>(user->getResult(0).getType()))
        views.push_back(user->getResult(0));
      auto copy = dyn_cast<memref::CopyOp>(user);
      auto exchange = dyn_cast<ExchangeOp>(user);
      written |= isa<affine::AffineWriteOpInterface, memref::StoreOp, vector::StoreOp,
                     vector::MaskedStoreOp>(user) ||
                 (copy && copy.getTarget() == use.get()) ||
                 (exchange && exchange.getTo() == use.get());
    }
  return written;
}

FailureOr<EmittedKernel> FunctionEmitter::run(std::string &out) {
  if (!llvm::hasSingleElement(func.getBody()))
    return func.emitError("no C form for control flow between blocks: expected affine loops");
  if (func.getNumResults() != 0)
    return func.emitError("no C form for results of a function: expected lower-to-loops to have "
                          "made them arguments");
  EmittedKernel kernel;
  kernel.name = func.getSymName().str();
  kernel.cName = file.names.unique(kernel.name);
  cName = kernel.cName;
  // Its own name, and those of the functions before, are no variables of this one.
  names = file.names;
  names.open();
  if (isOverGroups(func))
    names.unique(groupsName);

  SmallVector<std::string> parameters, unused;
  for (BlockArgument argument : func.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    StringRef element = type ? scalarType(type.getElementType()) : "";
    if (element.empty() || !type.hasStaticShape() || !type.getLayout().isIdentity())
      return func.emitError("no C form for argument ")
             << argument.getArgNumber()
             << ": expected a contiguous buffer of f32, f64, i32, i64 or "
             << "i1, found " << argument.getType();
    auto named = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "weft.name");
    StringRef wanted = named ? named.getValue() : nameIn(argument.getLoc());
    std::string name = wanted.empty() ? names.numbered("x") : names.unique(wanted);
    bufferNames[argument] = name;
    bool output = isOutput(func, argument.getArgNumber());
    std::string spelt;
    llvm::raw_string_ostream(spelt) << type.getElementType();
    kernel.parameters.push_back({wanted.str(), spelt, type.getShape().vec(), output});
    parameters.push_back(((output ? "" : "const ") + element + " *restrict " + name).str());
    if (argument.use_empty())
      unused.push_back(name);
  }
  parameters.push_back("void *restrict scratch");
  if (memory.totalBytes() == 0)
    unused.push_back("scratch");
  if (isOverGroups(func)) {
    parameters.push_back("const struct weft_groups *" + groupsName.str());
    bool meets = false;
    func.walk([&](ExchangeOp) { meets = true; });
    if (!meets)
      unused.push_back(groupsName.str());
  }

  inHalves = loadsInHalves(func, file.intrinsics);
  past = storesPast(func, file.cache);
  inOrder = rowsAhead(func, file.cache);
  addTermsAhead(func, file.cache, inOrder);
  ahead = linesAhead(func, file.cache, past, inOrder.loads);
  if (failed(emitBlock(func.getBody().front())))
    return failure();

  std::string where = placeIn(func.getLoc());
  out += "\n/* " + kernel.name + (where.empty() ? "" : ", " + where) + "\n *\n" + counts.comment();
  out += " *   scratch: " + std::to_string(memory.sharedBytes()) + " bytes";
  if (memory.threadBytes())
    out += ", and " + std::to_string(memory.threadBytes()) + " for each of at most " +
           std::to_string(memory.threads()) + " threads";
  out += "\n */\n";
  out += "size_t " + kernel.cName + "_scratch_bytes(void) { return " +
         std::to_string(memory.totalBytes()) + "; }\n\n";
  std::string head = "int " + kernel.cName + "(";
  std::string indent(head.size(), ' ');
  std::string signature;
  size_t column = head.size();
  for (auto [number, parameter] : llvm::enumerate(parameters)) {
    if (number != 0)
      signature += ",";
    if (number != 0 && column + parameter.size() > 95) {
      signature += "\n" + indent;
      column = indent.size();
    } else if (number != 0) {
      signature += " ";
    }
    signature += parameter;
    column += parameter.size() + 2;
  }
  out += head + signature + ") {\n";
  for (const std::string &name : unused)
    out += "  (void)" + name + ";\n";
  // Threads that meet behind a loop wait for what they stored; the caller's is left.
  if (hasPast)
    body += "  weft_stored_past();\n";
  out += hoisted + body + "  return 0;\n}\n";

  kernel.scratchBytes = memory.totalBytes();
  kernel.counts = counts.operations();
  kernel.bytes = counts.bytes();
  kernel.byElement = counts.byElement();
  kernel.memory = memoryTraffic(func, file.cache);
  return kernel;
}

} // namespace weft
