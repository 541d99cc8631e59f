// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Instructions.h"

#include "MachineTable.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

#include <string>

using namespace llvm;

namespace weft::swcc {

namespace {

/// The table in machine.toml of each kind, in the order of Kind.
constexpr StringLiteral kindNames[] = {
    "fp",          "divide_double",  "divide_single", "root_double", "root_single",
    "lane",        "vector_integer", "integer",       "multiply",    "load",
    "load_vector", "load_constant",  "store",         "put",         "get",
    "csr",         "sync",           "fence",         "transfer",    "atomic",
    "control"};
static_assert(std::size(kindNames) == static_cast<unsigned>(Kind::count));

struct Row {
  Kind kind;
  unsigned flops;
  StringLiteral mnemonics;
};

/// Every instruction that the selector writes, that simd.h marks, or that inline assembly may name.
constexpr Row rows[] = {
    {Kind::Fp, 1, "faddd fadds fsubd fsubs fmuld fmuls"},
    {Kind::Fp, 2, "fmad fmas fmsd fmss fnmad fnmas fnmsd fnmss"},
    {Kind::Fp, 4, "vaddd vadds vsubd vsubs vmuld vmuls"},
    {Kind::Fp, 8, "vmad vmas vmsd vmss vnmad vnmas vnmsd vnmss"},
    {Kind::Fp, 0,
     "fcmpeq fcmple fcmplt fcmpun vfcmpeq vfcmple vfcmplt vfcmpun fcvtsd fcvtds fcvtdl fcvtdl_z "
     "fcvtdlr "
     "fcvtdl_g fcvtdl_p fcvtdl_n fcvtls fcvtld fcvtsl fcvtsl_z fcvtlw fcvtwl vfcvtds vfcvtld "
     "vfcvtdl"},
    {Kind::DivideDouble, 1, "fdivd"},
    {Kind::DivideDouble, 4, "vdivd"},
    {Kind::DivideSingle, 1, "fdivs"},
    {Kind::DivideSingle, 4, "vdivs"},
    {Kind::RootDouble, 1, "fsqrtd"},
    {Kind::RootDouble, 4, "vsqrtd"},
    {Kind::RootSingle, 1, "fsqrts"},
    {Kind::RootSingle, 4, "vsqrts"},
    {Kind::Lane, 0,
     "fmov vfmov fcpys fcpysn fcpyse vcpys vcpysn vcpyse fseleq fselne fsellt fselle fselgt fselge "
     "vseleq vsellt vselle vshff vshuffle vshfw vinsf vinsw vextf vextw vcpyf vcpyw ifmovd ifmovs "
     "fimovd fimovs"},
    {Kind::VectorInteger, 0,
     "vaddw vsubw vaddl vsubl vandw vbicw vbisw vornotw vxorw veqvw vsllw vsrlw vsraw vrolw vslll "
     "vsrll vsral vcmpeqw vcmplew vcmpltw vcmpulew vcmpultw vseleqw vsellew vselltw vsellbcw "
     "vucaddw vucaddh vucaddb vucsubw vucsubh vucsubb sllow srlow sraow ctpopow ctlzow vlog "
     "vlog2x vlog3r vlog3x vand vbic vbis vornot vxor veqv vmatch uaddo_carry uaddo_take_carry "
     "addo_carry addo_take_carry usubo_carry "
     "usubo_take_carry subo_carry subo_take_carry umulqa"},
    {Kind::Integer, 0,
     "addw addl subw subl s4addw s8addw s4subw s8subw s4addl s8addl s4subl s8subl and bic or bis "
     "ornot xor eqv sll srl sra sllw srlw sraw rolw roll cmpeq cmplt cmple cmpult cmpule cmpge "
     "cmpgt seleq selne sellt selle selgt selge sellbc sellbs zap zapnot sextb sexth sextw extlb "
     "extlh extlw extll inslb inslh inslw insll masklb maskb ldi ldih mov ctpop ctlz cttz nop "
     "unop clr negw negl not"},
    {Kind::Multiply, 0, "mulw mull umulh"},
    {Kind::Load, 0, "ldw ldl ldbu ldhu ldw_u ldl_u lldw lldl"},
    {Kind::LoadVector, 0,
     "fldd flds vldd vlds vldw vldl ldde ldse ldwe lddu ldsu vldd_u vlds_u vldw_u vldl_u "
     "vlduw vlduf selldw"},
    {Kind::LoadConstant, 0, "ldl_literal fldd_literal vldd_literal"},
    {Kind::Store, 0,
     "stw stl stb sth fstd fsts vstd vsts vstw vstl stw_u stl_u vstd_u vsts_u vstw_u vstl_u lstw "
     "lstl"},
    {Kind::Put, 0, "putr putc"},
    {Kind::Get, 0, "getr getc"},
    // These load LDM and send at once: their own result takes as long as a load's.
    {Kind::LoadVector, 0, "vldr vldc ldder lddec"},
    {Kind::Csr, 0, "rcsr wcsr rtc rtid rfpcr wfpcr"},
    {Kind::Sync, 0, "sync synr synp halt"},
    {Kind::Fence, 0, "memb imemb wmemb"},
    {Kind::Transfer, 0, "dma"},
    {Kind::Atomic, 0, "faaw faal updt"},
    {Kind::Control, 0,
     "br bsr beq bne blt ble bgt bge blbc blbs fbeq fbne fblt fble fbgt fbge call jmp ret "
     "sys_call"},
};

unsigned pipesOf(unsigned number) { return number == 2 ? unsigned(eitherPipe) : 1U << number; }

} // namespace

Instructions::Instructions() {
  const MachineTable &table = MachineTable::get();
  for (unsigned kind = 0; kind < static_cast<unsigned>(Kind::count); ++kind) {
    const std::string prefix = ("cpe." + Twine(kindNames[kind])).str();
    timings_[kind].latency = table.number(prefix + ".latency");
    timings_[kind].compilerLatency = table.number(prefix + ".compiler_latency");
    timings_[kind].busy = table.number(prefix + ".busy");
    timings_[kind].pipes = pipesOf(table.number(prefix + ".pipe"));
  }
  const auto core = [&](StringRef key) { return table.number(("cpe." + Twine(key)).str()); };
  core_ = {.decodeWidth = core("decode_width"),
           .issueQueue = core("issue_queue"),
           .takenBranch = core("branch.taken"),
           .mispredictedBranch = core("branch.mispredicted"),
           .instructionBytes = core("instruction_bytes"),
           .registers = core("registers"),
           .reservedRegisters = core("reserved_registers"),
           .calleeSavedRegisters = core("callee_saved_registers"),
           .argumentRegisters = core("argument_registers"),
           .literalLimit = core("literal_limit"),
           .displacementLimit = core("displacement_limit"),
           .compilerWidth = core("compiler.width"),
           .compilerMemory = core("compiler.memory"),
           .compilerFp = core("compiler.fp"),
           .divideSequence = core("integer_divide.instructions"),
           .copyInlineBytes = core("copy.inline_bytes"),
           .copyChunkBytes = core("copy.chunk_bytes"),
           .instructionCacheBytes = core("icache.bytes"),
           .constantInstructions = core("constant.instructions")};
}

const Instructions &Instructions::get() {
  static const Instructions instructions;
  return instructions;
}

const Opcode *Instructions::find(StringRef mnemonic) const {
  static const StringMap<Opcode> opcodes = [this] {
    StringMap<Opcode> all;
    for (const Row &row : rows) {
      SmallVector<StringRef> names;
      row.mnemonics.split(names, ' ', -1, false);
      for (StringRef name : names)
        all.try_emplace(
            name, Opcode{name, row.kind, row.flops, &timings_[static_cast<unsigned>(row.kind)]});
    }
    return all;
  }();
  const auto found = opcodes.find(mnemonic);
  return found == opcodes.end() ? nullptr : &found->second;
}

const Opcode &Instructions::operator[](StringRef mnemonic) const {
  const Opcode *opcode = find(mnemonic);
  if (!opcode)
    report_fatal_error("weft-swcc: the selector names an instruction '" + Twine(mnemonic) +
                       "' that its table has not; this is a fault of Weft, please report it");
  return *opcode;
}

} // namespace weft::swcc
