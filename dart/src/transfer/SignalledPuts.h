#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "dash/async/Operation.h"
#include "dash/dart/Signal.h"
#include "dash/dart/if/dart_globmem.h"
#include "transfer/OneSided.h"

namespace dash::dart {

/// A put that raises a signal at its target.
struct SignalledPut {
  dart_gptr_t dest;
  std::size_t nbytes;
  dart_gptr_t signal;
  std::uint32_t value;
  SignalOp op = SignalOp::set;
};

/// Puts with signals, on the node and between nodes.
/// \threads thread-safe
class SignalledPuts {
 public:
  explicit SignalledPuts(OneSided& one_sided) noexcept : _one_sided(one_sided) {}

  /// See put_signal(), put_strided_signal() and raise_after(). \throws exception::RuntimeError
  /// @{
  exec::Operation start(const SignalledPut& put, const void* src, SignalFlush flush);
  void start_strided(const SignalledPut& put, const void* src, std::size_t block_nbytes,
                     std::size_t src_stride, std::size_t nblocks);
  exec::Operation raise_after(const exec::Operation& operation, const SignalledPut& put,
                              SignalFlush flush) {
    GlobalMemory::check(put.signal, sizeof(Signal));
    return raise_after(operation, put, nullptr, flush);
  }
  /// @}

 private:
  class RaiseWhenComplete;

  exec::Operation send_data(const SignalledPut& put, const void* src,
                            std::unique_ptr<char[]> packed, SignalFlush flush);
  void send_message(const SignalledPut& put, const void* src, std::size_t block_nbytes,
                    std::size_t src_stride, std::size_t nblocks, Request* reply_to);
  exec::Continuation::Where where_to_raise(const SignalledPut& put);
  void raise(const SignalledPut& put, Request* raised);
  bool needs_two_processes(const SignalledPut& put) const;
  exec::Operation start_separately(const SignalledPut& put, const void* src,
                                   std::unique_ptr<char[]> packed, SignalFlush flush);
  exec::Operation raise_after(const exec::Operation& operation, const SignalledPut& put,
                              std::unique_ptr<char[]> packed, SignalFlush flush);
  exec::StatePtr<Request> add_pending_raise(const SignalledPut& put);
  void add_unacknowledged(const SignalledPut& put);

  OneSided& _one_sided;
};

}  // namespace dash::dart
