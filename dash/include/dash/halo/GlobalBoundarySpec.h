#pragma once

#include <array>
#include <concepts>
#include <ostream>

#include "dash/Dimensional.h"
#include "dash/halo/Types.h"

namespace dash::halo {

/// The boundary property of the global border in each dimension; NONE by default.
/// \ingroup halo
template <dim_t NumDimensions>
class GlobalBoundarySpec : public Dimensional<BoundaryProp, NumDimensions> {
  using Base = Dimensional<BoundaryProp, NumDimensions>;

 public:
  constexpr GlobalBoundarySpec() : Base(std::array<BoundaryProp, NumDimensions>{}) {}

  /// One property for each dimension.
  template <typename... Props>
  requires(
      sizeof...(Props) == NumDimensions &&
      (std::same_as<Props, BoundaryProp> &&
       ...)) constexpr GlobalBoundarySpec(Props... props)  // NOLINT(google-explicit-constructor): DASH's
      : Base(std::array<BoundaryProp, NumDimensions>{{props...}}) {}

  friend std::ostream& operator<<(std::ostream& os, const GlobalBoundarySpec& spec) {
    os << "GlobalBoundarySpec<" << NumDimensions << ">(";
    for (dim_t d = 0; d < NumDimensions; ++d) {
      const auto prop = spec[d];
      os << (d == 0 ? "" : ", ")
         << (prop == BoundaryProp::NONE     ? "NONE"
             : prop == BoundaryProp::CYCLIC ? "CYCLIC"
                                            : "CUSTOM");
    }
    return os << ')';
  }
};

}  // namespace dash::halo
