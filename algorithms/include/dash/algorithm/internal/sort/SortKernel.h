#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "dash/algorithm/internal/call/Tasks.h"

namespace dash::internal {

/// Two sorted sequences and the output of their merge. One of the sequences may be at the end of
/// the output.
struct Merge {
  const void* a;
  std::size_t a_size;
  const void* b;
  std::size_t b_size;
  void* out;
};

/// The operations of a sort that depend on the element type and the order. The rest of the sort
/// moves bytes, so it is compiled into the library.
class SortKernel {
 public:
  SortKernel(std::size_t element_size, std::size_t alignment)
      : _element_size(element_size), _alignment(alignment) {}
  SortKernel(const SortKernel&) = delete;
  SortKernel& operator=(const SortKernel&) = delete;

  /// In bytes.
  std::size_t element_size() const noexcept { return _element_size; }
  std::size_t alignment() const noexcept { return _alignment; }

  /// \throws exception::InvalidArgument if an element is unordered
  virtual void check(const void* elements, std::size_t size) = 0;
  /// Whether an element comes before another one.
  virtual bool before(const void* a, const void* b) = 0;
  /// \threads thread-safe for disjoint elements
  virtual void sort(void* elements, std::size_t size) const = 0;
  /// Writes the elements begin ... end - 1 of a merge. Equal elements of the first sequence precede
  /// those of the second.
  /// \threads thread-safe for disjoint parts of the output
  virtual void merge(const Merge& both, std::size_t begin, std::size_t end) const = 0;

 protected:
  ~SortKernel() = default;

 private:
  std::size_t _element_size;
  std::size_t _alignment;
};

/// Merges [a, a_end) and [b, b_end). Equal elements of a precede those of b.
///
/// One of the sequences may be at the end of the output; its remaining elements are then already in
/// place. The selection of the next element is free of branches, because a branch would be
/// unpredictable and a misprediction costs more than the rest of the loop.
template <class T, class Compare>
void merge_forward(const T* a, const T* a_end, const T* b, const T* b_end, T* out,
                   Compare& before) {
  while (a != a_end && b != b_end) {
    const bool take_b = before(*b, *a);
    const T* const next = take_b ? b : a;
    *out++ = *next;
    a += take_b ? 0 : 1;
    b += take_b ? 1 : 0;
  }
  if (a != out) out = std::copy(a, a_end, out);
  if (b != out) std::copy(b, b_end, out);
}

/// Number of elements of the first sequence among the first `rank` elements of the merge of two
/// sorted sequences.
/// \see Odeh, Green, Mwassi, Shmueli, Birk, Merge Path: Parallel Merging Made Simple, 2012
template <class T, class Compare>
std::size_t merge_split(const T* a, std::size_t a_size, const T* b, std::size_t b_size,
                        std::size_t rank, Compare& before) {
  std::size_t low = rank > b_size ? rank - b_size : 0;
  std::size_t high = std::min(rank, a_size);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (before(b[rank - 1 - middle], a[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Like std::stable_sort, for over-aligned elements: the internal buffer of std::stable_sort may
/// not be aligned for them (libstdc++ 12), so pointers are sorted instead.
template <class T, class Compare>
void stable_sort_aligned(T* elements, std::size_t size, Compare& before) {
  std::vector<const T*> order(size);
  std::iota(order.begin(), order.end(), elements);
  std::stable_sort(order.begin(), order.end(),
                   [&before](const T* a, const T* b) { return before(*a, *b); });
  const Scratch<T> sorted(size);
  std::transform(order.begin(), order.end(), sorted.data(), [](const T* at) { return *at; });
  std::copy_n(sorted.data(), size, elements);
}

/// \tparam Compare  has check(), see ElementOrder.h; each call uses a copy, since it may have state
/// \tparam stable   whether equal elements keep their order
template <class T, class Compare, bool stable>
class SortKernelOf final : public SortKernel {
 public:
  explicit SortKernelOf(Compare order)
      : SortKernel(sizeof(T), alignof(T)), _order(std::move(order)) {}

  void check(const void* elements, std::size_t size) override {
    _order.check(static_cast<const T*>(elements), size);
  }

  bool before(const void* a, const void* b) override {
    return _order(*static_cast<const T*>(a), *static_cast<const T*>(b));
  }

  void sort(void* elements, std::size_t size) const override {
    Compare order = _order;
    T* const first = static_cast<T*>(elements);
    if constexpr (stable && alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      stable_sort_aligned(first, size, order);
    } else if constexpr (stable) {
      std::stable_sort(first, first + size, std::ref(order));
    } else {
      std::sort(first, first + size, std::ref(order));
    }
  }

  void merge(const Merge& both, std::size_t begin, std::size_t end) const override {
    Compare order = _order;
    const T* const a = static_cast<const T*>(both.a);
    const T* const b = static_cast<const T*>(both.b);
    const std::size_t first = merge_split(a, both.a_size, b, both.b_size, begin, order);
    const std::size_t last = merge_split(a, both.a_size, b, both.b_size, end, order);
    merge_forward(a + first, a + last, b + (begin - first), b + (end - last),
                  static_cast<T*>(both.out) + begin, order);
  }

 private:
  Compare _order;
};

}  // namespace dash::internal
