#include "dash/algorithm/internal/matrix/Transpose.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "dash/Exception.h"
#include "dash/Team.h"
#include "dash/internal/transfer/PairwiseExchange.h"
#include "matrix/summa/Panel.h"

namespace dash::internal {

namespace {

/// Maximum size in bytes of a message. A sender's buffer stays in its second-level cache.
constexpr std::size_t max_message = std::size_t{256} << 10;
/// The number of rows of `out` that a task of a worker computes.
constexpr std::ptrdiff_t rows_of_task = 64;

/// Elements of `out` that are stored as a matrix, and whose counterparts in `in` are.
struct Rectangle {
  IndexRange rows;
  IndexRange cols;

  std::ptrdiff_t height() const { return rows.end - rows.begin; }
  std::ptrdiff_t width() const { return cols.end - cols.begin; }
};

IndexSpan span_of(const IndexRange& range) {
  return {range.begin, range.begin + 1, range.end - range.begin};
}

/// The ranges in ascending order, divided at the boundaries of blocks that are stored separately.
std::vector<IndexRange> ranges_in_blocks(std::vector<IndexRange> ranges,
                                         const DistributedMatrix& matrix, std::size_t dimension) {
  std::sort(ranges.begin(), ranges.end(),
            [](const IndexRange& a, const IndexRange& b) { return a.begin < b.begin; });
  if (matrix.properties().is_canonical) return ranges;
  const std::ptrdiff_t extent = matrix.properties().block_extents[dimension];
  std::vector<IndexRange> parts;
  for (IndexRange range : ranges) {
    while (range.begin < range.end) {
      const std::ptrdiff_t end = std::min(range.end, (range.begin / extent + 1) * extent);
      parts.push_back({range.begin, end});
      range.begin = end;
    }
  }
  return parts;
}

/// The intersections of two sequences of ascending ranges.
std::vector<IndexRange> common_ranges(const std::vector<IndexRange>& a,
                                      const std::vector<IndexRange>& b) {
  std::vector<IndexRange> common;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const IndexRange range{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (range.begin < range.end) common.push_back(range);
    a[i].end < b[j].end ? ++i : ++j;
  }
  return common;
}

/// The elements of `out` of one unit whose counterparts another unit owns, in the same order on both units, divided
/// into rectangles of limited height and size.
std::vector<Rectangle> rectangles(const Transposition& transposition, team_unit_t owner_of_in,
                                  team_unit_t owner_of_out, std::ptrdiff_t max_elements,
                                  std::ptrdiff_t max_height) {
  std::vector<Rectangle> result;
  const auto boxes_of_in = transposition.boxes_of_in(owner_of_in);
  for (const IndexBox& box : transposition.boxes_of_out(owner_of_out)) {
    const auto rows_of_out = ranges_in_blocks(box.rows, transposition.out, 0);
    const auto cols_of_out = ranges_in_blocks(box.cols, transposition.out, 1);
    for (const IndexBox& counterparts : boxes_of_in) {
      const auto rows =
          common_ranges(rows_of_out, ranges_in_blocks(counterparts.cols, transposition.in, 1));
      const auto cols =
          common_ranges(cols_of_out, ranges_in_blocks(counterparts.rows, transposition.in, 0));
      for (const IndexRange& row_range : rows) {
        for (const IndexRange& col_range : cols) {
          const std::ptrdiff_t width = std::min(col_range.end - col_range.begin, max_elements);
          const std::ptrdiff_t height =
              std::clamp<std::ptrdiff_t>(max_elements / width, 1, max_height);
          for (std::ptrdiff_t row = row_range.begin; row < row_range.end; row += height) {
            for (std::ptrdiff_t col = col_range.begin; col < col_range.end; col += width) {
              result.push_back({{row, std::min(row + height, row_range.end)},
                                {col, std::min(col + width, col_range.end)}});
            }
          }
        }
      }
    }
  }
  return result;
}

/// Consecutive rectangles that fit into one message.
struct Message {
  std::size_t first;
  std::size_t last;
  std::size_t nbytes;
};

std::vector<Message> messages_of(const std::vector<Rectangle>& rectangles,
                                 std::size_t element_size) {
  std::vector<Message> messages;
  for (std::size_t i = 0; i < rectangles.size(); ++i) {
    const std::size_t nbytes =
        static_cast<std::size_t>(rectangles[i].height() * rectangles[i].width()) * element_size;
    if (messages.empty() || messages.back().nbytes + nbytes > max_message) {
      messages.push_back({i, i, 0});
    }
    messages.back().last = i + 1;
    messages.back().nbytes += nbytes;
  }
  return messages;
}

/// The rectangles that two units exchange.
struct Traffic {
  std::vector<Rectangle> rectangles;
  std::vector<Message> messages;

  PairwiseMessages::Sizes sizes() const {
    PairwiseMessages::Sizes result;
    for (const Message& message : messages)
      result.push_back(message.nbytes);
    return result;
  }
};

class Transposer {
 public:
  explicit Transposer(const Transposition& transposition)
      : _transposition(transposition),
        _team(transposition.out.memory().team()),
        _size(static_cast<std::ptrdiff_t>(transposition.element_size)) {}

  /// Computes the elements whose counterparts are on the caller's node.
  void combine_on_node() const {
    for (const int id : _team) {
      const team_unit_t unit(id);
      if (!is_on_node(unit)) continue;
      const auto parts = rectangles(_transposition, unit, _team.myid(),
                                    std::numeric_limits<std::ptrdiff_t>::max(), rows_of_task);
      run_on_workers(_transposition.parallel, parts.size(), [&](std::size_t i) {
        const Rectangle& part = parts[i];
        _transposition.update(part.height(), part.width(), block_of_out(part),
                              block_of_in(part, unit));
      });
    }
  }

  /// Computes the others. All units take part, even after an error.
  void combine_across_nodes() {
    exchange_pairwise(
        _transposition.out.memory(),
        {[&](team_unit_t unit) { return (_to = traffic(_team.myid(), unit)).sizes(); },
         [&](team_unit_t unit) { return (_from = traffic(unit, _team.myid())).sizes(); },
         [&](team_unit_t, std::size_t message, std::byte* buffer) { pack(message, buffer); },
         [&](team_unit_t, std::size_t message, const std::byte* buffer) {
           unpack(message, buffer);
         }});
  }

 private:
  bool is_on_node(team_unit_t unit) const { return _team.is_on_node(unit); }

  Traffic traffic(team_unit_t owner_of_in, team_unit_t owner_of_out) const {
    if (is_on_node(owner_of_in == _team.myid() ? owner_of_out : owner_of_in)) return {};
    Traffic result;
    const auto max_elements =
        std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(max_message) / _size, 1);
    result.rectangles =
        rectangles(_transposition, owner_of_in, owner_of_out, max_elements, max_elements);
    result.messages = messages_of(result.rectangles, _transposition.element_size);
    return result;
  }

  void pack(std::size_t message, std::byte* buffer) const {
    for (std::size_t i = _to.messages[message].first; i < _to.messages[message].last; ++i) {
      const Rectangle& part = _to.rectangles[i];
      _transposition.assign(part.height(), part.width(), packed(part, buffer),
                            block_of_in(part, _team.myid()));
      buffer += part.height() * part.width() * _size;
    }
  }

  void unpack(std::size_t message, const std::byte* buffer) const {
    for (std::size_t i = _from.messages[message].first; i < _from.messages[message].last; ++i) {
      const Rectangle& part = _from.rectangles[i];
      _transposition.update(part.height(), part.width(), block_of_out(part), packed(part, buffer));
      buffer += part.height() * part.width() * _size;
    }
  }

  /// A rectangle in a message: in the order of `out`, in which the receiver reads it.
  template <class Byte>
  MatrixBlock<Byte> packed(const Rectangle& part, Byte* buffer) const {
    if (_transposition.out.properties().is_row_major) return {buffer, part.width() * _size, _size};
    return {buffer, _size, part.height() * _size};
  }

  MatrixBlock<std::byte> block_of_out(const Rectangle& part) const {
    const BlockLocation location = location_of(_transposition.out, _transposition.element_size,
                                               span_of(part.rows), span_of(part.cols));
    auto* const begin = static_cast<std::byte*>(_transposition.out.memory().local_begin());
    return {begin + location.offset, location.row_stride, location.col_stride};
  }

  MatrixBlock<const std::byte> block_of_in(const Rectangle& part, team_unit_t unit) const {
    const BlockLocation location = location_of(_transposition.in, _transposition.element_size,
                                               span_of(part.cols), span_of(part.rows));
    const auto* const begin =
        static_cast<const std::byte*>(_transposition.in.memory().mapped_part(unit));
    return MatrixBlock<const std::byte>{begin + location.offset, location.row_stride,
                                        location.col_stride}
        .transposed();
  }

  const Transposition& _transposition;
  const Team& _team;
  std::ptrdiff_t _size;
  Traffic _to;
  Traffic _from;
};

}  // namespace

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

void transpose(const Transposition& transposition) {
  Transposer transposer(transposition);
  std::exception_ptr error;
  try {
    transposer.combine_on_node();
  } catch (...) {
    error = std::current_exception();  // other units need the messages of this one
  }
  transposer.combine_across_nodes();
  if (error) std::rethrow_exception(error);
}

}  // namespace dash::internal
