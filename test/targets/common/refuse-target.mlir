// RUN: not weft-translate %s --weft-to-c 2>&1 | FileCheck %s

// CHECK: error: no emitter for target 'abacus': expected one of avx2, avx512, portable
module attributes {weft.target = {name = "abacus"}} {
}
