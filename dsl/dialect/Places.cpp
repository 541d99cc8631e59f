//===- Places.cpp - what locations know -------------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/Places.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace weft {

template <typename Wanted> static Wanted firstIn(Location loc) {
  Wanted found;
  loc->walk([&](Location inner) {
    found = dyn_cast<Wanted>(inner);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

StringRef nameIn(Location loc) {
  auto named = firstIn<NameLoc>(loc);
  return named ? named.getName().getValue() : StringRef();
}

FileLineColLoc fileIn(Location loc) { return firstIn<FileLineColLoc>(loc); }

std::string placeIn(Location loc) {
  FileLineColLoc place = fileIn(loc);
  if (!place)
    return "";
  return (llvm::sys::path::filename(place.getFilename().getValue()) + ":" +
          llvm::Twine(place.getLine()) + ":" + llvm::Twine(place.getColumn()))
      .str();
}

} // namespace weft
