# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for C and C++ programs: a shared object, its header, files for CMake and pkg-config.

names.py      what functions and files are called
header.py     NAME.h: C99 and C++11
calls.py      what programs call: looks at CPU and arguments, then runs a kernel
finding.py    NAMEConfig.cmake and NAME.pc
making.py     all of it, from the C of the kernels
"""
