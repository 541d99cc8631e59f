// The target files that lit provides hold what machine.toml says.

// RUN: cat %target_avx512 %s | weft-opt - | FileCheck %s --check-prefix=AVX512
// RUN: cat %target_portable %s | weft-opt - | FileCheck %s --check-prefix=PORTABLE

// AVX512: fma = true
// AVX512-SAME: name = "avx512"
// AVX512-SAME: vector_bytes = 64 : i64
// PORTABLE: fma = false
// PORTABLE-SAME: vector_bytes = 16 : i64
module attributes {weft.target = #target} {}
