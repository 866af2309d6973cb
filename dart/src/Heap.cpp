#include "Heap.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "Error.h"
#include "dash/core/Memory.h"

namespace dash::dart {

namespace {

/// Opens another process's memory through the proc file system, which lets in who may look into
/// that process: the same user.
int open_offer(const HeapOffer& offer) noexcept {
  const std::string path = fmt::format("/proc/{}/fd/{}", offer.pid, offer.descriptor);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat info {};
  if (descriptor >= 0 && ::fstat(descriptor, &info) == 0 && info.st_dev == offer.device &&
      info.st_ino == offer.inode) {
    return descriptor;
  }
  if (descriptor >= 0) {
    ::close(descriptor);
    errno = ESTALE;
  }
  return -1;
}

}  // namespace

Heap::Heap(std::size_t nbytes) : _nbytes(nbytes) {
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
  if (_base != nullptr) ::munmap(_base, _mapped);
  if (_descriptor >= 0) ::close(_descriptor);
}

HeapOffer Heap::offer() const noexcept {
  struct stat info {};
  ::fstat(_descriptor, &info);
  return {::getpid(), _descriptor, info.st_dev, info.st_ino};
}

void Heap::map(std::span<const HeapOffer> offers, int my_slot) {
  _my_slot = my_slot;
  _mapped = offers.size() * _nbytes;
  void* reserved =
      ::mmap(nullptr, _mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) {
    throw_error(DART_ERR_NOMEM,
                "cannot reserve {} bytes of address space for {} heaps (DART_HEAP_SIZE): {}",
                _mapped, offers.size(), std::strerror(errno));
  }
  _base = static_cast<char*>(reserved);
  for (std::size_t slot = 0; slot < offers.size(); ++slot) {
    const bool mine = static_cast<int>(slot) == my_slot;
    const int descriptor = mine ? _descriptor : open_offer(offers[slot]);
    if (descriptor < 0) {
      throw_error(DART_ERR_OTHER, "cannot open the heap of process {} on this node: {}",
                  offers[slot].pid, std::strerror(errno));
    }
    void* address = ::mmap(_base + slot * _nbytes, _nbytes, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_FIXED | MAP_NORESERVE, descriptor, 0);
    const int error = errno;
    if (!mine) ::close(descriptor);
    if (address == MAP_FAILED) {
      throw_error(DART_ERR_NOMEM, "cannot map a heap of {} bytes (DART_HEAP_SIZE): {}", _nbytes,
                  std::strerror(error));
    }
  }
  ::madvise(_base, _mapped, MADV_DONTDUMP);
}

bool Heap::commit(std::uint64_t offset, std::uint64_t nbytes) noexcept {
  int result = 0;
  do {
    result = ::fallocate(_descriptor, 0, static_cast<off_t>(offset), static_cast<off_t>(nbytes));
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

void Heap::decommit(std::uint64_t offset, std::uint64_t nbytes) noexcept {
  ::fallocate(_descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
              static_cast<off_t>(nbytes));
}

std::uint64_t Heap::bytes_in_memory() const noexcept {
  struct stat info {};
  return ::fstat(_descriptor, &info) == 0 ? static_cast<std::uint64_t>(info.st_blocks) * 512 : 0;
}

void* map_page_of(const HeapOffer& offer, std::uint64_t offset) noexcept {
  const int descriptor = open_offer(offer);
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
