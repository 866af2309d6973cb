#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/Processes.h"
#include "dash/core/CpuSet.h"
#include "dash/core/Statistics.h"
#include "launch/Heap.h"

namespace dash::dart {

/// Message of the first unit that a progress process serves to this process.
struct ProgressCommand {
  enum class Kind : std::uint32_t {
    map_heaps,  // `count` heaps of `end` bytes; two messages follow: their descriptors, and a
                // ProgressPlacement. The text of an error, or "", is sent back
    add_window,  // over [begin, end) of the heaps; a barrier of all processes follows, then the collective of MPI
    remove_window,     // likewise
    start_statistics,  // counts from zero; an empty message is sent back
    send_statistics,   // ends the count; core::Statistics are sent back
    end,               // all units have ended the session
    fail               // the units could not start the session
  };

  /// Tag of commands and replies in the communicator of all processes.
  static constexpr int tag = 1;
  static constexpr std::size_t reply_bytes = 512;

  Kind kind = Kind::end;
  std::uint32_t count = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Where a progress process runs.
struct ProgressPlacement {
  core::CpuSet processors;             // reserved for it; empty: it is not bound
  std::int32_t shares_processors = 0;  // the host has more processes than processors
  std::int32_t nnodes = 1;             // of the job
  // Contains the HostPage with the words by which other nodes of the host wake the process. Without one, pid is 0.
  HeapDescriptor host_page;
};

/// Lets a progress process map heaps, and waits for its answer.
/// \param server  rank of the process
/// \param nbytes  of each heap
/// \throws Error if it cannot map them  \blocks inside MPI
void request_mapping(const Processes& processes, int server, std::span<const HeapDescriptor> heaps,
                     std::uint64_t nbytes, const ProgressPlacement& placement);

/// Lets a progress process count its work from zero. \blocks inside MPI, until it counts
void start_statistics_of(const Processes& processes, int server);
/// Ends the count of a progress process. \returns its numbers  \blocks inside MPI
core::Statistics statistics_of(const Processes& processes, int server);

}  // namespace dash::dart
