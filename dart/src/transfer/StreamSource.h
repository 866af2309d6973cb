#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/CallerPolling.h"
#include "dash/async/Engine.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Spin.h"
#include "dash/dart/Signal.h"
#include "dash/dart/Stream.h"

namespace dash::dart {

/// The transfers of a StreamEnds.
class StreamEnds::Impl {
 public:
  Impl() = default;
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  enum class Direction : std::uint8_t { send, receive };

  /// \param unit, tag  at the other end
  Transfer add(Direction direction, void* data, std::size_t nbytes, int unit, int tag,
               Signal& signal);
  Transfer add_send(const StridedBytes& data, std::size_t nbytes, int unit, int tag,
                    Signal& signal);
  void start(std::span<const Transfer> transfers, std::uint32_t value);

  static bool has_come(int unit, int tag);

  /// Looks for transfers that have ended, at most so often, until one has, unless somebody else looks.
  /// \returns whether one has
  bool look(int times);

  /// Looks for all that was started last, at most so often, unless somebody else looks.
  void look_for_all(int times);

  /// Looks densely for as long as the transfers that are under way take by a network, at most.
  void look_for(exec::FunctionRef<bool()> done);

 private:
  /// Bytes of the transfers that have not ended.
  std::size_t nbytes_under_way() const noexcept {
    return _nbytes_under_way.load(std::memory_order_relaxed);
  }

  /// Of at least one request: MPI counts in int.
  struct Repeated {
    Direction direction;
    int unit;
    std::size_t nbytes;
    std::size_t first;
    int count;
    Signal* signal;
    std::uint32_t value = 0;
    int unfinished = 0;
  };

  /// Of the requests from `first` on. \pre the lock is held
  Transfer add_transfer(Direction direction, int unit, std::size_t nbytes, std::size_t first,
                        Signal& signal);

  static constexpr std::size_t most_in_request = std::size_t{1} << 30;

  /// Notes that requests have ended, whose handles were at these places, and raises the signals of the
  /// transfers that have ended with them. \pre the lock is held
  void finish(std::span<const int> requests) noexcept;
  /// The same for all that was started last.
  void finish_all() noexcept;
  void end(std::span<const Transfer> transfers, std::size_t requests) noexcept;

  core::SpinLock _lock;  // guards all below: two threads that use one request abort MPICH
  std::vector<MPI_Request> _requests;
  std::vector<Transfer> _owners;
  std::vector<int> _indices;
  std::vector<Transfer> _ended;
  std::vector<Transfer> _started;        // by the last start
  std::vector<MPI_Request> _in_started;  // theirs
  std::vector<Repeated> _transfers;
  std::atomic<std::size_t> _under_way{0};  // requests
  std::atomic<std::size_t> _nbytes_under_way{0};
};

/// Polls the ends of streams of this unit.
class StreamSource final : public exec::PollSource {
 public:
  /// Never destroyed, as the objects that it polls may outlive the runtime.
  static StreamSource& instance() noexcept;

  void add(StreamEnds::Impl& ends);
  void remove(StreamEnds::Impl& ends) noexcept;

  /// From here on it polls, densely for a while if much is to come.
  /// \param nbytes  of the largest of the transfers that begin
  void expect(std::size_t transfers, std::size_t nbytes) noexcept;
  void count_out(std::size_t transfers) noexcept {
    _under_way.fetch_sub(transfers, std::memory_order_release);
  }
  /// A caller looks: the thread need not.
  void count_caller() noexcept { _caller_polls.count(); }

  /// Whether MPI is open to all threads.
  void let_thread_poll(bool may) noexcept { _thread_may_poll = may; }

  bool poll() noexcept override;
  exec::Demand demand() const noexcept override;
  bool thread_may_poll() const noexcept override { return _thread_may_poll; }
  bool callers_poll() const noexcept override { return _caller_polls.found(); }
  bool moves_by_polls() const noexcept override { return true; }
  bool moves_much() const noexcept override { return demand() == exec::Demand::busy; }

 private:
  bool _thread_may_poll = false;
  core::SpinLock _lock;  // guards the list
  std::vector<StreamEnds::Impl*> _ends;
  std::atomic<std::size_t> _under_way{0};  // transfers
  std::atomic<std::uint64_t> _dense_until{0};
  CallerPolling _caller_polls;
};

}  // namespace dash::dart
