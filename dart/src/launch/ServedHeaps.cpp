#include "launch/ServedHeaps.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/Error.h"

namespace dash::dart {

// Delegates to another constructor, so that the destructor runs if this one throws.
ServedHeaps::ServedHeaps(std::span<const HeapDescriptor> heaps, std::uint64_t nbytes)
    : ServedHeaps(nbytes) {
  for (const HeapDescriptor& heap : heaps) {
    const int descriptor = open_heap_of(heap);
    if (descriptor < 0) {
      throw_error(DART_ERR_OTHER, "a progress process cannot open the heap of process {}: {}",
                  heap.pid, std::strerror(errno));
    }
    _descriptors.push_back(descriptor);
  }
  _heaps = map(0, nbytes);
}

ServedHeaps::~ServedHeaps() {
  for (const auto& [begin, range] : _ranges)
    ::munmap(range.address, range.nbytes);
  if (_heaps.address != nullptr) ::munmap(_heaps.address, _heaps.nbytes);
  for (const int descriptor : _descriptors)
    ::close(descriptor);
}

ServedHeaps::Mapping ServedHeaps::map(std::uint64_t begin, std::uint64_t nbytes) const {
  const std::size_t total = _descriptors.size() * nbytes;
  void* const reserved =
      ::mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) {
    throw_error(DART_ERR_NOMEM, "a progress process cannot reserve {} bytes of address space: {}",
                total, std::strerror(errno));
  }
  auto* const address = static_cast<char*>(reserved);
  for (std::size_t index = 0; index < _descriptors.size(); ++index) {
    if (::mmap(address + index * nbytes, nbytes, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_FIXED | MAP_NORESERVE, _descriptors[index],
               static_cast<off_t>(begin)) != MAP_FAILED)
      continue;
    const int error = errno;
    ::munmap(reserved, total);
    throw_error(DART_ERR_NOMEM, "a progress process cannot map {} bytes of a heap: {}", nbytes,
                std::strerror(error));
  }
  ::madvise(reserved, total, MADV_DONTDUMP);
  return {address, total};
}

char* ServedHeaps::map_range(std::uint64_t begin, std::uint64_t end) {
  const Mapping range = map(begin, end - begin);
  _ranges.emplace(begin, range);
  return range.address;
}

void ServedHeaps::unmap_range(std::uint64_t begin) noexcept {
  const auto range = _ranges.find(begin);
  if (range == _ranges.end()) return;
  ::munmap(range->second.address, range->second.nbytes);
  _ranges.erase(range);
}

}  // namespace dash::dart
