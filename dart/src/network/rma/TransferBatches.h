#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "network/messages/Message.h"
#include "base/RemoteAddress.h"
#include "network/rma/Request.h"
#include "dash/core/Spin.h"

namespace dash::dart {

class TransferBatches;

/// Small puts, or gets, of memory of one unit that go there in one message: a request that its
/// answer finishes, and which then finishes those of its parts.
class TransferBatch final : public Request {
 public:
  enum class Kind : std::uint8_t { put, get };

  TransferBatch(Kind kind, int unit, TransferBatches& owner);

  Kind kind() const noexcept { return _kind; }
  int unit() const noexcept { return _unit; }
  /// Of the data.
  std::size_t nbytes() const noexcept { return _nbytes; }

  /// Whether there is room for another part.
  bool fits(std::size_t nbytes) const noexcept;
  /// \pre fits(nbytes)
  void add_put(Request& part, std::uint64_t place, const void* src, std::size_t nbytes) noexcept;
  void add_get(Request& part, void* dest, std::uint64_t place, std::size_t nbytes) noexcept;
  std::unique_ptr<Message> take_message() noexcept { return std::move(_message); }

  std::size_t index = 0;  // among those that are being filled

 private:
  struct Part {
    Request* request;
    char* dest;  // of a get
    std::uint32_t nbytes;
  };
  static constexpr std::size_t max_parts = 166;

  void take_reply(const std::byte* payload, std::size_t nbytes) noexcept override;
  void finish() noexcept override;
  /// \returns where the data of a put belongs
  std::byte* add(Request& part, char* dest, std::uint64_t place, std::size_t nbytes) noexcept;

  TransferBatches& _owner;
  std::unique_ptr<Message> _message;
  std::size_t _nbytes = 0;
  std::uint32_t _num_parts = 0;
  int _unit;
  Kind _kind;
  std::array<Part, max_parts> _parts;
};

/// The bundles that are being filled: at most one for each unit and kind. Who has something that goes
/// into none any more sends the full one; whoever polls sends them all.
/// \threads any
class TransferBatches {
 public:
  static constexpr std::size_t max_nbytes = 256;

  explicit TransferBatches(int nunits) : _filling(2 * static_cast<std::size_t>(nunits)) {}

  /// Adds a transfer of a request of one part. Calls begin() if it is the first of its bundle.
  /// \returns what has to be sent now; null: nothing
  template <class Begin>
  TransferBatch* put(Request& request, const RemoteAddress& dest, const void* src, std::size_t nbytes,
              Begin begin);
  template <class Begin>
  TransferBatch* get(Request& request, void* dest, const RemoteAddress& src, std::size_t nbytes,
              Begin begin);

  /// \returns one of them; null: there is none
  TransferBatch* take() noexcept;

  /// Parts that were ever added, and those that are not finished.
  std::uint64_t added() const noexcept { return _added.load(std::memory_order_acquire); }
  std::size_t in_flight() const noexcept {
    // In this order, so that the difference is never negative.
    const std::uint64_t finished = _finished.load(std::memory_order_acquire);
    return static_cast<std::size_t>(added() - finished);
  }
  void count_finished(std::size_t parts) noexcept {
    _finished.fetch_add(parts, std::memory_order_release);
  }

 private:
  template <class Begin, class Add>
  TransferBatch* add(TransferBatch::Kind kind, int unit, std::size_t nbytes, Begin begin, Add add_part);
  TransferBatch*& filling(TransferBatch::Kind kind, int unit) noexcept {
    return _filling[2 * static_cast<std::size_t>(unit) + (kind == TransferBatch::Kind::get ? 1 : 0)];
  }
  TransferBatch& begin_to_fill(TransferBatch::Kind kind, int unit);
  void remove(TransferBatch& bundle) noexcept;

  core::SpinLock _lock;           // guards what follows, and the bundles in it
  std::vector<TransferBatch*> _filling;  // by unit and kind
  std::vector<TransferBatch*> _all;
  std::atomic<std::size_t> _size{0};
  std::atomic<std::uint64_t> _added{0};     // stored under the lock
  std::atomic<std::uint64_t> _finished{0};  // by who polls
};

template <class Begin, class Add>
TransferBatch* TransferBatches::add(TransferBatch::Kind kind, int unit, std::size_t nbytes, Begin begin, Add add_part) {
  bool is_first = false;
  TransferBatch* full = nullptr;
  {
    const std::lock_guard lock(_lock);
    TransferBatch* bundle = filling(kind, unit);
    if (bundle != nullptr && !bundle->fits(nbytes)) {
      remove(*bundle);
      full = std::exchange(bundle, nullptr);
    }
    is_first = bundle == nullptr;
    if (is_first) bundle = &begin_to_fill(kind, unit);
    add_part(*bundle);
    _added.store(_added.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  if (is_first) begin();
  return full;
}

template <class Begin>
TransferBatch* TransferBatches::put(Request& request, const RemoteAddress& dest, const void* src, std::size_t nbytes,
                     Begin begin) {
  return add(TransferBatch::Kind::put, dest.unit, nbytes, begin,
             [&](TransferBatch& bundle) { bundle.add_put(request, dest.place, src, nbytes); });
}

template <class Begin>
TransferBatch* TransferBatches::get(Request& request, void* dest, const RemoteAddress& src, std::size_t nbytes,
                     Begin begin) {
  return add(TransferBatch::Kind::get, src.unit, nbytes, begin,
             [&](TransferBatch& bundle) { bundle.add_get(request, dest, src.place, nbytes); });
}

}  // namespace dash::dart
