#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "dash/async/Operation.h"
#include "dash/core/Statistics.h"
#include "launch/Session.h"
#include "memory/GlobalMemory.h"
#include "network/rma/RmaDriver.h"
#include "two_sided/Mailbox.h"
#include "two_sided/MessageBlocks.h"

namespace dash::dart {

/// One end of a message: `nelem` elements of `size` bytes, a tag, and the unit at the other end.
template <class Buffer>
struct MessageEnd {
  Buffer buffer;
  std::size_t nelem;
  std::size_t size;
  int tag;
  int unit;

  std::size_t nbytes() const noexcept { return nelem * size; }
};
using MessageSource = MessageEnd<const void*>;
using MessageTarget = MessageEnd<void*>;

/// Messages between two units, matched by source and tag in the order of sending.
///
/// Within a node they pass through shared memory. The sender copies the message into a block of its
/// heap and pushes the block to the list of the receiver. The receiver moves arrived blocks into
/// queues, one for each source and tag, and copies the data out. A longer message is split into
/// fragments, which pass through a ring buffer in the block. A waiting thread sleeps on its unit's
/// event counter, which the other unit increments; so dart_sendrecv waits for both of its messages
/// at once.
///
/// Between nodes they are MPI messages on a private communicator.
/// \threads thread-safe
class TwoSided {
 public:
  TwoSided(Session& session, RmaDriver& driver, GlobalMemory& memory);

  /// The largest tag of messages of the application.
  int largest_tag() const noexcept { return _largest_tag; }
  /// The tag of the messages of collectives.
  int collective_tag() const noexcept { return _largest_tag + 1; }

  void send(const MessageSource& message);
  void recv(const MessageTarget& message);
  void sendrecv(const MessageSource& outgoing, const MessageTarget& incoming);

 private:
  class OutgoingMessage;
  class IncomingMessage;
  using Key = std::pair<std::int32_t, std::int32_t>;  // source, tag

  bool on_node(int unit) const noexcept {
    return _session.layout().slots[static_cast<std::size_t>(unit)] >= 0;
  }
  void count(core::OperationKind kind, int unit, std::size_t nbytes) const noexcept;
  Mailbox& mailbox_of(int unit) const noexcept;
  char* heaps() const noexcept { return _session.heap().base(); }
  /// Takes the first queued message of a source and tag; nullptr if there is none.
  MessageBlock* match(const Key& key);
  /// Calls advance() until it returns true; sleeps on the event counter between the calls.
  void wait_for_event(exec::FunctionRef<bool()> advance);
  exec::Operation send_between_nodes(const MessageSource& message);
  exec::Operation recv_between_nodes(const MessageTarget& message);

  Session& _session;
  RmaDriver& _driver;
  Mailbox& _mine;
  MessageBlocks _blocks;
  int _largest_tag = 0;
  std::mutex _mutex;  // guards _queues and the taking end of _mine.arrived
  std::map<Key, std::deque<MessageBlock*>> _queues;
};

}  // namespace dash::dart
