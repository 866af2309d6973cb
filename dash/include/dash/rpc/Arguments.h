#pragma once

#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Serialization.h"

namespace dash {

template <class Iterator, class Sentinel>
class IteratorRange;

namespace internal {

/// How an argument of type T is sent, and the type that the function at the target receives.
/// \tparam T  without reference and qualifiers
template <class T>
struct Argument {
  using Received = T;
  static constexpr bool refers_to_message = false;

  static void save(OutputArchive& archive, const T& value) { archive(value); }
  static T load(InputArchive& archive) {
    static_assert(std::is_default_constructible_v<T>,
                  "dash: an argument of a remote procedure call needs a default constructor, "
                  "because it is constructed at the target before its content is read");
    T value{};
    archive(value);
    return value;
  }
};

/// A range of elements that are copied as bytes: the target reads them in the message, without a copy.
template <class T>
struct SpanArgument {
  static_assert(alignof(T) <= 16, "dash: elements of a view are aligned to at most 16 bytes");
  static constexpr bool refers_to_message = true;

  template <class It>
  static void save(OutputArchive& archive, It first, std::size_t size) {
    save_size(archive, size);
    archive.align(alignof(T));
    if constexpr (std::contiguous_iterator<It>) {
      if (size != 0) archive.write(std::to_address(first), size * sizeof(T));
    } else {
      for (; size != 0; --size, ++first) {
        const T element = *first;
        archive.write(&element, sizeof element);
      }
    }
  }
  static std::span<const T> load_span(InputArchive& archive) {
    const std::size_t size = archive.read_size(sizeof(T));
    archive.align(alignof(T));
    if (size > archive.remaining() / sizeof(T)) archive.take(archive.remaining() + 1);  // throws
    return {reinterpret_cast<const T*>(archive.take(size * sizeof(T))), size};
  }
};

template <class T, std::size_t N>
requires CopiedAsBytes<std::remove_cv_t<T>>
struct Argument<std::span<T, N>> : SpanArgument<std::remove_cv_t<T>> {
  using Base = SpanArgument<std::remove_cv_t<T>>;
  using Received = std::span<const std::remove_cv_t<T>>;

  static void save(OutputArchive& archive, const std::span<T, N>& value) {
    Base::save(archive, value.begin(), value.size());
  }
  static Received load(InputArchive& archive) { return Base::load_span(archive); }
};

template <class Char, class Traits>
struct Argument<std::basic_string_view<Char, Traits>> : SpanArgument<Char> {
  using Received = std::basic_string_view<Char, Traits>;

  static void save(OutputArchive& archive, Received value) {
    SpanArgument<Char>::save(archive, value.begin(), value.size());
  }
  static Received load(InputArchive& archive) {
    const std::span<const Char> chars = SpanArgument<Char>::load_span(archive);
    return {chars.data(), chars.size()};
  }
};

/// dash::make_view(first, last) of elements that are copied as bytes.
template <class Iterator, class Sentinel>
requires CopiedAsBytes<std::iter_value_t<Iterator>>
struct Argument<IteratorRange<Iterator, Sentinel>> : SpanArgument<std::iter_value_t<Iterator>> {
  using Base = SpanArgument<std::iter_value_t<Iterator>>;
  using Received = std::span<const std::iter_value_t<Iterator>>;

  static void save(OutputArchive& archive, const IteratorRange<Iterator, Sentinel>& value) {
    Base::save(archive, value.begin(),
               static_cast<std::size_t>(std::ranges::distance(value.begin(), value.end())));
  }
  static Received load(InputArchive& archive) { return Base::load_span(archive); }
};

/// The same for other elements: the target receives a vector of them.
template <class Iterator, class Sentinel>
requires(!CopiedAsBytes<std::iter_value_t<Iterator>>) struct Argument<
    IteratorRange<Iterator, Sentinel>> {
  using Value = std::iter_value_t<Iterator>;
  using Received = std::vector<Value>;
  static constexpr bool refers_to_message = false;

  static void save(OutputArchive& archive, const IteratorRange<Iterator, Sentinel>& value) {
    save_size(archive, static_cast<std::size_t>(std::ranges::distance(value.begin(), value.end())));
    for (auto it = value.begin(); it != value.end(); ++it)
      save_element<Value>(archive, *it);
  }
  static Received load(InputArchive& archive) {
    Received values;
    load_value(archive, values);
    return values;
  }
};

/// The argument of a parameter that is passed by value: arrays and functions become pointers.
template <class T>
using ArgumentOf = Argument<std::decay_t<T>>;

/// Whether the target obtains a value from the message, and need not wait for an object.
template <class T>
inline constexpr bool is_value_argument = !std::is_reference_v<typename ArgumentOf<T>::Received>;

}  // namespace internal
}  // namespace dash
