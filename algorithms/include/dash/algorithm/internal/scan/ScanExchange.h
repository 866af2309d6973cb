#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/algorithm/internal/call/Call.h"
#include "dash/algorithm/internal/scan/OrderedFold.h"
#include "dash/algorithm/internal/call/RangeSlices.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

/// Elements that follow each other in a range, all of one unit.
template <class T>
struct Stretch {
  default_index_t position;  ///< first, for RangeSlices
  T sum;
};

/// What a unit tells of the stretches that it has summed up.
template <class T>
struct StretchOutline {
  default_index_t end;     ///< where it can go no further in this round
  default_index_t number;  ///< of stretches
  std::optional<Stretch<T>> first;
};

/// What comes before each of the stretches that the units have of a part of a range, in the order of
/// the range: the one exclusive scan between units.
///
/// A range whose distribution has many stretches is scanned in rounds. Each goes as far as all
/// units have summed up. Its stretches are told to all units where they are few; where they are
/// many, each unit takes care of a slice of positions: it reads all units' stretches there from
/// their memory, and writes back what comes before each.
template <class T, class BinaryOperation>
class ScanExchange {
 public:
  using Element = Stretch<T>;
  using Outline = StretchOutline<T>;

  /// \param before  what comes before the range, if anything
  ScanExchange(Call& call, BinaryOperation& op, std::optional<T> before)
      : _call(&call),
        _op(&op),
        _total(std::move(before)),
        _slices(call.team(), sizeof(Element), max_stretches) {}

  /// What a unit has to say of its stretches. \param next  where those begin that are still to come
  static Outline outline_of(const std::vector<Element>& own, default_index_t next) {
    Outline outline{next, static_cast<default_index_t>(own.size()), std::nullopt};
    if (own.size() > max_stretches) outline.end = own[max_stretches].position;
    if (!own.empty()) outline.first = own.front();
    return outline;
  }

  /// Gets the memory of a round.
  void prepare() {
    if (_told_by_all.data() != nullptr) return;
    _told_by_self = Scratch<Element>(most_told / sizeof(Element) / _call->size());
    _told_by_all = Scratch<Element>(most_told / sizeof(Element));
  }

  /// The communication of a round. \collective
  /// \pre each unit has called prepare()
  /// \returns where it ends
  default_index_t exchange(Gathered<Outline> outlines, const std::vector<Element>& own) {
    const default_index_t begin = _end;
    _outlines = std::move(outlines);
    _most = 0;
    _end = (*_outlines)[0].end;
    for (std::size_t unit = 0; unit < _outlines->size(); ++unit) {
      _end = std::min(_end, (*_outlines)[unit].end);
      _most = std::max(_most, static_cast<std::size_t>((*_outlines)[unit].number));
    }
    const auto behind = std::find_if(own.begin(), own.end(), [this](const Element& element) {
      return element.position >= _end;
    });
    _own = static_cast<std::size_t>(behind - own.begin());
    _is_sliced = false;
    if (_most > 1) {
      if (_most <= most_told / sizeof(Element) / _outlines->size()) {
        tell_all(own);
      } else {
        exchange_by_slices(begin, own);
      }
    }
    return _end;
  }

  /// The caller's part of it, without communication.
  /// \returns the number of own stretches that can be scanned
  std::size_t finish() {
    if (_is_sliced) return _own;
    find_told();
    std::sort(_told.begin(), _told.end(),
              [](const Told& a, const Told& b) { return a.element.position < b.element.position; });
    _before.clear();
    for (const Told& told : _told) {
      if (told.unit == static_cast<std::size_t>(_call->myid().id)) _before.push_back(_total);
      fold_into(_total, told.element.sum, *_op);
    }
    return _own;
  }

  /// What comes before own stretch number i; nothing at the begin of the range.
  std::optional<T> before(std::size_t i) const {
    if (!_is_sliced) return _before[i];
    const auto element = load_from<Element>(_slices.own(i));
    // Before the first of all it is still its own sum.
    if (_begins_bare && element.position == 0) return std::nullopt;
    return element.sum;
  }

 private:
  struct Told {
    Element element;
    std::size_t unit;
  };

  /// Stretches of a unit in a round.
  static constexpr std::size_t max_stretches = std::size_t{1} << 17;
  /// Bytes of all units' stretches that are told to all.
  static constexpr std::size_t most_told = std::size_t{64} << 10;

  void take(const Element& element, std::size_t unit) {
    if (element.position < _end) _told.push_back({element, unit});
  }

  void tell_all(const std::vector<Element>& own) {
    void* const mine = _told_by_self.data();
    const std::size_t nbytes = own.size() * sizeof(Element);
    if (nbytes > 0) std::memcpy(mine, own.data(), nbytes);
    // The others read what is behind, too.
    std::memset(static_cast<char*>(mine) + nbytes, 0, _most * sizeof(Element) - nbytes);
    _call->allgather(mine, _told_by_all.data(), _most * sizeof(Element));
  }

  /// The stretches that all units know.
  void find_told() {
    _told.clear();
    for (std::size_t unit = 0; unit < _outlines->size(); ++unit) {
      const Outline outline = (*_outlines)[unit];
      if (_most <= 1) {
        if (outline.first) take(*outline.first, unit);
        continue;
      }
      const Element* const told = _told_by_all.data() + unit * _most;
      for (std::size_t i = 0; i < static_cast<std::size_t>(outline.number); ++i)
        take(told[i], unit);
    }
  }

  void exchange_by_slices(default_index_t begin, const std::vector<Element>& own) {
    _is_sliced = true;
    _begins_bare = !_total;
    _slices.offer(begin, _end, own.data(), _own);
    const auto totals = _call->template contribute<T>([this] { return sum_slice(); });
    _call->run([&] { finish_slice(totals); });
  }

  /// Replaces the sums in the caller's slice by those of what comes before in the slice.
  /// \returns the sum of the slice
  std::optional<T> sum_slice() {
    _slices.get();
    std::optional<T> sum;
    for (const std::size_t place : _slices.order()) {
      auto element = load_from<Element>(_slices.at(place));
      const T own = element.sum;
      if (sum) {
        element.sum = *sum;
        std::memcpy(_slices.at(place), &element, sizeof(Element));
      }
      fold_into(sum, own, *_op);
    }
    return sum;
  }

  /// Puts what comes before the slice before all of its stretches, and tells the owners.
  void finish_slice(const Gathered<T>& totals) {
    std::optional<T> before;
    for (std::size_t unit = 0; unit < totals.size(); ++unit) {
      if (unit == static_cast<std::size_t>(_call->myid().id)) before = _total;
      if (totals.has_value(unit)) fold_into(_total, totals[unit], *_op);
    }
    if (before) {
      bool is_first = true;
      for (const std::size_t place : _slices.order()) {
        auto element = load_from<Element>(_slices.at(place));
        element.sum = is_first ? *before : static_cast<T>((*_op)(*before, element.sum));
        std::memcpy(_slices.at(place), &element, sizeof(Element));
        is_first = false;
      }
    }
    _slices.put();
  }

  Call* _call;
  BinaryOperation* _op;
  std::optional<T> _total;  // what comes before the round, then after
  default_index_t _end = 0;
  std::size_t _own = 0;  // own stretches of the round
  std::optional<Gathered<Outline>> _outlines;
  std::size_t _most = 0;           // stretches of the unit that has most
  Scratch<Element> _told_by_self;  // if they are told to all
  Scratch<Element> _told_by_all;
  std::vector<Told> _told;                // of all units
  std::vector<std::optional<T>> _before;  // each own stretch
  bool _is_sliced = false;
  bool _begins_bare = false;  // nothing comes before the round
  RangeSlices _slices;
};

}  // namespace dash::internal
