// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Register communication: 256-bit messages between CPEs of a row or a column. A CPE has a buffer
// for messages to send and one each for those received from its row and from its column; all are
// finite, and who finds one full, or nothing to receive, waits.
#pragma once

#include "Abi.h"
#include "Order.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>

namespace weft::emu {

enum class Way : std::uint8_t { Row, Column };

class Mesh {
public:
  static Mesh &get();

  /// Sends 32 bytes from the running CPE, which has them `readyAfter` cycles from now; `target` is
  /// as the operand of putr and putc.
  void put(Way way, const void *value, int target, std::uint64_t readyAfter = 0);
  /// Receives 32 bytes; waits for them.
  void take(Way way, void *value);
  /// What control registers 0x34, 0x35 and 0x36 say of the running CPE now.
  bool nothingToTake(Way way);
  bool cannotPut();

  /// The functions of `cpes` have ended and the MPE knows it: tells messages that nobody took.
  void joined(std::uint64_t cpes, const WeftSite *site);

  /// What a waiting core's buffers hold, for the report of a deadlock; empty if nothing.
  std::string describe(int core) const;

private:
  static constexpr unsigned kDeepest = 8;

  /// The first few of a queue in the order they came; the user sees to it that they fit.
  template <typename T> class Ring {
  public:
    bool empty() const { return first_ == last_; }
    unsigned size() const { return last_ - first_; }
    T &front() { return values_[first_ % kDeepest]; }
    const T &front() const { return values_[first_ % kDeepest]; }
    T &add() { return values_[last_++ % kDeepest]; }
    void drop() {
      if (++first_ == last_)
        first_ = last_ = 0; // begin again: 64 cores together do with less of the host's cache
    }

  private:
    unsigned first_ = 0, last_ = 0;
    std::array<T, kDeepest> values_;
  };

  struct alignas(32) Message {
    std::array<unsigned char, 32> value;
    std::uint64_t arrives = 0, sentAt = 0, flow = 0;
    const WeftSite *site = nullptr;
    Order::Stamp stamp;
    int sender = -1;
  };

  /// Received messages of a CPE from its row or column.
  struct Inbox {
    // What each message touches lies together.
    alignas(64) std::uint64_t put = 0; // messages ever
    std::uint64_t taken = 0;
    std::uint64_t lastArrival = 0;
    int lastSender = -1;
    std::uint32_t lastSend = 0;
    std::uint64_t lastSentAt = 0;
    const WeftSite *lastSite = nullptr;
    unsigned waiting = 0;                        // how many waitingSenders there are
    std::array<std::uint64_t, kDeepest> freed{}; // when the message there was taken
    std::array<Message, kDeepest> messages;
    std::deque<int> waitingSenders; // whose first letter needs room here, in order
    std::uint64_t told = 0;         // messages put before this one were told as not received
    bool full(unsigned depth) const { return put - taken >= depth; }
  };

  /// A message that waits to be sent.
  struct Letter {
    Message message;
    Way way = Way::Row;
    std::uint8_t targets = 0; // by column or row
    std::uint64_t ready = 0;
  };

  /// Messages that a CPE has put and that are not on their way.
  struct Outbox {
    std::uint64_t next = 0;         // no letter leaves before
    bool blocked = false;           // the CPE waits for room here
    Ring<std::uint64_t> departures; // of letters that left, or will at a time already known
    Ring<Letter> letters;
  };

  /// Messages that leave on the wires of a row or column, by cycle, of the last cycles that had
  /// any. Older cycles are taken as free.
  struct Wires {
    static constexpr unsigned kKept = 64;
    std::array<std::uint64_t, kKept> cycles{};
    std::array<unsigned, kKept> used{};
  };

  Mesh();
  Inbox &inbox(int core, Way way) {
    return inboxes_[static_cast<unsigned>(core)][static_cast<unsigned>(way)];
  }
  static int member(int core, Way way, unsigned position);
  static unsigned waitingToLeave(Outbox &outbox, std::uint64_t now);
  /// The first cycle from `from` on in which a message can leave; it is taken.
  std::uint64_t takeWires(Way way, int sender, std::uint64_t from);
  void waitForRoom(int core, Way way);
  /// Sends what the CPE has put, in order, until one must wait for room at a receiver.
  void pump(int sender);
  /// The first cycle from `from` on in which the place for the next message was free.
  std::uint64_t freeFrom(const Inbox &box, std::uint64_t from) const;
  /// A message leaves when the wires are free; when.
  std::uint64_t leave(Outbox &outbox, Way way, int sender, std::uint64_t from);
  void deliver(int sender, const Letter &letter, std::uint64_t departure);
  /// The message stands in its place of the receiver's buffer; when it arrives.
  std::uint64_t accept(int receiver, Way way, Message &message, std::uint64_t departure);
  static void showMessage(Way way, const Message &message, unsigned targets,
                          std::uint64_t departure, std::uint64_t arrives);
  void checkOrder(int receiver, Way way, const Inbox &inbox, const Message &message);

  std::array<std::array<Inbox, 2>, WEFT_SW_CPES> inboxes_;
  std::array<Outbox, WEFT_SW_CPES> outboxes_;
  std::array<std::array<Wires, 8>, 2> wires_;
  std::array<int, WEFT_SW_CPES> takes_; // the way from which a CPE waits for a message, or -1
  Order &order_;
  unsigned inboxDepth_, outboxDepth_, wireMessages_;
  unsigned places_; // of an inbox that are used, less 1: a power of two holds its depth
  std::uint64_t nearLatency_, farLatency_, farDistance_;
};

} // namespace weft::emu
