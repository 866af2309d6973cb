// dash-test: parallel units=1 full-units=2 layouts=nolocal modes=auto timeout=240 quick=never

// Transfers of more than 2^31 elements, which exceed the counts of MPI.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "LargeMemory.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

TEST_CASE("A transfer of more than 2^31 elements arrives in full", "[Large]") {
  constexpr std::size_t nbytes = (std::size_t{1} << 31) + 4097;
  if (!has_memory(2 * nbytes)) DASH_SKIP("needs more memory than the machine has");
  const Bytes segment(nbytes);
  const int right = (my_id() + 1) % num_units();
  // Positions where the transfer may have been split, and random ones.
  std::vector<std::size_t> places{0, nbytes - 1};
  for (std::size_t at = 4095; at < nbytes; at += (std::size_t{1} << 22) + 4093)
    places.push_back(at);
  for (const std::size_t border : {std::size_t{1} << 30, std::size_t{1} << 31}) {
    places.push_back(border - 1);
    places.push_back(border);
  }
  const auto mark = [](int unit, std::size_t at) {
    return static_cast<unsigned char>(1 + (at / 3 + static_cast<std::size_t>(unit)) % 255);
  };
  std::vector<unsigned char> buffer(nbytes);
  for (const std::size_t at : places)
    buffer[at] = mark(my_id(), at);
  REQUIRE(dart_put_blocking(segment.at(right), buffer.data(), nbytes, DART_TYPE_BYTE,
                            DART_TYPE_BYTE) == DART_OK);
  barrier();
  const int left = (my_id() + num_units() - 1) % num_units();
  for (const std::size_t at : places)
    REQUIRE(segment.mine()[at] == mark(left, at));
  std::fill(buffer.begin(), buffer.end(), std::uint8_t{0});
  REQUIRE(dart_get(buffer.data(), segment.at(right), nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE) ==
          DART_OK);
  REQUIRE(dart_flush(segment.at(right)) == DART_OK);
  for (const std::size_t at : places)
    REQUIRE(buffer[at] == mark(my_id(), at));
  barrier();
}

TEST_CASE("Strided and indexed transfers of more than 2^31 elements arrive in full", "[Large]") {
  // Blocks with gaps, which must not change.
  constexpr std::size_t blocklen = std::size_t{1} << 20;
  constexpr std::size_t stride = blocklen + 64;
  constexpr std::size_t nblocks = (std::size_t{1} << 11) + 2;
  constexpr std::size_t nelem = nblocks * blocklen;
  if (!has_memory(nblocks * stride + nelem)) DASH_SKIP("needs more memory than the machine has");
  const Bytes segment(nblocks * stride);
  const int right = (my_id() + 1) % num_units();
  const int left = (my_id() + num_units() - 1) % num_units();
  dart_datatype_t strided = DART_TYPE_UNDEFINED;
  dart_datatype_t indexed = DART_TYPE_UNDEFINED;
  // The same positions, as pairs of blocks.
  const std::size_t lengths[] = {blocklen, blocklen + 32, 32};
  const std::size_t offsets[] = {0, stride, stride + blocklen + 32};
  REQUIRE(dart_type_create_strided(DART_TYPE_BYTE, stride, blocklen, &strided) == DART_OK);
  REQUIRE(dart_type_create_indexed(DART_TYPE_BYTE, 3, lengths, offsets, &indexed) == DART_OK);
  const auto mark = [](int unit, std::size_t block) {
    return static_cast<unsigned char>(1 + (block + 7 * static_cast<std::size_t>(unit)) % 255);
  };
  std::vector<unsigned char> buffer(nelem);
  for (std::size_t block = 0; block < nblocks; ++block)
    std::fill_n(buffer.begin() + static_cast<std::ptrdiff_t>(block * blocklen), blocklen,
                mark(my_id(), block));
  REQUIRE(dart_put_blocking(segment.at(right), buffer.data(), nelem, DART_TYPE_BYTE, strided) ==
          DART_OK);
  barrier();
  const unsigned char* const mine = segment.mine();
  for (std::size_t block = 0; block < nblocks; ++block) {
    const unsigned char* const begin = mine + block * stride;
    REQUIRE(begin[0] == mark(left, block));
    REQUIRE(begin[blocklen - 1] == mark(left, block));
    REQUIRE(std::count(begin + blocklen, begin + stride, 0) == 64);
  }
  // Pairs of blocks with the gaps between and after them; the last ones are beyond 2^31, too.
  constexpr std::size_t instance = 2 * blocklen + 64;
  constexpr std::size_t whole = nelem / instance * instance;
  static_assert(whole > std::size_t{1} << 31);
  std::fill(buffer.begin(), buffer.end(), std::uint8_t{0});
  REQUIRE(dart_get_blocking(buffer.data(), segment.at(right), whole, indexed, DART_TYPE_BYTE) ==
          DART_OK);
  // An instance begins where the previous one ends.
  constexpr std::size_t extent = stride + blocklen + 64;
  const auto at_right = [&](std::size_t place) {
    const std::size_t block = place / stride;
    return place % stride < blocklen ? mark(my_id(), block) : static_cast<unsigned char>(0);
  };
  for (std::size_t i = 0; i < whole / instance; ++i) {
    const unsigned char* const got = buffer.data() + i * instance;
    REQUIRE(got[0] == at_right(i * extent));
    REQUIRE(got[blocklen - 1] == at_right(i * extent + blocklen - 1));
    REQUIRE(got[blocklen] == at_right(i * extent + stride));
    REQUIRE(got[instance - 1] == at_right(i * extent + extent - 1));
  }
  REQUIRE(dart_type_destroy(&strided) == DART_OK);
  REQUIRE(dart_type_destroy(&indexed) == DART_OK);
  barrier();
}

TEST_CASE("An accumulation of more than 2^31 elements arrives in full", "[Large]") {
  constexpr std::size_t nelem = (std::size_t{1} << 31) + 4097;
  if (!has_memory(2 * nelem)) DASH_SKIP("needs more memory than the machine has");
  const Bytes segment(nelem);
  const int right = (my_id() + 1) % num_units();
  const int left = (my_id() + num_units() - 1) % num_units();
  std::memset(segment.mine(), 5, nelem);
  barrier();
  // Each MiB has a separate operand.
  constexpr std::size_t part = std::size_t{1} << 20;
  const auto operand = [](int unit, std::size_t at) {
    return static_cast<unsigned char>(at / part + static_cast<std::size_t>(unit));
  };
  std::vector<unsigned char> buffer(nelem);
  for (std::size_t at = 0; at < nelem; at += part)
    std::memset(buffer.data() + at, operand(my_id(), at), std::min(part, nelem - at));
  REQUIRE(dart_accumulate(segment.at(right), buffer.data(), nelem, DART_TYPE_BYTE, DART_OP_SUM) ==
          DART_OK);
  REQUIRE(dart_flush(segment.at(right)) == DART_OK);
  barrier();
  for (std::size_t at = 0; at < nelem; at += part) {
    const std::size_t length = std::min(part, nelem - at);
    std::memset(buffer.data(), 5 + operand(left, at), length);
    REQUIRE(std::memcmp(segment.mine() + at, buffer.data(), length) == 0);
  }
  barrier();
}
