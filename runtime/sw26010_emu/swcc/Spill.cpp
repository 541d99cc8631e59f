// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Spill.h"

namespace weft::swcc {

std::vector<SpillKind> spillKinds(const Code &code) {
  std::vector<SpillKind> kinds(code.next - firstVirtual);
  for (const Block &block : code.blocks)
    for (const Operation &operation : block.operations) {
      if (!isVirtual(operation.def))
        continue;
      SpillKind &known = kinds[operation.def - firstVirtual];
      ++known.writes;
      const Kind kind = operation.opcode->kind;
      known.vector = known.vector || operation.opcode->timing->pipes == pipeZero ||
                     kind == Kind::LoadVector || kind == Kind::Get;
      const bool anywhere = operation.uses.size() == 1 && (operation.uses[0] == zeroRegister ||
                                                           operation.uses[0] == stackRegister);
      if (anywhere && (operation.opcode->mnemonic == "ldi" || operation.spill))
        known.remade = operation;
    }
  // An argument has been written once before.
  for (const Register argument : code.arguments)
    ++kinds[argument - firstVirtual].writes;
  return kinds;
}

Operation spillAccess(Register name, unsigned slot, bool store, bool vector,
                      const llvm::Instruction *source) {
  Operation operation;
  operation.opcode =
      &Instructions::get()[store ? (vector ? "vstd" : "stl") : (vector ? "vldd" : "ldl")];
  operation.immediate = 32 * std::int64_t(slot);
  operation.hasImmediate = true;
  operation.bytes = vector ? 32 : 8;
  operation.spill = true;
  // Not the program's: it may move where the program keeps its order.
  operation.glue = true;
  operation.source = source;
  if (store) {
    operation.uses = {name, stackRegister};
    operation.writes = true;
  } else {
    operation.def = name;
    operation.uses = {stackRegister};
    operation.reads = true;
  }
  return operation;
}

std::size_t firstLastCopy(const Block &block) {
  std::size_t at = block.operations.size();
  while (at > 0 &&
         (block.operations[at - 1].lastCopy ||
          block.operations[at - 1].opcode->kind == Kind::Control) &&
         !block.operations[at - 1].call)
    --at;
  return at;
}

} // namespace weft::swcc
