// dash-test: parallel ranks=quick units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll smoke=yes

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::test::barrier;
using dash::test::Bytes;
using dash::test::last_error_has;
using dash::test::my_id;
using dash::test::num_units;

namespace {

/// One side of a transfer: its type, and the positions of its elements as a model.
struct Side {
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  bool derived = false;
  std::vector<std::size_t> elements;  // position of each, in elements of the base type

  std::size_t span() const {
    std::size_t end = 0;
    for (const std::size_t position : elements)
      end = std::max(end, position + 1);
    return end;
  }
};

class Sides {
 public:
  Sides(unsigned seed, dart_datatype_t base) : _random(seed), _base(base) {}

  /// Makes a random side: contiguous, or with blocks of `blocklen` elements.
  Side make(std::size_t nelem, std::size_t blocklen) {
    Side side;
    switch (_random() % 3) {
      case 0:
        side.type = _base;
        side.elements.resize(nelem);
        std::iota(side.elements.begin(), side.elements.end(), std::size_t{0});
        return side;
      case 1:
        return strided(nelem, blocklen);
      default:
        return indexed(nelem, blocklen);
    }
  }

  Side strided(std::size_t nelem, std::size_t blocklen) {
    Side side;
    const std::size_t stride = blocklen + _random() % 7;
    REQUIRE(dart_type_create_strided(_base, stride, blocklen, &side.type) == DART_OK);
    side.derived = true;
    for (std::size_t i = 0; i < nelem; ++i)
      side.elements.push_back(i / blocklen * stride + i % blocklen);
    return side;
  }

  /// Blocks of random lengths, including zero, with `blocklen` elements in all; sometimes in descending
  /// order.
  Side indexed(std::size_t nelem, std::size_t blocklen) {
    Side side;
    std::vector<std::size_t> lengths;
    for (std::size_t left = blocklen; left != 0;) {
      lengths.push_back(_random() % (left + 1));
      left -= lengths.back();
    }
    std::vector<std::size_t> offsets;
    std::size_t at = _random() % 5;
    for (const std::size_t length : lengths) {
      offsets.push_back(at);
      at += length + _random() % 5;
    }
    if (_random() % 2 == 0) {
      std::reverse(lengths.begin(), lengths.end());
      std::reverse(offsets.begin(), offsets.end());
    }
    REQUIRE(dart_type_create_indexed(_base, lengths.size(), lengths.data(), offsets.data(),
                                     &side.type) == DART_OK);
    side.derived = true;
    std::size_t first = SIZE_MAX;
    std::size_t end = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      first = std::min(first, offsets[i]);
      end = std::max(end, offsets[i] + lengths[i]);
    }
    for (std::size_t instance = 0; instance < nelem / blocklen; ++instance) {
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        for (std::size_t k = 0; k < lengths[i]; ++k)
          side.elements.push_back(instance * (end - first) + offsets[i] + k);
      }
    }
    return side;
  }

  static void destroy(Side& side) {
    if (!side.derived) return;
    REQUIRE(dart_type_destroy(&side.type) == DART_OK);
    REQUIRE(side.type == DART_TYPE_UNDEFINED);
  }

 private:
  std::mt19937 _random;
  dart_datatype_t _base;
};

struct Triple {
  short a, b, c;
  bool operator==(const Triple&) const = default;
};

}  // namespace

TEMPLATE_TEST_CASE("Transfers of random layouts have the same results as on plain memory",
                   "[TypedTransfer]", unsigned char, int, double, Triple) {
  using T = TestType;
  dart_datatype_t base = DART_TYPE_UNDEFINED;
  if constexpr (std::is_same_v<T, unsigned char>) base = DART_TYPE_BYTE;
  if constexpr (std::is_same_v<T, int>) base = DART_TYPE_INT;
  if constexpr (std::is_same_v<T, double>) base = DART_TYPE_DOUBLE;
  const bool custom = base == DART_TYPE_UNDEFINED;
  if (custom) REQUIRE(dart_type_create_custom(sizeof(T), &base) == DART_OK);

  const auto n = static_cast<std::size_t>(num_units());
  const auto me = static_cast<std::size_t>(my_id());
  constexpr std::size_t stripe = 20'000;  // elements for each unit on all units
  const Bytes segment(stripe * n * sizeof(T));
  std::mt19937 random(dash::test::seed() + static_cast<unsigned>(me));
  Sides sides(static_cast<unsigned>(random()), base);
  std::vector<std::vector<T>> expected(n, std::vector<T>(stripe));
  const auto random_value = [&] {
    T value;
    unsigned char bytes[sizeof(T)];
    for (unsigned char& byte : bytes)
      byte = static_cast<unsigned char>(random() % 120);
    std::memcpy(&value, bytes, sizeof value);
    return value;
  };
  for (int round = 0; round < 60; ++round) {
    const std::size_t unit = random() % n;
    // Short and long blocks, which use different transfer paths.
    const std::size_t blocklen = random() % 4 == 0 ? 1000 + random() % 2000 : 1 + random() % 9;
    const std::size_t nelem = blocklen * (random() % (9000 / blocklen));
    Side remote = sides.make(nelem, blocklen);
    Side local = sides.make(nelem, blocklen);
    if (remote.span() > stripe || local.span() > stripe) {
      Sides::destroy(remote);
      Sides::destroy(local);
      continue;
    }
    const std::size_t offset = random() % (stripe - remote.span() + 1);
    const dart_gptr_t gptr = segment.at(static_cast<int>(unit), (me * stripe + offset) * sizeof(T));
    std::vector<T> memory(stripe);
    for (T& value : memory)
      value = random_value();
    std::vector<T>& target = expected[unit];
    dart_handle_t handle = DART_HANDLE_NULL;
    const unsigned way = random() % 3;
    if (random() % 2 == 0) {
      if (way == 0) {
        REQUIRE(dart_put_blocking(gptr, memory.data(), nelem, local.type, remote.type) == DART_OK);
      } else if (way == 1) {
        REQUIRE(dart_put(gptr, memory.data(), nelem, local.type, remote.type) == DART_OK);
      } else {
        REQUIRE(dart_put_handle(gptr, memory.data(), nelem, local.type, remote.type, &handle) ==
                DART_OK);
      }
      // Types may be destroyed while the transfer is in flight.
      Sides::destroy(remote);
      Sides::destroy(local);
      REQUIRE((way == 1 ? dart_flush(gptr) : dart_wait(&handle)) == DART_OK);
      for (std::size_t i = 0; i < nelem; ++i)
        target[offset + remote.elements[i]] = memory[local.elements[i]];
    } else {
      std::vector<T> model = memory;
      for (std::size_t i = 0; i < nelem; ++i)
        model[local.elements[i]] = target[offset + remote.elements[i]];
      if (way == 0) {
        REQUIRE(dart_get_blocking(memory.data(), gptr, nelem, remote.type, local.type) == DART_OK);
      } else if (way == 1) {
        REQUIRE(dart_get(memory.data(), gptr, nelem, remote.type, local.type) == DART_OK);
      } else {
        REQUIRE(dart_get_handle(memory.data(), gptr, nelem, remote.type, local.type, &handle) ==
                DART_OK);
      }
      Sides::destroy(remote);
      Sides::destroy(local);
      REQUIRE((way == 1 ? dart_flush_local(gptr) : dart_wait_local(&handle)) == DART_OK);
      REQUIRE(memory == model);
    }
  }
  barrier();
  for (std::size_t unit = 0; unit < n; ++unit) {
    std::vector<T> all(stripe);
    REQUIRE(dart_get_blocking(all.data(),
                              segment.at(static_cast<int>(unit), me * stripe * sizeof(T)), stripe,
                              base, base) == DART_OK);
    REQUIRE(all == expected[unit]);
  }
  if (custom) REQUIRE(dart_type_destroy(&base) == DART_OK);
}

TEST_CASE("A type that was destroyed or never created is an error", "[TypedTransfer]") {
  const Bytes segment(1000);
  std::vector<int> data(100);
  dart_datatype_t type;
  REQUIRE(dart_type_create_strided(DART_TYPE_INT, 3, 1, &type) == DART_OK);
  REQUIRE(type > DART_TYPE_LAST);
  dart_datatype_t copy = type;
  REQUIRE(dart_type_destroy(&type) == DART_OK);
  const auto put = [&](dart_datatype_t src_type, dart_datatype_t dst_type, std::size_t n = 4) {
    return dart_put_blocking(segment.at(0), data.data(), n, src_type, dst_type);
  };
  REQUIRE(put(DART_TYPE_INT, copy) == DART_ERR_INVAL);
  REQUIRE(last_error_has(std::to_string(copy)));
  REQUIRE(put(copy, DART_TYPE_INT) == DART_ERR_INVAL);
  REQUIRE(dart_type_destroy(&copy) == DART_ERR_INVAL);
  REQUIRE(put(0x7f0000001000, DART_TYPE_INT) == DART_ERR_INVAL);
  REQUIRE(put(-5, DART_TYPE_INT) == DART_ERR_INVAL);
  for (dart_datatype_t basic : {DART_TYPE_UNDEFINED, DART_TYPE_INT, DART_TYPE_LAST})
    REQUIRE(dart_type_destroy(&basic) == DART_ERR_INVAL);
  REQUIRE(dart_type_destroy(nullptr) == DART_ERR_INVAL);
}

TEST_CASE("Invalid arguments of derived types are errors", "[TypedTransfer]") {
  dart_datatype_t type = 42;
  const auto undefined = [&] { return std::exchange(type, 42) == DART_TYPE_UNDEFINED; };
  constexpr std::size_t too_much = std::size_t{INT_MAX} + 1;
  REQUIRE(dart_type_create_strided(DART_TYPE_INT, too_much, 1, &type) == DART_ERR_INVAL);
  REQUIRE(undefined());
  REQUIRE(dart_type_create_strided(DART_TYPE_INT, 1, too_much, &type) == DART_ERR_INVAL);
  REQUIRE(undefined());
  REQUIRE(dart_type_create_strided(DART_TYPE_UNDEFINED, 1, 1, &type) == DART_ERR_INVAL);
  REQUIRE(undefined());
  REQUIRE(dart_type_create_strided(DART_TYPE_INT, 1, 1, nullptr) == DART_ERR_INVAL);
  REQUIRE(dart_type_create_custom(too_much, &type) == DART_ERR_INVAL);
  REQUIRE(undefined());
  const std::size_t lengths[2] = {1, 1};
  const std::size_t offsets[2] = {0, 5};
  const std::size_t wrong[2] = {0, too_much};
  REQUIRE(dart_type_create_indexed(DART_TYPE_INT, 2, lengths, wrong, &type) == DART_ERR_INVAL);
  REQUIRE(undefined());
  REQUIRE(dart_type_create_indexed(DART_TYPE_INT, 2, wrong, offsets, &type) == DART_ERR_INVAL);
  REQUIRE(dart_type_create_indexed(DART_TYPE_INT, too_much, lengths, offsets, &type) ==
          DART_ERR_INVAL);
  REQUIRE(dart_type_create_indexed(DART_TYPE_INT, 2, nullptr, offsets, &type) == DART_ERR_INVAL);
  REQUIRE(dart_type_create_indexed(DART_TYPE_INT, 2, lengths, nullptr, &type) == DART_ERR_INVAL);
  REQUIRE(dart_type_create_indexed(DART_TYPE_INT, 2, lengths, offsets, nullptr) == DART_ERR_INVAL);

  dart_datatype_t strided;
  dart_datatype_t indexed;
  dart_datatype_t custom;
  REQUIRE(dart_type_create_strided(DART_TYPE_INT, 3, 2, &strided) == DART_OK);
  REQUIRE(dart_type_create_indexed(DART_TYPE_INT, 2, lengths, offsets, &indexed) == DART_OK);
  REQUIRE(dart_type_create_custom(4, &custom) == DART_OK);
  for (const dart_datatype_t nested : {strided, indexed}) {
    REQUIRE(dart_type_create_strided(nested, 3, 2, &type) == DART_ERR_INVAL);
    REQUIRE(undefined());
    REQUIRE(dart_type_create_indexed(nested, 2, lengths, offsets, &type) == DART_ERR_INVAL);
    REQUIRE(undefined());
  }

  const Bytes segment(32);  // eight ints
  std::vector<int> data(100, 1);
  const int neighbour = (my_id() + 1) % num_units();
  const auto put = [&](std::size_t n, dart_datatype_t src_type, dart_datatype_t dst_type) {
    return dart_put_blocking(segment.at(neighbour), data.data(), n, src_type, dst_type);
  };
  REQUIRE(put(3, DART_TYPE_INT, strided) == DART_ERR_INVAL);
  REQUIRE(last_error_has("3 elements"));
  REQUIRE(put(3, indexed, DART_TYPE_INT) == DART_ERR_INVAL);
  REQUIRE(put(4, DART_TYPE_UINT, strided) == DART_ERR_INVAL);
  REQUIRE(put(4, custom, strided) == DART_ERR_INVAL);
  REQUIRE(put(8, DART_TYPE_INT, strided) == DART_ERR_INVAL);  // reaches element 11
  REQUIRE(last_error_has("44 bytes"));
  REQUIRE(put(4, DART_TYPE_INT, indexed) == DART_ERR_INVAL);
  REQUIRE(put(SIZE_MAX / 2 + 1, DART_TYPE_INT, strided) == DART_ERR_INVAL);
  REQUIRE(put(0, DART_TYPE_INT, strided) == DART_OK);
  REQUIRE(put(0, indexed, strided) == DART_OK);
  // Other functions refuse derived types.
  REQUIRE(dart_accumulate(segment.at(0), data.data(), 2, strided, DART_OP_SUM) == DART_ERR_INVAL);
  REQUIRE(dart_accumulate(segment.at(0), data.data(), 2, custom, DART_OP_SUM) == DART_ERR_INVAL);
  barrier();
  REQUIRE(std::accumulate(segment.mine(), segment.mine() + 32, 0) == 0);
  for (dart_datatype_t* made : {&strided, &indexed, &custom})
    REQUIRE(dart_type_destroy(made) == DART_OK);
}

TEST_CASE("A transfer to the unit itself may overlap its source", "[TypedTransfer]") {
  constexpr std::size_t nelem = 1000;
  const Bytes memory(4 * nelem * sizeof(int));
  auto* const own = reinterpret_cast<int*>(memory.mine());
  dart_datatype_t strided = DART_TYPE_UNDEFINED;
  REQUIRE(dart_type_create_strided(DART_TYPE_INT, 2, 1, &strided) == DART_OK);
  const std::size_t offset = GENERATE(as<std::size_t>{}, 0, 1, 2, 7, 500);
  const auto refill = [&] { std::iota(own, own + 4 * nelem, 0); };
  const dart_gptr_t target = memory.at(my_id(), offset * sizeof(int));
  // Spreads elements in place, and shifts them.
  refill();
  REQUIRE(dart_put_blocking(target, own, nelem, DART_TYPE_INT, strided) == DART_OK);
  for (std::size_t i = 0; i < nelem; ++i)
    REQUIRE(own[offset + 2 * i] == static_cast<int>(i));
  refill();
  REQUIRE(dart_put_blocking(target, own, nelem, strided, strided) == DART_OK);
  for (std::size_t i = 0; i < nelem; ++i)
    REQUIRE(own[offset + 2 * i] == static_cast<int>(2 * i));
  refill();
  REQUIRE(dart_get_blocking(own, target, nelem, strided, DART_TYPE_INT) == DART_OK);
  for (std::size_t i = 0; i < nelem; ++i)
    REQUIRE(own[i] == static_cast<int>(offset + 2 * i));
  REQUIRE(dart_type_destroy(&strided) == DART_OK);
}

TEST_CASE("A get is locally complete only after its data has been unpacked", "[TypedTransfer]") {
  constexpr std::size_t nelem = std::size_t{1} << 20;
  const Bytes segment(nelem * sizeof(int));
  auto* const own = reinterpret_cast<int*>(segment.mine());
  std::iota(own, own + nelem, 1);
  barrier();
  dart_datatype_t strided = DART_TYPE_UNDEFINED;
  REQUIRE(dart_type_create_strided(DART_TYPE_INT, 2, 1, &strided) == DART_OK);
  std::vector<int> memory(2 * nelem);
  // Some of these may hit the moment at which the progress thread is about to unpack.
  for (const int milliseconds : {0, 1, 2, 3, 4, 6, 8, 12}) {
    std::fill(memory.begin(), memory.end(), 0);
    dart_handle_t handle = DART_HANDLE_NULL;
    REQUIRE(dart_get_handle(memory.data(), segment.at((my_id() + 1) % num_units()), nelem,
                            DART_TYPE_INT, strided, &handle) == DART_OK);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    REQUIRE(dart_wait_local(&handle) == DART_OK);
    const int last = memory[2 * (nelem - 1)];
    REQUIRE(last == static_cast<int>(nelem));
  }
  REQUIRE(dart_type_destroy(&strided) == DART_OK);
}
