// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI of one rank: environment, communicators, groups, topologies. All communicators hold this
// rank; what would need another is a fault by name.
#include "Fault.h"
#include "Machine.h"
#include "Mpe.h"
#include "MpiTypes.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace weft::emu::mpi {

namespace {

bool begun = false, ended = false;
constexpr int kOneMember = 2; // groups: MPI_GROUP_EMPTY, and this

struct Topology {
  std::vector<int> dims, periods;
};

std::map<MPI_Comm, Topology> &communicators() {
  static std::map<MPI_Comm, Topology> all{{MPI_COMM_WORLD, {}}, {MPI_COMM_SELF, {}}};
  return all;
}

MPI_Comm newCommunicator(Topology topology = {}) {
  static int next = MPI_COMM_SELF + 1;
  communicators()[next] = std::move(topology);
  return next++;
}

} // namespace

void fail(const char *function, const std::string &what, const std::string &expected,
          const std::string &help) {
  Mpe::get().settle();
  raise({.name = "mpi-error",
         .core = WEFT_SW_MPE,
         .cycle = weft_sw_host.now,
         .site = weft_sw_host.site,
         .what = std::string(function) + ": " + what,
         .expected = expected,
         .found = {},
         .help = help,
         .others = {}});
}

void enter(const char *function, std::size_t bytes) {
  static const double callCycles = Machine::get().number("mpe.mpi_call_cycles");
  static const double byteCycles = Machine::get().number("mpe.mpi_byte_cycles");
  if (!begun)
    fail(function, "called before MPI_Init");
  if (ended)
    fail(function, "called after MPI_Finalize");
  Mpe::get().charge(
      static_cast<std::uint64_t>(callCycles + byteCycles * static_cast<double>(bytes)));
}

std::string rankHelp() {
  return "one core group is one rank; programs of more ranks are not run yet (-n 1)";
}

void checkRank(int rank, bool any, const char *function) {
  if (rank == 0 || rank == MPI_PROC_NULL || (any && rank == MPI_ANY_SOURCE))
    return;
  fail(function, "there is no rank " + std::to_string(rank), "rank 0", rankHelp());
}

std::size_t countOf(int count, const char *function) {
  if (count < 0)
    fail(function, "a negative count, " + std::to_string(count));
  return static_cast<std::size_t>(count);
}

/// The topology of `comm`; a fault if there is no such communicator.
static const Topology &topologyOf(MPI_Comm comm, const char *function) {
  enter(function);
  const auto found = communicators().find(comm);
  if (found == communicators().end())
    fail(function, comm == MPI_COMM_NULL ? "the communicator is MPI_COMM_NULL"
                                         : "no such communicator: " + std::to_string(comm));
  return found->second;
}

} // namespace weft::emu::mpi

using namespace weft::emu;
using namespace weft::emu::mpi;

extern "C" {

int MPI_Init(int *, char ***) {
  if (begun)
    fail("MPI_Init", "called a second time");
  begun = true;
  enter("MPI_Init");
  return MPI_SUCCESS;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  *provided = required < MPI_THREAD_FUNNELED ? required : MPI_THREAD_FUNNELED;
  return MPI_Init(argc, argv);
}

int MPI_Initialized(int *flag) {
  *flag = begun;
  return MPI_SUCCESS;
}

int MPI_Finalize(void) {
  enter("MPI_Finalize");
  ended = true;
  return MPI_SUCCESS;
}

int MPI_Finalized(int *flag) {
  *flag = ended;
  return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm, int code) {
  std::fprintf(stderr, "weft emu: MPI_Abort(%d) by rank 0\n", code);
  std::exit(code);
}

double MPI_Wtime(void) {
  Mpe::get().settle();
  return static_cast<double>(weft_sw_host.now) / Machine::get().number("clock.hz");
}

double MPI_Wtick(void) { return 1 / Machine::get().number("clock.hz"); }

int MPI_Get_processor_name(char *name, int *length) {
  enter("MPI_Get_processor_name");
  constexpr char machine[] = "sw26010";
  std::memcpy(name, machine, sizeof machine);
  *length = sizeof machine - 1;
  return MPI_SUCCESS;
}

int MPI_Get_version(int *version, int *subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

int MPI_Error_string(int code, char *text, int *length) {
  *length = std::snprintf(text, MPI_MAX_ERROR_STRING, "MPI error %d", code);
  return MPI_SUCCESS;
}

int MPI_Error_class(int code, int *kind) {
  *kind = code;
  return MPI_SUCCESS;
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler) {
  topologyOf(comm, "MPI_Comm_set_errhandler");
  return MPI_SUCCESS;
}

int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) {
  return MPI_Comm_set_errhandler(comm, handler);
}

int MPI_Comm_rank(MPI_Comm comm, int *rank) {
  topologyOf(comm, "MPI_Comm_rank");
  *rank = 0;
  return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *size) {
  topologyOf(comm, "MPI_Comm_size");
  *size = 1;
  return MPI_SUCCESS;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy) {
  *copy = newCommunicator(topologyOf(comm, "MPI_Comm_dup"));
  return MPI_SUCCESS;
}

int MPI_Comm_split(MPI_Comm comm, int color, int, MPI_Comm *part) {
  topologyOf(comm, "MPI_Comm_split");
  *part = color == MPI_UNDEFINED ? static_cast<MPI_Comm>(MPI_COMM_NULL) : newCommunicator();
  return MPI_SUCCESS;
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *part) {
  topologyOf(comm, "MPI_Comm_create");
  *part = group == MPI_GROUP_EMPTY ? static_cast<MPI_Comm>(MPI_COMM_NULL) : newCommunicator();
  return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm *comm) {
  topologyOf(*comm, "MPI_Comm_free");
  if (*comm == MPI_COMM_WORLD || *comm == MPI_COMM_SELF)
    fail("MPI_Comm_free", "a predefined communicator cannot be freed");
  communicators().erase(*comm);
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_compare(MPI_Comm one, MPI_Comm other, int *result) {
  topologyOf(one, "MPI_Comm_compare");
  topologyOf(other, "MPI_Comm_compare");
  *result = one == other ? MPI_IDENT : MPI_CONGRUENT;
  return MPI_SUCCESS;
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group *group) {
  topologyOf(comm, "MPI_Comm_group");
  *group = kOneMember;
  return MPI_SUCCESS;
}

int MPI_Group_size(MPI_Group group, int *size) {
  *size = group == kOneMember;
  return MPI_SUCCESS;
}

int MPI_Group_rank(MPI_Group group, int *rank) {
  *rank = group == kOneMember ? 0 : static_cast<int>(MPI_UNDEFINED);
  return MPI_SUCCESS;
}

int MPI_Group_incl(MPI_Group, int count, const int *ranks, MPI_Group *part) {
  for (int n = 0; n < count; ++n)
    if (ranks[n] != 0)
      fail("MPI_Group_incl", "there is no rank " + std::to_string(ranks[n]), "rank 0");
  *part = count > 0 ? kOneMember : static_cast<MPI_Group>(MPI_GROUP_EMPTY);
  return MPI_SUCCESS;
}

int MPI_Group_excl(MPI_Group group, int count, const int *, MPI_Group *part) {
  *part = count > 0 ? static_cast<MPI_Group>(MPI_GROUP_EMPTY) : group;
  return MPI_SUCCESS;
}

int MPI_Group_free(MPI_Group *group) {
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}

MPI_Fint MPI_Comm_c2f(MPI_Comm comm) { return comm; }
MPI_Comm MPI_Comm_f2c(MPI_Fint comm) { return comm; }

int MPI_Dims_create(int nodes, int count, int *dims) {
  enter("MPI_Dims_create");
  int given = 1, first = -1;
  for (int n = 0; n < count; ++n) {
    if (dims[n] > 0)
      given *= dims[n];
    else if (first < 0)
      first = n;
  }
  if (nodes != 1 || given != 1)
    fail("MPI_Dims_create", "a grid of " + std::to_string(nodes) + " ranks", "1 rank");
  for (int n = 0; n < count; ++n)
    dims[n] = 1;
  return MPI_SUCCESS;
}

int MPI_Cart_create(MPI_Comm comm, int count, const int *dims, const int *periods, int,
                    MPI_Comm *cart) {
  topologyOf(comm, "MPI_Cart_create");
  for (int n = 0; n < count; ++n)
    if (dims[n] != 1)
      fail("MPI_Cart_create",
           "a grid with " + std::to_string(dims[n]) + " ranks in dimension " + std::to_string(n),
           "1: one core group is one rank");
  *cart = newCommunicator({{dims, dims + count}, {periods, periods + count}});
  return MPI_SUCCESS;
}

int MPI_Cart_coords(MPI_Comm comm, int, int count, int *coordinates) {
  topologyOf(comm, "MPI_Cart_coords");
  for (int n = 0; n < count; ++n)
    coordinates[n] = 0;
  return MPI_SUCCESS;
}

int MPI_Cart_rank(MPI_Comm comm, const int *, int *rank) {
  topologyOf(comm, "MPI_Cart_rank");
  *rank = 0;
  return MPI_SUCCESS;
}

int MPI_Cart_shift(MPI_Comm comm, int direction, int distance, int *source, int *destination) {
  const Topology &topology = topologyOf(comm, "MPI_Cart_shift");
  if (direction < 0 || static_cast<std::size_t>(direction) >= topology.dims.size())
    fail("MPI_Cart_shift", "no dimension " + std::to_string(direction));
  const bool self = topology.periods[static_cast<std::size_t>(direction)] || distance == 0;
  *source = *destination = self ? 0 : static_cast<int>(MPI_PROC_NULL);
  return MPI_SUCCESS;
}

int MPI_Cart_get(MPI_Comm comm, int count, int *dims, int *periods, int *coordinates) {
  const Topology &topology = topologyOf(comm, "MPI_Cart_get");
  for (int n = 0; n < count && static_cast<std::size_t>(n) < topology.dims.size(); ++n) {
    dims[n] = topology.dims[static_cast<std::size_t>(n)];
    periods[n] = topology.periods[static_cast<std::size_t>(n)];
    coordinates[n] = 0;
  }
  return MPI_SUCCESS;
}

int MPI_Cart_sub(MPI_Comm comm, const int *remain, MPI_Comm *part) {
  const Topology &topology = topologyOf(comm, "MPI_Cart_sub");
  Topology left;
  for (std::size_t n = 0; n < topology.dims.size(); ++n)
    if (remain[n]) {
      left.dims.push_back(topology.dims[n]);
      left.periods.push_back(topology.periods[n]);
    }
  *part = newCommunicator(std::move(left));
  return MPI_SUCCESS;
}

int MPI_Info_create(MPI_Info *info) {
  *info = 1;
  return MPI_SUCCESS;
}
int MPI_Info_set(MPI_Info, const char *, const char *) { return MPI_SUCCESS; }
int MPI_Info_free(MPI_Info *info) {
  *info = MPI_INFO_NULL;
  return MPI_SUCCESS;
}
}
