//===- Target.cpp - the module's machine, as passes see it ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace weft {

FailureOr<Target> Target::of(ModuleOp module) {
  auto values = module->getAttrOfType<DictionaryAttr>("weft.target");
  if (!values)
    return module.emitError("no target: expected the attribute `weft.target` on the module, "
                            "a dictionary filled from targets/<name>/machine.toml");
  return Target(module, values);
}

std::string Target::name() const {
  auto name = values.getAs<StringAttr>("name");
  return name ? name.str() : "unnamed";
}

std::optional<int64_t> Target::numberIfAny(llvm::StringRef key) const {
  auto value = values.getAs<IntegerAttr>(key);
  return value ? std::optional(value.getInt()) : std::nullopt;
}

FailureOr<int64_t> Target::number(llvm::StringRef key) const {
  if (auto value = numberIfAny(key))
    return *value;
  return module->emitError("target '")
         << name() << "' has no number '" << key << "': expected it in `weft.target`";
}

FailureOr<VectorUnit> Target::vectors() const {
  FailureOr<int64_t> bytes = number("vector_bytes");
  if (failed(bytes))
    return failure();
  return VectorUnit{*bytes, numberIfAny("float_lanes").value_or(0), flag("packed_truths")};
}

llvm::ArrayRef<int64_t> Target::numbers(llvm::StringRef key) const {
  auto value = values.getAs<DenseI64ArrayAttr>(key);
  return value ? value.asArrayRef() : llvm::ArrayRef<int64_t>();
}

bool Target::flag(llvm::StringRef key) const {
  auto value = values.getAs<BoolAttr>(key);
  return value && value.getValue();
}

} // namespace weft
