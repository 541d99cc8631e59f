// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AsmText.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// Separators, and `#` and `//` comments, as the vendor's assembler has them.
SmallVector<std::string> split(StringRef text) {
  SmallVector<std::string> lines;
  std::string line;
  bool comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      lines.push_back(line);
      line.clear();
      comment = false;
      continue;
    }
    if (comment)
      continue;
    if (c == '#' || (c == '/' && i + 1 < text.size() && text[i + 1] == '/')) {
      comment = true;
    } else if (c == ';') {
      lines.push_back(line);
      line.clear();
    } else {
      line += c;
    }
  }
  lines.push_back(line);
  return lines;
}

/// One operand from the front of `rest`; false if it has no known form.
class OperandReader {
public:
  explicit OperandReader(StringRef text) : rest_(text.trim()) {}

  std::optional<AsmOperand> read() {
    if (rest_.empty())
      return std::nullopt;
    AsmOperand operand{};
    if (rest_.consume_front("(")) {
      operand.kind = AsmOperand::Immediate;
      return memory(operand);
    }
    if (!plain(operand))
      return std::nullopt;
    rest_ = rest_.ltrim();
    if (rest_.empty())
      return operand;
    if (!rest_.consume_front("("))
      return std::nullopt;
    return memory(operand);
  }

private:
  StringRef rest_;

  std::optional<AsmOperand> memory(const AsmOperand &offset) {
    rest_ = rest_.ltrim();
    AsmOperand base{};
    if (!plain(base) || base.kind == AsmOperand::Immediate)
      return std::nullopt;
    rest_ = rest_.ltrim();
    if (!rest_.consume_front(")") || !rest_.trim().empty() || offset.kind == AsmOperand::Register)
      return std::nullopt;
    AsmOperand operand{};
    operand.kind = AsmOperand::Memory;
    operand.hasArgument = base.kind == AsmOperand::Argument;
    operand.argument = base.argument;
    operand.name = base.name;
    operand.value = offset.value;
    operand.hasOffsetArgument = offset.kind == AsmOperand::Argument;
    operand.offsetArgument = offset.argument;
    return operand;
  }

  /// $0, ${0:c}, $$31, 0x1f
  bool plain(AsmOperand &operand) {
    if (rest_.consume_front("$$")) {
      operand.kind = AsmOperand::Register;
      operand.name = rest_.take_while([](char c) { return isAlnum(c); }).str();
      rest_ = rest_.drop_front(operand.name.size());
      return !operand.name.empty();
    }
    if (rest_.consume_front("$")) {
      operand.kind = AsmOperand::Argument;
      const bool braced = rest_.consume_front("{");
      if (rest_.consumeInteger(10, operand.argument))
        return false;
      if (!braced)
        return true;
      if (rest_.consume_front(":"))
        rest_ = rest_.drop_while([](char c) { return c != '}'; });
      return rest_.consume_front("}");
    }
    operand.kind = AsmOperand::Immediate;
    const bool negative = rest_.consume_front("-");
    std::uint64_t value = 0;
    if (rest_.empty() || !isDigit(rest_.front()) || rest_.consumeInteger(0, value))
      return false;
    operand.value = static_cast<std::int64_t>(negative ? 0 - value : value);
    return true;
  }
};

/// Takes `name:` from the front of a line.
std::string takeLabel(StringRef &code) {
  const StringRef name = code.take_while([](char c) { return isAlnum(c) || c == '_' || c == '.'; });
  if (name.empty() || !code.drop_front(name.size()).ltrim().starts_with(":"))
    return {};
  code = code.drop_front(name.size()).ltrim().drop_front().trim();
  return name.str();
}

/// Branches name a label as their last operand.
bool isBranch(StringRef mnemonic) {
  static const StringRef conditions[] = {"eq", "ne", "lt", "le", "gt", "ge", "lbc", "lbs"};
  if (mnemonic == "br")
    return true;
  mnemonic.consume_front("f");
  return mnemonic.consume_front("b") && is_contained(conditions, mnemonic);
}

bool readTarget(StringRef &text, AsmInstruction &instruction) {
  const auto [before, name] = text.contains(',') ? text.rsplit(',') : std::pair(StringRef(), text);
  instruction.target = name.trim().str();
  text = before;
  return !instruction.target.empty() &&
         all_of(instruction.target, [](char c) { return isAlnum(c) || c == '_' || c == '.'; });
}

/// The commas between operands; none is inside parentheses.
bool readOperands(StringRef text, AsmInstruction &instruction) {
  text = text.trim();
  if (text.empty())
    return true;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    const auto operand = OperandReader(part).read();
    if (!operand)
      return false;
    instruction.operands.push_back(*operand);
  }
  return true;
}

} // namespace

AsmStatement readAsm(StringRef text) {
  AsmStatement statement;
  // %= is a number of this statement alone, as its labels are.
  std::string own = text.str();
  for (std::size_t at = own.find("${:uid}"); at != std::string::npos; at = own.find("${:uid}"))
    own.replace(at, StringRef("${:uid}").size(), "0");
  for (const std::string &line : split(own)) {
    StringRef code = StringRef(line).trim();
    AsmInstruction instruction;
    instruction.label = takeLabel(code);
    if (code.empty()) {
      if (!instruction.label.empty())
        statement.instructions.push_back(std::move(instruction));
      continue;
    }
    if (code.front() == '.') {
      statement.error = "an assembler directive: '" + code.str() + "'";
      statement.help = "there is no SW assembler here; declare it in C";
      return statement;
    }
    // The operands may follow without a blank: "rcsr%0, 2".
    instruction.mnemonic =
        code.take_while([](char c) { return isAlnum(c) || c == '_' || c == '.'; }).str();
    StringRef operands = code.drop_front(instruction.mnemonic.size());
    if ((isBranch(instruction.mnemonic) && !readTarget(operands, instruction)) ||
        !readOperands(operands, instruction)) {
      statement.error = "operands in inline assembly that have no known form: '" + code.str() + "'";
      statement.help = "operands are %n, $register, a number, or number(%n)";
      return statement;
    }
    statement.instructions.push_back(std::move(instruction));
  }
  return statement;
}

} // namespace weft::swcc
