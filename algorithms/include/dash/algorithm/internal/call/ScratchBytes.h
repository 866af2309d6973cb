#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace dash::internal {

/// Uninitialized memory for elements of which only size and alignment are known.
class ScratchBytes {
 public:
  ScratchBytes() = default;
  ScratchBytes(std::size_t nbytes, std::size_t alignment) {
    const std::size_t slack = alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__ ? alignment : 0;
    _memory = std::make_unique_for_overwrite<std::byte[]>(nbytes + slack);
    _data = _memory.get();
    if (slack > 0) _data += alignment - reinterpret_cast<std::uintptr_t>(_data) % alignment;
  }

  std::byte* data() const noexcept { return _data; }

 private:
  std::unique_ptr<std::byte[]> _memory;
  std::byte* _data = nullptr;
};

}  // namespace dash::internal
