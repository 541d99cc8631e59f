# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled modules land here."""
