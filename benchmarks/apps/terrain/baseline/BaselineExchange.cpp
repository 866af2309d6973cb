#include "baseline/BaselineExchange.h"

#include <algorithm>

#include "support/MpiWait.h"

namespace terrain {

namespace {

/// Distance of the numbers that other processes write, a cache line.
constexpr std::size_t line_bytes = 64;

std::size_t num_cells(const Block& block) {
  return block.rows * block.cols;
}

}  // namespace

Halo BaselineExchange::halo(std::size_t field) {
  const auto at = [&](Side side) { return has_neighbour_on(side) ? border(field, side) : nullptr; };
  return {at(north), at(south), at(west), at(east)};
}

const double* BaselineExchange::row(std::size_t field, Side side) {
  return cells(field) + (side == south ? num_cells(_block) - _block.cols : 0);
}

void BaselineExchange::pack_column(std::size_t field, Side side, double* column) {
  const double* cell = cells(field) + (side == east ? _block.cols - 1 : 0);
  for (std::size_t r = 0; r < _block.rows; ++r, cell += _block.cols)
    column[r] = *cell;
}

TwoSidedBaseline::TwoSidedBaseline(const BlockGrid& blocks, int process)
    : BaselineExchange(blocks, process) {
  for (auto& cells : _cells)
    cells.resize(num_cells(_block));
  for (const Side side : sides)
    if (has_neighbour_on(side)) add_requests(side);
}

TwoSidedBaseline::~TwoSidedBaseline() {
  for (auto& requests : _requests) {
    for (MPI_Request& request : requests)
      MPI_Request_free(&request);
  }
}

/// The tag of a message is the side on which the receiver gets it.
void TwoSidedBaseline::add_requests(Side side) {
  const std::size_t size = length(_block, side);
  const auto count = static_cast<int>(size);
  _halos[side].resize(size);
  if (!is_row(side)) _columns[side].resize(size);
  for (std::size_t field = 0; field < _requests.size(); ++field) {
    auto& requests = _requests[field];
    requests.resize(requests.size() + 2);
    MPI_Recv_init(_halos[side].data(), count, MPI_DOUBLE, neighbour(side), side, MPI_COMM_WORLD,
                  &requests[requests.size() - 2]);
    MPI_Send_init(is_row(side) ? row(field, side) : _columns[side].data(), count, MPI_DOUBLE,
                  neighbour(side), opposite(side), MPI_COMM_WORLD, &requests[requests.size() - 1]);
  }
}

void TwoSidedBaseline::start(std::size_t field) {
  for (const Side side : {west, east})
    if (has_neighbour_on(side)) pack_column(field, side, _columns[side].data());
  auto& requests = _requests[field];
  MPI_Startall(static_cast<int>(requests.size()), requests.data());
}

void TwoSidedBaseline::finish(std::size_t field) {
  auto& requests = _requests[field];
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

RmaBaseline::RmaBaseline(const BlockGrid& blocks, int process)
    : BaselineExchange(blocks, process),
      _memory(
          sides.size() * line_bytes + 2 * sides.size() * blocks.max_side_length() * sizeof(double),
          kernels::MpiMemory::Kind::window) {
  for (auto& cells : _cells)
    cells.resize(num_cells(_block));
  for (const Side side : {west, east})
    if (has_neighbour_on(side)) _columns[side].resize(_block.rows);
}

std::size_t RmaBaseline::border_offset(std::size_t field, Side side) const {
  return sides.size() * line_bytes +
         (field * sides.size() + side) * _blocks.max_side_length() * sizeof(double);
}

const double* RmaBaseline::border(std::size_t field, Side side) {
  return reinterpret_cast<const double*>(_memory.local<std::byte>() + border_offset(field, side));
}

void RmaBaseline::put_border(std::size_t field, Side side) {
  if (!is_row(side)) pack_column(field, side, _columns[side].data());
  const double* const values = is_row(side) ? row(field, side) : _columns[side].data();
  const auto count = static_cast<int>(length(_block, side));
  MPI_Put(values, count, MPI_DOUBLE, neighbour(side),
          static_cast<MPI_Aint>(border_offset(field, opposite(side))), count, MPI_DOUBLE,
          _memory.window());
}

void RmaBaseline::start(std::size_t field) {
  for (const Side side : sides)
    if (has_neighbour_on(side)) put_border(field, side);
  // The flush also completes the put of the number of the previous exchange.
  for (const Side side : sides)
    if (has_neighbour_on(side)) MPI_Win_flush(neighbour(side), _memory.window());
  Number& number = _numbers[++_exchanges % 2];
  number = _exchanges;
  for (const Side side : sides) {
    if (!has_neighbour_on(side)) continue;
    MPI_Put(&number, 1, MPI_UINT64_T, neighbour(side),
            static_cast<MPI_Aint>(opposite(side) * line_bytes), 1, MPI_UINT64_T, _memory.window());
  }
}

void RmaBaseline::finish(std::size_t /*field*/) {
  for (const Side side : sides) {
    if (!has_neighbour_on(side)) continue;
    const std::atomic_ref<Number> number(
        *reinterpret_cast<Number*>(_memory.local<std::byte>() + side * line_bytes));
    kernels::wait_for_puts([&] { return number.load(std::memory_order_acquire) >= _exchanges; });
  }
}

SharedBaseline::SharedBaseline(const BlockGrid& blocks, int process)
    : BaselineExchange(blocks, process),
      _memory(line_bytes + (2 * num_cells(_block) + 4 * _block.rows) * sizeof(double),
              kernels::MpiMemory::Kind::shared) {}

double* SharedBaseline::cells_of(int process, std::size_t field) {
  auto* const first = reinterpret_cast<double*>(_memory.of<std::byte>(process) + line_bytes);
  return first + field * num_cells(_blocks.subdomain_of(process).block);
}

double* SharedBaseline::column_of(int process, std::size_t field, Side side) {
  const Block block = _blocks.subdomain_of(process).block;
  return cells_of(process, 2) + (2 * field + (side == east ? 1 : 0)) * block.rows;
}

const double* SharedBaseline::border(std::size_t field, Side side) {
  const int process = neighbour(side);
  if (!is_row(side)) return column_of(process, field, opposite(side));
  const Block block = _blocks.subdomain_of(process).block;
  return cells_of(process, field) + (side == north ? num_cells(block) - block.cols : 0);
}

/// A neighbour overwrites a border only after it has seen this process's number of the next
/// exchange, and this process publishes that number after it has read the border.
void SharedBaseline::start(std::size_t field) {
  for (const Side side : {west, east})
    if (has_neighbour_on(side)) pack_column(field, side, column_of(_process, field, side));
  number_of(_process).store(++_exchanges, std::memory_order_release);
}

void SharedBaseline::finish(std::size_t /*field*/) {
  for (const Side side : sides) {
    if (!has_neighbour_on(side)) continue;
    const auto number = number_of(neighbour(side));
    kernels::wait_for_stores([&] { return number.load(std::memory_order_acquire) >= _exchanges; });
  }
}

std::unique_ptr<BaselineExchange> make_baseline_exchange(const std::string& via,
                                                         const BlockGrid& blocks, int process) {
  if (via == "rma") return std::make_unique<RmaBaseline>(blocks, process);
  if (via == "shared") return std::make_unique<SharedBaseline>(blocks, process);
  return std::make_unique<TwoSidedBaseline>(blocks, process);
}

}  // namespace terrain
