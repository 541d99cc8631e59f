//===- CoreSums.cpp - what all cores have come to together --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/FunctionEmitter.h"

#include "passes/mesh/CoreLoops.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace weft {

/// What each core has come to, of all of them.
LogicalResult FunctionEmitter::emitSums(ForOp loop) {
  constexpr size_t lanes = 4;
  if (loop.getNumResults() == 0)
    return success();
  SmallVector<Combining> how = combiningOf(loop);
  for (Combining which : {Combining::Sum, Combining::Greatest, Combining::Least}) {
    SmallVector<unsigned> those;
    for (auto [number, one] : llvm::enumerate(how))
      if (one == which)
        those.push_back(number);
    std::string call = which == Combining::Sum ? "weft_sum_v4d(" + core
                                               : "weft_all_v4d(" + core + ", " +
                                                     (which == Combining::Greatest ? "1" : "-1");
    for (size_t first = 0; first < those.size(); first += lanes) {
      size_t count = std::min(lanes, those.size() - first);
      names.open();
      std::string all = names.unique("all");
      line("{");
      ++depth;
      SmallVector<std::string> parts;
      for (unsigned number : ArrayRef(those).slice(first, count))
        parts.push_back(values.lookup(loop.getResult(number)).text);
      parts.append(lanes - count, which == Combining::Sum ? "0.0" : parts.front());
      line(llvm::formatv("const doublev4 {0} = {1}, simd_set_doublev4({2}));", all, call,
                         llvm::join(parts, ", "))
               .str());
      for (size_t n = 0; n < count; ++n) {
        Value sum = loop.getResult(those[first + n]);
        std::string start = which == Combining::Sum
                                ? get(loop.getInits()[those[first + n]]).text + " + "
                                : std::string();
        line(llvm::formatv("{0} = {1}{2}simd_vextf{3}({4});", parts[n], start,
                           sum.getType().isF32() ? "(float)" : "", n, all)
                 .str());
      }
      --depth;
      line("}");
      names.close();
    }
  }
  return success();
}

} // namespace weft
