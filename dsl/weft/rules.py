# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbered rules of the language.

The number stands here, in `docs/rules.md` (generated), at the check in the source, and in the
failing program of `test/errors/`; tests keep the four together.
"""

from __future__ import annotations

RULES: dict[str, str] = {
    # 0: text and grammar
    "W001": "A source is UTF-8 text without control characters.",
    "W002": "Indentation and spacing are spaces, never tabs.",
    "W003": "A block is indented deeper than its header, and its lines equally.",
    "W004": "Brackets are closed by their own kind within a statement.",
    "W005": "Every line follows the grammar.",
    "W006": "Outside comments only the characters of the grammar are used.",
    "W007": "Brackets nest at most 64 deep, expressions 200, blocks 16.",
    "W008": "A number has at most 80 characters and an exponent of at most 5000.",
    "W009": "A line that ends in ':' is followed by an indented block.",
    "W010": "A source defines at least one kernel or program.",
    "W012": "A source is at most 1 MiB.",
    "W013": "Arguments without a name come before those with one.",
    "W014": "Only a kernel or a built-in is called, by its name.",
    # 1: names
    "W101": "A name is defined before it is used.",
    "W102": "Kernels and programs of a source have different names.",
    "W103": "A value is named once; a name means one thing within a kernel.",
    "W104": "A call names a kernel or a built-in.",
    "W105": "Names of built-ins, types and constants of the language are not redefined.",
    "W106": "A kernel does not call itself, directly or through others.",
    "W107": "An element type is f32, f64, c64, c128, i32, i64 or bool.",
    "W108": "Sizes, parameters and named arguments are given once each.",
    "W110": "A value is assigned before it is read.",
    # 2: element types
    "W201": "Operands have one element type; literals, and reals beside complex, adapt.",
    "W202": "A value fits the element type of what it is assigned or passed to.",
    "W203": "An operation is defined for its operands' element types.",
    "W204": "A condition is bool.",
    "W205": "A Fourier transform takes complex elements.",
    "W206": "An exponent is an integer constant, or base and exponent are real.",
    "W207": "Sizes and indices are integers.",
    # 3: shapes and sizes
    "W301": "Shapes of operands are equal from the right, but for sizes written as 1.",
    "W302": "A value has the shape of what it is assigned to; a scalar fills any shape.",
    "W303": "A size is made of integers, size parameters and + - * // % **.",
    "W304": "Every extent is at least 1.",
    "W305": "A tensor has at most 2^48 bytes, and a size at most 2^48.",
    "W306": "A size is not divided by zero.",
    "W307": "Axes exist and are different; negative ones count from the last.",
    "W308": "A permutation names every axis once.",
    "W309": "A reshape keeps the number of elements.",
    "W310": "Radices are 2 to 16 or primes, and multiply to the extent of the one axis.",
    "W311": "A tensor stands where a tensor is needed, and a scalar where a scalar is.",
    "W312": "A built-in of whole tensors does not depend on index variables.",
    # 4: indices
    "W401": "A tensor has at most as many indices as dimensions.",
    "W402": "Indices are within the extent, for all values of the index variables.",
    "W403": "An index is affine in index variables, or (affine) % n.",
    "W404": "An index does not depend on data.",
    "W405": "A range is not empty.",
    "W406": "A name on the left of index notation is on the right as a plain index.",
    "W407": "The dimensions that an index name runs over have equal extents.",
    "W408": "The step of a slice is a positive integer.",
    "W409": "The modulus of an index is positive.",
    "W410": "gather and scatter take i32 or i64 indices, of values or constants.",
    "W411": "Updates of a scatter have the shape of the indices and the base's later dimensions.",
    # 5: assignment
    "W501": "Every output is assigned.",
    "W502": "No element is assigned twice.",
    "W503": "Every element is assigned.",
    "W504": "A value is not read by the loops that assign its elements.",
    "W505": "It can be proven that elements are assigned exactly once.",
    "W506": "A value is assigned once, as a whole or by elements.",
    "W507": "Inputs, sizes and index variables are not assigned.",
    "W508": "An element loop holds element assignments, scalar names and loops.",
    # 6: calls and programs
    "W601": "A call gives each argument of the kernel once.",
    "W602": "An argument has the shape and the rank of its parameter.",
    "W603": "Every size of a called kernel follows from the arguments or is given.",
    "W604": "A size given is a parameter of the kernel and agrees with the arguments.",
    "W605": "There are as many names on the left as outputs of the kernel.",
    "W606": "A call within an expression has one output.",
    "W607": "carry and case stand in programs.",
    "W608": "A carried value has a value before the loop.",
    "W609": "A carried value keeps its type.",
    "W610": "A carried value gets one new value an iteration.",
    "W611": "A case has its own name and gives every size of its program once.",
    "W612": "A program is not called by a kernel or a program.",
    "W613": "A built-in's named arguments exist and have values it knows.",
    "W614": "In a program's loop an output is assigned element by element.",
    "W615": "A schedule names a kernel of the source.",
    "W616": "Calls nest at most 64 deep.",
    # 7: constants
    "W701": "A const is made of constants, sizes, index names and tables.",
    "W702": "The arithmetic of constants has a result.",
    "W703": "A table has at most 2^26 entries.",
    # 8: Winograd and convolution
    "W801": "A Winograd family has m and r of at least 1, and m+r-1 is at most 16.",
    "W802": "A Winograd family has m+r-2 finite points.",
    "W803": "The points of a Winograd family are different.",
    "W804": "A point is rational, or a square root of a rational beside its negative.",
    "W805": "A Winograd family is used by its matrices: BT B G GT A AT.",
    # 9: not yet
    "W901": "The built-in is implemented.",
    "W902": "Schedules are implemented.",
    "W903": "The form is implemented.",
}

# By the first digit; the titles of docs/rules.md.
GROUPS: dict[str, str] = {
    "W0": "Text and grammar",
    "W1": "Names",
    "W2": "Element types",
    "W3": "Shapes and sizes",
    "W4": "Indices",
    "W5": "Assignment",
    "W6": "Calls and programs",
    "W7": "Constants",
    "W8": "Winograd and convolution",
    "W9": "Not available yet",
}
