//===- WeftBase.td - the dialect, and the types of its ops -----*- tablegen -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------===//

#ifndef WEFT_BASE
#define WEFT_BASE

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Weft_Dialect : Dialect {
  let name = "weft";
  let cppNamespace = "::weft";
  let summary = "Tensor kernels: what is meant, before it is decided how";
  let description = [{
    Values are immutable tensors of static shape. `weft.map` is the one element
    op: elementwise expressions, index notation and element loops all become
    maps. Transforms (`weft.dft`) stay whole until `factor-transform` splits
    them into butterflies.
  }];
  let useDefaultAttributePrinterParser = 0;
}

class Weft_Op<string mnemonic, list<Trait> traits = []> : Op<Weft_Dialect, mnemonic, traits>;

def Weft_Tensor : StaticShapeTensorOf<[F32, F64, Complex<AnyTypeOf<[F32, F64]>>, I32, I64, I1]>;
def Weft_ComplexTensor : StaticShapeTensorOf<[Complex<AnyTypeOf<[F32, F64]>>]>;
def Weft_FloatTensor : StaticShapeTensorOf<[F32, F64, Complex<AnyTypeOf<[F32, F64]>>]>;

#endif // WEFT_BASE
