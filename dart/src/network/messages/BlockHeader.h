#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace dash::dart {

/// Header of a block in the payload of a scatter or gather message. In a scatter message, the data
/// of the block follows its header.
struct BlockHeader {
  std::uint64_t offset;  // from the location of the message
  std::uint32_t nbytes;

  static constexpr std::size_t bytes = 12;  // in the payload, without padding
  void write(std::byte* to) const noexcept {
    std::memcpy(to, &offset, sizeof offset);
    std::memcpy(to + sizeof offset, &nbytes, sizeof nbytes);
  }
  static BlockHeader read(const std::byte* from) noexcept {
    BlockHeader header;
    std::memcpy(&header.offset, from, sizeof header.offset);
    std::memcpy(&header.nbytes, from + sizeof header.offset, sizeof header.nbytes);
    return header;
  }
};

}  // namespace dash::dart
