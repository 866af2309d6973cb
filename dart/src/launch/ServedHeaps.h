#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "launch/Heap.h"

namespace dash::dart {

/// Mappings of the heaps that a progress process serves, for messages and for windows.
class ServedHeaps {
 public:
  /// \param heaps   of the units, in the order of their ids
  /// \param nbytes  of each heap
  /// \throws Error if this process cannot open or map a heap
  ServedHeaps(std::span<const HeapDescriptor> heaps, std::uint64_t nbytes);
  ~ServedHeaps();
  ServedHeaps(const ServedHeaps&) = delete;
  ServedHeaps& operator=(const ServedHeaps&) = delete;

  /// The start of the heap of a unit. \param index  among the served units
  char* heap(std::size_t index) const noexcept { return _heaps.address + index * _nbytes; }

  /// The ranges [begin, end) of all heaps, one after the other.
  char* map_range(std::uint64_t begin, std::uint64_t end);
  void unmap_range(std::uint64_t begin) noexcept;

 private:
  struct Mapping {
    char* address = nullptr;
    std::size_t nbytes = 0;
  };
  explicit ServedHeaps(std::uint64_t nbytes) noexcept : _nbytes(nbytes) {}
  Mapping map(std::uint64_t begin, std::uint64_t nbytes) const;

  std::vector<int> _descriptors;
  std::uint64_t _nbytes;
  Mapping _heaps;
  std::map<std::uint64_t, Mapping> _ranges;  // by their begin
};

}  // namespace dash::dart
