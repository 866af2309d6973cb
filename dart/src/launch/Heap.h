#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace dash::dart {

/// Identifies the heap of a process, so that other processes of the host can map it.
struct HeapDescriptor {
  std::int32_t pid = 0;
  std::int32_t descriptor = -1;
  // Identify the file behind the descriptor, since process ids are not unique across containers.
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

/// The heaps of the units of a node, mapped one after the other into the address space of this process.
///
/// Each heap is anonymous shared memory (a memfd) of its unit. Its address space is reserved in full, its
/// pages are committed on allocation, and the system frees it with the last process that maps it. A unit
/// that is alone on its node shares only the beginning, with units of other nodes of its host; the rest is
/// private memory, for which the system can use huge pages.
class Heap {
 public:
  /// Creates this unit's heap without mapping it.
  /// \param nbytes  a multiple of the page size
  explicit Heap(std::size_t nbytes);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  HeapDescriptor descriptor() const noexcept;

  /// Maps the heaps of all units of the node.
  /// \param heaps         descriptors of the node's units, in the order of their slots
  /// \param my_slot       slot of the caller
  /// \param shared_bytes  size of the beginning that units of other nodes of the host map, too; whole pages
  void map(std::span<const HeapDescriptor> heaps, int my_slot, std::uint64_t shared_bytes);

  std::size_t nbytes() const noexcept { return _nbytes; }
  /// Address of slot 0; slot s begins s * nbytes() bytes further.
  char* base() const noexcept { return _base; }
  char* own() const noexcept { return _base + static_cast<std::size_t>(_my_slot) * _nbytes; }
  char* of_slot(int slot) const noexcept {
    return _base + static_cast<std::size_t>(slot) * _nbytes;
  }

  /// Commits a range of this unit's heap on the caller's NUMA node. Not for its shared beginning.
  /// \returns false if the system is out of memory
  bool commit(std::uint64_t offset, std::uint64_t nbytes) noexcept;
  /// Zeroes a range of this unit's heap; returns its whole pages to the system, except pinned ones.
  /// Not for its shared beginning.
  /// \threads thread-safe, for ranges that do not overlap
  void decommit(std::uint64_t offset, std::uint64_t nbytes) noexcept;
  /// Zeroes a range of this unit's heap and keeps its pages, if it is small, few of them are in memory, and the system has
  /// no swap space, in which further ones could be. \returns whether it has done so
  /// \threads as decommit()
  bool zero_in_place(std::uint64_t begin, std::uint64_t nbytes) noexcept;

  /// Zeroes a range of whole pages in the heaps of all units of the node, and returns its pages, also pinned ones. So
  /// MPI learns in each process that it has to forget registrations of the range. Not for the shared beginning.
  /// \pre all units of the node call this, before one of them uses the range again
  void remove_pages_on_node(std::uint64_t begin, std::uint64_t end) noexcept;

  /// Pins a range: the network knows the physical addresses of its pages. decommit() then keeps the
  /// pages. \pre no pinned range overlaps it
  void pin(std::uint64_t begin, std::uint64_t end);
  /// Ends the effect of one call of pin() with the same range. A range may be pinned again while the window of the
  /// first call, which MPI has created on some units only, still exists.
  void unpin(std::uint64_t begin, std::uint64_t end) noexcept;

  /// Resident bytes of this unit's heap: in the given range of a private heap, in all of a
  /// shared one.
  /// \cost linear in the range if the heap is private
  std::uint64_t bytes_in_memory(std::uint64_t begin, std::uint64_t end) const noexcept;
  /// Resident bytes of a range of this unit's heap.
  /// \param begin  the start of a page   \cost linear in the range
  std::uint64_t resident_bytes(std::uint64_t begin, std::uint64_t end) const noexcept;

 private:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };

  bool map_private_memory(std::uint64_t begin) noexcept;
  Range next_pinned(std::uint64_t offset, std::uint64_t end) const noexcept;
  void return_pages(std::uint64_t begin, std::uint64_t end) noexcept;
  void zero_used_pages(std::uint64_t begin, std::uint64_t end) noexcept;
  void zero_used_shared_pages(std::uint64_t begin, std::uint64_t end) noexcept;
  void zero_used_private_pages(std::uint64_t begin, std::uint64_t end) noexcept;

  std::size_t _nbytes;
  int _descriptor = -1;
  char* _base = nullptr;
  std::size_t _mapped = 0;
  int _my_slot = 0;
  std::uint64_t
      _private_begin;  // this unit's heap is private from here on; nbytes(): all is shared
  mutable std::mutex _pinned_mutex;  // guards _pinned
  std::vector<Range> _pinned;
};

/// Opens the memory of another process through the proc file system. The kernel permits this to processes
/// that may trace the other one, for example those of the same user.
/// \returns a descriptor, or -1 with the reason in errno
int open_heap_of(const HeapDescriptor& heap) noexcept;

/// Maps a page of another process's heap, for data that the units of a host share.
/// \returns nullptr if this process cannot open the other one's memory
void* map_page_of(const HeapDescriptor& heap, std::uint64_t offset) noexcept;
void unmap_page(void* page) noexcept;

}  // namespace dash::dart
