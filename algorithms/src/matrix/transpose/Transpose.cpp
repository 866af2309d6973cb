#include "dash/algorithm/internal/matrix/Transpose.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "dash/Exception.h"
#include "dash/Team.h"
#include "dash/internal/team/StepRunner.h"
#include "dash/internal/transfer/PairwiseExchange.h"
#include "matrix/summa/Panel.h"

namespace dash::internal {

namespace {

/// Maximum size in bytes of a message of several elements. A sender's buffer stays in its second-level cache.
constexpr std::ptrdiff_t max_message = std::ptrdiff_t{256} << 10;
/// The number of rows of `out` that a task of a worker computes.
constexpr std::ptrdiff_t rows_of_task = 64;

using Ranges = std::vector<IndexRange>;

std::ptrdiff_t extent_of(const IndexRange& range) {
  return range.end - range.begin;
}
IndexSpan span_of(const IndexRange& range) {
  return {range.begin, range.begin + 1, extent_of(range)};
}

/// Ranges of at most `most` indices.
Ranges limited(const Ranges& ranges, std::ptrdiff_t most) {
  Ranges parts;
  for (const IndexRange& range : ranges) {
    for (std::ptrdiff_t begin = range.begin; begin < range.end;) {
      // begin + most may not be representable.
      const std::ptrdiff_t end = begin + std::min(most, range.end - begin);
      parts.push_back({begin, end});
      begin = end;
    }
  }
  return parts;
}

/// The ranges in ascending order, divided at the boundaries of blocks that are stored separately.
Ranges in_blocks(Ranges ranges, const DistributedMatrix& matrix, std::size_t dimension) {
  std::sort(ranges.begin(), ranges.end(),
            [](const IndexRange& a, const IndexRange& b) { return a.begin < b.begin; });
  if (matrix.properties().is_canonical) return ranges;
  const std::ptrdiff_t extent = matrix.properties().block_extents[dimension];
  Ranges parts;
  for (IndexRange range : ranges) {
    while (range.begin < range.end) {
      const std::ptrdiff_t end = std::min(range.end, (range.begin / extent + 1) * extent);
      parts.push_back({range.begin, end});
      range.begin = end;
    }
  }
  return parts;
}

std::vector<IndexBox> in_blocks(std::vector<IndexBox> boxes, const DistributedMatrix& matrix) {
  for (IndexBox& box : boxes) {
    box.rows = in_blocks(std::move(box.rows), matrix, 0);
    box.cols = in_blocks(std::move(box.cols), matrix, 1);
  }
  return boxes;
}

/// The intersections of two sequences of ascending ranges.
Ranges common_ranges(const Ranges& a, const Ranges& b) {
  Ranges common;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const IndexRange range{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (range.begin < range.end) common.push_back(range);
    a[i].end < b[j].end ? ++i : ++j;
  }
  return common;
}

/// Rows of `out` and some of their columns. The elements in each range of columns are stored as a matrix, and so are
/// their counterparts in `in`.
struct Strip {
  IndexRange rows;
  std::span<const IndexRange> cols;
  std::ptrdiff_t num_elements;
};

/// The elements of `out` of one unit whose counterparts another unit owns, as strips, in the same order on both units.
struct Overlap {
  std::vector<Ranges> cols;  ///< to which the strips refer
  std::vector<Strip> strips;
};

/// \param in, out  the elements of the units, see in_blocks()
/// \param max_elements  of a strip, unless a single row and range of columns has more
Overlap overlap_of(const std::vector<IndexBox>& in, const std::vector<IndexBox>& out,
                   std::ptrdiff_t max_elements, std::ptrdiff_t max_height) {
  Overlap result;
  for (const IndexBox& box : out) {
    for (const IndexBox& counterparts : in) {
      const Ranges rows = common_ranges(box.rows, counterparts.cols);
      Ranges common = limited(common_ranges(box.cols, counterparts.rows), max_elements);
      if (rows.empty() || common.empty()) continue;
      const Ranges& cols = result.cols.emplace_back(std::move(common));
      for (std::size_t first = 0; first < cols.size();) {
        std::size_t last = first;
        std::ptrdiff_t width = 0;
        while (last < cols.size() &&
               (last == first || width + extent_of(cols[last]) <= max_elements))
          width += extent_of(cols[last++]);
        const auto height = std::clamp<std::ptrdiff_t>(max_elements / width, 1, max_height);
        for (const IndexRange& part : limited(rows, height))
          result.strips.push_back(
              {part, std::span(cols).subspan(first, last - first), extent_of(part) * width});
        first = last;
      }
    }
  }
  return result;
}

/// Consecutive strips that are sent together.
struct Message {
  std::size_t first;
  std::size_t last;
  std::ptrdiff_t num_elements;
};

/// The elements that a unit sends to another one, or receives from it.
struct Traffic {
  Overlap overlap;
  std::vector<Message> messages;

  Traffic() = default;
  Traffic(Overlap elements, std::ptrdiff_t max_elements) : overlap(std::move(elements)) {
    for (std::size_t i = 0; i < overlap.strips.size(); ++i) {
      const std::ptrdiff_t size = overlap.strips[i].num_elements;
      if (messages.empty() || messages.back().num_elements + size > max_elements)
        messages.push_back({i, i, 0});
      messages.back().last = i + 1;
      messages.back().num_elements += size;
    }
  }
};

}  // namespace

class Transposer::Impl {
 public:
  explicit Impl(const Transposition& transposition)
      : _transposition(transposition),
        _team(transposition.out.memory().team()),
        _size(static_cast<std::ptrdiff_t>(transposition.element_size)),
        _own_out(in_blocks(transposition.boxes_of_out(_team.myid()), transposition.out)),
        _sends(_team.size()),
        _receives(_team.size()) {
    const auto max_elements = std::max<std::ptrdiff_t>(max_message / _size, 1);
    const auto own_in = in_blocks(transposition.boxes_of_in(_team.myid()), transposition.in);
    std::vector<PairwiseExchange::Sizes> sent(_team.size());
    std::vector<PairwiseExchange::Sizes> received(_team.size());
    for (const int id : _team) {
      const team_unit_t unit(id);
      if (_team.is_on_node(unit)) continue;
      const auto i = static_cast<std::size_t>(id);
      const auto in = in_blocks(_transposition.boxes_of_in(unit), _transposition.in);
      const auto out = in_blocks(_transposition.boxes_of_out(unit), _transposition.out);
      _sends[i] = Traffic(overlap_of(own_in, out, max_elements, max_elements), max_elements);
      _receives[i] = Traffic(overlap_of(in, _own_out, max_elements, max_elements), max_elements);
      for (const Message& message : _sends[i].messages)
        sent[i].push_back(static_cast<std::size_t>(message.num_elements * _size));
      for (const Message& message : _receives[i].messages)
        received[i].push_back(static_cast<std::size_t>(message.num_elements * _size));
    }
    _exchange.emplace(_transposition.out.memory(), sent, received);
  }

  void run() {
    StepRunner steps;
    steps.run([&] { combine_on_node(); });
    steps.run([&] {
      _exchange->run(
          [&](team_unit_t unit, std::size_t message, std::byte* buffer) {
            for_each_rectangle(traffic_of(_sends, unit), message, buffer,
                               [&](const IndexRange& rows, const IndexRange& cols,
                                   const MatrixBlock<std::byte>& packed) {
                                 _transposition.assign(extent_of(rows), extent_of(cols), packed,
                                                       block_of_in(rows, cols, _team.myid()));
                               });
          },
          [&](team_unit_t unit, std::size_t message, const std::byte* buffer) {
            for_each_rectangle(traffic_of(_receives, unit), message, buffer,
                               [&](const IndexRange& rows, const IndexRange& cols,
                                   const MatrixBlock<const std::byte>& packed) {
                                 _transposition.update(extent_of(rows), extent_of(cols),
                                                       block_of_out(rows, cols), packed);
                               });
          });
    });
    steps.finish();
  }

 private:
  static const Traffic& traffic_of(const std::vector<Traffic>& all, team_unit_t unit) {
    return all[static_cast<std::size_t>(unit.id)];
  }

  /// Computes the elements whose counterparts are on the caller's node.
  void combine_on_node() const {
    for (const int id : _team) {
      const team_unit_t unit(id);
      if (!_team.is_on_node(unit)) continue;
      const Overlap overlap =
          overlap_of(in_blocks(_transposition.boxes_of_in(unit), _transposition.in), _own_out,
                     std::numeric_limits<std::ptrdiff_t>::max(), rows_of_task);
      run_on_workers(_transposition.parallel, overlap.strips.size(), [&](std::size_t i) {
        const Strip& strip = overlap.strips[i];
        for (const IndexRange& cols : strip.cols) {
          _transposition.update(extent_of(strip.rows), extent_of(cols),
                                block_of_out(strip.rows, cols),
                                block_of_in(strip.rows, cols, unit));
        }
      });
    }
  }

  /// Calls body(rows, cols, packed) for the parts of a message. They are packed in the order of `out`, in which the
  /// receiver reads them.
  template <class Byte, class Body>
  void for_each_rectangle(const Traffic& traffic, std::size_t message, Byte* buffer,
                          const Body& body) const {
    for (std::size_t i = traffic.messages[message].first; i < traffic.messages[message].last; ++i) {
      const Strip& strip = traffic.overlap.strips[i];
      const std::ptrdiff_t height = extent_of(strip.rows);
      for (const IndexRange& cols : strip.cols) {
        const std::ptrdiff_t width = extent_of(cols);
        const bool by_rows = _transposition.out.properties().is_row_major;
        body(strip.rows, cols,
             MatrixBlock<Byte>{buffer, by_rows ? width * _size : _size,
                               by_rows ? _size : height * _size});
        buffer += height * width * _size;
      }
    }
  }

  MatrixBlock<std::byte> block_of_out(const IndexRange& rows, const IndexRange& cols) const {
    const BlockLocation location =
        location_of(_transposition.out, _transposition.element_size, span_of(rows), span_of(cols));
    auto* const begin = static_cast<std::byte*>(_transposition.out.memory().local_begin());
    return {begin + location.offset, location.row_stride, location.col_stride};
  }

  /// The counterparts of elements of `out`, transposed.
  MatrixBlock<const std::byte> block_of_in(const IndexRange& rows, const IndexRange& cols,
                                           team_unit_t unit) const {
    const BlockLocation location =
        location_of(_transposition.in, _transposition.element_size, span_of(cols), span_of(rows));
    const auto* const begin =
        static_cast<const std::byte*>(_transposition.in.memory().mapped_part(unit));
    return {begin + location.offset, location.col_stride, location.row_stride};
  }

  const Transposition _transposition;
  const Team& _team;
  std::ptrdiff_t _size;
  std::vector<IndexBox> _own_out;
  std::vector<Traffic> _sends;  // by unit; empty for units of the node
  std::vector<Traffic> _receives;
  std::optional<PairwiseExchange> _exchange;
};

Transposer::Transposer(const Transposition& transposition)
    : _impl(std::make_unique<Impl>(transposition)) {}

Transposer::~Transposer() = default;

void Transposer::run() {
  _impl->run();
}

void check_transposition(const DistributedMatrix::Extents& in,
                         const DistributedMatrix::Extents& out, bool is_in_place, bool same_team) {
  if (in[0] != out[1] || in[1] != out[0]) {
    DASH_THROW(dash::exception::InvalidArgument,
               "dash::transpose: the input is "
                   << in[0] << " x " << in[1] << " and the output " << out[0] << " x " << out[1]
                   << "; expected an output of " << in[1] << " x " << in[0]);
  }
  if (in[0] == 0)
    DASH_THROW(dash::exception::InvalidArgument, "dash::transpose: the matrices are not allocated");
  if (is_in_place) {
    DASH_THROW(dash::exception::InvalidArgument,
               "dash::transpose: the output is the input; expected a separate matrix");
  }
  if (!same_team) {
    DASH_THROW(dash::exception::InvalidArgument,
               "dash::transpose: the matrices have different teams; expected matrices of one team");
  }
}

}  // namespace dash::internal
