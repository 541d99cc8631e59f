// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The suites of this folder are one program; its words are doctest's (-tc="mesh*", -s).
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
