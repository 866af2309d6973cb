#pragma once

#include <experimental/simd>

namespace lulesh {

namespace stdx = std::experimental;

/// The widest SIMD type of the processor, and a single number with the same interface.
using Pack = stdx::native_simd<double>;
using Single = stdx::simd<double, stdx::simd_abi::scalar>;
/// Two packs: for long dependency chains, so that the processor can overlap two of them.
using TwoPacks = stdx::fixed_size_simd<double, 2 * static_cast<int>(Pack::size())>;

template <class V>
V load(const double* from) {
  return V(from, stdx::element_aligned);
}
template <class V>
void store(const V& value, double* to) {
  value.copy_to(to, stdx::element_aligned);
}

/// condition ? a : b for each number.
template <class V>
V select(const typename V::mask_type& condition, const V& a, const V& b) {
  V result = b;
  stdx::where(condition, result) = a;
  return result;
}

/// Calls f(V(), i) for i = begin ... end - 1 in steps of V::size(): packs, then single numbers.
/// Mark the calling function with gnu::flatten so that f is inlined completely: passing packs
/// through memory takes as long as the computation.
template <class Wide = Pack, class F>
void for_packs(int begin, int end, const F& f) {
  constexpr int width = static_cast<int>(Wide::size());
  int i = begin;
  for (; i + width <= end; i += width)
    f(Wide(), i);
  for (; i < end; ++i)
    f(Single(), i);
}

/// The same for computations that may be repeated, because f does not read what it writes: the last
/// pack overlaps the previous one, which replaces up to V::size() - 1 single numbers.
template <class Wide = Pack, class F>
void for_overlapping_packs(int begin, int end, const F& f) {
  constexpr int width = static_cast<int>(Wide::size());
  int i = begin;
  for (; i + width <= end; i += width)
    f(Wide(), i);
  if (i == end) return;
  if (end - begin >= width) return f(Wide(), end - width);
  for (; i < end; ++i)
    f(Single(), i);
}

}  // namespace lulesh
