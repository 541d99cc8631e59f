//===- Places.h - what locations know ----------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_DIALECT_PLACES_H
#define WEFT_DIALECT_PLACES_H

#include "mlir/IR/Location.h"

#include <string>

namespace weft {

/// The name that a location carries; empty where it has none.
llvm::StringRef nameIn(mlir::Location loc);

/// The first place in a file that a location holds, under names and call sites; null
/// where it has none.
mlir::FileLineColLoc fileIn(mlir::Location loc);

/// "fft.weft:3:5" of that place; empty where there is none. Folders are left away, so
/// that the text does not depend on where it is made.
std::string placeIn(mlir::Location loc);

} // namespace weft

#endif // WEFT_DIALECT_PLACES_H
