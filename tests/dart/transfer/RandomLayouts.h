#pragma once

/// \file
/// Random layouts of elements for tests that compare transfers with copies of plain memory.

#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

#include "dash/dart/if/dart.h"
#include "support/Catch.h"

namespace dash::test {

struct Type {
  dart_datatype_t id;
  std::size_t size;
};
inline const std::vector<Type> types{{DART_TYPE_BYTE, 1},   {DART_TYPE_SHORT, 2},
                                     {DART_TYPE_INT, 4},    {DART_TYPE_LONG, 8},
                                     {DART_TYPE_DOUBLE, 8}, {DART_TYPE_LONG_DOUBLE, 16}};

/// Pseudo-random numbers: the same sequence on all units that use the same seed.
class RandomSource {
 public:
  explicit RandomSource(unsigned seed) : _engine(seed) {}
  /// A random number in [0, below).
  std::size_t operator()(std::size_t below) { return _engine() % below; }
  std::size_t divisor_of(std::size_t n) {
    std::size_t d = 1 + (*this)(n);
    while (n % d != 0)
      --d;
    return d;
  }
  std::vector<unsigned char> bytes(std::size_t n) {
    std::vector<unsigned char> result(n);
    for (unsigned char& byte : result)
      byte = static_cast<unsigned char>(_engine());
    return result;
  }

 private:
  std::mt19937 _engine;
};

/// Arrangement of elements in memory: contiguous, strided or indexed.
struct Layout {
  std::vector<std::size_t> positions;  // position of each element, in elements
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  bool derived = false;

  std::size_t span() const { return positions.empty() ? 0 : positions.back() + 1; }
};

inline Layout random_layout(RandomSource& random, std::size_t nelem, const Type& base) {
  Layout layout;
  layout.type = base.id;
  const std::size_t kind = random(3);
  layout.derived = kind != 0;
  if (kind == 0) {
    for (std::size_t i = 0; i < nelem; ++i)
      layout.positions.push_back(i);
  } else if (kind == 1) {
    const std::size_t blocklen = random.divisor_of(nelem);
    const std::size_t stride = blocklen + random(4);
    for (std::size_t i = 0; i < nelem; ++i)
      layout.positions.push_back(i / blocklen * stride + i % blocklen);
    REQUIRE(dart_type_create_strided(base.id, stride, blocklen, &layout.type) == DART_OK);
  } else {
    std::vector<std::size_t> lengths;
    std::vector<std::size_t> offsets;
    std::size_t next = random(3);
    for (std::size_t left = nelem; left != 0;) {
      lengths.push_back(1 + random(left));
      offsets.push_back(next);
      for (std::size_t i = 0; i < lengths.back(); ++i)
        layout.positions.push_back(next + i);
      left -= lengths.back();
      next += lengths.back() + random(5);
    }
    REQUIRE(dart_type_create_indexed(base.id, lengths.size(), lengths.data(), offsets.data(),
                                     &layout.type) == DART_OK);
  }
  return layout;
}

/// Copies elements from one layout to another, as a transfer should.
inline void copy(unsigned char* to, const Layout& to_layout, const unsigned char* from,
                 const Layout& from_layout, std::size_t size) {
  for (std::size_t i = 0; i < to_layout.positions.size(); ++i)
    std::memcpy(to + to_layout.positions[i] * size, from + from_layout.positions[i] * size, size);
}

}  // namespace dash::test
