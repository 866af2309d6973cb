#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/RemoteAddress.h"
#include "dash/core/Spin.h"
#include "network/messages/Message.h"
#include "network/rma/Request.h"

namespace dash::dart {

class TransferBatches;

/// Small puts, or small gets, of memory of one unit that share a message. The reply to the message
/// completes the batch, and the batch completes its transfers.
class TransferBatch final : public Request {
 public:
  enum class Kind : std::uint8_t { put, get };

  TransferBatch(Kind kind, int unit, TransferBatches& owner);

  Kind kind() const noexcept { return _kind; }
  int unit() const noexcept { return _unit; }
  /// Bytes of data.
  std::size_t nbytes() const noexcept { return _nbytes; }

  /// Whether a transfer of this size can be added.
  bool fits(std::size_t nbytes) const noexcept;
  /// \pre fits(nbytes)
  void add_put(Request& request, std::uint64_t location, const void* src,
               std::size_t nbytes) noexcept;
  void add_get(Request& request, void* dest, std::uint64_t location, std::size_t nbytes) noexcept;
  std::unique_ptr<Message> take_message() noexcept { return std::move(_message); }

  std::size_t index = 0;  // in the list of open batches

 private:
  struct Transfer {
    Request* request;
    char* dest;  // of a get
    std::uint32_t nbytes;
  };
  static constexpr std::size_t max_transfers = 166;

  void take_reply(const std::byte* payload, std::size_t nbytes) noexcept override;
  void finish() noexcept override;
  /// \returns where the data of a put has to be written
  std::byte* add(Request& request, char* dest, std::uint64_t location, std::size_t nbytes) noexcept;

  TransferBatches& _owner;
  std::unique_ptr<Message> _message;
  std::size_t _nbytes = 0;
  std::uint32_t _num_transfers = 0;
  int _unit;
  Kind _kind;
  std::array<Transfer, max_transfers> _transfers;
};

/// The open batches of small transfers: at most one for each unit and kind. A thread whose transfer
/// does not fit sends the full batch; the next poll sends all open ones.
/// \threads thread-safe
class TransferBatches {
 public:
  static constexpr std::size_t max_nbytes = 256;  // of a transfer

  explicit TransferBatches(int nunits) : _units(static_cast<std::size_t>(nunits)) {}

  /// Counts a small transfer that starts now. \returns whether it is part of a burst: many
  /// transfers to the unit have started since the last poll
  bool is_burst(int unit) noexcept;
  /// A poll begins. \pre the caller holds the poll lock
  void begin_poll() noexcept {
    _polls.store(_polls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// Add a transfer with a request of one part. begin() is called if the transfer opens a batch.
  /// \returns a full batch, which the caller has to send now; else null
  template <class Begin>
  TransferBatch* put(Request& request, const RemoteAddress& dest, const void* src,
                     std::size_t nbytes, Begin begin) {
    return add(TransferBatch::Kind::put, dest.unit, nbytes, begin,
               [&](TransferBatch& batch) { batch.add_put(request, dest.location, src, nbytes); });
  }
  template <class Begin>
  TransferBatch* get(Request& request, void* dest, const RemoteAddress& src, std::size_t nbytes,
                     Begin begin) {
    return add(TransferBatch::Kind::get, src.unit, nbytes, begin,
               [&](TransferBatch& batch) { batch.add_get(request, dest, src.location, nbytes); });
  }

  /// Closes a batch. \returns the batch, which the caller has to send; null if none is open
  TransferBatch* take() noexcept;

  /// Transfers added since construction, and those of them that are not finished.
  std::uint64_t added() const noexcept { return _added.load(std::memory_order_acquire); }
  std::size_t in_flight() const noexcept {
    // Loaded in this order, so that the difference is never negative.
    const std::uint64_t finished = _finished.load(std::memory_order_acquire);
    return static_cast<std::size_t>(added() - finished);
  }
  void count_finished(std::size_t transfers) noexcept {
    _finished.fetch_add(transfers, std::memory_order_release);
  }

 private:
  struct Unit {
    std::array<TransferBatch*, 2> open{};  // by kind
    // Number of the last poll, and transfers started since then. Hints: races lose counts. So the
    // orders are relaxed.
    std::atomic<std::uint32_t> poll{0};
    std::atomic<std::uint32_t> started{0};
  };

  template <class Begin, class Add>
  TransferBatch* add(TransferBatch::Kind kind, int unit, std::size_t nbytes, Begin begin,
                     Add add_transfer);
  TransferBatch*& open_batch(TransferBatch::Kind kind, int unit) noexcept {
    return _units[static_cast<std::size_t>(unit)].open[static_cast<std::size_t>(kind)];
  }
  TransferBatch& open(TransferBatch::Kind kind, int unit);
  void close(TransferBatch& batch) noexcept;

  core::SpinLock _lock;  // guards the open batches
  std::vector<Unit> _units;
  std::vector<TransferBatch*> _open;
  // Stored under the lock. take() loads it without the lock to skip an empty list. Any order
  // suffices: the lock orders the batches, and the next poll sends a batch that this one misses.
  std::atomic<std::size_t> _size{0};
  // A transfer is counted in _added, under the lock, before its batch can be sent. in_flight()
  // loads _finished first, with acquire, which pairs with the release in count_finished(). So it
  // finds in _added all transfers that are counted as finished, and those that their completions
  // have added.
  std::atomic<std::uint64_t> _added{0};
  std::atomic<std::uint64_t> _finished{0};
  std::atomic<std::uint32_t> _polls{0};  // relaxed: a hint; stored under the poll lock
};

template <class Begin, class Add>
TransferBatch* TransferBatches::add(TransferBatch::Kind kind, int unit, std::size_t nbytes,
                                    Begin begin, Add add_transfer) {
  bool is_first = false;
  TransferBatch* full = nullptr;
  {
    const std::lock_guard lock(_lock);
    TransferBatch* batch = open_batch(kind, unit);
    if (batch != nullptr && !batch->fits(nbytes)) {
      close(*batch);
      full = std::exchange(batch, nullptr);
    }
    is_first = batch == nullptr;
    if (is_first) batch = &open(kind, unit);
    add_transfer(*batch);
    _added.store(_added.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  if (is_first) begin();
  return full;
}

}  // namespace dash::dart
