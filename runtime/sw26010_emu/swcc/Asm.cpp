// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Asm.h"

#include "AbiTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace weft::swcc {

namespace {

std::string registerText(Register name) {
  if (name == stackRegister)
    return "$sp";
  return name == 29 ? "$gp" : "$" + std::to_string(name);
}

std::string symbolText(const Operation &operation) {
  if (!operation.symbol)
    return {};
  StringRef name = operation.symbol->getName();
  name.consume_front("slave_");
  return name.empty() ? "local" : name.str();
}

std::string labelText(unsigned index, const Code &code) {
  return ".L" + std::to_string(index) + "_" + sourceName(*code.function).str();
}

std::string displacementText(const Operation &operation, Register base) {
  std::string text = symbolText(operation);
  if (text.empty())
    text = std::to_string(operation.immediate);
  else if (operation.immediate)
    text += (operation.immediate > 0 ? "+" : "") + std::to_string(operation.immediate);
  return text + "(" + registerText(base) + ")";
}

unsigned numberOf(const BasicBlock *block, const Code &code) {
  return find_if(code.blocks, [&](const Block &other) { return other.ir == block; }) -
         code.blocks.begin();
}

/// A loop whose body is one block: what a turn costs, and what bounds it.
void writeLoop(raw_ostream &out, const Block &block, const BlockCost &cost) {
  unsigned issued[2] = {0, 0}, flops = 0, spills = 0;
  int waits = 0;
  for (const auto &[operation, issue] : zip(block.operations, cost.run.issues)) {
    ++issued[issue.pipe];
    flops += operation.opcode->flops;
    spills += operation.spill;
    waits += issue.dataWait;
  }
  const unsigned count = issued[0] + issued[1], cycles = std::max(1, cost.cycles);
  SmallDenseMap<int, unsigned> inCycle;
  for (const Issue &issue : cost.run.issues)
    ++inCycle[issue.cycle];
  const unsigned dual =
      count_if(make_second_range(inCycle), [](unsigned together) { return together > 1; });
  const unsigned slack = cost.penalty + 1;
  out << format("#<loop> %u cycles a turn: %u instructions, pipe 0 %u, pipe 1 %u, %u cycles issue "
                "two, %u flops (%.1f %% of peak)",
                cycles, count, issued[0], issued[1], dual, flops, flops * 100.0 / (8.0 * cycles));
  if (spills)
    out << ", " << spills << " spill accesses";
  out << ", bound by "
      << (issued[0] + slack >= cycles   ? "pipe 0"
          : issued[1] + slack >= cycles ? "pipe 1"
          : waits                       ? "operands"
                                        : "issue and branches")
      << "\n";
}

} // namespace

unsigned lineOf(const Operation &operation, const Code &code) {
  const DISubprogram *subprogram = code.function->getSubprogram();
  if (!subprogram)
    return 0;
  // What was inlined counts where it was written: the innermost line. But a line is told with the
  // function's file, so that what comes from another, as simd.h, counts where it was called.
  if (operation.source)
    for (const DILocation *place = operation.source->getDebugLoc().get(); place;
         place = place->getInlinedAt())
      if (place->getLine() && place->getFile() == subprogram->getFile())
        return place->getLine();
  return subprogram->getLine();
}

std::string assemblyText(const Operation &operation, const Code &code) {
  StringRef name = operation.opcode->mnemonic;
  const bool literal = name.consume_back("_literal");
  std::string text = name.str() + "\t";
  const Kind kind = operation.opcode->kind;
  const bool isLoad = kind == Kind::Load || kind == Kind::LoadVector || kind == Kind::LoadConstant;
  if ((isLoad || kind == Kind::Store || name == "ldi" || name == "ldih") &&
      !operation.uses.empty()) {
    const Register moved = kind == Kind::Store ? operation.uses.front() : operation.def;
    text += registerText(moved) + "," + displacementText(operation, operation.uses.back());
    return literal ? text + "\t!literal" : text;
  }
  SmallVector<std::string, 4> parts;
  if (kind == Kind::Control) {
    if (!operation.uses.empty() && !operation.call)
      parts.push_back(registerText(operation.uses.front()));
    if (operation.call)
      parts = {registerText(returnAddressRegister),
               operation.symbol ? symbolText(operation) : "($27)"};
    if (operation.target)
      parts.push_back(labelText(numberOf(operation.target, code), code));
  } else {
    // A move of a constant reads no register.
    const bool constantMove = name == "mov" && operation.hasImmediate;
    for (const Register use : operation.uses)
      if (!constantMove)
        parts.push_back(registerText(use));
    if (operation.hasImmediate)
      parts.push_back(std::to_string(operation.immediate));
    if (operation.def != noRegister)
      parts.push_back(registerText(operation.def));
  }
  for (const auto &[index, part] : enumerate(parts))
    text += (index ? "," : "") + part;
  return text;
}

void writeListing(raw_ostream &out, const Code &code, const Costs &costs) {
  out << "\n\t.ent\t" << sourceName(*code.function) << "\n" << sourceName(*code.function) << ":\n";
  out << "# " << code.bytes() << " bytes of code, " << code.spilled << " values spilled"
      << (code.ordered ? ", order kept (weft_ordered)" : "") << "\n";
  for (const auto &[index, block] : enumerate(code.blocks)) {
    const BlockCost &cost = costs.blocks[index];
    out << labelText(index, code) << ":\n";
    if (is_contained(block.successors, unsigned(index)))
      writeLoop(out, block, cost);
    else if (block.depth)
      out << "#<loop> part of a loop, depth " << block.depth << "\n";
    for (const auto &[operation, issue] : zip(block.operations, cost.run.issues)) {
      const std::string text = assemblyText(operation, code);
      out << "\t" << text;
      out.indent(text.size() < 40 ? 40 - text.size() : 1);
      out << "# [" << issue.cycle << "] P" << issue.pipe << " line " << lineOf(operation, code);
      if (operation.spill)
        out << " spill";
      if (issue.dataWait > 0)
        out << " waits " << issue.dataWait;
      out << "\n";
    }
    out << "#\t" << cost.cycles << " cycles";
    if (cost.penalty)
      out << ", of which branch " << cost.penalty;
    for (const Edge &edge : costs.edges)
      if (edge.to == index && edge.difference)
        out << "; from " << labelText(edge.from, code) << " " << (edge.difference > 0 ? "+" : "")
            << edge.difference;
    out << "\n";
  }
  out << "\t.end\t" << sourceName(*code.function) << "\n";
}

} // namespace weft::swcc
