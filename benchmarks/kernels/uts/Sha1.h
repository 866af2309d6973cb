#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace uts {

/// A SHA-1 digest, or a part of a message, as big-endian words.
using Sha1Digest = std::array<std::uint32_t, 5>;

/// The SHA-1 digest (FIPS 180-4) of a message of whole words that fits into one block.
/// \param words  the message, as big-endian words
/// \param count  number of words, at most 13
Sha1Digest sha1(const std::uint32_t* words, std::size_t count);

}  // namespace uts
