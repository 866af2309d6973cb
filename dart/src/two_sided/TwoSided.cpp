#include "two_sided/TwoSided.h"

#include <climits>
#include <optional>
#include <utility>
#include <vector>

#include "base/Error.h"
#include "base/MpiCheck.h"
#include "dash/async/PollContext.h"
#include "dash/async/Watch.h"
#include "dash/core/OtherProcesses.h"

namespace dash::dart {

/// A message in flight to a unit of the same node.
class TwoSided::OutgoingMessage {
 public:
  /// Takes a block for the message. \throws Error (DART_ERR_NOMEM)
  OutgoingMessage(TwoSided& owner, const MessageSource& message)
      : _owner(owner), _message(message), _block(owner._blocks.take_buffered(message.nbytes())) {
    _buffered = _block != nullptr;
    if (!_buffered) _block = &owner._blocks.take(message.nbytes());
  }
  OutgoingMessage(const OutgoingMessage&) = delete;
  OutgoingMessage& operator=(const OutgoingMessage&) = delete;

  /// Writes as many fragments as fit and notifies the receiver.
  void start() {
    _block->source = _owner._session.layout().unit;
    _block->tag = _message.tag;
    _block->buffered = _buffered;
    _fragments =
        FragmentWriter(*_block, _message.buffer, _message.nbytes(), MessageBlocks::fragment_bytes);
    _fragments.write_some();
    Mailbox& mailbox = _owner.mailbox_of(_message.unit);
    // From here on a buffered block belongs to its receiver.
    mailbox.arrived.push(_owner.heaps(), *_block);
    mailbox.notify();
  }

  /// Writes as many fragments as fit. \returns whether the send is complete
  bool advance() {
    if (_buffered || _block == nullptr) return true;
    if (_fragments.write_some()) _owner.mailbox_of(_message.unit).notify();
    if (!_fragments.all_read()) return false;
    _owner._blocks.return_block(*std::exchange(_block, nullptr));
    return true;
  }

 private:
  TwoSided& _owner;
  MessageSource _message;
  MessageBlock* _block;
  bool _buffered = false;
  FragmentWriter _fragments;
};

/// \throws exception::RuntimeError if the message that was sent is longer than the buffer
static void check_length(const MessageTarget& expected, std::size_t sent_bytes) {
  if (sent_bytes <= expected.nbytes()) return;
  throw_error(DART_ERR_INVAL,
              "the message from unit {} with tag {} has {} bytes, more than the {} bytes of the "
              "buffer; it is lost",
              expected.unit, expected.tag, sent_bytes, expected.nbytes());
}

/// A message expected from a unit of the same node.
class TwoSided::IncomingMessage {
 public:
  IncomingMessage(TwoSided& owner, const MessageTarget& message)
      : _owner(owner), _message(message) {}
  IncomingMessage(const IncomingMessage&) = delete;
  IncomingMessage& operator=(const IncomingMessage&) = delete;

  /// Reads the fragments that have arrived. \returns whether the receive is complete
  bool advance() {
    if (_done) return true;
    if (_block == nullptr) {
      _block = _owner.match({_message.unit, _message.tag});
      if (_block == nullptr) return false;
      _sent_bytes = _block->nbytes;
      _buffered = _block->buffered;
      _fragments = FragmentReader(*_block, _message.buffer, _message.nbytes());
    }
    const bool has_read = _fragments.read_some();
    _done = _fragments.all_read();
    // Once all fragments have been read, a block that is not buffered belongs to its sender again.
    Mailbox& sender = _owner.mailbox_of(_message.unit);
    if (_buffered) {
      sender.returned.push(_owner.heaps(), *_block);
    } else if (has_read) {
      sender.notify();
    }
    return _done;
  }

  void check() const { check_length(_message, _sent_bytes); }

 private:
  TwoSided& _owner;
  MessageTarget _message;
  MessageBlock* _block = nullptr;
  FragmentReader _fragments;
  std::uint64_t _sent_bytes = 0;
  bool _buffered = false;
  bool _done = false;
};

TwoSided::TwoSided(Session& session, RmaDriver& driver, GlobalMemory& memory)
    : _session(session),
      _driver(driver),
      _mine(mailbox_of(session.layout().unit)),
      _blocks(session, memory, _mine.returned) {
  static_assert(sizeof(Mailbox) <= HeapPlan::mailbox_bytes);
  // Drops messages that a previous use of this session has not received; their memory no longer exists. No
  // unit sends before the barrier at the end of dart_init.
  _mine.arrived.clear();
  _mine.returned.clear();
  const int* largest = nullptr;
  int found = 0;
  // Open MPI 4 has the attribute for MPI_COMM_WORLD and its duplicates only.
  check_mpi(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&largest), &found),
            "MPI_Comm_get_attr");
  _largest_tag = (found != 0 ? *largest : 32767) - 1;
}

Mailbox& TwoSided::mailbox_of(int unit) const noexcept {
  const std::int32_t slot = _session.layout().slots[static_cast<std::size_t>(unit)];
  return *reinterpret_cast<Mailbox*>(_session.heap().of_slot(slot) + HeapPlan::mailbox);
}

MessageBlock* TwoSided::match(const Key& key) {
  std::lock_guard lock(_mutex);
  std::vector<MessageBlock*> arrived;
  _mine.arrived.take_all(heaps(), [&](MessageBlock& block) { arrived.push_back(&block); });
  // Other threads of this unit may have read a block that its sender has reused since.
  core::after_other_processes();
  // The list is newest first; messages of one source and tag are queued in the order of sending.
  for (auto block = arrived.rbegin(); block != arrived.rend(); ++block)
    _queues[{(*block)->source, (*block)->tag}].push_back(*block);
  const auto queue = _queues.find(key);
  if (queue == _queues.end()) return nullptr;
  MessageBlock* const first = queue->second.front();
  queue->second.pop_front();
  if (queue->second.empty()) _queues.erase(queue);
  return first;
}

void TwoSided::wait_for_event(exec::FunctionRef<bool()> advance) {
  exec::Engine& engine = exec::Engine::instance();
  while (true) {
    // Read before advance(): any later event changes the counter, so no wake-up is lost.
    const std::uint32_t seen = _mine.events.value.load(std::memory_order_seq_cst);
    if (advance()) return;
    engine.wait_shared(_mine.events, [seen](std::uint32_t value) { return value != seen; });
  }
}

void TwoSided::count(core::OperationKind kind, int unit, std::size_t nbytes) const noexcept {
  core::count(kind, on_node(unit) ? core::OperationPath::memory : core::OperationPath::two_sided,
              nbytes);
}

void TwoSided::send(const MessageSource& message) {
  exec::check_may_wait();
  const exec::Purpose purpose("unit {} to receive a message of {} bytes with tag {}", message.unit,
                              message.nbytes(), message.tag);
  count(core::OperationKind::send, message.unit, message.nbytes());
  if (!on_node(message.unit)) {
    send_between_nodes(message).wait();
    return;
  }
  OutgoingMessage sending(*this, message);
  sending.start();
  wait_for_event([&] { return sending.advance(); });
}

void TwoSided::recv(const MessageTarget& message) {
  exec::check_may_wait();
  const exec::Purpose purpose("a message from unit {} with tag {}", message.unit, message.tag);
  count(core::OperationKind::receive, message.unit, message.nbytes());
  if (!on_node(message.unit)) {
    recv_between_nodes(message).wait();
    return;
  }
  IncomingMessage receiving(*this, message);
  wait_for_event([&] { return receiving.advance(); });
  receiving.check();
}

void TwoSided::sendrecv(const MessageSource& outgoing, const MessageTarget& incoming) {
  exec::check_may_wait();
  const exec::Purpose purpose("messages to unit {} and from unit {} with tag {}", outgoing.unit,
                              incoming.unit, incoming.tag);
  count(core::OperationKind::send, outgoing.unit, outgoing.nbytes());
  count(core::OperationKind::receive, incoming.unit, incoming.nbytes());
  std::optional<OutgoingMessage> sending;
  std::optional<IncomingMessage> receiving;
  exec::Operation sent;
  exec::Operation received;
  // Allocates first, so that a lack of memory is reported before anything is sent.
  if (on_node(outgoing.unit)) sending.emplace(*this, outgoing);
  if (on_node(incoming.unit)) {
    receiving.emplace(*this, incoming);
  } else {
    received = recv_between_nodes(incoming);
  }
  if (sending) {
    sending->start();
  } else {
    sent = send_between_nodes(outgoing);
  }
  wait_for_event([&] {
    const bool out = !sending || sending->advance();
    const bool in = !receiving || receiving->advance();
    return out && in;
  });
  sent.wait();
  received.wait();
  if (receiving) receiving->check();
}

namespace {

/// Count and type of a message for MPI: bytes, or whole elements if the number of bytes exceeds an int.
class CountedType {
 public:
  CountedType(std::size_t nelem, std::size_t size) {
    if (nelem * size <= INT_MAX) {
      _count = static_cast<int>(nelem * size);
      return;
    }
    _count = static_cast<int>(nelem);
    check_mpi(MPI_Type_contiguous(static_cast<int>(size), MPI_BYTE, &_type), "MPI_Type_contiguous");
    check_mpi(MPI_Type_commit(&_type), "MPI_Type_commit");
  }
  ~CountedType() {
    // MPI keeps the type until operations in flight complete.
    if (_type != MPI_BYTE) MPI_Type_free(&_type);
  }
  CountedType(const CountedType&) = delete;
  CountedType& operator=(const CountedType&) = delete;

  int count() const noexcept { return _count; }
  MPI_Datatype type() const noexcept { return _type; }

 private:
  int _count = 0;
  MPI_Datatype _type = MPI_BYTE;
};

/// A message expected from another node. A message longer than the buffer is received into separate memory
/// and dropped.
class InterNodeReceive final : public Request, public ExpectedMessage {
 public:
  InterNodeReceive(MPI_Comm communicator, const MessageTarget& target) noexcept
      : Request(Parts{1}), _communicator(communicator), _target(target) {
    set_peer(target.unit);
  }

  Request& owner() noexcept override { return *this; }

  bool arrived(MPI_Request& request) override {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    check_mpi(MPI_Improbe(_target.unit, _target.tag, _communicator, &found, &message, &status),
              "MPI_Improbe", _target.unit);
    if (found == 0) return false;
    MPI_Count length = 0;
    check_mpi(MPI_Get_elements_x(&status, MPI_BYTE, &length), "MPI_Get_elements_x");
    void* buffer = _target.buffer;
    const auto nbytes = static_cast<std::size_t>(length);
    if (nbytes > _target.nbytes()) {
      _overflow.resize(nbytes);
      buffer = _overflow.data();
      try {
        check_length(_target, nbytes);
      } catch (...) {
        set_failure(std::current_exception());
      }
    }
    const CountedType counted((nbytes + _target.size - 1) / _target.size, _target.size);
    check_mpi(MPI_Imrecv(buffer, counted.count(), counted.type(), &message, &request), "MPI_Imrecv",
              _target.unit);
    return true;
  }

 private:
  MPI_Comm _communicator;
  MessageTarget _target;
  std::vector<char> _overflow;
};

}  // namespace

exec::Operation TwoSided::send_between_nodes(const MessageSource& message) {
  const CountedType counted(message.nelem, message.size);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(message.buffer, counted.count(), counted.type(), message.unit, message.tag,
                      _session.two_sided(), &request),
            "MPI_Isend", message.unit);
  return _driver.track(request, message.unit);
}

exec::Operation TwoSided::recv_between_nodes(const MessageTarget& message) {
  return _driver.track(*new InterNodeReceive(_session.two_sided(), message));
}

}  // namespace dash::dart
