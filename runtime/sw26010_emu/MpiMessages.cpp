// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI of one rank: messages to oneself.
#include "MpiTypes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <optional>

namespace weft::emu::mpi {

namespace {

struct Message {
  std::vector<char> bytes;
  int tag;
  MPI_Comm comm;
};

/// What a persistent request does at each start.
struct Again {
  bool receives = false;
  const void *from = nullptr;
  void *into = nullptr;
  int count = 0, peer = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

struct Request {
  void *into = nullptr;
  std::size_t room = 0;
  Layout layout; // its own: the type may be freed before it completes
  int tag = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  bool done = false, cancelled = false;
  MPI_Status status{};
  std::optional<Again> again; // of a persistent one
  bool active = true;         // a persistent one: started and not waited for
};

std::deque<Message> sent;
std::map<MPI_Request, Request> requests;
std::vector<MPI_Request> posted; // receives that wait, in order
int nextRequest = 1;

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
  unpack(message.bytes, receive.into, receive.layout);
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

/// Makes request `made` a receive, which may find its message at once.
void receive(MPI_Request made, void *into, int count, MPI_Datatype type, int from, int tag,
             MPI_Comm comm, const char *function) {
  const Layout &layout = layoutOf(type, function);
  const std::size_t elements = countOf(count, function);
  enter(function, elements * layout.bytes);
  checkRank(from, true, function);
  Request &request = requests[made];
  request.into = into;
  request.room = elements * layout.bytes;
  request.layout = layout;
  request.tag = tag;
  request.comm = comm;
  request.done = from == MPI_PROC_NULL;
  request.cancelled = false;
  request.status = nobody();
  if (request.done)
    return;
  const auto found = std::find_if(sent.begin(), sent.end(),
                                  [&](const Message &message) { return fits(tag, comm, message); });
  if (found == sent.end()) {
    posted.push_back(made);
    return;
  }
  deliver(*found, request, function);
  sent.erase(found);
}

MPI_Request post(void *into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 const char *function) {
  const MPI_Request made = nextRequest++;
  receive(made, into, count, type, from, tag, comm, function);
  return made;
}

Request &known(MPI_Request request, const char *function) {
  const auto found = requests.find(request);
  if (found == requests.end())
    fail(function, request == MPI_REQUEST_NULL ? "the request is MPI_REQUEST_NULL"
                                               : "no such request: " + std::to_string(request));
  return found->second;
}

/// A persistent request; nothing happens before it is started.
MPI_Request prepare(const Again &again, int tag, MPI_Comm comm, const char *function) {
  enter(function);
  layoutOf(again.type, function);
  countOf(again.count, function);
  checkRank(again.peer, again.receives, function);
  const MPI_Request made = nextRequest++;
  Request &request = requests[made];
  request.tag = tag;
  request.comm = comm;
  request.again = again;
  request.active = false;
  return made;
}

void start(MPI_Request made, const char *function) {
  Request &request = known(made, function);
  if (!request.again)
    fail(function, "the request is not a persistent one", "one of MPI_Send_init or MPI_Recv_init");
  if (request.active)
    fail(function, "the request was started and not waited for");
  const Again &again = *request.again;
  request.active = true;
  if (again.receives)
    return receive(made, again.into, again.count, again.type, again.peer, request.tag, request.comm,
                   function);
  send(again.from, again.count, again.type, again.peer, request.tag, request.comm, function);
  request.done = true;
  request.status = nobody();
}

/// Nothing to wait for.
bool inactive(MPI_Request request, const char *function) {
  return request == MPI_REQUEST_NULL || !known(request, function).active;
}

MPI_Request finished() {
  const MPI_Request made = nextRequest++;
  requests[made].done = true;
  requests[made].status = nobody();
  return made;
}

/// Ends `request` if it is done.
bool take(MPI_Request *request, MPI_Status *status, const char *function) {
  if (inactive(*request, function)) {
    if (status) {
      *status = nobody();
      status->MPI_SOURCE = MPI_ANY_SOURCE;
    }
    return true;
  }
  Request &own = known(*request, function);
  if (!own.done)
    return false;
  if (status) {
    *status = own.status;
    status->weft_cancelled = own.cancelled;
  }
  if (own.again) {
    own.active = false;
    return true;
  }
  requests.erase(*request);
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
    if (inactive(all[n], "MPI_Waitany"))
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
    if (inactive(all[n], "MPI_Waitsome"))
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
    *flag &= inactive(all[n], "MPI_Testall") || requests[all[n]].done;
  for (int n = 0; *flag && n < count; ++n)
    take(&all[n], statuses ? &statuses[n] : nullptr, "MPI_Testall");
  return MPI_SUCCESS;
}

int MPI_Testany(int count, MPI_Request *all, int *index, int *flag, MPI_Status *status) {
  enter("MPI_Testany");
  bool live = false;
  for (int n = 0; n < count; ++n) {
    if (inactive(all[n], "MPI_Testany"))
      continue;
    live = true;
    if (take(&all[n], status, "MPI_Testany")) {
      *index = n;
      *flag = 1;
      return MPI_SUCCESS;
    }
  }
  *index = MPI_UNDEFINED;
  *flag = !live;
  return MPI_SUCCESS;
}

int MPI_Testsome(int count, MPI_Request *all, int *done, int *indices, MPI_Status *statuses) {
  enter("MPI_Testsome");
  *done = 0;
  bool live = false;
  for (int n = 0; n < count; ++n) {
    if (inactive(all[n], "MPI_Testsome"))
      continue;
    live = true;
    if (take(&all[n], statuses ? &statuses[*done] : nullptr, "MPI_Testsome"))
      indices[(*done)++] = n;
  }
  if (!live)
    *done = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

#define WEFT_SEND_INIT(name)                                                                       \
  int name(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,         \
           MPI_Request *request) {                                                                 \
    *request = prepare({false, from, nullptr, count, to, type}, tag, comm, #name);                 \
    return MPI_SUCCESS;                                                                            \
  }
WEFT_SEND_INIT(MPI_Send_init)
WEFT_SEND_INIT(MPI_Ssend_init)
WEFT_SEND_INIT(MPI_Bsend_init)
WEFT_SEND_INIT(MPI_Rsend_init)
#undef WEFT_SEND_INIT

int MPI_Recv_init(void *into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  *request = prepare({true, nullptr, into, count, from, type}, tag, comm, "MPI_Recv_init");
  return MPI_SUCCESS;
}

int MPI_Start(MPI_Request *request) {
  start(*request, "MPI_Start");
  return MPI_SUCCESS;
}

int MPI_Startall(int count, MPI_Request *all) {
  for (int n = 0; n < count; ++n)
    start(all[n], "MPI_Startall");
  return MPI_SUCCESS;
}

int MPI_Test_cancelled(const MPI_Status *status, int *flag) {
  *flag = status->weft_cancelled;
  return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request *request) {
  if (inactive(*request, "MPI_Request_free"))
    requests.erase(*request);
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

int MPI_Cancel(MPI_Request *request) {
  enter("MPI_Cancel");
  Request &own = known(*request, "MPI_Cancel");
  if (own.active && !own.done) {
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
}
