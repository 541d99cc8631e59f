// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI of one rank: windows of memory, which this rank puts into and gets from itself. What an epoch
// leaves open to the implementation is done at once; what it forbids is a fault by name.
#include "Heap.h"
#include "MpiTypes.h"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <map>

namespace weft::emu::mpi {

namespace {

struct Window {
  char *base = nullptr;
  MPI_Aint bytes = 0;
  int unit = 1;
  bool fenced = false;  // between two fences
  bool locked = false;  // by MPI_Win_lock
  bool started = false; // MPI_Win_start, to MPI_Win_complete
  bool posted = false;  // MPI_Win_post, to MPI_Win_wait
  bool completed = false;
};

std::map<MPI_Win, Window> &windows() {
  static std::map<MPI_Win, Window> all;
  return all;
}

Window &windowOf(MPI_Win number, const char *function) {
  enter(function);
  const auto found = windows().find(number);
  if (found == windows().end())
    fail(function, number == MPI_WIN_NULL ? "the window is MPI_WIN_NULL"
                                          : "no such window: " + std::to_string(number));
  return found->second;
}

struct Access {
  char *target; // null: MPI_PROC_NULL, nothing to do
  const Layout *here, *there;
  std::size_t count;
};

/// Checks what Put, Get and Accumulate have in common.
Access access(int count, MPI_Datatype type, int rank, MPI_Aint place, int targets,
              MPI_Datatype targetType, MPI_Win number, const char *function) {
  Window &window = windowOf(number, function);
  const Layout &here = layoutOf(type, function), &there = layoutOf(targetType, function);
  checkRank(rank, false, function);
  const std::size_t own = countOf(count, function), far = countOf(targets, function);
  if (rank == MPI_PROC_NULL)
    return {nullptr, &here, &there, 0};
  if (!window.fenced && !window.locked && !window.started)
    fail(function, "outside of an epoch of the window",
         "a call after MPI_Win_fence, MPI_Win_lock or MPI_Win_start");
  if (own * here.bytes != far * there.bytes)
    fail(function, std::to_string(own * here.bytes) + " bytes here and " +
                       std::to_string(far * there.bytes) + " in the window");
  const auto [first, last] = span(far, there);
  if (place < 0 || place > window.bytes / window.unit || place * window.unit + first < 0 ||
      place * window.unit + last > window.bytes)
    fail(function,
         "bytes " + std::to_string(place * window.unit + first) + " to " +
             std::to_string(place * window.unit + last) + " are not in the window",
         "0 to " + std::to_string(window.bytes));
  enter(function, own * here.bytes);
  return {window.base + place * window.unit, &here, &there, own};
}

template <typename T> constexpr bool isComplex = false;
template <typename T> constexpr bool isComplex<std::complex<T>> = true;

/// `old` op `fresh`; false if there is no such operation for the type.
template <typename T> bool combineOne(MPI_Op op, T &old, const T &fresh) {
  switch (op) {
  case MPI_REPLACE:
    old = fresh;
    return true;
  case MPI_SUM:
    old = static_cast<T>(old + fresh);
    return true;
  case MPI_PROD:
    old = static_cast<T>(old * fresh);
    return true;
  default:
    break;
  }
  if constexpr (!isComplex<T>) {
    if (op == MPI_MAX || op == MPI_MIN) {
      old = op == MPI_MAX ? std::max(old, fresh) : std::min(old, fresh);
      return true;
    }
  }
  if constexpr (std::is_integral_v<T>) {
    switch (op) {
    case MPI_LAND:
      old = static_cast<T>(old && fresh);
      return true;
    case MPI_LOR:
      old = static_cast<T>(old || fresh);
      return true;
    case MPI_LXOR:
      old = static_cast<T>(!old != !fresh);
      return true;
    case MPI_BAND:
      old = static_cast<T>(old & fresh);
      return true;
    case MPI_BOR:
      old = static_cast<T>(old | fresh);
      return true;
    case MPI_BXOR:
      old = static_cast<T>(old ^ fresh);
      return true;
    default:
      break;
    }
  }
  return false;
}

template <typename T>
bool combineAll(MPI_Op op, std::vector<char> &old, const std::vector<char> &fresh) {
  for (std::size_t at = 0; at + sizeof(T) <= old.size(); at += sizeof(T)) {
    T one, other;
    std::memcpy(&one, old.data() + at, sizeof one);
    std::memcpy(&other, fresh.data() + at, sizeof other);
    if (!combineOne(op, one, other))
      return false;
    std::memcpy(old.data() + at, &one, sizeof one);
  }
  return true;
}

bool combine(MPI_Op op, MPI_Datatype basic, std::vector<char> &old,
             const std::vector<char> &fresh) {
  switch (basic) {
  case MPI_CHAR:
  case MPI_SIGNED_CHAR:
  case MPI_INT8_T:
    return combineAll<std::int8_t>(op, old, fresh);
  case MPI_UNSIGNED_CHAR:
  case MPI_BYTE:
  case MPI_UINT8_T:
  case MPI_C_BOOL:
    return combineAll<std::uint8_t>(op, old, fresh);
  case MPI_SHORT:
  case MPI_INT16_T:
    return combineAll<std::int16_t>(op, old, fresh);
  case MPI_UNSIGNED_SHORT:
  case MPI_UINT16_T:
    return combineAll<std::uint16_t>(op, old, fresh);
  case MPI_INT:
  case MPI_INT32_T:
  case MPI_INTEGER:
  case MPI_LOGICAL:
    return combineAll<std::int32_t>(op, old, fresh);
  case MPI_UNSIGNED:
  case MPI_UINT32_T:
    return combineAll<std::uint32_t>(op, old, fresh);
  case MPI_LONG:
  case MPI_LONG_LONG:
  case MPI_INT64_T:
  case MPI_INTEGER8:
  case MPI_AINT:
  case MPI_OFFSET:
    return combineAll<std::int64_t>(op, old, fresh);
  case MPI_UNSIGNED_LONG:
  case MPI_UNSIGNED_LONG_LONG:
  case MPI_UINT64_T:
    return combineAll<std::uint64_t>(op, old, fresh);
  case MPI_FLOAT:
  case MPI_REAL:
    return combineAll<float>(op, old, fresh);
  case MPI_DOUBLE:
  case MPI_DOUBLE_PRECISION:
  case MPI_REAL8:
    return combineAll<double>(op, old, fresh);
  case MPI_LONG_DOUBLE:
    return combineAll<long double>(op, old, fresh);
  case MPI_C_FLOAT_COMPLEX:
  case MPI_COMPLEX:
    return combineAll<std::complex<float>>(op, old, fresh);
  case MPI_C_DOUBLE_COMPLEX:
  case MPI_DOUBLE_COMPLEX:
    return combineAll<std::complex<double>>(op, old, fresh);
  default:
    return false;
  }
}

/// Of one rank, a group has this rank or nobody.
bool hasSelf(MPI_Group group) { return group != MPI_GROUP_NULL && group != MPI_GROUP_EMPTY; }

} // namespace

} // namespace weft::emu::mpi

using namespace weft::emu::mpi;

extern "C" {

int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info, void *result) {
  enter("MPI_Alloc_mem");
  if (bytes < 0)
    fail("MPI_Alloc_mem", "a negative size, " + std::to_string(bytes));
  void *memory =
      weft::emu::allocateForProgram(static_cast<std::size_t>(bytes), __builtin_return_address(0));
  if (!memory)
    fail("MPI_Alloc_mem", "no memory for " + std::to_string(bytes) + " bytes");
  *static_cast<void **>(result) = memory;
  return MPI_SUCCESS;
}

int MPI_Free_mem(void *memory) {
  enter("MPI_Free_mem");
  weft::emu::releaseForProgram(memory, __builtin_return_address(0));
  return MPI_SUCCESS;
}

int MPI_Win_create(void *base, MPI_Aint bytes, int unit, MPI_Info, MPI_Comm, MPI_Win *window) {
  static int next = 1;
  enter("MPI_Win_create");
  if (bytes < 0)
    fail("MPI_Win_create", "a negative size, " + std::to_string(bytes));
  if (unit < 1)
    fail("MPI_Win_create", "a unit of " + std::to_string(unit) + " bytes", "1 at least");
  Window &made = windows()[next];
  made.base = static_cast<char *>(base);
  made.bytes = bytes;
  made.unit = unit;
  *window = next++;
  return MPI_SUCCESS;
}

int MPI_Win_free(MPI_Win *window) {
  const Window &own = windowOf(*window, "MPI_Win_free");
  if (own.locked || own.started || own.posted)
    fail("MPI_Win_free", "an epoch of the window is open",
         own.locked ? "MPI_Win_unlock before" : "MPI_Win_complete and MPI_Win_wait before");
  windows().erase(*window);
  *window = MPI_WIN_NULL;
  return MPI_SUCCESS;
}

int MPI_Win_get_group(MPI_Win window, MPI_Group *group) {
  windowOf(window, "MPI_Win_get_group");
  return MPI_Comm_group(MPI_COMM_SELF, group);
}

int MPI_Win_fence(int assertion, MPI_Win window) {
  Window &own = windowOf(window, "MPI_Win_fence");
  if (own.locked || own.started || own.posted)
    fail("MPI_Win_fence", "another epoch of the window is open");
  own.fenced = !(assertion & MPI_MODE_NOSUCCEED);
  return MPI_SUCCESS;
}

int MPI_Win_lock(int, int rank, int, MPI_Win window) {
  Window &own = windowOf(window, "MPI_Win_lock");
  checkRank(rank, false, "MPI_Win_lock");
  if (own.locked)
    fail("MPI_Win_lock", "waits for ever: this rank has locked the window itself");
  own.locked = true;
  return MPI_SUCCESS;
}

int MPI_Win_unlock(int rank, MPI_Win window) {
  Window &own = windowOf(window, "MPI_Win_unlock");
  checkRank(rank, false, "MPI_Win_unlock");
  if (!own.locked)
    fail("MPI_Win_unlock", "the window is not locked");
  own.locked = false;
  return MPI_SUCCESS;
}

int MPI_Win_post(MPI_Group group, int, MPI_Win window) {
  Window &own = windowOf(window, "MPI_Win_post");
  if (own.posted)
    fail("MPI_Win_post", "the window is posted already");
  own.posted = hasSelf(group);
  own.completed = false;
  return MPI_SUCCESS;
}

int MPI_Win_start(MPI_Group group, int, MPI_Win window) {
  Window &own = windowOf(window, "MPI_Win_start");
  if (!hasSelf(group))
    return MPI_SUCCESS;
  if (own.started)
    fail("MPI_Win_start", "an epoch is open");
  if (!own.posted || own.completed)
    fail("MPI_Win_start", "waits for ever: nobody else posts the window, and this rank has not",
         "MPI_Win_post before");
  own.started = true;
  return MPI_SUCCESS;
}

int MPI_Win_complete(MPI_Win window) {
  Window &own = windowOf(window, "MPI_Win_complete");
  own.completed |= own.started;
  own.started = false;
  return MPI_SUCCESS;
}

int MPI_Win_wait(MPI_Win window) {
  Window &own = windowOf(window, "MPI_Win_wait");
  if (own.posted && !own.completed)
    fail("MPI_Win_wait", "waits for ever: this rank has not completed its epoch",
         "MPI_Win_start and MPI_Win_complete before");
  own.posted = own.completed = false;
  return MPI_SUCCESS;
}

int MPI_Win_test(MPI_Win window, int *flag) {
  Window &own = windowOf(window, "MPI_Win_test");
  *flag = !own.posted || own.completed;
  if (*flag)
    own.posted = own.completed = false;
  return MPI_SUCCESS;
}

int MPI_Put(const void *from, int count, MPI_Datatype type, int rank, MPI_Aint place, int targets,
            MPI_Datatype targetType, MPI_Win window) {
  const Access found = access(count, type, rank, place, targets, targetType, window, "MPI_Put");
  if (found.target)
    unpack(pack(from, found.count, *found.here), found.target, *found.there);
  return MPI_SUCCESS;
}

int MPI_Get(void *into, int count, MPI_Datatype type, int rank, MPI_Aint place, int targets,
            MPI_Datatype targetType, MPI_Win window) {
  const Access found = access(count, type, rank, place, targets, targetType, window, "MPI_Get");
  if (found.target)
    unpack(pack(found.target, countOf(targets, "MPI_Get"), *found.there), into, *found.here);
  return MPI_SUCCESS;
}

int MPI_Accumulate(const void *from, int count, MPI_Datatype type, int rank, MPI_Aint place,
                   int targets, MPI_Datatype targetType, MPI_Op op, MPI_Win window) {
  const Access found =
      access(count, type, rank, place, targets, targetType, window, "MPI_Accumulate");
  if (!found.target)
    return MPI_SUCCESS;
  const MPI_Datatype basic = found.here->basic;
  std::vector<char> values = pack(found.target, countOf(targets, "MPI_Accumulate"), *found.there);
  if (basic == MPI_DATATYPE_NULL || basic != found.there->basic)
    fail("MPI_Accumulate", "elements here and in the window are of several types, or of two");
  if (!combine(op, basic, values, pack(from, found.count, *found.here)))
    fail(
        "MPI_Accumulate", "operation " + std::to_string(op) + " is not known for the type",
        "one of mpi.h's on numbers: sums, products, the largest, the smallest, logical and bitwise "
        "ones of integers, MPI_REPLACE");
  unpack(values, found.target, *found.there);
  return MPI_SUCCESS;
}
}
