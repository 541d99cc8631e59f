# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stage 3: typed AST to the weft dialect, as text."""
