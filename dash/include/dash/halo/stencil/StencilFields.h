#pragma once

/// \file
/// A stencil step of several fields, each of which may depend on all of them.

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/Exception.h"
#include "dash/halo/Types.h"
#include "dash/halo/stencil/StencilCell.h"
#include "dash/halo/stencil/StencilFor.h"

namespace dash::halo {

/// A field of a stencil computation: a matrix with its halo, and the matrix that gets its results.
/// Created by field().
/// \ingroup halo
template <typename WrapperT, typename OperatorT>
struct StencilField {
  WrapperT& halo;                          ///< wrapper of the source matrix
  const OperatorT& op;                     ///< a stencil operator of `halo`
  typename OperatorT::Element_t* results;  ///< first local element of the destination
};

/// A field of stencil_for().
/// \param halo  wrapper of the source matrix
/// \param op    a stencil operator of `halo`
/// \param dst_begin  first local element of the destination, another matrix with the same pattern
/// \ingroup halo
template <typename WrapperT, typename OperatorT>
StencilField<WrapperT, OperatorT> field(WrapperT& halo, const OperatorT& op,
                                        typename OperatorT::Element_t* dst_begin) {
  return {halo, op, dst_begin};
}
/// The operator must outlive the field.
template <typename WrapperT, typename OperatorT>
void field(WrapperT&, const OperatorT&&, typename OperatorT::Element_t*) = delete;

namespace internal {

/// A row of inner elements.
template <typename CoreT>
struct InnerRow {
  using Element_t = typename CoreT::Element_t;
  const Element_t* center;
  coord_t position;
  typename CoreT::InnerOffsets_t offsets;

  InnerCell<Element_t, CoreT::N, CoreT::Arrange, CoreT::NumPoints> cell(coord_t i) const {
    return {center + i, position + i, offsets};
  }
};

/// A line of border elements.
template <typename CoreT, bool IsRow>
struct BorderLine {
  typename CoreT::Line_t line;

  BorderCell<typename CoreT::Element_t, CoreT::N, CoreT::NumPoints, IsRow> cell(coord_t i) const {
    return {line, i};
  }
};

/// Calls fn with a cell and a copy of the destination's element of each field, for the elements of
/// a row or line, and stores the copies.
/// \param stride  distance of the elements at the destinations
/// \param dst  destinations of the first element; must not overlap elements that are read
template <typename StencilFn, typename... Rows, std::size_t... Fields, typename... Elements>
[[gnu::noinline]] void update_fields(StencilFn& fn, const std::tuple<Rows...>& of_fields,
                                     std::index_sequence<Fields...> /*fields*/, coord_t length,
                                     coord_t stride, Elements* __restrict... dst) {
  // A local copy, which stores to dst cannot modify.
  const auto rows = of_fields;
  for (coord_t i = 0; i < length; ++i) {
    std::tuple<Elements...> values(dst[i * stride]...);
    static_assert(
        std::is_void_v<decltype(fn(std::get<Fields>(rows).cell(i)...,
                                   std::get<Fields>(values)...))>,
        "a stencil's function of several fields assigns its last parameters, which are references, "
        "and returns nothing");
    fn(std::get<Fields>(rows).cell(i)..., std::get<Fields>(values)...);
    ((dst[i * stride] = std::get<Fields>(values)), ...);
  }
}

/// Stores the results of a stencil of several fields.
template <typename StencilFn, typename... CoreTs>
class StoreFields {
 public:
  StoreFields(StencilFn& fn, const std::tuple<const CoreTs*...>& cores,
              const std::tuple<typename CoreTs::Element_t*...>& dst)
      : _fn(fn), _cores(cores), _dst(dst) {}

  void row(coord_t position, coord_t length) { row(position, length, Fields()); }
  template <typename SegmentT>
  void segment(const SegmentT& segment) {
    this->segment(segment, Fields());
  }
  void finish() {}

 private:
  using Fields = std::index_sequence_for<CoreTs...>;

  template <std::size_t... I>
  void row(coord_t position, coord_t length, std::index_sequence<I...> fields) {
    const std::tuple rows(InnerRow<CoreTs>{std::get<I>(_cores)->local() + position, position,
                                           std::get<I>(_cores)->inner_offsets()}...);
    update_fields(_fn, rows, fields, length, 1, (std::get<I>(_dst) + position)...);
  }

  template <typename SegmentT, std::size_t... I>
  void segment(const SegmentT& segment, std::index_sequence<I...> fields) {
    const std::tuple lines(std::get<I>(_cores)->line(segment)...);
    const auto& [position, length, stride] = std::tuple(
        std::get<0>(lines).position, std::get<0>(lines).length, std::get<0>(lines).stride);
    if (stride == 1) {
      const std::tuple rows(BorderLine<CoreTs, true>{std::get<I>(lines)}...);
      update_fields(_fn, rows, fields, length, 1, (std::get<I>(_dst) + position)...);
    } else {
      const std::tuple rows(BorderLine<CoreTs, false>{std::get<I>(lines)}...);
      update_fields(_fn, rows, fields, length, stride, (std::get<I>(_dst) + position)...);
    }
  }

  StencilFn& _fn;
  std::tuple<const CoreTs*...> _cores;
  std::tuple<typename CoreTs::Element_t*...> _dst;
};

/// \throws exception::InvalidArgument if the blocks, the borders or the stencils of two fields differ,
///         a destination is also a source or the destination of another field, or two fields have the
///         same wrapper
template <typename... FieldTs>
void check_fields(const FieldTs&... fields) {
  const auto& core = std::get<0>(std::tie(fields...)).op.core();
  if (!(core.has_same_parts(fields.op.core()) && ...)) {
    DASH_THROW(exception::InvalidArgument,
               "stencil_for requires fields with the same blocks, the same borders and the same "
               "stencil");
  }
  const auto is_separate = [&](const auto* dst) {
    const bool is_source = (overlap(fields.op.local_memory(), dst, core.size()) || ...);
    return !is_source && (0 + ... + (overlap(fields.results, dst, core.size()) ? 1 : 0)) == 1;
  };
  if (!(is_separate(fields.results) && ...)) {
    DASH_THROW(exception::InvalidArgument,
               "stencil_for requires a separate destination for each field, since elements are "
               "updated in any order");
  }
  const auto num_fields_of = [&](const void* halo) {
    return (0 + ... + (halo == &fields.halo ? 1 : 0));
  };
  if (!((num_fields_of(&fields.halo) == 1) && ...)) {
    DASH_THROW(exception::InvalidArgument,
               "stencil_for requires a separate HaloMatrixWrapper for each field");
  }
}

}  // namespace internal

/// Executes a step of several fields: updates the halos of all of them, and calls fn once for each
/// element with a cell of each field, and with references to copies of the destinations' elements,
/// which it assigns.
///
///     using dash::halo::field;
///     dash::halo::stencil_for(
///         std::tuple(field(h_halo, h_op, new_h.lbegin()), field(v_halo, v_op, new_v.lbegin())),
///         [](const auto& h, const auto& v, double& new_h, double& new_v) {
///           new_h = h(0, 0) - 0.1 * (v(0, 1) - v(0, -1));
///           new_v = v(0, 0) - 0.1 * (h(0, 1) - h(0, -1));
///         });
///
/// \param fields  the same on all units. Their matrices have the same pattern, their wrappers the same
///                borders, their operators the same stencil; no matrix is both source and destination
/// \param fn  called concurrently by several threads if the unit has them
/// \completion, \blocks and \throws as stencil_for() of one field
/// \threads externally synchronized per wrapper
/// \throws exception::InvalidArgument if the fields do not match
/// \ingroup halo
template <typename... WrapperTs, typename... OperatorTs, typename StencilFn>
void stencil_for(const std::tuple<StencilField<WrapperTs, OperatorTs>...>& fields, StencilFn fn) {
  std::apply(
      [&](const auto&... field) {
        (internal::check_stencil_step(field.halo, field.op, field.results), ...);
        internal::check_fields(field...);
        (field.halo.update_async(), ...);
        const std::array exchanges{&field.halo.halo_env().exchange()...};
        const std::tuple cores(&field.op.core()...);
        const std::tuple destinations(field.results...);
        internal::run_stencil_step(exchanges, *std::get<0>(cores),
                                   [&] { return internal::StoreFields(fn, cores, destinations); });
        (field.halo.wait(), ...);
      },
      fields);
}

}  // namespace dash::halo
