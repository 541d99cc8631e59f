//===- Grouping.cpp - how the sums of a contraction are grouped, as its mark says ===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/ContractionLoops.h"

using namespace mlir;

namespace weft {

void setGrouping(MapOp map, const Grouping &grouping) {
  Builder builder(map.getContext());
  if (grouping.shared)
    return map->setAttr(
        contractionMark,
        builder.getDictionaryAttr({builder.getNamedAttr("shared", builder.getUnitAttr())}));
  SmallVector<NamedAttribute> said{
      builder.getNamedAttr("rows", builder.getI64IntegerAttr(grouping.rows)),
      builder.getNamedAttr("vectors", builder.getI64IntegerAttr(grouping.vectors)),
      builder.getNamedAttr("depth", builder.getI64IntegerAttr(grouping.depth)),
      builder.getNamedAttr("panels", builder.getI64IntegerAttr(grouping.panels))};
  if (grouping.rowsFirst)
    said.push_back(builder.getNamedAttr("rows_first", builder.getUnitAttr()));
  if (grouping.withinColumns > 0)
    said.push_back(
        builder.getNamedAttr("within_columns", builder.getI64IntegerAttr(grouping.withinColumns)));
  map->setAttr(contractionMark, builder.getDictionaryAttr(said));
}

std::optional<Grouping> groupingOf(MapOp map) {
  auto mark = map->getAttrOfType<DictionaryAttr>(contractionMark);
  if (!mark)
    return std::nullopt;
  Grouping grouping;
  if (mark.get("shared")) {
    grouping.shared = true;
    return grouping;
  }
  for (auto [name, value] : {std::pair{"rows", &grouping.rows},
                             {"vectors", &grouping.vectors},
                             {"depth", &grouping.depth},
                             {"panels", &grouping.panels}}) {
    auto number = mark.getAs<IntegerAttr>(name);
    if (!number || number.getInt() < 0)
      return std::nullopt;
    *value = number.getInt();
  }
  grouping.rowsFirst = mark.contains("rows_first");
  if (auto within = mark.getAs<IntegerAttr>("within_columns")) {
    grouping.withinColumns = within.getInt();
    if (grouping.withinColumns < 0 || grouping.withinColumns + 2 > map.rank())
      return std::nullopt;
  }
  return grouping;
}

} // namespace weft
