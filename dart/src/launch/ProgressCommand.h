#pragma once

#include <cstddef>
#include <cstdint>

namespace dash::dart {

/// Message of the first unit that a progress process serves to this process.
struct ProgressCommand {
  enum class Kind : std::uint32_t {
    map_heaps,  // `count` heaps of `end` bytes; two messages follow: their descriptors, and the processors that are
    // reserved for the process. The text of an error, or "", is sent back
    add_window,  // over [begin, end) of the heaps; a barrier of all processes follows, then the collective of MPI
    remove_window,  // likewise
    end,            // all units have ended the session
    fail            // the units could not start the session
  };

  /// Tag of commands and replies in the communicator of all processes.
  static constexpr int tag = 1;
  static constexpr std::size_t reply_bytes = 512;

  Kind kind = Kind::end;
  std::uint32_t count = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

}  // namespace dash::dart
