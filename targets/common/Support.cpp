//===- Support.cpp - the part of support.h that a file needs -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/Support.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using llvm::StringRef;

namespace weft {

static bool inName(char c) { return llvm::isAlnum(c) || c == '_'; }

static void collectNames(StringRef text, llvm::StringSet<> &names) {
  while (!(text = text.drop_while([](char c) { return !inName(c); })).empty()) {
    StringRef name = text.take_while(inName);
    names.insert(name);
    text = text.drop_front(name.size());
  }
}

static StringRef lastName(StringRef text) {
  text = text.rtrim();
  return text.take_back(text.size() -
                        (text.find_last_not_of("abcdefghijklmnopqrstuvwxyz"
                                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") +
                         1));
}

/// What a paragraph defines; empty where it defines nothing.
static StringRef definedName(StringRef paragraph) {
  size_t start = paragraph.find("#define ");
  if (start != StringRef::npos)
    return paragraph.drop_front(start + StringRef("#define ").size()).take_while(inName);
  start = paragraph.find("typedef ");
  if (start != StringRef::npos) {
    StringRef text = paragraph.drop_front(start);
    return lastName(text.take_until([](char c) { return c == ';'; }).split(" __attribute__").first);
  }
  start = paragraph.find("__thread_local ");
  if (start != StringRef::npos && !paragraph.contains('('))
    return lastName(
        paragraph.drop_front(start).take_until([](char c) { return c == ';' || c == '['; }));
  start = paragraph.starts_with("struct ") ? 0 : paragraph.find("\nstruct ");
  if (start != StringRef::npos && !paragraph.contains("static inline "))
    return lastName(paragraph.drop_front(start).split(" {").first);
  start = paragraph.find("static inline ");
  if (start == StringRef::npos)
    return "";
  return lastName(paragraph.drop_front(start).split('(').first);
}

std::string supportFor(StringRef support, StringRef text) {
  llvm::SmallVector<StringRef> paragraphs;
  support.split(paragraphs, "\n\n", -1, false);
  llvm::StringSet<> wanted;
  collectNames(text, wanted);
  // A paragraph uses only what stands before it.
  llvm::SmallVector<StringRef> taken;
  for (StringRef paragraph : llvm::reverse(paragraphs)) {
    paragraph = paragraph.trim();
    StringRef name = definedName(paragraph);
    if (name.empty() ? !paragraph.starts_with("#include") : !wanted.contains(name))
      continue;
    taken.push_back(paragraph);
    collectNames(paragraph, wanted);
  }
  std::string kept, definitions;
  for (StringRef paragraph : llvm::reverse(taken))
    if (paragraph.starts_with("#include"))
      kept += (paragraph + "\n").str();
    else
      definitions += ("\n" + paragraph + "\n").str();
  kept += definitions;
  return kept;
}

} // namespace weft
