// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI of one rank: messages to oneself, and collectives, which are copies.
#include "MpiTypes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>

namespace weft::emu::mpi {

namespace {

struct Message {
  std::vector<char> bytes;
  int tag;
  MPI_Comm comm;
};

struct Request {
  bool receives = false;
  void *into = nullptr;
  std::size_t room = 0;
  const Layout *layout = nullptr;
  int tag = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  bool done = false, cancelled = false;
  MPI_Status status{};
};

std::deque<Message> sent;
std::map<MPI_Request, Request> requests;
std::vector<MPI_Request> posted; // receives that wait, in order
int nextRequest = 1;

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

bool fits(int wanted, MPI_Comm comm, const Message &message) {
  return message.comm == comm && (wanted == MPI_ANY_TAG || wanted == message.tag);
}

MPI_Status statusOf(const Message &message) {
  return {.MPI_SOURCE = 0,
          .MPI_TAG = message.tag,
          .MPI_ERROR = MPI_SUCCESS,
          .weft_cancelled = 0,
          .weft_bytes = message.bytes.size()};
}

MPI_Status nobody() {
  return {.MPI_SOURCE = MPI_PROC_NULL,
          .MPI_TAG = MPI_ANY_TAG,
          .MPI_ERROR = MPI_SUCCESS,
          .weft_cancelled = 0,
          .weft_bytes = 0};
}

void deliver(const Message &message, Request &receive, const char *function) {
  if (message.bytes.size() > receive.room)
    fail(function,
         "a message of " + std::to_string(message.bytes.size()) + " bytes (tag " +
             std::to_string(message.tag) + ") is longer than the receive's buffer",
         "at most " + std::to_string(receive.room) + " bytes");
  unpack(message.bytes, receive.into, *receive.layout);
  receive.status = statusOf(message);
  receive.done = true;
}

void send(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
          const char *function) {
  const Layout &layout = layoutOf(type, function);
  const std::size_t elements = countOf(count, function);
  enter(function, elements * layout.bytes);
  checkRank(to, false, function);
  if (tag < 0)
    fail(function, "a negative tag, " + std::to_string(tag));
  if (to == MPI_PROC_NULL)
    return;
  Message message{pack(from, elements, layout), tag, comm};
  const auto waiting = std::find_if(posted.begin(), posted.end(), [&](MPI_Request each) {
    return fits(requests[each].tag, requests[each].comm, message);
  });
  if (waiting == posted.end()) {
    sent.push_back(std::move(message));
    return;
  }
  deliver(message, requests[*waiting], function);
  posted.erase(waiting);
}

MPI_Request post(void *into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 const char *function) {
  const Layout &layout = layoutOf(type, function);
  const std::size_t elements = countOf(count, function);
  enter(function, elements * layout.bytes);
  checkRank(from, true, function);
  const MPI_Request made = nextRequest++;
  Request &receive = requests[made];
  receive = {.receives = true,
             .into = into,
             .room = elements * layout.bytes,
             .layout = &layout,
             .tag = tag,
             .comm = comm,
             .done = from == MPI_PROC_NULL,
             .cancelled = false,
             .status = nobody()};
  if (receive.done)
    return made;
  const auto found = std::find_if(sent.begin(), sent.end(),
                                  [&](const Message &message) { return fits(tag, comm, message); });
  if (found == sent.end()) {
    posted.push_back(made);
    return made;
  }
  deliver(*found, receive, function);
  sent.erase(found);
  return made;
}

MPI_Request finished() {
  const MPI_Request made = nextRequest++;
  requests[made].done = true;
  requests[made].status = nobody();
  return made;
}

/// Ends `request` if it is done.
bool take(MPI_Request *request, MPI_Status *status, const char *function) {
  if (*request == MPI_REQUEST_NULL) {
    if (status) {
      *status = nobody();
      status->MPI_SOURCE = MPI_ANY_SOURCE;
    }
    return true;
  }
  const auto found = requests.find(*request);
  if (found == requests.end())
    fail(function, "no such request: " + std::to_string(*request));
  if (!found->second.done)
    return false;
  if (status) {
    *status = found->second.status;
    status->weft_cancelled = found->second.cancelled;
  }
  requests.erase(found);
  *request = MPI_REQUEST_NULL;
  return true;
}

[[noreturn]] void never(const char *function, int tag) {
  fail(function,
       "waits for ever: nobody will send what it waits for (tag " + std::to_string(tag) +
           "), since this rank is the only one and is in this call",
       {}, rankHelp());
}

void await(MPI_Request *request, MPI_Status *status, const char *function) {
  enter(function);
  const MPI_Request asked = *request;
  if (!take(request, status, function))
    never(function, requests[asked].tag);
}

/// Of a collective on one rank: the contribution becomes the result.
void copy(const void *from, int sentCount, MPI_Datatype sentType, void *into, int received,
          MPI_Datatype receivedType, std::ptrdiff_t at, const char *function) {
  if (from == MPI_IN_PLACE || into == MPI_IN_PLACE) {
    enter(function);
    return;
  }
  const Layout &source = layoutOf(sentType, function), &target = layoutOf(receivedType, function);
  const std::size_t bytes = countOf(sentCount, function) * source.bytes;
  const std::size_t room = countOf(received, function) * target.bytes;
  enter(function, bytes);
  if (bytes != room)
    fail(function, "this rank sends " + std::to_string(bytes) + " bytes to itself and receives " +
                       std::to_string(room));
  unpack(pack(from, countOf(sentCount, function), source),
         static_cast<char *>(into) + at * target.extent, target);
}

void checkRoot(int root, const char *function) {
  if (root != 0)
    fail(function, "there is no root " + std::to_string(root), "rank 0", rankHelp());
}

} // namespace

} // namespace weft::emu::mpi

using namespace weft::emu::mpi;

extern "C" {

#define WEFT_SEND(name)                                                                            \
  int name(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {       \
    send(from, count, type, to, tag, comm, #name);                                                 \
    return MPI_SUCCESS;                                                                            \
  }
WEFT_SEND(MPI_Send)
WEFT_SEND(MPI_Rsend)
WEFT_SEND(MPI_Bsend)
#undef WEFT_SEND

int MPI_Ssend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  const std::size_t before = sent.size();
  send(from, count, type, to, tag, comm, "MPI_Ssend");
  if (sent.size() > before)
    never("MPI_Ssend", tag);
  return MPI_SUCCESS;
}

#define WEFT_ISEND(name)                                                                           \
  int name(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,         \
           MPI_Request *request) {                                                                 \
    send(from, count, type, to, tag, comm, #name);                                                 \
    *request = finished();                                                                         \
    return MPI_SUCCESS;                                                                            \
  }
WEFT_ISEND(MPI_Isend)
WEFT_ISEND(MPI_Issend)
WEFT_ISEND(MPI_Irsend)
#undef WEFT_ISEND

int MPI_Irecv(void *into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request) {
  *request = post(into, count, type, from, tag, comm, "MPI_Irecv");
  return MPI_SUCCESS;
}

int MPI_Recv(void *into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status) {
  MPI_Request request = post(into, count, type, from, tag, comm, "MPI_Recv");
  if (!take(&request, status, "MPI_Recv"))
    never("MPI_Recv", tag);
  return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  await(request, status, "MPI_Wait");
  return MPI_SUCCESS;
}

int MPI_Waitall(int count, MPI_Request *all, MPI_Status *statuses) {
  for (int n = 0; n < count; ++n)
    await(&all[n], statuses ? &statuses[n] : nullptr, "MPI_Waitall");
  return MPI_SUCCESS;
}

int MPI_Waitany(int count, MPI_Request *all, int *index, MPI_Status *status) {
  enter("MPI_Waitany");
  int live = -1;
  for (int n = 0; n < count; ++n) {
    if (all[n] == MPI_REQUEST_NULL)
      continue;
    live = n;
    if (take(&all[n], status, "MPI_Waitany")) {
      *index = n;
      return MPI_SUCCESS;
    }
  }
  if (live >= 0)
    never("MPI_Waitany", requests[all[live]].tag);
  *index = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int MPI_Waitsome(int count, MPI_Request *all, int *done, int *indices, MPI_Status *statuses) {
  enter("MPI_Waitsome");
  *done = 0;
  int live = -1;
  for (int n = 0; n < count; ++n) {
    if (all[n] == MPI_REQUEST_NULL)
      continue;
    live = n;
    if (take(&all[n], statuses ? &statuses[*done] : nullptr, "MPI_Waitsome"))
      indices[(*done)++] = n;
  }
  if (live < 0)
    *done = MPI_UNDEFINED;
  else if (*done == 0)
    never("MPI_Waitsome", requests[all[live]].tag);
  return MPI_SUCCESS;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  enter("MPI_Test");
  *flag = take(request, status, "MPI_Test");
  return MPI_SUCCESS;
}

int MPI_Testall(int count, MPI_Request *all, int *flag, MPI_Status *statuses) {
  enter("MPI_Testall");
  *flag = 1;
  for (int n = 0; n < count; ++n)
    *flag &= all[n] == MPI_REQUEST_NULL || requests[all[n]].done;
  for (int n = 0; *flag && n < count; ++n)
    take(&all[n], statuses ? &statuses[n] : nullptr, "MPI_Testall");
  return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request *request) {
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

int MPI_Cancel(MPI_Request *request) {
  enter("MPI_Cancel");
  Request &own = requests[*request];
  if (!own.done) {
    own.done = own.cancelled = true;
    std::erase(posted, *request);
  }
  return MPI_SUCCESS;
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  enter("MPI_Iprobe");
  checkRank(from, true, "MPI_Iprobe");
  const auto found = std::find_if(sent.begin(), sent.end(),
                                  [&](const Message &message) { return fits(tag, comm, message); });
  *flag = found != sent.end();
  if (*flag && status)
    *status = statusOf(*found);
  return MPI_SUCCESS;
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status) {
  int flag = 0;
  MPI_Iprobe(from, tag, comm, &flag, status);
  if (!flag)
    never("MPI_Probe", tag);
  return MPI_SUCCESS;
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
  const std::size_t bytes = layoutOf(type, "MPI_Get_count").bytes;
  *count = bytes && status->weft_bytes % bytes == 0 ? static_cast<int>(status->weft_bytes / bytes)
                                                    : static_cast<int>(MPI_UNDEFINED);
  return MPI_SUCCESS;
}

int MPI_Sendrecv(const void *from, int count, MPI_Datatype sentType, int to, int sentTag,
                 void *into, int received, MPI_Datatype receivedType, int source, int receivedTag,
                 MPI_Comm comm, MPI_Status *status) {
  send(from, count, sentType, to, sentTag, comm, "MPI_Sendrecv");
  return MPI_Recv(into, received, receivedType, source, receivedTag, comm, status);
}

int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int sentTag,
                         int source, int receivedTag, MPI_Comm comm, MPI_Status *status) {
  return MPI_Sendrecv(buffer, count, type, to, sentTag, buffer, count, type, source, receivedTag,
                      comm, status);
}

int MPI_Buffer_attach(void *, int) { return MPI_SUCCESS; }
int MPI_Buffer_detach(void *, int *bytes) {
  *bytes = 0;
  return MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm) {
  enter("MPI_Barrier");
  return MPI_SUCCESS;
}

int MPI_Bcast(void *, int count, MPI_Datatype type, int root, MPI_Comm) {
  enter("MPI_Bcast");
  layoutOf(type, "MPI_Bcast");
  countOf(count, "MPI_Bcast");
  checkRoot(root, "MPI_Bcast");
  return MPI_SUCCESS;
}

int MPI_Reduce(const void *from, void *into, int count, MPI_Datatype type, MPI_Op, int root,
               MPI_Comm) {
  checkRoot(root, "MPI_Reduce");
  copy(from, count, type, into, count, type, 0, "MPI_Reduce");
  return MPI_SUCCESS;
}

int MPI_Allreduce(const void *from, void *into, int count, MPI_Datatype type, MPI_Op, MPI_Comm) {
  copy(from, count, type, into, count, type, 0, "MPI_Allreduce");
  return MPI_SUCCESS;
}

int MPI_Scan(const void *from, void *into, int count, MPI_Datatype type, MPI_Op, MPI_Comm) {
  copy(from, count, type, into, count, type, 0, "MPI_Scan");
  return MPI_SUCCESS;
}

int MPI_Exscan(const void *, void *, int count, MPI_Datatype type, MPI_Op, MPI_Comm) {
  enter("MPI_Exscan"); // the first rank's result is undefined
  layoutOf(type, "MPI_Exscan");
  countOf(count, "MPI_Exscan");
  return MPI_SUCCESS;
}

int MPI_Reduce_scatter(const void *from, void *into, const int *counts, MPI_Datatype type, MPI_Op,
                       MPI_Comm) {
  copy(from, counts[0], type, into, counts[0], type, 0, "MPI_Reduce_scatter");
  return MPI_SUCCESS;
}

int MPI_Gather(const void *from, int count, MPI_Datatype sentType, void *into, int received,
               MPI_Datatype receivedType, int root, MPI_Comm) {
  checkRoot(root, "MPI_Gather");
  copy(from, count, sentType, into, received, receivedType, 0, "MPI_Gather");
  return MPI_SUCCESS;
}

int MPI_Gatherv(const void *from, int count, MPI_Datatype sentType, void *into, const int *received,
                const int *places, MPI_Datatype receivedType, int root, MPI_Comm) {
  checkRoot(root, "MPI_Gatherv");
  copy(from, count, sentType, into, received[0], receivedType, places[0], "MPI_Gatherv");
  return MPI_SUCCESS;
}

int MPI_Allgather(const void *from, int count, MPI_Datatype sentType, void *into, int received,
                  MPI_Datatype receivedType, MPI_Comm) {
  copy(from, count, sentType, into, received, receivedType, 0, "MPI_Allgather");
  return MPI_SUCCESS;
}

int MPI_Allgatherv(const void *from, int count, MPI_Datatype sentType, void *into,
                   const int *received, const int *places, MPI_Datatype receivedType, MPI_Comm) {
  copy(from, count, sentType, into, received[0], receivedType, places[0], "MPI_Allgatherv");
  return MPI_SUCCESS;
}

int MPI_Scatter(const void *from, int count, MPI_Datatype sentType, void *into, int received,
                MPI_Datatype receivedType, int root, MPI_Comm) {
  checkRoot(root, "MPI_Scatter");
  copy(from, count, sentType, into, received, receivedType, 0, "MPI_Scatter");
  return MPI_SUCCESS;
}

int MPI_Scatterv(const void *from, const int *counts, const int *places, MPI_Datatype sentType,
                 void *into, int received, MPI_Datatype receivedType, int root, MPI_Comm) {
  checkRoot(root, "MPI_Scatterv");
  const auto at = places[0] * layoutOf(sentType, "MPI_Scatterv").extent;
  copy(from == MPI_IN_PLACE ? from : static_cast<const char *>(from) + at, counts[0], sentType,
       into, received, receivedType, 0, "MPI_Scatterv");
  return MPI_SUCCESS;
}

int MPI_Alltoall(const void *from, int count, MPI_Datatype sentType, void *into, int received,
                 MPI_Datatype receivedType, MPI_Comm) {
  copy(from, count, sentType, into, received, receivedType, 0, "MPI_Alltoall");
  return MPI_SUCCESS;
}

int MPI_Alltoallv(const void *from, const int *counts, const int *places, MPI_Datatype sentType,
                  void *into, const int *received, const int *receivedPlaces,
                  MPI_Datatype receivedType, MPI_Comm) {
  const auto at = places[0] * layoutOf(sentType, "MPI_Alltoallv").extent;
  copy(from == MPI_IN_PLACE ? from : static_cast<const char *>(from) + at, counts[0], sentType,
       into, received[0], receivedType, receivedPlaces[0], "MPI_Alltoallv");
  return MPI_SUCCESS;
}

int MPI_Op_create(MPI_User_function *, int, MPI_Op *op) {
  static int next = MPI_REPLACE + 1;
  *op = next++;
  return MPI_SUCCESS;
}

int MPI_Op_free(MPI_Op *op) {
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}
}
