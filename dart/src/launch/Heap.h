#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dash::dart {

/// How a process of the node hands its heap to the others.
struct HeapDescriptor {
  std::int32_t pid = 0;
  std::int32_t descriptor = -1;
  // What the descriptor is of: a process of another container may have the same number.
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

/// The heaps of the units of a node, mapped one behind the other into this process.
///
/// Each is anonymous shared memory (a memfd) of its unit: reserved in full, committed as it is
/// used, gone with the last process that maps it. A unit that is alone on its node shares only the
/// begin, with units of other nodes of its host; the rest is memory of its own, which the system
/// gives large pages.
class Heap {
 public:
  /// Makes this unit's memory, not mapped yet.
  /// \param nbytes  a multiple of the page size
  explicit Heap(std::size_t nbytes);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  HeapDescriptor offer() const noexcept;

  /// Maps the heaps of all units of the node.
  /// \param offers        of the node's units, in the order of their slots
  /// \param my_slot       the caller's
  /// \param shared_bytes  of the begin, which other nodes of the host map, too; whole pages
  void map(std::span<const HeapDescriptor> offers, int my_slot, std::uint64_t shared_bytes);

  std::size_t nbytes() const noexcept { return _nbytes; }
  /// Begin of slot 0; slot s is s * nbytes() further.
  char* base() const noexcept { return _base; }
  char* own() const noexcept { return _base + static_cast<std::size_t>(_my_slot) * _nbytes; }
  char* of_slot(int slot) const noexcept {
    return _base + static_cast<std::size_t>(slot) * _nbytes;
  }

  /// Provides pages for part of the own heap, from the caller's NUMA node. Not of its begin.
  /// \returns false if the system has no memory for them
  bool commit(std::uint64_t offset, std::uint64_t nbytes) noexcept;
  /// Makes part of the own heap read as zero, and gives its whole pages back to the system. Not of
  /// its begin.
  void decommit(std::uint64_t offset, std::uint64_t nbytes) noexcept;

  /// What has pages in part of the own heap; of a heap that is shared, in all of it.
  /// \cost linear in the part if it is not shared
  std::uint64_t bytes_in_memory(std::uint64_t begin, std::uint64_t end) const noexcept;

 private:
  bool map_own_memory(std::uint64_t begin) noexcept;

  std::size_t _nbytes;
  int _descriptor = -1;
  char* _base = nullptr;
  std::size_t _mapped = 0;
  int _my_slot = 0;
  std::uint64_t _own_begin;  // from here on the own heap is not shared; nbytes() if all of it is
};

/// Maps a page of another process's heap: where the units of a host keep what they share.
/// \returns nullptr if that process cannot be reached from here
void* map_page_of(const HeapDescriptor& offer, std::uint64_t offset) noexcept;
void unmap_page(void* page) noexcept;

}  // namespace dash::dart
