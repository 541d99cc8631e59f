// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AssemblyTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace weft::swcc {

namespace {

const StringMap<AssemblyEntry> &table() {
  static const StringMap<AssemblyEntry> known = [] {
    StringMap<AssemblyEntry> made;
#define WEFT_ASM(mnemonic, operands) made[#mnemonic] = {AssemblyEntry::Plain, operands};
#define WEFT_ASM_NAMED(mnemonic, operands) made[mnemonic] = {AssemblyEntry::Plain, operands};
#define WEFT_ASM_OF(mnemonic, operands, ...)                                                       \
  made[#mnemonic] = {AssemblyEntry::Plain, operands, {__VA_ARGS__}};
#define WEFT_ASM_STEM(stem, digits, operands)                                                      \
  made[#stem] = {AssemblyEntry::Stem, operands, {}, digits};
#define WEFT_ASM_LOAD(mnemonic) made[#mnemonic] = {AssemblyEntry::Load, "dm"};
#define WEFT_ASM_STORE(mnemonic) made[#mnemonic] = {AssemblyEntry::Store, "vm"};
#define WEFT_ASM_SEND(mnemonic) made[#mnemonic] = {AssemblyEntry::Send, "dm"};
#define WEFT_ASM_ADDRESS(mnemonic) made[#mnemonic] = {AssemblyEntry::Address, "da"};
#include "AsmTable.def"
    made["faaw"] = {AssemblyEntry::Atomic, "dm", {}, 4};
    made["faal"] = {AssemblyEntry::Atomic, "dm", {}, 8};
    made["updt"] = {AssemblyEntry::Update, "vm"};
    return made;
  }();
  return known;
}

} // namespace

const AssemblyEntry *findAssembly(StringRef mnemonic, StringRef &stem, unsigned &number) {
  // The old name.
  if (mnemonic == "vshuffle")
    mnemonic = "vshff";
  stem = mnemonic;
  if (const auto found = table().find(mnemonic);
      found != table().end() && found->second.kind != AssemblyEntry::Stem)
    return &found->second;
  for (unsigned digits : {1U, 2U}) {
    if (mnemonic.size() <= digits)
      continue;
    stem = mnemonic.drop_back(digits);
    const auto found = table().find(stem);
    if (found != table().end() && found->second.kind == AssemblyEntry::Stem &&
        found->second.digits == digits && !mnemonic.take_back(digits).getAsInteger(16, number))
      return &found->second;
  }
  stem = mnemonic;
  return nullptr;
}

std::string closestAssembly(StringRef mnemonic) {
  std::string best;
  unsigned least = 3;
  for (const auto &entry : table()) {
    const unsigned distance = mnemonic.edit_distance(entry.first(), true, least);
    if (distance < least ||
        (distance == least && !best.empty() && entry.first() < StringRef(best))) {
      least = distance;
      best = entry.first().str();
    }
  }
  return best;
}

} // namespace weft::swcc
