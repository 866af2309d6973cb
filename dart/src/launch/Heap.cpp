#include "launch/Heap.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/Error.h"
#include "dash/core/Memory.h"

namespace dash::dart {

namespace {

/// The largest number of used pages that zero_in_place() clears. To return them to the system would take at least ten times
/// as long, because the system interrupts all processors that may have their addresses cached.
constexpr std::uint64_t max_kept_pages = 16;
/// The number of pages of the largest block that zero_in_place() considers.
constexpr std::size_t max_pages_of_kept_block = 256;

/// Whether pages that are not in memory are zero.
bool has_no_swap_space() noexcept {
  struct sysinfo info {};
  return ::sysinfo(&info) == 0 && info.totalswap == 0;
}

/// Whether madvise(MADV_REMOVE) has an effect. qemu ignores it, but reports success.
bool removes_pages() noexcept {
  static const bool removes = [] {
    const std::size_t page = core::page_size();
    void* const memory =
        ::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    auto* const byte = static_cast<volatile char*>(memory);
    *byte = 1;
    const bool is_zero = ::madvise(memory, page, MADV_REMOVE) == 0 && *byte == 0;
    ::munmap(memory, page);
    return is_zero;
  }();
  return removes;
}

}  // namespace

int open_heap_of(const HeapDescriptor& heap) noexcept {
  const std::string path = fmt::format("/proc/{}/fd/{}", heap.pid, heap.descriptor);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat info {};
  if (descriptor >= 0 && ::fstat(descriptor, &info) == 0 && info.st_dev == heap.device &&
      info.st_ino == heap.inode) {
    return descriptor;
  }
  if (descriptor >= 0) {
    ::close(descriptor);
    errno = ESTALE;
  }
  return -1;
}

Heap::Heap(std::size_t nbytes) : _nbytes(nbytes), _private_begin(nbytes) {
  _descriptor = static_cast<int>(::memfd_create("dash-heap", MFD_CLOEXEC));
  if (_descriptor < 0) {
    throw_error(DART_ERR_NOMEM, "memfd_create for the heap failed: {}", std::strerror(errno));
  }
  if (::ftruncate(_descriptor, static_cast<off_t>(nbytes)) != 0) {
    const int error = errno;
    ::close(_descriptor);
    throw_error(DART_ERR_NOMEM, "cannot reserve a heap of {} bytes (DART_HEAP_SIZE): {}", nbytes,
                std::strerror(error));
  }
}

Heap::~Heap() {
  // A pinned range belongs to a window that could not be freed.
  if (_base != nullptr && _pinned.empty()) ::munmap(_base, _mapped);
  if (_descriptor >= 0) ::close(_descriptor);
}

HeapDescriptor Heap::descriptor() const noexcept {
  struct stat info {};
  ::fstat(_descriptor, &info);
  return {::getpid(), _descriptor, info.st_dev, info.st_ino};
}

void Heap::map(std::span<const HeapDescriptor> heaps, int my_slot, std::uint64_t shared_bytes) {
  _my_slot = my_slot;
  _mapped = heaps.size() * _nbytes;
  void* reserved =
      ::mmap(nullptr, _mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) {
    throw_error(DART_ERR_NOMEM,
                "cannot reserve {} bytes of address space for {} heaps (DART_HEAP_SIZE): {}",
                _mapped, heaps.size(), std::strerror(errno));
  }
  _base = static_cast<char*>(reserved);
  for (std::size_t slot = 0; slot < heaps.size(); ++slot) {
    const bool is_own = static_cast<int>(slot) == my_slot;
    const int descriptor = is_own ? _descriptor : open_heap_of(heaps[slot]);
    if (descriptor < 0) {
      throw_error(DART_ERR_OTHER, "cannot open the heap of process {} on this node: {}",
                  heaps[slot].pid, std::strerror(errno));
    }
    void* address = ::mmap(_base + slot * _nbytes, _nbytes, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_FIXED | MAP_NORESERVE, descriptor, 0);
    const int error = errno;
    if (!is_own) ::close(descriptor);
    if (address == MAP_FAILED) {
      throw_error(DART_ERR_NOMEM, "cannot map a heap of {} bytes (DART_HEAP_SIZE): {}", _nbytes,
                  std::strerror(error));
    }
  }
  if (heaps.size() == 1 && map_private_memory(shared_bytes)) _private_begin = shared_bytes;
  ::madvise(_base, _mapped, MADV_DONTDUMP);
}

/// Replaces the heap from `begin` on by private memory. This fails, and the heap stays as it is, on a
/// system that does not overcommit memory.
bool Heap::map_private_memory(std::uint64_t begin) noexcept {
  constexpr int reserve = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  const std::size_t nbytes = _nbytes - begin;
  void* const trial = ::mmap(nullptr, nbytes, PROT_READ | PROT_WRITE, reserve, -1, 0);
  if (trial == MAP_FAILED) return false;
  ::munmap(trial, nbytes);
  void* const memory =
      ::mmap(_base + begin, nbytes, PROT_READ | PROT_WRITE, reserve | MAP_FIXED, -1, 0);
  if (memory == MAP_FAILED) return false;
  ::madvise(memory, nbytes, MADV_HUGEPAGE);  // a hint; failure does not matter
  return true;
}

bool Heap::commit(std::uint64_t offset, std::uint64_t nbytes) noexcept {
  int result = 0;
  do {
    if (offset < _private_begin) {
      result = ::fallocate(_descriptor, 0, static_cast<off_t>(offset), static_cast<off_t>(nbytes));
    } else {
      const std::uint64_t offset_in_page = offset % core::page_size();
      result =
          ::madvise(own() + offset - offset_in_page, nbytes + offset_in_page, MADV_POPULATE_WRITE);
      // Linux before 5.14 has no MADV_POPULATE_WRITE; pages are provided when they are first accessed.
      if (result != 0 && errno == EINVAL) return true;
    }
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

void Heap::pin(std::uint64_t begin, std::uint64_t end) {
  const std::lock_guard lock(_pinned_mutex);
  _pinned.push_back({begin, end});
}

void Heap::unpin(std::uint64_t begin, std::uint64_t end) noexcept {
  const std::lock_guard lock(_pinned_mutex);
  const auto pinned = std::find_if(
      _pinned.begin(), _pinned.end(),
      [begin, end](const Range& range) { return range.begin == begin && range.end == end; });
  if (pinned != _pinned.end()) _pinned.erase(pinned);
}

/// The first pinned part of [offset, end); the empty range at `end` if there is none.
Heap::Range Heap::next_pinned(std::uint64_t offset, std::uint64_t end) const noexcept {
  Range next{end, end};
  const std::lock_guard lock(_pinned_mutex);
  for (const Range& range : _pinned) {
    const Range part{std::max(range.begin, offset), std::min(range.end, end)};
    if (part.begin < part.end && part.begin < next.begin) next = part;
  }
  return next;
}

void Heap::decommit(std::uint64_t offset, std::uint64_t nbytes) noexcept {
  const std::uint64_t end = offset + nbytes;
  while (offset < end) {
    const Range pinned = next_pinned(offset, end);
    return_pages(offset, pinned.begin);
    zero_used_pages(pinned.begin, pinned.end);
    offset = pinned.end;
  }
}

bool Heap::zero_in_place(std::uint64_t begin, std::uint64_t nbytes) noexcept {
  const std::uint64_t end = begin + nbytes;
  const std::uint64_t page = core::page_size();
  const std::uint64_t first = begin / page * page;
  const std::uint64_t num_pages = (end - first + page - 1) / page;
  std::array<unsigned char, max_pages_of_kept_block> states{};
  if (num_pages > states.size() || !has_no_swap_space() ||
      ::mincore(own() + first, end - first, states.data()) != 0)
    return false;
  const auto is_used = [&](std::uint64_t i) { return (states[i] & 1U) != 0; };
  std::uint64_t num_used = 0;
  for (std::uint64_t i = 0; i < num_pages; ++i)
    num_used += is_used(i) ? 1 : 0;
  if (num_used > max_kept_pages) return false;
  for (std::uint64_t i = 0; i < num_pages; ++i) {
    if (!is_used(i)) continue;
    const std::uint64_t part_begin = std::max(first + i * page, begin);
    std::memset(own() + part_begin, 0, std::min(first + (i + 1) * page, end) - part_begin);
  }
  return true;
}

void Heap::remove_pages_on_node(std::uint64_t begin, std::uint64_t end) noexcept {
  return_pages(begin, end);
  const int num_slots = static_cast<int>(_mapped / _nbytes);
  for (int slot = 0; slot < num_slots; ++slot) {
    if (slot != _my_slot) ::madvise(of_slot(slot) + begin, end - begin, MADV_REMOVE);
  }
}

/// Zeroes a range, except for pages that have never been used, and keeps its pages.
void Heap::zero_used_pages(std::uint64_t begin, std::uint64_t end) noexcept {
  const std::uint64_t shared_end = std::clamp(_private_begin, begin, end);
  zero_used_shared_pages(begin, shared_end);
  zero_used_private_pages(shared_end, end);
}

void Heap::zero_used_shared_pages(std::uint64_t begin, std::uint64_t end) noexcept {
  while (begin < end) {
    // The file knows which pages it has, also those that have been swapped out.
    const off_t data = ::lseek(_descriptor, static_cast<off_t>(begin), SEEK_DATA);
    if (data < 0 && errno == ENXIO) return;  // no page up to the end of the file
    const off_t hole = data < 0 ? -1 : ::lseek(_descriptor, data, SEEK_HOLE);
    const std::uint64_t used_begin = data < 0 ? begin : static_cast<std::uint64_t>(data);
    const std::uint64_t used_end = hole < 0 ? end : std::min(static_cast<std::uint64_t>(hole), end);
    if (used_begin >= end) return;
    std::memset(own() + used_begin, 0, used_end - used_begin);
    begin = used_end;
  }
}

void Heap::zero_used_private_pages(std::uint64_t begin, std::uint64_t end) noexcept {
  if (begin == end) return;
  const std::uint64_t page = core::page_size();
  const int map = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  std::array<std::uint64_t, 512> states{};
  while (begin < end) {
    const std::uint64_t first = reinterpret_cast<std::uintptr_t>(own() + begin) / page;
    const std::uint64_t last = reinterpret_cast<std::uintptr_t>(own() + end - 1) / page;
    const std::uint64_t num_pages = std::min<std::uint64_t>(last - first + 1, states.size());
    const auto nbytes = static_cast<ssize_t>(num_pages * sizeof states[0]);
    // Without the list, all pages count as used.
    const bool is_known =
        map >= 0 && ::pread(map, states.data(), static_cast<std::size_t>(nbytes),
                            static_cast<off_t>(first * sizeof states[0])) == nbytes;
    for (std::uint64_t i = 0; i < num_pages; ++i) {
      constexpr std::uint64_t is_present_or_swapped = std::uint64_t{3} << 62;
      const std::uint64_t page_end = begin - begin % page + page;
      const std::uint64_t part_end = std::min(page_end, end);
      if (!is_known || (states[i] & is_present_or_swapped) != 0)
        std::memset(own() + begin, 0, part_end - begin);
      begin = part_end;
    }
  }
  if (map >= 0) ::close(map);
}

/// Zeroes a range and returns its whole pages. It calls madvise() even for shared memory, because
/// UCX intercepts this function to invalidate registrations of local buffers.
void Heap::return_pages(std::uint64_t begin, std::uint64_t end) noexcept {
  const std::uint64_t page = core::page_size();
  const std::uint64_t first_page = std::min((begin + page - 1) / page * page, end);
  const std::uint64_t last_page_end = std::max(end / page * page, first_page);
  std::memset(own() + begin, 0, first_page - begin);
  if (first_page != last_page_end) {
    const int advice = begin < _private_begin ? MADV_REMOVE : MADV_DONTNEED;
    const std::uint64_t nbytes = last_page_end - first_page;
    // The call fails for locked pages.
    const bool is_zero = ::madvise(own() + first_page, nbytes, advice) == 0 &&
                         (advice == MADV_DONTNEED || removes_pages());
    if (!is_zero) std::memset(own() + first_page, 0, nbytes);
  }
  std::memset(own() + last_page_end, 0, end - last_page_end);
}

std::uint64_t Heap::bytes_in_memory(std::uint64_t begin, std::uint64_t end) const noexcept {
  if (_private_begin == _nbytes) {
    struct stat info {};
    return ::fstat(_descriptor, &info) == 0 ? static_cast<std::uint64_t>(info.st_blocks) * 512 : 0;
  }
  return resident_bytes(begin, end);
}

std::uint64_t Heap::resident_bytes(std::uint64_t begin, std::uint64_t end) const noexcept {
  std::array<unsigned char, 4096> pages{};
  const std::uint64_t page = core::page_size();
  std::uint64_t resident_pages = 0;
  for (std::uint64_t at = begin; at < end; at += pages.size() * page) {
    const std::uint64_t nbytes = std::min(end - at, pages.size() * page);
    if (::mincore(own() + at, nbytes, pages.data()) != 0) continue;
    const auto pages_end = pages.begin() + static_cast<std::ptrdiff_t>((nbytes + page - 1) / page);
    resident_pages += static_cast<std::uint64_t>(
        std::count_if(pages.begin(), pages_end, [](unsigned char state) { return state & 1U; }));
  }
  return resident_pages * page;
}

void* map_page_of(const HeapDescriptor& heap, std::uint64_t offset) noexcept {
  const int descriptor = open_heap_of(heap);
  if (descriptor < 0) return nullptr;
  void* page = ::mmap(nullptr, core::page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor,
                      static_cast<off_t>(offset));
  ::close(descriptor);
  return page == MAP_FAILED ? nullptr : page;
}

void unmap_page(void* page) noexcept {
  ::munmap(page, core::page_size());
}

}  // namespace dash::dart
