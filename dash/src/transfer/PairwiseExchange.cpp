#include "dash/internal/transfer/PairwiseExchange.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "dash/Team.h"
#include "dash/dart/Stream.h"

namespace dash::internal {

namespace {

/// The number of messages in each direction that are in flight at the same time.
constexpr std::size_t window = 2;
/// The stream of a segment that carries the messages.
constexpr std::uint32_t stream = 0;

/// Memory for a message.
struct Buffer {
  std::unique_ptr<std::byte[]> memory;
  std::size_t nbytes = 0;
};

/// Keeps the memory of finished exchanges, because new memory costs a page fault for each page.
/// \threads thread-safe
class BufferCache {
 public:
  static BufferCache& instance() {
    static BufferCache cache;
    return cache;
  }

  Buffer take(std::size_t nbytes) {
    {
      const std::lock_guard lock(_mutex);
      if (!_free.empty()) {
        Buffer buffer = std::move(_free.back());
        _free.pop_back();
        if (buffer.nbytes >= nbytes) return buffer;
      }
    }
    return {std::make_unique_for_overwrite<std::byte[]>(nbytes), nbytes};
  }
  void put_back(Buffer buffer) {
    const std::lock_guard lock(_mutex);
    if (_free.size() < max_free) _free.push_back(std::move(buffer));
  }

 private:
  static constexpr std::size_t max_free = 2 * window;

  std::mutex _mutex;
  std::vector<Buffer> _free;
};

/// The messages to one unit, or from one unit, in order. Each uses one of the buffers in turn.
class MessageQueue {
 public:
  /// \param add  add(endpoints, buffer, nbytes, signal) adds a transfer
  template <class Add>
  MessageQueue(const PairwiseMessages::Sizes& sizes, const Add& add) {
    const std::size_t largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    const std::size_t nbuffers = std::min(sizes.size(), window);
    for (std::size_t slot = 0; slot < nbuffers; ++slot)
      _buffers[slot] = BufferCache::instance().take(largest);
    for (std::size_t i = 0; i < sizes.size(); ++i)
      _transfers.push_back(add(_endpoints, buffer(i), sizes[i], _signals[i % window]));
  }

  ~MessageQueue() {
    for (Buffer& buffer : _buffers) {
      if (buffer.memory) BufferCache::instance().put_back(std::move(buffer));
    }
  }
  MessageQueue(const MessageQueue&) = delete;
  MessageQueue& operator=(const MessageQueue&) = delete;

  std::size_t size() const { return _transfers.size(); }
  std::byte* buffer(std::size_t i) const { return _buffers[i % window].memory.get(); }

  void start(std::size_t i) {
    _endpoints.start(std::span(&_transfers[i], 1), value_of(i), dart::StreamEndpoints::Next::waits);
  }
  void wait(std::size_t i) { _endpoints.wait(_signals[i % window], value_of(i)); }

 private:
  static std::uint32_t value_of(std::size_t i) { return static_cast<std::uint32_t>(i + 1); }

  dart::StreamEndpoints _endpoints;
  std::array<Buffer, window> _buffers;
  std::array<dart::Signal, window> _signals{};
  std::vector<dart::StreamEndpoints::Transfer> _transfers;
};

/// Calls f(), unless a call has thrown before; other units wait for the messages of this one in any case.
class FirstError {
 public:
  template <class F>
  void run(const F& f) {
    if (_error) return;
    try {
      f();
    } catch (...) {
      _error = std::current_exception();
    }
  }
  void rethrow() const {
    if (_error) std::rethrow_exception(_error);
  }

 private:
  std::exception_ptr _error;
};

}  // namespace

void exchange_pairwise(const GlobalSegment& memory, const PairwiseMessages& messages) {
  const Team& team = memory.team();
  const auto size = static_cast<int>(team.size());
  FirstError error;
  for (int round = 1; round < size; ++round) {
    const team_unit_t to((team.myid().id + round) % size);
    const team_unit_t from((team.myid().id - round + size) % size);
    MessageQueue sends(messages.sizes_to(to), [&](auto& endpoints, auto&&... arguments) {
      return endpoints.add_send(memory.gptr_at(to, 0), stream, arguments...);
    });
    MessageQueue receives(messages.sizes_from(from), [&](auto& endpoints, auto&&... arguments) {
      return endpoints.add_receive(memory.gptr_at(from, 0), stream, arguments...);
    });
    for (std::size_t i = 0; i < std::min(receives.size(), window); ++i)
      receives.start(i);
    for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
      if (i < sends.size()) {
        if (i >= window) sends.wait(i - window);
        error.run([&] { messages.pack(to, i, sends.buffer(i)); });
        sends.start(i);
      }
      if (i < receives.size()) {
        receives.wait(i);
        error.run([&] { messages.unpack(from, i, receives.buffer(i)); });
        if (i + window < receives.size()) receives.start(i + window);
      }
    }
    for (std::size_t i = sends.size() - std::min(sends.size(), window); i < sends.size(); ++i)
      sends.wait(i);
  }
  error.rethrow();
}

}  // namespace dash::internal
