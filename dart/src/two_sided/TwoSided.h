#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "memory/GlobalMemory.h"
#include "two_sided/Mailbox.h"
#include "two_sided/MessageBlocks.h"
#include "network/rma/RmaDriver.h"
#include "launch/Session.h"
#include "dash/async/Operation.h"
#include "dash/core/Statistics.h"

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

/// Messages between two units, matched by source and tag in the order in which they were sent.
///
/// On a node they go through memory. The sender copies into a block of its own heap and pushes it
/// on the receiver's list; the receiver moves what has arrived to its queues, one for each source
/// and tag, and copies out. Messages past a piece go through a ring of pieces. Whoever waits sleeps
/// on the bell of its own unit, which the other end rings; so a call that sends and receives waits
/// for both at once.
///
/// Between nodes they are MPI's messages on a communicator of our own.
/// \threads any
class TwoSided {
 public:
  TwoSided(Session& session, RmaDriver& driver, GlobalMemory& memory);

  int largest_tag() const noexcept { return _largest_tag; }

  void send(const MessageSource& message);
  void recv(const MessageTarget& message);
  void sendrecv(const MessageSource& outgoing, const MessageTarget& incoming);

 private:
  class Sending;
  class Receiving;
  using Key = std::pair<std::int32_t, std::int32_t>;  // source, tag

  bool on_node(int unit) const noexcept {
    return _session.layout().slots[static_cast<std::size_t>(unit)] >= 0;
  }
  void count(core::OperationKind kind, int unit, std::size_t nbytes) const noexcept;
  Mailbox& mailbox_of(int unit) const noexcept;
  char* heaps() const noexcept { return _session.heap().base(); }
  /// The first message of the key that nobody has taken yet, or nullptr.
  MessageBlock* match(const Key& key);
  /// Sleeps between calls of advance() until it is true.
  void wait_on_bell(exec::FunctionRef<bool()> advance);
  exec::Operation send_between_nodes(const MessageSource& message);
  exec::Operation recv_between_nodes(const MessageTarget& message);

  Session& _session;
  RmaDriver& _driver;
  MessageBlocks _blocks;
  Mailbox& _mine;
  int _largest_tag = 0;
  std::mutex _mutex;  // guards taking from _mine.arrived, and _queues
  std::map<Key, std::deque<MessageBlock*>> _queues;
};

}  // namespace dash::dart
