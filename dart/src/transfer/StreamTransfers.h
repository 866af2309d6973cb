#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dash/async/FunctionRef.h"
#include "dash/core/Spin.h"
#include "dash/dart/Signal.h"
#include "dash/dart/Stream.h"

namespace dash::dart {

/// Properties of the job that streams use.
struct StreamConfig {
  MPI_Comm communicator = MPI_COMM_NULL;  ///< ranks are global unit ids
  int largest_tag = 0;
  bool oversubscribed = false;  ///< the host has more units than processors

  /// Number of streams of a segment. \throws exception::RuntimeError if the segment is not live
  std::uint32_t count_streams(const dart_gptr_t& segment) const;
};

/// The transfers of stream endpoints: persistent requests of MPI.
class StreamEndpoints::Impl {
 public:
  explicit Impl(const StreamConfig& config) noexcept : _config(config) {}
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  /// The other end of a stream.
  struct Peer {
    int unit;  // global id
    int tag;
  };
  enum class Direction : std::uint8_t { send, receive };

  MPI_Comm communicator() const noexcept { return _config.communicator; }
  /// \throws exception::RuntimeError if the segment is not live, or has no such stream
  Peer peer_of(const dart_gptr_t& gptr, std::uint32_t stream) const;
  Transfer add(Direction direction, void* data, std::size_t nbytes, const Peer& peer,
               Signal& signal);
  Transfer add_send(const StridedBytes& data, std::size_t nbytes, const Peer& peer, Signal& signal);
  void start(std::span<const Transfer> transfers, std::uint32_t value, Next next);
  bool has_arrived(const Peer& peer) const;

  /// Tests all requests, at most `times` times, until a transfer has ended; not at all if another
  /// thread does.
  /// \returns whether a transfer has ended
  bool poll(int times);
  /// Tests only the transfers of the last start, at most `times` times, until all of them have
  /// ended.
  void poll_all_started(int times);
  /// Polls densely until done() is true, at most for the time that the transfers in flight take on
  /// a network.
  void poll_until(exec::FunctionRef<bool()> done);

 private:
  /// A transfer consists of at least one request: MPI counts in int.
  struct Repeated {
    Direction direction;
    int unit;
    std::size_t nbytes;
    std::size_t first;  // index of its first request
    int count;          // of its requests
    Signal* signal;
    std::uint32_t value = 0;
    int unfinished = 0;
  };
  static constexpr std::size_t max_request_bytes = std::size_t{1} << 30;

  Transfer add_transfer(Direction direction, int unit, std::size_t nbytes, std::size_t first,
                        Signal& signal);
  void finish(std::span<const int> requests) noexcept;
  void finish_all_started() noexcept;
  void end(std::span<const Transfer> transfers, std::size_t requests) noexcept;

  const StreamConfig _config;
  core::SpinLock _lock;  // guards all below: MPICH aborts if two threads use one request
  std::vector<MPI_Request> _requests;
  std::vector<Transfer> _owners;  // of the requests
  std::vector<int> _indices;
  std::vector<Transfer> _ended;
  std::vector<Transfer> _started;  // by the last start
  std::vector<MPI_Request> _started_requests;
  std::vector<Repeated> _transfers;
  // Stored under the lock, and read without it to skip polls: the lock orders the data.
  std::atomic<std::size_t> _requests_in_flight{0};
  std::atomic<std::size_t> _bytes_in_flight{0};
};

}  // namespace dash::dart
