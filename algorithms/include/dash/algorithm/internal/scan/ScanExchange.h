#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/RangeSlices.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/algorithm/internal/scan/OrderedFold.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

/// A maximal block of consecutive positions of a range whose elements all belong to one unit.
template <class T>
struct ScanSegment {
  default_index_t position;  ///< of the first element; must be the first member, see RangeSlices
  T sum;
};

/// Summary of the segments that a unit has reduced in a round.
template <class T>
struct SegmentSummary {
  default_index_t end;     ///< first position that the unit has not reduced in this round
  default_index_t number;  ///< number of segments
  std::optional<ScanSegment<T>> first;
};

/// The exclusive scan between units: computes the prefix of each unit's segments, that is, the
/// reduction of all elements in front of the segment.
///
/// If the distribution has many segments, the range is scanned in rounds. A round ends at the first
/// position that some unit has not reduced yet. If the round has few segments, an all-gather sends
/// them to all units. Otherwise each unit processes one slice of the positions: it reads the
/// segments of all units in its slice from their memory and writes the prefixes back.
template <class T, class BinaryOperation>
class ScanExchange {
 public:
  using Element = ScanSegment<T>;
  using Summary = SegmentSummary<T>;

  /// \param prefix  the initial value of the scan, if any
  ScanExchange(Call& call, BinaryOperation& op, std::optional<T> prefix)
      : _call(&call),
        _op(&op),
        _total(std::move(prefix)),
        _slices(call.team(), sizeof(Element), max_segments) {}

  /// Summarizes the caller's segments.
  /// \param next  position of the caller's first element that is not reduced yet
  static Summary summarize(const std::vector<Element>& own, default_index_t next) {
    Summary summary{next, static_cast<default_index_t>(own.size()), std::nullopt};
    if (own.size() > max_segments) summary.end = own[max_segments].position;
    if (!own.empty()) summary.first = own.front();
    return summary;
  }

  /// Allocates the buffers of a round.
  void prepare() {
    if (_receive_buffer.data() != nullptr) return;
    _send_buffer = Scratch<Element>(max_gathered_bytes / sizeof(Element) / _call->size());
    _receive_buffer = Scratch<Element>(max_gathered_bytes / sizeof(Element));
  }

  /// Performs the communication of a round.
  /// \collective over the call's team
  /// \pre each unit has called prepare()
  /// \returns the end position of the round
  default_index_t exchange(Gathered<Summary> summaries, const std::vector<Element>& own) {
    const default_index_t begin = _end;
    _summaries = std::move(summaries);
    _max_count = 0;
    _end = (*_summaries)[0].end;
    for (std::size_t unit = 0; unit < _summaries->size(); ++unit) {
      _end = std::min(_end, (*_summaries)[unit].end);
      _max_count = std::max(_max_count, static_cast<std::size_t>((*_summaries)[unit].number));
    }
    const auto behind = std::find_if(own.begin(), own.end(), [this](const Element& element) {
      return element.position >= _end;
    });
    _own = static_cast<std::size_t>(behind - own.begin());
    _is_sliced = false;
    if (_max_count > 1) {
      if (_max_count <= max_gathered_bytes / sizeof(Element) / _summaries->size()) {
        allgather_segments(own);
      } else {
        exchange_by_slices(begin, own);
      }
    }
    return _end;
  }

  /// Computes the prefixes of the caller's segments, without communication.
  /// \returns the number of the caller's segments that can be scanned now
  std::size_t finish() {
    if (_is_sliced) return _own;
    collect_segments();
    std::sort(_gathered.begin(), _gathered.end(),
              [](const GatheredSegment& a, const GatheredSegment& b) {
                return a.element.position < b.element.position;
              });
    _prefixes.clear();
    for (const GatheredSegment& segment : _gathered) {
      if (segment.unit == static_cast<std::size_t>(_call->myid().id)) _prefixes.push_back(_total);
      fold_into(_total, segment.element.sum, *_op);
    }
    return _own;
  }

  /// Prefix of the caller's segment i; no value for a segment at the beginning of the range if the
  /// scan has no initial value.
  std::optional<T> prefix(std::size_t i) const {
    if (!_is_sliced) return _prefixes[i];
    const auto element = load_from<Element>(_slices.own(i));
    // The first segment has no prefix; the field still contains its own sum.
    if (_has_no_prefix && element.position == 0) return std::nullopt;
    return element.sum;
  }

 private:
  struct GatheredSegment {
    Element element;
    std::size_t unit;
  };

  /// Maximum number of segments of a unit in a round.
  static constexpr std::size_t max_segments = std::size_t{1} << 17;
  /// Maximum size of an all-gather of segments, in bytes, of all units together.
  static constexpr std::size_t max_gathered_bytes = std::size_t{64} << 10;

  void add_if_in_round(const Element& element, std::size_t unit) {
    if (element.position < _end) _gathered.push_back({element, unit});
  }

  void allgather_segments(const std::vector<Element>& own) {
    void* const mine = _send_buffer.data();
    const std::size_t nbytes = own.size() * sizeof(Element);
    if (nbytes > 0) std::memcpy(mine, own.data(), nbytes);
    // All units send the same size, so the rest of the buffer is sent too and must be initialized.
    std::memset(static_cast<char*>(mine) + nbytes, 0, _max_count * sizeof(Element) - nbytes);
    _call->allgather(mine, _receive_buffer.data(), _max_count * sizeof(Element));
  }

  /// Collects the segments of this round from all units' contributions.
  void collect_segments() {
    _gathered.clear();
    for (std::size_t unit = 0; unit < _summaries->size(); ++unit) {
      const Summary summary = (*_summaries)[unit];
      if (_max_count <= 1) {
        if (summary.first) add_if_in_round(*summary.first, unit);
        continue;
      }
      const Element* const elements = _receive_buffer.data() + unit * _max_count;
      for (std::size_t i = 0; i < static_cast<std::size_t>(summary.number); ++i)
        add_if_in_round(elements[i], unit);
    }
  }

  void exchange_by_slices(default_index_t begin, const std::vector<Element>& own) {
    _is_sliced = true;
    _has_no_prefix = !_total;
    _slices.publish(begin, _end, own.data(), _own);
    const auto totals = _call->template contribute<T>([this] { return sum_slice(); });
    _call->run([&] { finish_slice(totals); });
  }

  /// Replaces the sum of each segment in the caller's slice by the sum of the preceding segments of
  /// the slice.
  /// \returns the sum of the slice
  std::optional<T> sum_slice() {
    _slices.get();
    std::optional<T> sum;
    for (const std::size_t slot : _slices.order()) {
      auto element = load_from<Element>(_slices.at(slot));
      const T own = element.sum;
      if (sum) {
        element.sum = *sum;
        std::memcpy(_slices.at(slot), &element, sizeof(Element));
      }
      fold_into(sum, own, *_op);
    }
    return sum;
  }

  /// Prepends the prefix of the slice to the prefix of each of its segments and writes them to
  /// their owners.
  void finish_slice(const Gathered<T>& totals) {
    std::optional<T> prefix;
    for (std::size_t unit = 0; unit < totals.size(); ++unit) {
      if (unit == static_cast<std::size_t>(_call->myid().id)) prefix = _total;
      if (totals.has_value(unit)) fold_into(_total, totals[unit], *_op);
    }
    if (prefix) {
      bool is_first = true;
      for (const std::size_t slot : _slices.order()) {
        auto element = load_from<Element>(_slices.at(slot));
        element.sum = is_first ? *prefix : static_cast<T>((*_op)(*prefix, element.sum));
        std::memcpy(_slices.at(slot), &element, sizeof(Element));
        is_first = false;
      }
    }
    _slices.put();
  }

  Call* _call;
  BinaryOperation* _op;
  std::optional<T> _total;  // prefix of the round; after finish(), of the next round
  default_index_t _end = 0;
  std::size_t _own = 0;  // the caller's segments in the round
  std::optional<Gathered<Summary>> _summaries;
  std::size_t _max_count = 0;     // largest number of segments of a unit
  Scratch<Element> _send_buffer;  // used for an all-gather
  Scratch<Element> _receive_buffer;
  std::vector<GatheredSegment> _gathered;   // of all units
  std::vector<std::optional<T>> _prefixes;  // of each of the caller's segments
  bool _is_sliced = false;
  bool _has_no_prefix = false;  // the round has no prefix
  RangeSlices _slices;
};

}  // namespace dash::internal
