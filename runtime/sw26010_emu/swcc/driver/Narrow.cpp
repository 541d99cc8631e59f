// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Narrow.h"

#include "Process.h"

#include <algorithm>
#include <cstddef>
#include <regex>
#include <sstream>

namespace weft::swcc {

namespace {

/// Two types in one message: a vector as given, a number as wanted.
const std::regex &mismatch() {
  static const std::string vector =
      R"('[^']*'(?: \(aka '__weft_\w+'\)|(?: \(aka '[^']*'\))? \(vector of \d+ '[^']*' values\)))";
  static const std::string number =
      R"('(?:\w+' \(aka ')?(?:unsigned |signed |const |volatile )*(?:double|float|char|short|int|long|long long)'\)?)";
  static const std::regex pattern("(?:initializing|assigning to) " + number +
                                  ".* incompatible type " + vector + "|(?:passing|returning) " +
                                  vector + ".* type " + number);
  return pattern;
}

struct Span {
  std::size_t begin, end;
};

/// Offsets at which the lines of `text` begin.
std::vector<std::size_t> lineStarts(const std::string &text) {
  std::vector<std::size_t> starts = {0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      starts.push_back(i + 1);
  return starts;
}

/// The same lines without the markers that name other files: positions are those of the text.
std::string withoutMarkers(const std::string &text) {
  std::string made = text;
  bool atStart = true, marker = false;
  for (char &one : made) {
    if (atStart)
      marker = one == '#';
    atStart = one == '\n';
    if (marker && !atStart)
      one = ' ';
  }
  return made;
}

/// Where clang says that a vector stands for a number.
std::vector<Span> places(const std::string &text, const std::vector<std::string> &words,
                         bool verbose) {
  const std::string file = scratchFile(".i");
  writeFile(file, withoutMarkers(text));
  std::vector<std::string> all = {clangPath()};
  all.insert(all.end(), words.begin(), words.end());
  all.insert(all.end(),
             {"-fsyntax-only", "-w", "-fdiagnostics-print-source-range-info",
              "-fno-caret-diagnostics", "-fno-color-diagnostics", "-ferror-limit=0", file});
  std::istringstream messages(run(all, Capture::Error, verbose).error);
  static const std::regex range(R"(\{(\d+):(\d+)-(\d+):(\d+)\}: error: )");
  const std::vector<std::size_t> starts = lineStarts(text);
  std::vector<Span> found;
  for (std::string line; std::getline(messages, line);) {
    std::smatch at;
    if (!std::regex_search(line, mismatch()) || !std::regex_search(line, at, range))
      continue;
    const auto offset = [&](int group) {
      const std::size_t row = std::stoul(at[group]) - 1;
      return row < starts.size() ? starts[row] + std::stoul(at[group + 1]) - 1 : text.size();
    };
    const Span span{offset(1), offset(3)};
    if (span.begin < span.end && span.end <= text.size())
      found.push_back(span);
  }
  std::sort(found.begin(), found.end(),
            [](const Span &a, const Span &b) { return a.begin < b.begin; });
  return found;
}

} // namespace

bool wantsNarrowing(const std::string &messages) { return std::regex_search(messages, mismatch()); }

std::string narrow(std::string text, const std::vector<std::string> &words, bool verbose) {
  // A place inside another one is seen only once that is gone; few programs have any.
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<Span> found = places(text, words, verbose);
    if (found.empty())
      break;
    std::string made;
    std::size_t done = 0;
    for (const Span &span : found) {
      if (span.begin < done)
        continue;
      made.append(text, done, span.begin - done);
      made += "__weft_lane0(";
      made.append(text, span.begin, span.end - span.begin);
      made += ")";
      done = span.end;
    }
    text = made.append(text, done, std::string::npos);
  }
  return text;
}

} // namespace weft::swcc
