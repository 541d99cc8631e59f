//===- Support.h - the part of support.h that a file needs -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_SUPPORT_H
#define WEFT_TARGETS_COMMON_SUPPORT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace weft {

/// The paragraphs of a target's support.h (and of the one that all targets share) that
/// `text` mentions, or that those mention in turn. A paragraph defines one name: a
/// typedef, a macro or a one-line function; or it includes headers and is always
/// taken. What defines nothing (the licence) is left out.
std::string supportFor(llvm::StringRef support, llvm::StringRef text);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_SUPPORT_H
