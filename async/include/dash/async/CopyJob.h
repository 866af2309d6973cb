#pragma once

#include <atomic>
#include <cstddef>

#include "dash/async/State.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// A copy in the background. Its bytes, numbered in the order of copying, are divided into chunks that
/// several threads may copy.
///
/// Created with one reference, the producer's, which the queue takes over.
class DASH_API CopyJob : public State {
 public:
  /// Size of a chunk of contiguous memory in bytes (DART_COPY_CHUNK). A chunk takes some microseconds: the
  /// last one delays a waiting caller no longer than that, and the lock of the queue costs little in
  /// comparison (docs/decisions/008-copies-in-the-background.md).
  static std::size_t chunk_bytes() noexcept;

  /// Size of a chunk for a copy of contiguous blocks of `block` bytes each: takes about the same time, and
  /// consists of whole blocks unless they are longer than a chunk.
  static std::size_t chunk_bytes_for_blocks(std::size_t block) noexcept;

  /// \param dest, src  begin of the memory: threads in its NUMA domain take chunks first
  /// \param nbytes     not 0
  CopyJob(const void* dest, const void* src, std::size_t nbytes, std::size_t chunk) noexcept
      : _dest(dest), _src(src), _nbytes(nbytes), _chunk(chunk), _unfinished(nbytes) {}

  std::size_t nbytes() const noexcept { return _nbytes; }

  Label label() const noexcept override {
    return {"a copy of {} bytes on the node", {static_cast<long>(_nbytes)}};
  }

 protected:
  /// Copies the bytes [begin, begin + length). They must be visible to a thread that synchronizes with a
  /// later release operation of the caller.
  /// \threads thread-safe for disjoint ranges
  virtual void copy(std::size_t begin, std::size_t length) noexcept = 0;

 private:
  friend class CopyQueue;
  friend class CopyEngine;

  const void* const _dest;
  const void* const _src;
  const std::size_t _nbytes;
  const std::size_t _chunk;
  std::size_t _claimed = 0;  // bytes that threads have taken; guarded by the queue's lock
  std::atomic<std::size_t>
      _unfinished;           // bytes not copied yet; the thread that makes it 0 completes the job
  CopyJob* _next = nullptr;  // in the queue; guarded by its lock
};

}  // namespace dash::exec
