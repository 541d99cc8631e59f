// Panels depend on the machine.
// RUN: weft-opt %s --split-products -verify-diagnostics

// expected-error @below {{no target: expected the attribute `weft.target` on the module}}
module {
}
