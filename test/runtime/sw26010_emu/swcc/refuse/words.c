// Words and files that are not served, by name.
// RUN: not %swcc -slvae -c %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %swcc -mhybrid-coding -c %s 2>&1 | FileCheck %s --check-prefix=PRO
// RUN: not %swcc -host -slave -c %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not %swcc -slave %s -o %t 2>&1 | FileCheck %s --check-prefix=LINK
// RUN: not %swcc -host -fopenmp -c %s 2>&1 | FileCheck %s --check-prefix=OPENMP
// RUN: not %swcc -slave -c %t.kernel.S 2>&1 | FileCheck %s --check-prefix=ASSEMBLY
// RUN: not %swcc -host -c %t.f90 2>&1 | FileCheck %s --check-prefix=FORTRAN
// RUN: not %swcc -host -S %s -o %t 2>&1 | FileCheck %s --check-prefix=HOST-S
// RUN: cp %s %t.cpp && not %swcc -slave -c %t.cpp 2>&1 | FileCheck %s --check-prefix=CXX
// RUN: not %swcc -slave -c %t.nowhere.c 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not %swcc -host -c %s --listing=%t.s 2>&1 | FileCheck %s --check-prefix=LISTING
// RUN: not %swcc -slave -c %s --listing= 2>&1 | FileCheck %s --check-prefix=NO-LISTING
// UNKNOWN: error: unknown word -slvae
// UNKNOWN-NEXT: help: did you mean -slave?
// PRO: error: -mhybrid-coding is not served
// PRO-NEXT: help: that is SW26010-Pro's compiler
// BOTH: error: -host and -slave in one command
// LINK: error: -slave makes objects, not a program
// OPENMP: error: -fopenmp is not served
// ASSEMBLY: kernel.S: error: hand-written SW assembly is not served
// FORTRAN: f90: error: Fortran is not served
// HOST-S: error: SW assembly is made of slave files only
// CXX: cpp: error: a slave file in C++
// MISSING: nowhere.c: no such file
// LISTING: error: --listing= goes with the object of one slave file
// LISTING-NEXT: help: -slave -c
// NO-LISTING: error: --listing= names no file
int x;
