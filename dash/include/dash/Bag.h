#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "dash/rpc/OwnedParts.h"

namespace dash {

/// Objects of any serializable type in no order, in a std::vector at each unit: items of work, for example, of which each
/// unit creates some and processes some.
/// \threads externally synchronized; different units independently
/// \ingroup rpc
template <class T>
class Bag : public internal::OwnedParts<std::vector<T>> {
  using Base = internal::OwnedParts<std::vector<T>>;
  using Part = typename Base::Part;

 public:
  using value_type = T;

  /// An empty bag.
  /// \collective over the team, in the same order as other distributed objects   \blocks never
  explicit Bag(const Team& team = Team::All())
      : Base(team),
        _additions(
            on(team), [](Part& part, T value) { part->push_back(std::move(value)); },
            this->part()) {}

  /// Adds an element to the part of this unit. \pre no other unit calls add_at() for this unit at the same time
  /// \collective no   \blocks never
  void add(T value) { this->local().push_back(std::move(value)); }
  /// Adds an element to the part of a unit, some time before the next dash::quiesce() ends. Many calls travel in batches.
  /// \param unit  relative to the team
  /// \throws exception::InvalidArgument if the team has no such unit
  /// \collective no   \blocks while too many earlier batches have not been consumed
  void add_at(team_unit_t unit, const T& value) { _additions(unit.id, value); }

  /// Moves as few elements as possible, so that the numbers of elements of any two units differ by at most one.
  /// \collective over the team   \blocks until all units have called it and have received their elements
  /// \cost an all-gather of the sizes; each moved element once
  void balance() {
    dash::quiesce(this->team());
    std::vector<T>& own = this->local();
    const std::vector<std::size_t> sizes = allgather_async(own.size(), this->team()).get();
    const auto me = static_cast<std::size_t>(this->team().myid().id);
    const std::vector<std::size_t> shares = shares_of(sizes);
    // Both lists are traversed in the order of the units, so all units find the same pairs.
    std::size_t receiver = 0;
    std::size_t received = 0;  // by `receiver`, from units before `unit`
    for (std::size_t unit = 0; unit < sizes.size(); ++unit) {
      for (std::size_t surplus = sizes[unit] - std::min(sizes[unit], shares[unit]); surplus != 0;) {
        const std::size_t lacks = shares[receiver] - std::min(sizes[receiver], shares[receiver]);
        const std::size_t count = std::min(surplus, lacks - received);
        if (count != 0 && unit == me) send(receiver, count);
        surplus -= count;
        received += count;
        if (received == lacks) {
          ++receiver;
          received = 0;
        }
      }
    }
    dash::quiesce(this->team());
  }

 private:
  /// The number of elements of each unit after balance(): equal, or one more, first for units that have more already.
  static std::vector<std::size_t> shares_of(const std::vector<std::size_t>& sizes) {
    const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    const std::size_t least = total / sizes.size();
    std::size_t rest = total % sizes.size();
    std::vector<std::size_t> shares(sizes.size(), least);
    for (const bool has_more : {true, false}) {
      for (std::size_t unit = 0; unit < sizes.size() && rest != 0; ++unit) {
        if ((sizes[unit] > least) != has_more) continue;
        ++shares[unit];
        --rest;
      }
    }
    return shares;
  }

  /// Moves the last elements of this unit to another one.
  void send(std::size_t unit, std::size_t count) {
    std::vector<T>& own = this->local();
    const auto first = own.end() - static_cast<std::ptrdiff_t>(count);
    const std::vector<T> moved(std::make_move_iterator(first), std::make_move_iterator(own.end()));
    own.erase(first, own.end());
    dash::am_ff(
        static_cast<int>(unit), on(this->team()),
        [](Part& part, std::vector<T> values) {
          std::move(values.begin(), values.end(), std::back_inserter(*part));
        },
        this->part(), moved);
  }

  Aggregator<void(T)> _additions;
};

}  // namespace dash
