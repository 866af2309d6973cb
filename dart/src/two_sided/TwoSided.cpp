#include "two_sided/TwoSided.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <optional>
#include <vector>

#include "base/Error.h"
#include "base/MpiCheck.h"
#include "dash/async/Watch.h"
#include "dash/core/OtherProcesses.h"

namespace dash::dart {

/// A message on its way to a unit of the node.
class TwoSided::Sending {
 public:
  /// Takes the memory for it. \throws Error (DART_ERR_NOMEM)
  Sending(TwoSided& owner, const MessageSource& message)
      : _owner(owner), _message(message), _block(owner._blocks.take_buffered(message.nbytes())) {
    _buffered = _block != nullptr;
    if (!_buffered) _block = &owner._blocks.take(message.nbytes());
  }
  Sending(const Sending&) = delete;
  Sending& operator=(const Sending&) = delete;

  /// Writes the first pieces and lets the receiver know.
  void start() {
    const std::size_t nbytes = _message.nbytes();
    _block->source = _owner._session.layout().unit;
    _block->tag = _message.tag;
    _block->nbytes = nbytes;
    _block->piece = std::max<std::size_t>(std::min(nbytes, MessageBlocks::piece_bytes), 1);
    _npieces = std::max<std::uint64_t>((nbytes + _block->piece - 1) / _block->piece, 1);
    _block->npieces = _npieces;
    _block->buffered = _buffered;
    _block->written.store(0, std::memory_order_relaxed);
    _block->read.store(0, std::memory_order_relaxed);
    while (room())
      write_piece();
    Mailbox& mailbox = _owner.mailbox_of(_message.unit);
    // A buffered block belongs to its receiver from here on.
    mailbox.arrived.push(_owner.heaps(), *_block);
    mailbox.ring();
  }

  /// Writes what there is room for. \returns whether the sender is done
  bool advance() {
    if (_buffered || _block == nullptr) return true;
    bool wrote = false;
    for (; room(); wrote = true)
      write_piece();
    if (wrote) _owner.mailbox_of(_message.unit).ring();
    if (_block->read.load(std::memory_order_acquire) != _npieces) return false;
    _owner._blocks.give_back(*std::exchange(_block, nullptr));
    return true;
  }

 private:
  bool room() const noexcept {
    return _written < _npieces &&
           _written - _block->read.load(std::memory_order_acquire) < MessageBlocks::ring_pieces;
  }

  void write_piece() noexcept {
    const std::uint64_t piece = _block->piece;
    const std::uint64_t begin = _written * piece;
    const std::uint64_t length = std::min(piece, _message.nbytes() - begin);
    if (length != 0) {
      std::memcpy(_block->data() + _written % MessageBlocks::ring_pieces * piece,
                  static_cast<const char*>(_message.buffer) + begin, length);
    }
    _block->written.store(++_written, std::memory_order_release);
  }

  TwoSided& _owner;
  MessageSource _message;
  MessageBlock* _block;
  bool _buffered = false;
  std::uint64_t _npieces = 0;
  std::uint64_t _written = 0;
};

/// A message expected from a unit of the node.
class TwoSided::Receiving {
 public:
  Receiving(TwoSided& owner, const MessageTarget& message) : _owner(owner), _message(message) {}
  Receiving(const Receiving&) = delete;
  Receiving& operator=(const Receiving&) = delete;

  /// Reads what is there. \returns whether the receiver is done
  bool advance() {
    if (_done) return true;
    if (_block == nullptr) _block = _owner.match({_message.unit, _message.tag});
    if (_block == nullptr) return false;
    _sent_bytes = _block->nbytes;
    const std::uint64_t npieces = _block->npieces;
    const bool buffered = _block->buffered;
    bool got = false;
    while (_read < npieces && _read < _block->written.load(std::memory_order_acquire)) {
      read_piece();
      got = true;
    }
    _done = _read == npieces;
    // The block of a message that is not buffered is its sender's again once all has been read.
    Mailbox& sender = _owner.mailbox_of(_message.unit);
    if (buffered) {
      sender.returned.push(_owner.heaps(), *_block);
    } else if (got) {
      sender.ring();
    }
    return _done;
  }

  void check() const {
    if (_sent_bytes <= _message.nbytes()) return;
    throw_error(DART_ERR_INVAL,
                "the message from unit {} with tag {} has {} bytes, more than the {} bytes of the "
                "buffer; it is lost",
                _message.unit, _message.tag, _sent_bytes, _message.nbytes());
  }

 private:
  void read_piece() noexcept {
    const std::uint64_t piece = _block->piece;
    const std::uint64_t begin = _read * piece;
    if (_sent_bytes <= _message.nbytes() && begin < _sent_bytes) {
      std::memcpy(static_cast<char*>(_message.buffer) + begin,
                  _block->data() + _read % MessageBlocks::ring_pieces * piece,
                  std::min(piece, _sent_bytes - begin));
    }
    core::before_other_processes();
    _block->read.store(++_read, std::memory_order_release);
  }

  TwoSided& _owner;
  MessageTarget _message;
  MessageBlock* _block = nullptr;
  std::uint64_t _sent_bytes = 0;
  std::uint64_t _read = 0;
  bool _done = false;
};

TwoSided::TwoSided(Session& session, RmaDriver& driver, GlobalMemory& memory)
    : _session(session),
      _driver(driver),
      _blocks(session, memory),
      _mine(mailbox_of(session.layout().unit)) {
  static_assert(sizeof(Mailbox) <= HeapPlan::mailbox_bytes);
  // What an earlier life of this session left unreceived is gone with its memory. Nobody sends
  // before the barrier that ends the runtime's start.
  _mine.arrived.clear();
  _mine.returned.clear();
  const int* largest = nullptr;
  int found = 0;
  check_mpi(
      MPI_Comm_get_attr(session.two_sided(), MPI_TAG_UB, static_cast<void*>(&largest), &found),
      "MPI_Comm_get_attr");
  _largest_tag = found != 0 ? *largest : 32767;
}

Mailbox& TwoSided::mailbox_of(int unit) const noexcept {
  const std::int32_t slot = _session.layout().slots[static_cast<std::size_t>(unit)];
  return *reinterpret_cast<Mailbox*>(_session.heap().of_slot(slot) + HeapPlan::mailbox);
}

MessageBlock* TwoSided::match(const Key& key) {
  std::lock_guard lock(_mutex);
  std::vector<MessageBlock*> arrived;
  _mine.arrived.take_all(heaps(), [&](MessageBlock& block) { arrived.push_back(&block); });
  // Other threads of this unit have read the memory of a block that its sender uses again.
  core::after_other_processes();
  // Newest first; per source and tag the order is the one in which they were sent.
  for (auto block = arrived.rbegin(); block != arrived.rend(); ++block)
    _queues[{(*block)->source, (*block)->tag}].push_back(*block);
  const auto queue = _queues.find(key);
  if (queue == _queues.end()) return nullptr;
  MessageBlock* const first = queue->second.front();
  queue->second.pop_front();
  if (queue->second.empty()) _queues.erase(queue);
  return first;
}

void TwoSided::wait_on_bell(exec::FunctionRef<bool()> advance) {
  exec::Engine& engine = exec::Engine::instance();
  while (true) {
    // Read before looking: what comes afterwards changes it.
    const std::uint32_t seen = _mine.bell.value.load(std::memory_order_seq_cst);
    if (advance()) return;
    engine.wait_shared(_mine.bell, [seen](std::uint32_t value) { return value != seen; });
  }
}

void TwoSided::count(core::OperationKind kind, int unit, std::size_t nbytes) const noexcept {
  core::count(kind, on_node(unit) ? core::OperationPath::memory : core::OperationPath::two_sided,
              nbytes);
}

void TwoSided::send(const MessageSource& message) {
  const exec::Purpose purpose("unit {} to receive a message of {} bytes with tag {}", message.unit,
                              message.nbytes(), message.tag);
  count(core::OperationKind::send, message.unit, message.nbytes());
  if (!on_node(message.unit)) {
    send_between_nodes(message).wait();
    return;
  }
  Sending sending(*this, message);
  sending.start();
  wait_on_bell([&] { return sending.advance(); });
}

void TwoSided::recv(const MessageTarget& message) {
  const exec::Purpose purpose("a message of unit {} with tag {}", message.unit, message.tag);
  count(core::OperationKind::receive, message.unit, message.nbytes());
  if (!on_node(message.unit)) {
    recv_between_nodes(message).wait();
    return;
  }
  Receiving receiving(*this, message);
  wait_on_bell([&] { return receiving.advance(); });
  receiving.check();
}

void TwoSided::sendrecv(const MessageSource& outgoing, const MessageTarget& incoming) {
  const exec::Purpose purpose("messages to unit {} and of unit {} with tag {}", outgoing.unit,
                              incoming.unit, incoming.tag);
  count(core::OperationKind::send, outgoing.unit, outgoing.nbytes());
  count(core::OperationKind::receive, incoming.unit, incoming.nbytes());
  std::optional<Sending> sending;
  std::optional<Receiving> receiving;
  exec::Operation sent;
  exec::Operation received;
  // First what may fail for lack of memory: nothing has begun then.
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
  wait_on_bell([&] {
    const bool out = !sending || sending->advance();
    const bool in = !receiving || receiving->advance();
    return out && in;
  });
  sent.wait();
  received.wait();
  if (receiving) receiving->check();
}

namespace {

/// What MPI counts: bytes, or whole elements where the bytes are too many for an int.
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
    // Operations in flight keep it.
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

/// A message from another node, on its way to the user's buffer; one that is longer is received too,
/// and lost.
class Reception final : public Request, public ExpectedMessage {
 public:
  Reception(MPI_Comm communicator, const MessageTarget& target) noexcept
      : Request(OnePart()), _communicator(communicator), _target(target) {}

  Request& owner() noexcept override { return *this; }

  bool arrived(MPI_Request& request) override {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    check_mpi(MPI_Improbe(_target.unit, _target.tag, _communicator, &found, &message, &status),
              "MPI_Improbe");
    if (found == 0) return false;
    MPI_Count length = 0;
    check_mpi(MPI_Get_elements_x(&status, MPI_BYTE, &length), "MPI_Get_elements_x");
    void* buffer = _target.buffer;
    const auto nbytes = static_cast<std::size_t>(length);
    if (nbytes > _target.nelem * _target.size) {
      _lost.resize(nbytes);
      buffer = _lost.data();
      note_error(MPI_ERR_TRUNCATE);
    }
    const CountedType counted((nbytes + _target.size - 1) / _target.size, _target.size);
    check_mpi(MPI_Imrecv(buffer, counted.count(), counted.type(), &message, &request),
              "MPI_Imrecv");
    return true;
  }

 private:
  MPI_Comm _communicator;
  MessageTarget _target;
  std::vector<char> _lost;
};

}  // namespace

exec::Operation TwoSided::send_between_nodes(const MessageSource& message) {
  const CountedType counted(message.nelem, message.size);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(message.buffer, counted.count(), counted.type(), message.unit, message.tag,
                      _session.two_sided(), &request),
            "MPI_Isend");
  return _driver.track(request);
}

exec::Operation TwoSided::recv_between_nodes(const MessageTarget& message) {
  return _driver.track(*new Reception(_session.two_sided(), message));
}

}  // namespace dash::dart
