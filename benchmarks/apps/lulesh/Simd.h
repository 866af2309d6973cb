#pragma once

#include <experimental/simd>

namespace lulesh {

namespace stdx = std::experimental;

/// As many numbers as the processor computes with at a time, and one number with the same interface.
using Pack = stdx::native_simd<double>;
using Single = stdx::simd<double, stdx::simd_abi::scalar>;
/// Two packs: for chains of dependent operations, of which a processor then has two to work on.
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
/// Marked as gnu::flatten, a function that calls it has all of f inlined: packs that are passed in
/// memory cost as much as what is computed with them.
template <class Wide = Pack, class F>
void for_packs(int begin, int end, const F& f) {
  constexpr int width = static_cast<int>(Wide::size());
  int i = begin;
  for (; i + width <= end; i += width)
    f(Wide(), i);
  for (; i < end; ++i)
    f(Single(), i);
}

/// The same for what may be computed twice, because nothing is both read and written: the last pack
/// overlaps the one before it, instead of up to V::size() - 1 single numbers.
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
