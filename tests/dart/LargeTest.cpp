// dash-test: parallel units=1 full-units=2 layouts=nolocal modes=auto timeout=120

// More than 2^31 elements in one transfer, of which MPI cannot count so many.

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "Fixture.h"

using namespace dash::test;

TEST_CASE("A transfer of more than 2^31 elements arrives in full", "[Large]") {
  constexpr std::size_t nbytes = (std::size_t{1} << 31) + 4097;
  const Bytes segment(nbytes);
  const int right = (my_id() + 1) % num_units();
  // Where pieces may have been joined, and all over.
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
