#include "base/Atomics.h"

#include <array>
#include <cfloat>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/Types.h"

namespace dash::dart {

namespace {

// Types for atomic access to memory of any type.
__extension__ typedef unsigned __int128 Unsigned128;
using Bits8 [[gnu::may_alias]] = std::uint8_t;
using Bits16 [[gnu::may_alias]] = std::uint16_t;
using Bits32 [[gnu::may_alias]] = std::uint32_t;
using Bits64 [[gnu::may_alias]] = std::uint64_t;
using Bits128 [[gnu::may_alias]] = Unsigned128;

template <std::size_t size>
auto bits_of_size() {
  if constexpr (size == 1) {
    return Bits8{};
  } else if constexpr (size == 2) {
    return Bits16{};
  } else if constexpr (size == 4) {
    return Bits32{};
  } else if constexpr (size == 8) {
    return Bits64{};
  } else {
    return Bits128{};
  }
}

/// Bytes without padding: a long double of x86 has ten, and six bytes of padding.
template <class T>
constexpr std::size_t value_bytes = std::is_same_v<T, long double>&& LDBL_MANT_DIG == 64
                                        ? 10
                                        : sizeof(T);

template <class Bits>
Bits load(const void* target) noexcept {
  return __atomic_load_n(static_cast<const Bits*>(target), __ATOMIC_SEQ_CST);
}
template <class Bits>
bool replace_if(void* target, Bits& expected, Bits desired) noexcept {
  return __atomic_compare_exchange_n(static_cast<Bits*>(target), &expected, desired, false,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// Inline assembly, because the compiler would call libatomic, and ThreadSanitizer would take a
// lock; both are atomic within one process only.
#if defined(__x86_64__)
// Every x86-64 processor since 2006 has the instruction.
bool replace_if(void* target, Unsigned128& expected, Unsigned128 desired) noexcept {
  auto low = static_cast<std::uint64_t>(expected);
  auto high = static_cast<std::uint64_t>(expected >> 64);
  bool replaced = false;
  asm volatile("lock cmpxchg16b %1"
               : "=@ccz"(replaced), "+m"(*static_cast<Bits128*>(target)), "+a"(low), "+d"(high)
               : "b"(static_cast<std::uint64_t>(desired)),
                 "c"(static_cast<std::uint64_t>(desired >> 64))
               : "memory");
  expected = static_cast<Unsigned128>(high) << 64 | low;
  return replaced;
}
#elif defined(__aarch64__)
// Instructions of Armv8.0, so that no processor needs a test at run time. A load of a pair is atomic
// only if the store after it succeeds, so that the old value is stored if the values differ.
bool replace_if(void* target, Unsigned128& expected, Unsigned128 desired) noexcept {
  const auto expected_low = static_cast<std::uint64_t>(expected);
  const auto expected_high = static_cast<std::uint64_t>(expected >> 64);
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::uint64_t new_low = 0;
  std::uint64_t new_high = 0;
  std::uint32_t failed = 0;
  asm volatile(
      "0: ldaxp %[low], %[high], %[target]\n"
      "   cmp %[low], %[expected_low]\n"
      "   ccmp %[high], %[expected_high], #0, eq\n"
      "   csel %[new_low], %[desired_low], %[low], eq\n"
      "   csel %[new_high], %[desired_high], %[high], eq\n"
      "   stlxp %w[failed], %[new_low], %[new_high], %[target]\n"
      "   cbnz %w[failed], 0b"
      : [low] "=&r"(low), [high] "=&r"(high), [new_low] "=&r"(new_low), [new_high] "=&r"(new_high),
        [failed] "=&r"(failed), [target] "+Q"(*static_cast<Bits128*>(target))
      : [expected_low] "r"(expected_low), [expected_high] "r"(expected_high),
        [desired_low] "r"(static_cast<std::uint64_t>(desired)),
        [desired_high] "r"(static_cast<std::uint64_t>(desired >> 64))
      : "cc", "memory");
  expected = static_cast<Unsigned128>(high) << 64 | low;
  return low == expected_low && high == expected_high;
}
#endif
#if defined(__x86_64__) || defined(__aarch64__)
template <>
Unsigned128 load<Unsigned128>(const void* target) noexcept {
  Unsigned128 seen = 0;
  replace_if(const_cast<void*>(target), seen, seen);
  return seen;
}
#endif

template <class T>
T read(const void* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class T, class Bits>
T to_value(const Bits& bits) noexcept {
  return read<T>(&bits);
}
template <class Bits, class T>
Bits to_bits(const T& value) noexcept {
  Bits bits = 0;
  std::memcpy(&bits, &value, value_bytes<T>);
  return bits;
}

/// Wide enough that arithmetic neither promotes to int nor overflows.
template <class T>
auto modular(T value) noexcept {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<std::common_type_t<unsigned, std::make_unsigned_t<T>>>(value);
  } else {
    return value;
  }
}

template <dart_operation_t op, class T>
constexpr bool is_defined = op != DART_OP_MINMAX &&
                            (std::is_integral_v<T> ||
                             (op != DART_OP_BAND && op != DART_OP_BOR && op != DART_OP_BXOR));

template <dart_operation_t op, class T>
T combine(T old, T operand) noexcept {
  if constexpr (op == DART_OP_MIN) {
    return operand < old ? operand : old;
  } else if constexpr (op == DART_OP_MAX) {
    return old < operand ? operand : old;
  } else if constexpr (op == DART_OP_SUM) {
    return static_cast<T>(modular(old) + modular(operand));
  } else if constexpr (op == DART_OP_PROD) {
    return static_cast<T>(modular(old) * modular(operand));
  } else if constexpr (op == DART_OP_BAND) {
    return static_cast<T>(old & operand);
  } else if constexpr (op == DART_OP_BOR) {
    return static_cast<T>(old | operand);
  } else if constexpr (op == DART_OP_BXOR) {
    return static_cast<T>(old ^ operand);
  } else if constexpr (op == DART_OP_LAND) {
    return static_cast<T>(old != T{} && operand != T{});
  } else if constexpr (op == DART_OP_LOR) {
    return static_cast<T>(old != T{} || operand != T{});
  } else if constexpr (op == DART_OP_LXOR) {
    return static_cast<T>((old != T{}) != (operand != T{}));
  } else {
    static_assert(op == DART_OP_REPLACE);
    return operand;
  }
}

/// Applies the operation once. \returns the old bits
template <dart_operation_t op, class T>
auto apply(void* target, const void* operand) noexcept {
  using Bits = decltype(bits_of_size<sizeof(T)>());
  if constexpr (op == DART_OP_NO_OP) {
    return load<Bits>(target);
  } else if constexpr (op == DART_OP_REPLACE && sizeof(T) <= 8) {
    return __atomic_exchange_n(static_cast<Bits*>(target), read<Bits>(operand), __ATOMIC_SEQ_CST);
  } else if constexpr (op == DART_OP_SUM && std::is_integral_v<T>) {
    return __atomic_fetch_add(static_cast<Bits*>(target), read<Bits>(operand), __ATOMIC_SEQ_CST);
  } else if constexpr (op == DART_OP_BAND) {
    return __atomic_fetch_and(static_cast<Bits*>(target), read<Bits>(operand), __ATOMIC_SEQ_CST);
  } else if constexpr (op == DART_OP_BOR) {
    return __atomic_fetch_or(static_cast<Bits*>(target), read<Bits>(operand), __ATOMIC_SEQ_CST);
  } else if constexpr (op == DART_OP_BXOR) {
    return __atomic_fetch_xor(static_cast<Bits*>(target), read<Bits>(operand), __ATOMIC_SEQ_CST);
  } else {
    const T by = read<T>(operand);
    // The expected bits are those that were read, including the padding, so that padding never
    // makes the comparison fail.
    Bits seen = load<Bits>(target);
    while (!replace_if(target, seen, to_bits<Bits>(combine<op>(to_value<T>(seen), by)))) {
    }
    return seen;
  }
}

template <dart_operation_t op, class T>
void fetch_and_op(void* target, const void* operand, void* old) noexcept {
  const auto bits = apply<op, T>(target, operand);
  std::memcpy(old, &bits, sizeof(T));
}

#ifdef __x86_64__
/// Number of elements that one instruction replaces, which is faster than one element at a time
/// (docs/decisions/005-atomics.md).
template <class T>
constexpr std::size_t group_size = sizeof(Bits128) / sizeof(T);

/// The halves of 16 bytes in one vector register. The compiler keeps a 128-bit integer in two
/// registers; moving them to a vector register through memory takes four times as long as the
/// replacement.
using Halves [[gnu::vector_size(16)]] = std::uint64_t;

/// \pre `target` is aligned to 16 bytes
template <dart_operation_t op, class T>
void apply_to_group(void* target, const void* operands) noexcept {
  using Group = std::array<T, group_size<T>>;
  const auto by = read<Group>(operands);
  // The halves are read separately, and relaxed. If the target changes in between, the replacement
  // fails and returns the value; it orders the operation.
  const auto* const halves = static_cast<const Bits64*>(target);
  Unsigned128 seen = __atomic_load_n(halves + 1, __ATOMIC_RELAXED);
  seen = seen << 64 | __atomic_load_n(halves, __ATOMIC_RELAXED);
  Halves desired;
  do {
    const Halves old{static_cast<std::uint64_t>(seen), static_cast<std::uint64_t>(seen >> 64)};
    auto values = read<Group>(&old);
    for (std::size_t i = 0; i < group_size<T>; ++i)
      values[i] = combine<op>(values[i], by[i]);
    desired = read<Halves>(&values);
  } while (!replace_if(target, seen, Unsigned128{desired[1]} << 64 | desired[0]));
}
#else
template <class T>
constexpr std::size_t group_size = 1;
#endif

template <dart_operation_t op, class T>
void accumulate(void* target, const void* operands, std::size_t nelem) noexcept {
  auto* to = static_cast<char*>(target);
  const auto* from = static_cast<const char*>(operands);
  const auto apply_to = [&](std::size_t elements) {
    for (const char* const end = to + elements * sizeof(T); to != end; from += sizeof(T)) {
      apply<op, T>(to, from);
      to += sizeof(T);
    }
  };
  if constexpr (group_size < T >> 1) {
    constexpr std::size_t group_bytes = group_size<T> * sizeof(T);
    if (nelem >= 2 * group_size<T>) {
      const std::size_t before = -reinterpret_cast<std::uintptr_t>(to) % group_bytes / sizeof(T);
      apply_to(before);
      nelem -= before;
      for (; nelem >= group_size<T>; nelem -= group_size<T>) {
        apply_to_group<op, T>(to, from);
        to += group_bytes;
        from += group_bytes;
      }
    }
  }
  apply_to(nelem);
}

/// For DART_OP_NO_OP, whose operands may be null.
void accumulate_nothing(void* /*target*/, const void* /*operands*/,
                        std::size_t /*nelem*/) noexcept {}

template <class T>
void compare_and_swap(void* target, const void* value, const void* compare, void* old) noexcept {
  using Bits = decltype(bits_of_size<sizeof(T)>());
  const Bits desired = to_bits<Bits>(read<T>(value));
  Bits seen = to_bits<Bits>(read<T>(compare));
  // Repeated only if nothing but the padding differs.
  while (!replace_if(target, seen, desired) && std::memcmp(&seen, compare, value_bytes<T>) == 0) {
  }
  std::memcpy(old, &seen, sizeof(T));
}

struct Functions {
  FetchAndOp fetch_and_op = nullptr;
  Accumulate accumulate = nullptr;
};

template <dart_operation_t op, class T>
constexpr Functions functions_of() {
  if constexpr (op == DART_OP_NO_OP) {
    return {fetch_and_op<op, T>, accumulate_nothing};
  } else if constexpr (is_defined<op, T>) {
    return {fetch_and_op<op, T>, accumulate<op, T>};
  } else {
    return {};
  }
}

template <dart_operation_t op>
constexpr std::array<Functions, DART_TYPE_LAST> row() {
  return {Functions{},
          functions_of<op, unsigned char>(),
          functions_of<op, short>(),
          functions_of<op, int>(),
          functions_of<op, unsigned>(),
          functions_of<op, long>(),
          functions_of<op, unsigned long>(),
          functions_of<op, long long>(),
          functions_of<op, unsigned long long>(),
          functions_of<op, float>(),
          functions_of<op, double>(),
          functions_of<op, long double>()};
}

constexpr std::array<std::array<Functions, DART_TYPE_LAST>, DART_OP_LAST> functions{
    std::array<Functions, DART_TYPE_LAST>{},
    row<DART_OP_MIN>(),
    row<DART_OP_MAX>(),
    row<DART_OP_MINMAX>(),
    row<DART_OP_SUM>(),
    row<DART_OP_PROD>(),
    row<DART_OP_BAND>(),
    row<DART_OP_LAND>(),
    row<DART_OP_BOR>(),
    row<DART_OP_LOR>(),
    row<DART_OP_BXOR>(),
    row<DART_OP_LXOR>(),
    row<DART_OP_REPLACE>(),
    row<DART_OP_NO_OP>()};

constexpr std::array<CompareAndSwap, DART_TYPE_LAST> compare_and_swaps{
    nullptr,
    compare_and_swap<unsigned char>,
    compare_and_swap<short>,
    compare_and_swap<int>,
    compare_and_swap<unsigned>,
    compare_and_swap<long>,
    compare_and_swap<unsigned long>,
    compare_and_swap<long long>,
    compare_and_swap<unsigned long long>,
    compare_and_swap<float>,
    compare_and_swap<double>,
    compare_and_swap<long double>};

const Functions* find(dart_operation_t op, dart_datatype_t type) noexcept {
  if (op >= DART_OP_LAST || !is_basic_type(type)) return nullptr;
  return &functions[op][static_cast<std::size_t>(type)];
}

}  // namespace

FetchAndOp find_fetch_and_op(dart_operation_t op, dart_datatype_t type) noexcept {
  const Functions* const found = find(op, type);
  return found == nullptr ? nullptr : found->fetch_and_op;
}

Accumulate find_accumulate(dart_operation_t op, dart_datatype_t type) noexcept {
  const Functions* const found = find(op, type);
  return found == nullptr ? nullptr : found->accumulate;
}

CompareAndSwap find_compare_and_swap(dart_datatype_t type) noexcept {
  return is_basic_type(type) ? compare_and_swaps[static_cast<std::size_t>(type)] : nullptr;
}

}  // namespace dash::dart
