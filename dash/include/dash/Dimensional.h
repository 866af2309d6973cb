#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <type_traits>

#include "dash/Distribution.h"
#include "dash/Types.h"
#include "dash/core/Export.h"

namespace dash {

namespace internal {

[[noreturn]] DASH_API void throw_dimension(long long dimension, long long ndim);

/// \throws exception::OutOfRange unless 0 <= dimension < ndim
constexpr void check_dimension(dim_t dimension, dim_t ndim) {
  if (dimension < 0 || dimension >= ndim) throw_dimension(dimension, ndim);
}

}  // namespace internal

/// \ingroup patterns
/// One value for each of N dimensions.
template <typename ElementType, dim_t NumDimensions>
class Dimensional {
  static_assert(NumDimensions > 0,
                "dash::Dimensional: the number of dimensions has to be positive");

 public:
  using value_type = ElementType;

  /// All values value-initialized.
  constexpr Dimensional() = default;
  /// \param values  one for each dimension
  constexpr Dimensional(const std::array<ElementType, NumDimensions>& values)  // NOLINT: as DASH's
      : _values(values) {}
  /// \overload
  template <typename... Values>
  requires(sizeof...(Values) == NumDimensions &&
           (std::is_convertible_v<Values, ElementType> &&
            ...)) constexpr Dimensional(Values... values)  // NOLINT: as DASH's
      : _values{{static_cast<ElementType>(values)...}} {}

  /// Number of dimensions.
  static constexpr dim_t ndim() { return NumDimensions; }
  /// Number of dimensions.
  constexpr dim_t rank() const { return NumDimensions; }

  /// The values of all dimensions.
  constexpr const std::array<ElementType, NumDimensions>& values() const { return _values; }

  /// The value of a dimension.
  /// \throws exception::OutOfRange unless 0 <= dimension < ndim()
  constexpr ElementType dim(dim_t dimension) const {
    internal::check_dimension(dimension, NumDimensions);
    return _values[static_cast<std::size_t>(dimension)];
  }

  /// The value of a dimension; no range check.
  constexpr ElementType operator[](std::size_t dimension) const { return _values[dimension]; }
  /// \overload
  constexpr ElementType& operator[](std::size_t dimension) { return _values[dimension]; }

  friend constexpr bool operator==(const Dimensional& a, const Dimensional& b) {
    return a._values == b._values;
  }

 protected:
  /// The values of all dimensions.
  std::array<ElementType, NumDimensions> _values{};
};

/// A Distribution for each of N dimensions.
/// \ingroup patterns
template <dim_t NumDimensions>
class DistributionSpec : public Dimensional<Distribution, NumDimensions> {
  using Base = Dimensional<Distribution, NumDimensions>;

 public:
  /// The first dimension BLOCKED, all others NONE.
  constexpr DistributionSpec() {
    this->_values.fill(NONE);
    this->_values[0] = BLOCKED;
  }
  /// \param values  one distribution for each dimension
  constexpr DistributionSpec(const std::array<Distribution, NumDimensions>& values)  // NOLINT
      : Base(values) {}
  /// \overload
  template <typename... Values>
  requires(sizeof...(Values) == NumDimensions &&
           (std::is_convertible_v<Values, Distribution> &&
            ...)) constexpr DistributionSpec(Values... values)  // NOLINT: as DASH's
      : Base(std::array<Distribution, NumDimensions>{{Distribution(values)...}}) {}

  /// Whether a dimension other than the first is distributed in tiles; as in DASH, a range of one
  /// dimension never is.
  constexpr bool is_tiled() const {
    for (dim_t d = 1; d < NumDimensions; ++d) {
      if (is_tiled_in_dimension(d)) return true;
    }
    return false;
  }

  /// Whether a dimension is distributed in tiles.
  /// \throws exception::OutOfRange unless 0 <= dimension < ndim()
  constexpr bool is_tiled_in_dimension(dim_t dimension) const {
    return this->dim(dimension).type == internal::DIST_TILE;
  }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const DistributionSpec& spec) {
    os << "DistributionSpec(";
    for (dim_t d = 0; d < NumDimensions; ++d) {
      os << (d > 0 ? ", " : "") << spec[static_cast<std::size_t>(d)];
    }
    return os << ')';
  }
};

/// A type with a member function ndim().
/// \ingroup patterns
template <class T>
concept HasDimensions = requires(const T& x) {
  x.ndim();
};

/// Number of dimensions of x.
/// \ingroup patterns
template <HasDimensions T>
constexpr dim_t ndim(const T& x) {
  return x.ndim();
}

/// \overload
/// For spaces, which provide the number as a type.
/// \ingroup patterns
template <class T>
requires requires {
  T::ndim::value;
}
constexpr dim_t ndim(const T&) {
  return T::ndim::value;
}

/// The result of x.rank(), which may be less than the number of dimensions.
/// \ingroup patterns
template <class T>
requires requires(const T& x) {
  x.rank();
}
constexpr auto rank(const T& x) {
  return x.rank();
}

/// Extent of x in a dimension.
/// \ingroup patterns
template <dim_t Dimension, class T>
requires requires(const T& x) {
  x.extent(Dimension);
}
constexpr auto extent(const T& x) {
  return x.extent(Dimension);
}

/// \overload
/// \ingroup patterns
template <class T>
requires requires(const T& x) {
  x.extent(dim_t{0});
}
constexpr auto extent(dim_t dimension, const T& x) {
  return x.extent(dimension);
}

}  // namespace dash
