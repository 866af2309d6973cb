#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <type_traits>

#include "dash/algorithm/Operation.h"

/// \file
/// Reductions of contiguous elements, in vector registers if the type and the operation are known.
/// The order of operations depends only on the number of elements. LaneFold::all_and is an
/// exception: its order depends on the length of the vectors too, which does not change a minimum
/// or maximum.

namespace dash::internal {

template <class Op, class... Known>
inline constexpr bool is_one_of = (std::is_same_v<Op, Known> || ...);

/// Whether vector registers support elements of a type.
template <class T>
inline constexpr bool has_lanes = (std::is_integral_v<T> && !std::is_same_v<T, bool>) ||
                                  std::is_same_v<T, float> || std::is_same_v<T, double>;

/// An operation on lanes, a = a <op> b, for vectors and for single lanes.
/// \tparam Op  the function object; `known` is whether its operation is one of those below
template <class Op, class T>
struct LaneOperation {
  static constexpr bool is_sum = is_one_of<Op, plus<T>, std::plus<T>, std::plus<>>;
  static constexpr bool is_product =
      is_one_of<Op, multiply<T>, std::multiplies<T>, std::multiplies<>>;
  static constexpr bool is_min = is_one_of<Op, min<T>>;
  static constexpr bool is_max = is_one_of<Op, max<T>>;
  static constexpr bool is_and = is_one_of<Op, bit_and<T>, std::bit_and<T>, std::bit_and<>>;
  static constexpr bool is_or = is_one_of<Op, bit_or<T>, std::bit_or<T>, std::bit_or<>>;
  static constexpr bool is_xor = is_one_of<Op, bit_xor<T>, std::bit_xor<T>, std::bit_xor<>>;
  static constexpr bool known =
      has_lanes<T> && (is_sum || is_product || is_min || is_max ||
                       (std::is_integral_v<T> && (is_and || is_or || is_xor)));

  template <class Lanes>
  [[gnu::always_inline]] static void apply(Lanes& a, const Lanes& b) {
    if constexpr (is_sum) {
      a += b;
    } else if constexpr (is_product) {
      a *= b;
    } else if constexpr (is_min) {
      a = b < a ? b : a;
    } else if constexpr (is_max) {
      a = a < b ? b : a;
    } else if constexpr (is_and) {
      a &= b;
    } else if constexpr (is_or) {
      a |= b;
    } else {
      a ^= b;
    }
  }
};

/// The type of a lane. Sums and products of integers use unsigned lanes, because a different order
/// of operations may overflow.
template <class T, bool wraps>
struct LaneOf {
  using type = T;
};
template <class T, bool wraps>
requires std::is_integral_v<T>
struct LaneOf<T, wraps> {
  using type = std::conditional_t<wraps || std::is_unsigned_v<T>, std::make_unsigned_t<T>,
                                  std::make_signed_t<T>>;
};

/// Size in bytes of the vectors that the compiler may use. Not 64: on the processors measured, such
/// vectors are not faster in caches, and min_element takes 1.18 times as long with elements in
/// memory.
#if defined(__AVX__)
inline constexpr std::size_t vector_bytes = 32;
#else
inline constexpr std::size_t vector_bytes = 16;
#endif

/// 128 bytes of lanes: enough independent operations to hide the latency on any processor, and few
/// enough to stay in registers with the smallest vectors. Results do not depend on the length of
/// the vectors.
template <class Lane>
struct Lanes {
  using Vector [[gnu::vector_size(vector_bytes)]] = Lane;
  static constexpr std::size_t nbytes = 128;
  static constexpr std::size_t size = nbytes / sizeof(Lane);

  Vector vectors[nbytes / vector_bytes];

  [[gnu::always_inline]] void load(const void* from) { std::memcpy(vectors, from, nbytes); }
  [[gnu::always_inline]] void set(Lane value) {
    for (Vector& vector : vectors)
      vector = Vector{} + value;
  }
  template <class Operation>
  [[gnu::always_inline]] void apply(const void* from) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < nbytes / vector_bytes; ++i) {
      Vector other;
      std::memcpy(&other, static_cast<const char*>(from) + i * vector_bytes, vector_bytes);
      Operation::apply(vectors[i], other);
    }
  }
  /// Reduces all vectors into the first one. The order of operations depends on the length of the
  /// vectors.
  template <class Operation>
  [[gnu::always_inline]] void fold_vectors() {
#pragma GCC unroll 4
    for (std::size_t half = nbytes / vector_bytes / 2; half != 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i)
        Operation::apply(vectors[i], vectors[half + i]);
    }
  }
  /// Whether any of count * size elements equals its lane.
  template <std::size_t count>
  [[gnu::always_inline]] bool any_equal(const void* from) const {
    decltype(vectors[0] == vectors[0]) found{};
#pragma GCC unroll 32
    for (std::size_t i = 0; i < count * (nbytes / vector_bytes); ++i) {
      Vector other;
      std::memcpy(&other, static_cast<const char*>(from) + i * vector_bytes, vector_bytes);
      found |= vectors[i % (nbytes / vector_bytes)] == other;
    }
    unsigned long words[vector_bytes / sizeof(unsigned long)];
    std::memcpy(words, &found, sizeof found);
    unsigned long any = 0;
    for (const unsigned long word : words)
      any |= word;
    return any != 0;
  }
  Lane operator[](std::size_t i) const {
    constexpr std::size_t width = vector_bytes / sizeof(Lane);
    return vectors[i / width][i % width];
  }
};

/// Reduces elements by a known operation on lanes.
template <class Op, class T>
class LaneFold {
  using Operation = LaneOperation<Op, T>;
  static_assert(Operation::known);

 public:
  using Lane = typename LaneOf<T, Operation::is_sum || Operation::is_product>::type;
  static constexpr std::size_t step = Lanes<Lane>::size;

  /// Reduces n elements. \pre n > 0
  static T all(const T* begin, std::size_t n) {
    auto result = static_cast<Lane>(*begin);
    std::size_t done = 1;
    if (n >= step) {
      Lanes<Lane> lanes;
      lanes.load(begin);
      done = fold(lanes, begin, step, n);
      result = lanes[0];
      for (std::size_t i = 1; i < step; ++i)
        add(result, lanes[i]);
    }
    return rest(result, begin, done, n);
  }

  /// Reduces n elements and a value, which is used more than once: only for idempotent operations,
  /// dash::min and dash::max.
  static T all_and(const T& value, const T* begin, std::size_t n) {
    auto result = static_cast<Lane>(value);
    std::size_t done = 0;
    if (n >= step) {
      Lanes<Lane> lanes;
      lanes.set(result);
      done = fold(lanes, begin, 0, n);
      lanes.template fold_vectors<Operation>();
      for (std::size_t i = 0; i < vector_bytes / sizeof(Lane); ++i)
        add(result, lanes[i]);
    }
    return rest(result, begin, done, n);
  }

 private:
  /// \returns the number of elements that have been reduced
  [[gnu::always_inline]] static std::size_t fold(Lanes<Lane>& lanes, const T* begin,
                                                 std::size_t done, std::size_t n) {
    // A copy whose address is not taken, so that it stays in registers.
    Lanes<Lane> sum = lanes;
    for (; n - done >= step; done += step)
      sum.template apply<Operation>(begin + done);
    lanes = sum;
    return done;
  }
  static T rest(Lane result, const T* begin, std::size_t done, std::size_t n) {
    for (; done < n; ++done)
      add(result, static_cast<Lane>(begin[done]));
    return static_cast<T>(result);
  }
  static void add(Lane& result, Lane lane) {
    if constexpr (std::is_integral_v<Lane> && sizeof(Lane) < sizeof(int)) {
      // Integral promotion would multiply ints, which might overflow.
      auto wide = static_cast<std::conditional_t<std::is_signed_v<Lane>, int, unsigned>>(result);
      Operation::apply(wide, static_cast<decltype(wide)>(lane));
      result = static_cast<Lane>(wide);
    } else {
      Operation::apply(result, lane);
    }
  }
};

/// The first element that equals a value, or end.
template <class T>
const T* find_equal(const T* begin, const T* end, const T& value) {
  if constexpr (has_lanes<T>) {
    using Lane = typename LaneOf<T, false>::type;
    constexpr std::size_t unrolled = 4;
    constexpr auto step = static_cast<std::ptrdiff_t>(unrolled * Lanes<Lane>::size);
    Lanes<Lane> lanes;
    lanes.set(static_cast<Lane>(value));
    while (end - begin >= step && !lanes.template any_equal<unrolled>(begin))
      begin += step;
  }
  return std::find(begin, end, value);
}

/// Reduces elements by any operation, in order.
/// \pre n > 0
template <class T, class Element, class Op>
T reduce_in_order(const Element* begin, std::size_t n, Op& op) {
  std::size_t done = 1;
  if constexpr (std::is_arithmetic_v<T>) {
    T result = *begin;
    // Four at a time: only a quarter of the operations are in the chain of dependent operations.
    for (; n - done >= 4; done += 4) {
      const T low = op(begin[done], begin[done + 1]);
      const T high = op(begin[done + 2], begin[done + 3]);
      result = op(result, op(low, high));
    }
    for (; done < n; ++done)
      result = op(result, begin[done]);
    return result;
  } else {
    std::optional<T> result(*begin);
    for (; done < n; ++done)
      result.emplace(op(*result, begin[done]));
    return *std::move(result);
  }
}

/// \pre n > 0
template <class T, class Element, class Op>
T reduce_block(const Element* begin, std::size_t n, Op& op) {
  if constexpr (std::is_same_v<T, std::remove_const_t<Element>> && LaneOperation<Op, T>::known) {
    return LaneFold<Op, T>::all(begin, n);
  } else {
    return reduce_in_order<T>(begin, n, op);
  }
}

/// Minimum number of elements of a chunk for an operation. With a cheap operation a smaller chunk
/// takes less than half a microsecond, which does not amortize its overhead.
template <class Op, class T>
inline constexpr std::size_t min_chunk_length = LaneOperation<Op, T>::known
                                                    ? std::max<std::size_t>(32'768 / sizeof(T), 1)
                                                    : 1;

/// The lane operation that computes the extreme element of a comparison; void if there is none.
template <class Compare, class T>
using ExtremeOperation = std::conditional_t<
    !has_lanes<T>, void,
    std::conditional_t<
        is_one_of<Compare, std::less<T>, std::less<>>, min<T>,
        std::conditional_t<is_one_of<Compare, std::greater<T>, std::greater<>>, max<T>, void>>>;

/// Whether a function of two elements might throw: not if it is noexcept or a known operation.
template <class Function, class T>
inline constexpr bool may_throw =
    !std::is_nothrow_invocable_v<Function&, const T&, const T&> &&
    !LaneOperation<Function, T>::known && std::is_void_v<ExtremeOperation<Function, T>>;

}  // namespace dash::internal
