#include "two_sided/TaskMessages.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "base/Error.h"
#include "dash/async/Engine.h"
#include "dash/async/PollContext.h"
#include "dash/async/Watch.h"
#include "dash/core/Fence.h"
#include "dash/core/OtherProcesses.h"
#include "network/NetworkFailure.h"

namespace dash::dart {

namespace {

/// Bytes of messages for units of the node that wait for blocks. If there are more, senders that may wait do so.
constexpr std::size_t max_deferred_bytes = std::size_t{4} << 20;

std::string full_pool_text(std::size_t nbytes) {
  return fmt::format(
      "no memory is left in the local pool for a message of {} bytes; free memory of "
      "dart_memalloc, or increase DART_HEAP_SIZE",
      nbytes);
}

/// A block that contains a fragment of a longer message: its offset is in `written`, and the tag identifies the message.
bool is_fragment(const MessageBlock& block) noexcept {
  return block.nfragments > 1;
}

}  // namespace

void IncomingMessage::release() noexcept {
  if (TaskMessages* const owner = std::exchange(_owner, nullptr)) owner->release(*this);
}

void IncomingMessage::make_private() noexcept {
  if (_owner != nullptr) _owner->make_private(*this);
}

void OutgoingMessage::send() {
  std::exchange(_owner, nullptr)->send(*this);
}

OutgoingMessage::~OutgoingMessage() {
  if (_owner != nullptr) _owner->discard(*this);
}

TaskMailbox& TaskMessages::mailbox_of_slot(Session& session, int slot) noexcept {
  static_assert(HeapPlan::task_mailbox + sizeof(TaskMailbox) <= HeapPlan::received);
  return *reinterpret_cast<TaskMailbox*>(session.heap().of_slot(slot) + HeapPlan::task_mailbox);
}

TaskMessages::TaskMessages(Session& session, RmaDriver& driver, GlobalMemory& memory)
    : _session(session),
      _driver(driver),
      _has_node(session.layout().node_units.size() > 1),
      _mine(mailbox_of(session.layout().unit)),
      _blocks(session, memory, _mine.returned),
      _peers(static_cast<std::size_t>(session.layout().nunits)) {
  // As the Mailbox of TwoSided.
  _mine.arrived.clear();
  _mine.returned.clear();
  set_message_handlers();
}

void TaskMessages::reserve(OutgoingMessage& message, int unit, std::size_t nbytes,
                           MessageRole role) {
  message._owner = this;
  message._nbytes = nbytes;
  message._unit = unit;
  message._role = role;
  // Replies, whose number is that of the requests, do not wait: they let other units continue.
  const bool may_wait = role != MessageRole::reply && exec::may_wait();
  const bool is_own = unit == _session.layout().unit;
  if (!is_own && on_node(unit)) {
    if (MessageBlock* const block = take_block(nbytes, may_wait)) {
      message._block = block;
      message._data = reinterpret_cast<std::byte*>(block->data());
      return;
    }
    if (may_wait) wait_for_deferred();
  } else if (!is_own) {
    if (may_wait) {
      wait_for_acknowledgements(unit);
      _driver.flow().wait_below_limit();
    }
    if (nbytes <= Message::max_payload) {
      auto* const active = new Message(MessageKind::task);
      message._message = active;
      message._data = active->payload.data();
      return;
    }
  }
  message._data = new std::byte[nbytes];
}

void TaskMessages::discard(OutgoingMessage& message) noexcept {
  if (message._block != nullptr) {
    auto& block = *static_cast<MessageBlock*>(message._block);
    block.source = _session.layout().unit;
    return_block(block);  // as if this unit had received it
  } else if (message._message != nullptr) {
    delete static_cast<Message*>(message._message);
  } else {
    delete[] message._data;
  }
}

void TaskMessages::send(OutgoingMessage& message) {
  if (message._block != nullptr) {
    auto& block = *static_cast<MessageBlock*>(message._block);
    block.nbytes = message._nbytes;
    block.nfragments = 1;
    push(block, message._unit);
  } else if (message._unit == _session.layout().unit) {
    dispatch_data(std::unique_ptr<std::byte[]>(message._data), message._nbytes, message._unit, 0);
  } else if (on_node(message._unit)) {
    defer(message._unit, message._data, message._nbytes);
  } else {
    send_between_nodes(message);
  }
}

/// Takes a block of this unit's heap, if necessary after waiting for one.
/// \returns null if there is none, or if the message is longer than a block
/// \throws Error (DART_ERR_NOMEM) if no block will be returned, because the application uses the whole pool
MessageBlock* TaskMessages::take_block(std::size_t nbytes, bool may_wait) {
  if (nbytes > MessageBlocks::buffered_message_bytes) return nullptr;
  MessageBlock* block = _blocks.take_buffered(nbytes);
  if (block != nullptr || !may_wait) return block;
  const exec::Purpose purpose("units of the node to consume messages");
  bool is_pool_full = false;
  _mine.waits_for_blocks.fetch_add(1, std::memory_order_seq_cst);
  exec::Engine::instance().wait_until([&] {
    if (block == nullptr) block = _blocks.take_buffered(nbytes, &is_pool_full);
    return block != nullptr || is_pool_full;
  });
  _mine.waits_for_blocks.fetch_sub(1, std::memory_order_relaxed);
  if (block == nullptr) throw_error_text(DART_ERR_NOMEM, full_pool_text(nbytes));
  return block;
}

/// Waits while too many bytes of messages of this unit wait for blocks.
void TaskMessages::wait_for_deferred() {
  const auto has_space = [this] {
    return _deferred_bytes.load(std::memory_order_acquire) < max_deferred_bytes;
  };
  if (has_space()) return;
  const exec::Purpose purpose("units of the node to consume messages");
  exec::Engine::instance().wait_until(has_space);
}

/// Wakes a thread of the receiver if none polls. The fence orders the message before the loads: a thread that stops
/// polling, or is about to sleep, finds the message afterwards, or is found here.
void TaskMessages::wake_receiver(TaskMailbox& mailbox) noexcept {
  core::full_fence();
  if (mailbox.waiting_callers.load(std::memory_order_relaxed) != 0) {
    constexpr int all_threads = 1 << 30;
    mailbox.callers.wake_if_sleeping(all_threads);
  } else {
    mailbox.thread.wake_if_sleeping();
  }
}

void TaskMessages::push(MessageBlock& block, int unit) noexcept {
  block.source = _session.layout().unit;
  core::before_other_processes();
  TaskMailbox& mailbox = mailbox_of(unit);
  mailbox.arrived.push(heaps(), block);
  wake_receiver(mailbox);
}

void TaskMessages::defer(int unit, std::byte* data, std::size_t nbytes) {
  std::unique_ptr<std::byte[]> owned(data);
  {
    std::lock_guard lock(_deferred_mutex);
    _deferred.push_back({unit, std::move(owned), nbytes, 0, static_cast<std::int32_t>(_next_id++)});
    _num_deferred.store(_deferred.size(), std::memory_order_release);
    _deferred_bytes.fetch_add(nbytes, std::memory_order_relaxed);
    _mine.waits_for_blocks.fetch_add(1, std::memory_order_seq_cst);
  }
  send_deferred();
  // The progress thread, or callers that poll in its place, may have to send the rest.
  if (_num_deferred.load(std::memory_order_acquire) != 0) exec::Engine::instance().notify();
}

/// Sends fragments while there are free blocks. \returns whether it has sent any
bool TaskMessages::send_deferred() noexcept {
  if (_num_deferred.load(std::memory_order_acquire) == 0 || !_deferred_mutex.try_lock())
    return false;
  std::lock_guard lock(_deferred_mutex, std::adopt_lock);
  bool has_sent = false;
  while (!_deferred.empty()) {
    Deferred& first = _deferred.front();
    constexpr std::size_t fragment = MessageBlocks::fragment_bytes;
    const std::size_t length = std::min(fragment, first.nbytes - first.sent);
    bool is_pool_full = false;
    MessageBlock* const block = _blocks.take_buffered(length, &is_pool_full);
    // The message cannot be dropped, and its sender does not wait for an error.
    if (block == nullptr && is_pool_full)
      abort_after_network_failure(_session.world(),
                                  Error(DART_ERR_NOMEM, full_pool_text(first.nbytes)));
    if (block == nullptr) break;
    std::memcpy(block->data(), first.data.get() + first.sent, length);
    block->tag = first.id;
    block->nbytes = first.nbytes;
    block->fragment_bytes = length;
    block->nfragments = (first.nbytes + fragment - 1) / fragment;
    block->written.store(first.sent, std::memory_order_relaxed);
    push(*block, first.unit);
    has_sent = true;
    first.sent += length;
    if (first.sent != first.nbytes) continue;
    _deferred_bytes.fetch_sub(first.nbytes, std::memory_order_release);
    _deferred.pop_front();
    _num_deferred.store(_deferred.size(), std::memory_order_release);
    _mine.waits_for_blocks.fetch_sub(1, std::memory_order_relaxed);
    exec::Engine::instance().completed();  // senders wait in wait_for_deferred()
  }
  return has_sent;
}

void TaskMessages::return_block(MessageBlock& block) noexcept {
  const std::int32_t slot = _session.layout().slots[static_cast<std::size_t>(block.source)];
  TaskMailbox& sender = mailbox_of_slot(_session, slot);
  core::before_other_processes();
  sender.returned.push(heaps(), block);
  // The sender counts itself, then tries to take a block. A thread that is about to sleep looks at the list again, as it
  // does for messages (wake_receiver()).
  core::full_fence();
  if (sender.waits_for_blocks.load(std::memory_order_relaxed) != 0) wake_receiver(sender);
}

void TaskMessages::release(IncomingMessage& message) noexcept {
  if (message._block != nullptr) {
    return_block(*static_cast<MessageBlock*>(message._block));
  } else {
    delete[] message._data;
    acknowledge(message);
  }
}

void TaskMessages::make_private(IncomingMessage& message) noexcept {
  if (message._block == nullptr) return acknowledge(message);
  auto* const copy = new (std::nothrow) std::byte[message._nbytes];
  if (copy == nullptr) return;
  std::memcpy(copy, message._data, message._nbytes);
  message._data = copy;
  return_block(*static_cast<MessageBlock*>(std::exchange(message._block, nullptr)));
}

/// Replies to the sender's request for an acknowledgement, if the message contains one.
void TaskMessages::acknowledge(IncomingMessage& message) noexcept {
  const std::uint64_t token = std::exchange(message._token, 0);
  if (token == 0) return;
  const int rank = _session.processes().rank(message._source);
  _driver.messenger().reply_or_abort(rank, token);
}

void TaskMessages::dispatch_data(std::unique_ptr<std::byte[]> data, std::size_t nbytes, int source,
                                 std::uint64_t token) noexcept {
  IncomingMessage message;
  message._owner = this;
  message._data = data.release();
  message._nbytes = nbytes;
  message._source = source;
  message._token = token;
  dispatch(std::move(message));
}

void TaskMessages::set_receiver(MessageReceiver receiver) noexcept {
  _receiver.store(receiver, std::memory_order_release);
  // Messages may have arrived, and sleeping threads have to watch for further ones.
  exec::Engine& engine = exec::Engine::instance();
  engine.notify();
  engine.wake_callers();
}

/// Handles a message, or keeps it while there is no receiver.
void TaskMessages::dispatch(IncomingMessage message) {
  const MessageReceiver receiver = _receiver.load(std::memory_order_acquire);
  if (receiver != nullptr) return receiver(std::move(message));
  std::lock_guard lock(_early_mutex);
  _early.push_back(std::move(message));
  _num_early.store(_early.size(), std::memory_order_release);
}

/// Handles the messages that have arrived before there was a receiver. \returns whether there were any
bool TaskMessages::dispatch_early() {
  if (_num_early.load(std::memory_order_acquire) == 0) return false;
  std::vector<IncomingMessage> messages;
  {
    std::lock_guard lock(_early_mutex);
    messages.swap(_early);
    _num_early.store(0, std::memory_order_release);
  }
  for (IncomingMessage& message : messages)
    dispatch(std::move(message));
  return !messages.empty();
}

/// \returns the blocks that have arrived, oldest first, linked by `next`
MessageBlock* TaskMessages::take_arrived() noexcept {
  MessageBlock* first = nullptr;
  _mine.arrived.take_all(heaps(), [&](MessageBlock& block) {
    const auto next = reinterpret_cast<std::uint64_t>(first);
    block.next.store(next, std::memory_order_relaxed);
    first = &block;
  });
  if (first != nullptr) core::after_other_processes();
  return first;
}

void TaskMessages::dispatch_block(MessageBlock& block) {
  if (!is_fragment(block)) {
    IncomingMessage message;
    message._owner = this;
    message._data = reinterpret_cast<std::byte*>(block.data());
    message._nbytes = block.nbytes;
    message._block = &block;
    message._source = block.source;
    return dispatch(std::move(message));
  }
  std::unique_ptr<std::byte[]> complete;
  const std::size_t nbytes = block.nbytes;
  const int source = block.source;
  {
    std::lock_guard lock(_assembly_mutex);
    const std::pair<int, std::int32_t> key(source, block.tag);
    Assembly& assembly = _assemblies[key];
    if (assembly.data == nullptr) assembly.data.reset(new std::byte[nbytes]);
    std::memcpy(assembly.data.get() + block.written.load(std::memory_order_relaxed), block.data(),
                block.fragment_bytes);
    assembly.received += block.fragment_bytes;
    if (assembly.received == nbytes) {
      complete = std::move(assembly.data);
      _assemblies.erase(key);
    }
  }
  return_block(block);
  if (complete != nullptr) dispatch_data(std::move(complete), nbytes, source, 0);
}

bool TaskMessages::poll() noexcept {
  if (exec::on_progress_thread()) _mine.thread.stay_awake();
  if (!has_receiver() || exec::PollScope::active()) return false;
  bool made_progress = false;
  try {
    made_progress = dispatch_early();
    if (has_batches()) {
      const bool caller_waits = _mine.waiting_callers.load(std::memory_order_relaxed) != 0;
      made_progress |= _batches.load(std::memory_order_acquire)->flush(caller_waits);
    }
    if (!_has_node) return made_progress;
    made_progress |= send_deferred();
    const bool is_empty = _mine.arrived.looks_empty();
    if (expects_more() == is_empty) _has_found.store(!is_empty, std::memory_order_relaxed);
    if (is_empty || !_poll_lock.try_lock()) return made_progress;
    MessageBlock* block = nullptr;
    {
      std::lock_guard lock(_poll_lock, std::adopt_lock);
      block = take_arrived();
    }
    made_progress |= block != nullptr;
    while (block != nullptr) {
      auto* const next =
          reinterpret_cast<MessageBlock*>(block->next.load(std::memory_order_relaxed));
      dispatch_block(*block);
      block = next;
    }
  } catch (const std::exception& error) {
    // A message cannot be lost, so this is as fatal as a failure of the network.
    abort_after_network_failure(_session.world(), error);
  }
  if (made_progress) exec::Engine::instance().completed();
  return made_progress;
}

exec::Demand TaskMessages::demand() const noexcept {
  return _num_deferred.load(std::memory_order_acquire) != 0 ||
                 _num_early.load(std::memory_order_acquire) != 0 || has_batches()
             ? exec::Demand::waiting
             : exec::Demand::none;
}

exec::PollSource::Words TaskMessages::wait_words(std::span<core::FutexWord> words,
                                                 bool by_thread) noexcept {
  Words result;
  if (words.empty()) {
    result.complete = false;
    return result;
  }
  WakeWord& word = by_thread ? _mine.thread : _mine.callers;
  words[0] = {&word.value, word.announce_sleep(), true};
  result.count = 1;
  result.found = has_work_from_units();
  return result;
}

}  // namespace dash::dart
