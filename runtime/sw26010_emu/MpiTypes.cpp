// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MpiTypes.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace weft::emu::mpi {

namespace {

constexpr int kBasicNumbers = 44;
constexpr int kFirstMade = 1 << 16;

std::map<MPI_Datatype, Layout> &types() {
  static std::map<MPI_Datatype, Layout> all;
  return all;
}

bool isBasic(MPI_Datatype type) {
  return type > 0 && type >> 8 < kBasicNumbers && type >> 8 > 0 && (type & 0xff) != 0;
}

std::ptrdiff_t endOf(const Piece &piece) {
  return piece.at + static_cast<std::ptrdiff_t>(piece.bytes);
}

/// Adds `count` elements of `part`, `step` bytes apart, at `at`.
void append(Layout &whole, const Layout &part, std::ptrdiff_t at, int count) {
  whole.basic = whole.pieces.empty() || whole.basic == part.basic ? part.basic : MPI_DATATYPE_NULL;
  for (int n = 0; n < count; ++n)
    for (const Piece &piece : part.pieces) {
      const std::ptrdiff_t place = at + n * part.extent + piece.at;
      if (!whole.pieces.empty() && endOf(whole.pieces.back()) == place)
        whole.pieces.back().bytes += piece.bytes;
      else
        whole.pieces.push_back({place, piece.bytes});
    }
}

/// Bounds of what was appended.
void close(Layout &whole) {
  std::ptrdiff_t upper = 0;
  bool first = true;
  for (const Piece &piece : whole.pieces) {
    whole.lower = first ? piece.at : std::min(whole.lower, piece.at);
    upper = first ? endOf(piece) : std::max(upper, endOf(piece));
    whole.bytes += piece.bytes;
    first = false;
  }
  whole.extent = upper - whole.lower;
}

int made(const char *function, MPI_Datatype *result, int count, const int *blocks, int block,
         const std::vector<std::ptrdiff_t> &places, const std::vector<MPI_Datatype> &parts) {
  enter(function);
  if (count < 0)
    fail(function, "a negative count, " + std::to_string(count));
  Layout whole;
  for (int n = 0; n < count; ++n) {
    const int elements = blocks ? blocks[n] : block;
    if (elements < 0)
      fail(function, "a negative block length, " + std::to_string(elements));
    append(whole, layoutOf(parts[parts.size() == 1 ? 0 : n], function), places[n], elements);
  }
  close(whole);
  *result = makeType(std::move(whole));
  return MPI_SUCCESS;
}

std::vector<std::ptrdiff_t> steps(int count, std::ptrdiff_t step) {
  std::vector<std::ptrdiff_t> places;
  places.reserve(static_cast<std::size_t>(std::max(count, 0)));
  for (int n = 0; n < count; ++n)
    places.push_back(n * step);
  return places;
}

} // namespace

const Layout &layoutOf(MPI_Datatype type, const char *function) {
  if (const auto found = types().find(type); found != types().end())
    return found->second;
  if (!isBasic(type))
    fail(function, "no such datatype: " + std::to_string(type),
         "one of mpi.h's, or one made by MPI_Type_… and not freed");
  const auto bytes = static_cast<std::size_t>(type & 0xff);
  return types()
      .emplace(type, Layout{{{0, bytes}}, bytes, 0, static_cast<std::ptrdiff_t>(bytes), type})
      .first->second;
}

MPI_Datatype makeType(Layout layout) {
  static int next = kFirstMade;
  std::erase_if(layout.pieces, [](const Piece &piece) { return piece.bytes == 0; });
  types()[next] = std::move(layout);
  return next++;
}

void freeType(MPI_Datatype type) { types().erase(type); }

std::pair<std::ptrdiff_t, std::ptrdiff_t> span(std::size_t count, const Layout &layout) {
  if (count == 0 || layout.pieces.empty())
    return {0, 0};
  std::ptrdiff_t first = layout.pieces.front().at, last = first;
  for (const Piece &piece : layout.pieces) {
    first = std::min(first, piece.at);
    last = std::max(last, endOf(piece));
  }
  const std::ptrdiff_t more = static_cast<std::ptrdiff_t>(count - 1) * layout.extent;
  return {first + std::min<std::ptrdiff_t>(more, 0), last + std::max<std::ptrdiff_t>(more, 0)};
}

std::vector<char> pack(const void *from, std::size_t count, const Layout &layout) {
  std::vector<char> bytes(count * layout.bytes);
  char *to = bytes.data();
  for (std::size_t n = 0; n < count; ++n)
    for (const Piece &piece : layout.pieces) {
      std::memcpy(to,
                  static_cast<const char *>(from) + static_cast<std::ptrdiff_t>(n) * layout.extent +
                      piece.at,
                  piece.bytes);
      to += piece.bytes;
    }
  return bytes;
}

void unpack(const std::vector<char> &bytes, void *into, const Layout &layout) {
  std::size_t done = 0;
  for (std::ptrdiff_t n = 0; done < bytes.size() && layout.bytes; ++n)
    for (const Piece &piece : layout.pieces) {
      const std::size_t some = std::min(piece.bytes, bytes.size() - done);
      std::memcpy(static_cast<char *>(into) + n * layout.extent + piece.at, bytes.data() + done,
                  some);
      done += some;
    }
}

} // namespace weft::emu::mpi

using namespace weft::emu::mpi;

extern "C" {

int MPI_Type_size(MPI_Datatype type, int *bytes) {
  *bytes = static_cast<int>(layoutOf(type, "MPI_Type_size").bytes);
  return MPI_SUCCESS;
}

int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) {
  const Layout &layout = layoutOf(type, "MPI_Type_get_extent");
  *lower = layout.lower;
  *extent = layout.extent;
  return MPI_SUCCESS;
}

int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent) {
  *extent = layoutOf(type, "MPI_Type_extent").extent;
  return MPI_SUCCESS;
}

int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *result) {
  return made("MPI_Type_contiguous", result, count > 0 ? 1 : count, nullptr, count, {0}, {old});
}

int MPI_Type_vector(int count, int block, int stride, MPI_Datatype old, MPI_Datatype *result) {
  const auto extent = layoutOf(old, "MPI_Type_vector").extent;
  return made("MPI_Type_vector", result, count, nullptr, block, steps(count, stride * extent),
              {old});
}

int MPI_Type_hvector(int count, int block, MPI_Aint stride, MPI_Datatype old,
                     MPI_Datatype *result) {
  return made("MPI_Type_hvector", result, count, nullptr, block, steps(count, stride), {old});
}

int MPI_Type_create_hvector(int count, int block, MPI_Aint stride, MPI_Datatype old,
                            MPI_Datatype *result) {
  return made("MPI_Type_create_hvector", result, count, nullptr, block, steps(count, stride),
              {old});
}

int MPI_Type_indexed(int count, const int *blocks, const int *places, MPI_Datatype old,
                     MPI_Datatype *result) {
  const auto extent = layoutOf(old, "MPI_Type_indexed").extent;
  std::vector<std::ptrdiff_t> at;
  at.reserve(static_cast<std::size_t>(std::max(count, 0)));
  for (int n = 0; n < count; ++n)
    at.push_back(places[n] * extent);
  return made("MPI_Type_indexed", result, count, blocks, 0, at, {old});
}

int MPI_Type_create_indexed_block(int count, int block, const int *places, MPI_Datatype old,
                                  MPI_Datatype *result) {
  const auto extent = layoutOf(old, "MPI_Type_create_indexed_block").extent;
  std::vector<std::ptrdiff_t> at;
  at.reserve(static_cast<std::size_t>(std::max(count, 0)));
  for (int n = 0; n < count; ++n)
    at.push_back(places[n] * extent);
  return made("MPI_Type_create_indexed_block", result, count, nullptr, block, at, {old});
}

int MPI_Type_create_hindexed(int count, const int *blocks, const MPI_Aint *places, MPI_Datatype old,
                             MPI_Datatype *result) {
  return made("MPI_Type_create_hindexed", result, count, blocks, 0,
              {places, places + std::max(count, 0)}, {old});
}

int MPI_Type_hindexed(int count, const int *blocks, const MPI_Aint *places, MPI_Datatype old,
                      MPI_Datatype *result) {
  return MPI_Type_create_hindexed(count, blocks, places, old, result);
}

/// Lines along the dimension that is contiguous, wherever the other indices lead.
int MPI_Type_create_subarray(int count, const int *sizes, const int *parts, const int *starts,
                             int order, MPI_Datatype old, MPI_Datatype *result) {
  constexpr const char *function = "MPI_Type_create_subarray";
  enter(function);
  const Layout element = layoutOf(old, function);
  if (count < 1)
    fail(function, std::to_string(count) + " dimensions", "1 at least");
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
    fail(function, "no such order: " + std::to_string(order), "MPI_ORDER_C or MPI_ORDER_FORTRAN");
  std::vector<int> from, some; // the fastest dimension first
  std::vector<std::ptrdiff_t> steps;
  std::ptrdiff_t step = element.extent;
  for (int n = 0; n < count; ++n) {
    const int dimension = order == MPI_ORDER_C ? count - 1 - n : n;
    if (parts[dimension] < 1 || starts[dimension] < 0 ||
        starts[dimension] > sizes[dimension] - parts[dimension])
      fail(function,
           "dimension " + std::to_string(dimension) + " takes " + std::to_string(parts[dimension]) +
               " from " + std::to_string(starts[dimension]) + " on",
           "at least 1, within " + std::to_string(sizes[dimension]));
    from.push_back(starts[dimension]);
    some.push_back(parts[dimension]);
    steps.push_back(step);
    step *= sizes[dimension];
  }
  Layout whole;
  std::vector<int> index(static_cast<std::size_t>(count), 0);
  for (std::size_t dimension = 0; dimension < index.size();) {
    std::ptrdiff_t at = 0;
    for (std::size_t n = 0; n < index.size(); ++n)
      at += (from[n] + index[n]) * steps[n];
    append(whole, element, at, some[0]);
    for (dimension = 1; dimension < index.size() && ++index[dimension] == some[dimension];)
      index[dimension++] = 0;
  }
  close(whole);
  whole.lower = 0;
  whole.extent = step;
  *result = makeType(std::move(whole));
  return MPI_SUCCESS;
}

int MPI_Type_create_struct(int count, const int *blocks, const MPI_Aint *places,
                           const MPI_Datatype *parts, MPI_Datatype *result) {
  if (count <= 0)
    fail("MPI_Type_create_struct", "no parts: count is " + std::to_string(count));
  return made("MPI_Type_create_struct", result, count, blocks, 0, {places, places + count},
              {parts, parts + count});
}

int MPI_Type_struct(int count, const int *blocks, const MPI_Aint *places, const MPI_Datatype *parts,
                    MPI_Datatype *result) {
  return MPI_Type_create_struct(count, blocks, places, parts, result);
}

int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint lower, MPI_Aint extent,
                            MPI_Datatype *result) {
  enter("MPI_Type_create_resized");
  Layout layout = layoutOf(old, "MPI_Type_create_resized");
  layout.lower = lower;
  layout.extent = extent;
  *result = makeType(std::move(layout));
  return MPI_SUCCESS;
}

int MPI_Type_dup(MPI_Datatype old, MPI_Datatype *result) {
  enter("MPI_Type_dup");
  *result = makeType(layoutOf(old, "MPI_Type_dup"));
  return MPI_SUCCESS;
}

int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) {
  const auto [first, last] = span(1, layoutOf(type, "MPI_Type_get_true_extent"));
  *lower = first;
  *extent = last - first;
  return MPI_SUCCESS;
}

int MPI_Type_lb(MPI_Datatype type, MPI_Aint *lower) {
  *lower = layoutOf(type, "MPI_Type_lb").lower;
  return MPI_SUCCESS;
}

int MPI_Type_ub(MPI_Datatype type, MPI_Aint *upper) {
  const Layout &layout = layoutOf(type, "MPI_Type_ub");
  *upper = layout.lower + layout.extent;
  return MPI_SUCCESS;
}

int MPI_Type_commit(MPI_Datatype *type) {
  layoutOf(*type, "MPI_Type_commit");
  return MPI_SUCCESS;
}

int MPI_Type_free(MPI_Datatype *type) {
  layoutOf(*type, "MPI_Type_free");
  freeType(*type);
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

int MPI_Get_address(const void *address, MPI_Aint *result) {
  *result = reinterpret_cast<MPI_Aint>(address);
  return MPI_SUCCESS;
}

int MPI_Address(const void *address, MPI_Aint *result) { return MPI_Get_address(address, result); }
}
