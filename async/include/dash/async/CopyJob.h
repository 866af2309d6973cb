#pragma once

#include <atomic>
#include <cstddef>

#include "dash/async/State.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// A copy in the background: the bytes of it, counted in the order in which they are copied, are
/// cut into quanta, which several threads take.
///
/// Made with one reference, the producer's, which the queue takes over.
class DASH_API CopyJob : public State {
 public:
  /// Bytes of a quantum of contiguous memory, as DART_COPY_QUANTUM says: some microseconds, so that a
  /// waiter is held up no longer than that by the last one, and long against the lock that hands it
  /// out (docs/decisions/008-copies-in-the-background.md).
  static std::size_t quantum_bytes() noexcept;

  /// The quantum of a copy of runs that are `run` bytes long each: of about as long a time, and of
  /// whole runs unless they are longer than a quantum.
  static std::size_t quantum_of_runs(std::size_t run) noexcept;

  /// \param dest, src  where it begins: the threads near to that memory take it first
  /// \param nbytes     not 0
  CopyJob(const void* dest, const void* src, std::size_t nbytes, std::size_t quantum) noexcept
      : _dest(dest), _src(src), _nbytes(nbytes), _quantum(quantum), _unfinished(nbytes) {}

  std::size_t nbytes() const noexcept { return _nbytes; }

  Label label() const noexcept override {
    return {"a copy of {} bytes on the node", {static_cast<long>(_nbytes)}};
  }

 protected:
  /// Copies the bytes [begin, begin + length). What it wrote has to be visible to who acquires what
  /// the caller releases afterwards.
  /// \threads any, several at once for different parts
  virtual void copy(std::size_t begin, std::size_t length) noexcept = 0;

 private:
  friend class CopyQueue;
  friend class CopyEngine;

  const void* const _dest;
  const void* const _src;
  const std::size_t _nbytes;
  const std::size_t _quantum;
  std::size_t _claimed = 0;              // bytes handed out; guarded by the queue's lock
  std::atomic<std::size_t> _unfinished;  // bytes not copied yet; who brings it to 0 completes
  CopyJob* _next = nullptr;              // in the queue; guarded by its lock
};

}  // namespace dash::exec
