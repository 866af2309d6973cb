#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "Layout.h"

namespace spmv {

/// What units fetch of what others have.
enum class Variant {
  elements,  ///< each column by itself
  ranges,    ///< of each owner all from the first to the last
  lists      ///< of each owner those that are needed, at once
};

/// What a fetch is made of.
struct FetchSpec {
  Layout layout;
  std::size_t block_size = 1;
  Variant variant = Variant::ranges;
  std::vector<Need> needs;

  std::size_t local_size() const { return layout.size * block_size; }
  /// Of an element of a unit's part, within that part.
  std::size_t place_in_part(const Need& need, std::uint64_t column) const {
    return (column - layout.begin_of(need.owner)) * block_size;
  }
  /// Columns that a need has places for.
  std::size_t columns_of(const Need& need) const {
    return variant == Variant::ranges ? need.span() : need.columns.size();
  }
};

/// Columns of a need that follow each other.
struct Run {
  std::uint64_t first;
  std::uint64_t length;
};
std::vector<Run> runs_of(const Need& need);
/// What is fetched together of a need: columns, the range, or what is needed in it.
std::vector<Run> runs_of(const Need& need, Variant variant);

/// How units get what they need of others' parts of the vector. It has the vector.
class Fetch {
 public:
  explicit Fetch(FetchSpec spec);
  Fetch(const Fetch&) = delete;
  Fetch& operator=(const Fetch&) = delete;
  virtual ~Fetch() = default;

  /// The calling unit's part.
  virtual std::span<double> local() = 0;
  /// Starts to fetch all needs, and waits for them. Between, the vector does not change.
  /// @{
  virtual void start() = 0;
  virtual void finish() = 0;
  /// @}

  /// Where the numbers of each column of the needs are after finish().
  const double* const* ghosts() const { return _ghosts[_turn].data(); }
  /// Bytes that are fetched for a product.
  std::size_t fetched_bytes() const;

 protected:
  /// Room for what is fetched of a need. Stays where it is.
  /// \param turn  0, or of two rooms that take turns
  double* make_room(const Need& need, std::size_t turn = 0);
  /// Instead of fetching. \param first  where the first column of the need is in its owner's part
  void read_in_place(const Need& need, const double* first);

  FetchSpec _spec;
  std::size_t _turn = 0;  // whose rooms have what was fetched last

 private:
  std::array<std::vector<const double*>, 2> _ghosts;
  std::array<std::vector<std::vector<double>>, 2> _rooms;
};

}  // namespace spmv
