// The steady temperature of a plate: an MPI solver, checked by random walks with DASH over the same memory.
// dash-example: units=1,2 full-units=3,4,7 layouts=node,nolocal uses=mpi timeout=240
#include <dash/dart/Mpi.h>
#include <libdash.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

enum class Cell : std::uint8_t { free, cold, hot };  // cold: always 0 degrees, hot: always 1

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string(call) + ": " + text);
}

// --- The program before it used DASH: messages, a reduction, a file ---

// --8<-- [start:rows]
/// The rows of a plate that belong to this process: `count` rows from row `first`, row by row.
struct Rows {
  double* temperature;
  const Cell* cells;
  int first;
  int count;
  int cols;
};

/// Solves the Laplace equation for the free cells. Returns the number of sweeps.
int solve(const Rows& rows, MPI_Comm communicator);
// --8<-- [end:rows]

constexpr double tolerance = 1e-7;
constexpr int max_sweeps = 100000;

/// A solver by successive over-relaxation, with cells in two colors.
class Solver {
 public:
  Solver(const Rows& rows, MPI_Comm communicator)
      : _rows(rows),
        _communicator(communicator),
        _above(static_cast<std::size_t>(rows.cols)),
        _below(static_cast<std::size_t>(rows.cols)) {
    int rank = 0;
    int size = 0;
    check(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
    _previous = rank == 0 ? MPI_PROC_NULL : rank - 1;
    _next = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    int height = 0;
    check(MPI_Allreduce(&rows.count, &height, 1, MPI_INT, MPI_SUM, communicator), "MPI_Allreduce");
    _factor = 2 / (1 + std::sin(std::numbers::pi / std::max(height, rows.cols)));
  }

  /// Updates all free cells once. Returns the largest change at this process.
  double sweep() {
    double change = 0;
    for (const int color : {0, 1}) {
      exchange();
      for (int row = 0; row < _rows.count; ++row)
        change = std::max(change, relax(row, color));
    }
    return change;
  }

 private:
  // --8<-- [start:exchange]
  /// Receives the last row of the previous process and the first row of the next one.
  void exchange() {
    double* const first = _rows.temperature;
    double* const last = first + static_cast<long>(_rows.count - 1) * _rows.cols;
    check(MPI_Sendrecv(first, _rows.cols, MPI_DOUBLE, _previous, 0, _below.data(), _rows.cols,
                       MPI_DOUBLE, _next, 0, _communicator, MPI_STATUS_IGNORE),
          "MPI_Sendrecv");
    check(MPI_Sendrecv(last, _rows.cols, MPI_DOUBLE, _next, 1, _above.data(), _rows.cols,
                       MPI_DOUBLE, _previous, 1, _communicator, MPI_STATUS_IGNORE),
          "MPI_Sendrecv");
  }
  // --8<-- [end:exchange]

  double relax(int row, int color) {
    const long begin = static_cast<long>(row) * _rows.cols;
    double* const here = _rows.temperature + begin;
    const double* const above = row == 0 ? _above.data() : here - _rows.cols;
    const double* const below = row == _rows.count - 1 ? _below.data() : here + _rows.cols;
    double change = 0;
    for (int col = (_rows.first + row + color) % 2; col < _rows.cols; col += 2) {
      if (_rows.cells[begin + col] != Cell::free) continue;
      const double mean = (above[col] + below[col] + here[col - 1] + here[col + 1]) / 4;
      change = std::max(change, std::abs(mean - here[col]));
      here[col] += _factor * (mean - here[col]);
    }
    return change;
  }

  Rows _rows;
  MPI_Comm _communicator;
  std::vector<double> _above;
  std::vector<double> _below;
  int _previous = MPI_PROC_NULL;
  int _next = MPI_PROC_NULL;
  double _factor = 1;
};

int solve(const Rows& rows, MPI_Comm communicator) {
  Solver solver(rows, communicator);
  for (int sweeps = 10; sweeps <= max_sweeps; sweeps += 10) {
    double change = 0;
    for (int sweep = 0; sweep < 10; ++sweep)
      change = solver.sweep();
    check(MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, communicator),
          "MPI_Allreduce");
    if (change < tolerance) return sweeps;
  }
  throw std::runtime_error("the solver does not converge");
}

// --8<-- [start:picture]
/// Writes a picture in the format PGM. Each process writes its rows.
void write_picture(const char* name, const Rows& rows, int height, MPI_Comm communicator) {
  const std::string header =
      "P5\n" + std::to_string(rows.cols) + ' ' + std::to_string(height) + "\n255\n";
  std::vector<unsigned char> grey(static_cast<std::size_t>(rows.count) *
                                  static_cast<std::size_t>(rows.cols));
  for (std::size_t k = 0; k < grey.size(); ++k)
    grey[k] = static_cast<unsigned char>(std::lround(255 * std::sqrt(rows.temperature[k])));

  MPI_File file = MPI_FILE_NULL;
  check(MPI_File_open(communicator, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file),
        "MPI_File_open");
  check(MPI_File_set_size(file, 0), "MPI_File_set_size");
  const auto begin = static_cast<MPI_Offset>(header.size());
  if (rows.first == 0) {
    check(MPI_File_write_at(file, 0, header.data(), static_cast<int>(header.size()), MPI_CHAR,
                            MPI_STATUS_IGNORE),
          "MPI_File_write_at");
  }
  check(MPI_File_write_at_all(file, begin + static_cast<MPI_Offset>(rows.first) * rows.cols,
                              grey.data(), static_cast<int>(grey.size()), MPI_UNSIGNED_CHAR,
                              MPI_STATUS_IGNORE),
        "MPI_File_write_at_all");
  check(MPI_File_close(&file), "MPI_File_close");
}
// --8<-- [end:picture]

// --- What DASH adds ---

struct Size {
  int rows = 56;
  int cols = 80;
  int walks = 2000;  // from each start
};

/// A cold frame, a cold wall with a gap, and two hot discs.
Cell cell_at(const Size& size, int row, int col) {
  if (row == 0 || col == 0 || row == size.rows - 1 || col == size.cols - 1) return Cell::cold;
  if (col == size.cols / 2 && std::abs(row - size.rows / 3) > size.rows / 8) return Cell::cold;
  const double radius = 0.12 * size.rows;
  if (std::hypot(row - 0.35 * size.rows, col - 0.25 * size.cols) < radius) return Cell::hot;
  if (std::hypot(row - 0.7 * size.rows, col - 0.75 * size.cols) < radius) return Cell::hot;
  return Cell::free;
}

// --8<-- [start:plate]
/// A plate whose rows are distributed over the units. Any unit accesses any cell.
struct Plate {
  explicit Plate(const Size& size)
      : temperature(dash::SizeSpec<2>(size.rows, size.cols),
                    dash::DistributionSpec<2>(dash::BLOCKED, dash::NONE)),
        cells(temperature.pattern()) {}

  /// The own rows, as the functions above expect them.
  Rows own_rows() {
    const auto extents = temperature.pattern().local_extents();
    const auto first = temperature.pattern().global_coords(dash::Team::All().myid(), 0);
    return {.temperature = temperature.lbegin(),
            .cells = cells.lbegin(),
            .first = static_cast<int>(first[0]),
            .count = static_cast<int>(extents[0]),
            .cols = static_cast<int>(extents[1])};
  }

  dash::NArray<double, 2> temperature;
  dash::NArray<Cell, 2> cells;
};
// --8<-- [end:plate]

struct Start {
  int row;
  int col;
};

// --8<-- [start:walk]
/// Walks from cell to cell in random directions. Returns whether the first cell that is not free is hot.
bool ends_hot(const Plate& plate, Start at, std::mt19937_64 random) {
  constexpr int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  for (;;) {
    const Cell cell = plate.cells(at.row, at.col);  // at any unit
    if (cell != Cell::free) return cell == Cell::hot;
    const auto& [down, right] = steps[random() >> 62];
    at = {at.row + down, at.col + right};
  }
}
// --8<-- [end:walk]

// --8<-- [start:compare]
/// Compares the temperatures at some cells with the shares of walks that end at hot cells.
bool agrees_with_walks(const Plate& plate, const Size& size) {
  const Start starts[] = {{size.rows / 3, size.cols / 2},
                          {size.rows / 2, size.cols * 5 / 8},
                          {size.rows * 3 / 4, size.cols / 4}};
  constexpr int num_starts = std::size(starts);
  dash::Array<dash::Atomic<int>> hot(num_starts);
  dash::barrier();  // the counts are zero at all units

  const auto units = static_cast<int>(dash::size());
  for (int start = 0; start < num_starts; ++start) {
    int own = 0;
    for (int walk = dash::myid(); walk < size.walks; walk += units) {
      const auto seed = static_cast<std::uint64_t>(start) * 1000000007 + walk;
      own += ends_hot(plate, starts[start], std::mt19937_64(seed)) ? 1 : 0;
    }
    hot[start].add(own);
  }
  dash::barrier();  // all additions are complete

  bool agrees = true;
  for (int start = 0; start < num_starts; ++start) {
    const auto [row, col] = starts[start];
    const double exact = plate.temperature(row, col);  // written by the MPI solver
    const double mean = static_cast<double>(hot[start].load()) / size.walks;
    const double error = std::sqrt(exact * (1 - exact) / size.walks);
    agrees = agrees && std::abs(mean - exact) < 4 * error;
    if (dash::myid() == 0)
      std::printf("row %2d, column %2d: solver %.4f, walks %.4f, standard error %.4f\n", row, col,
                  exact, mean, error);
  }
  dash::barrier();  // all units have read the counts
  return agrees;
}
// --8<-- [end:compare]

bool run(const Size& size) {
  Plate plate(size);
  const Rows rows = plate.own_rows();
  for (int row = 0; row < rows.count; ++row) {
    for (int col = 0; col < rows.cols; ++col) {
      const Cell cell = cell_at(size, rows.first + row, col);
      const long k = static_cast<long>(row) * rows.cols + col;
      plate.cells.lbegin()[k] = cell;
      plate.temperature.lbegin()[k] = cell == Cell::hot ? 1 : 0;
    }
  }

  // --8<-- [start:run]
  MPI_Comm communicator = MPI_COMM_NULL;  // owned by the team
  if (dart_team_communicator(dash::Team::All().dart_id(), &communicator) != DART_OK)
    throw std::runtime_error(dart_last_error());
  const int sweeps = solve(rows, communicator);
  if (dash::myid() == 0) std::printf("solver: %d sweeps\n", sweeps);
  write_picture("plate.pgm", rows, size.rows, communicator);

  dash::barrier();  // MPI has written the temperatures of all units
  return agrees_with_walks(plate, size);
  // --8<-- [end:run]
}

Size size_from(int argc, char** argv) {
  Size size;
  if (argc == 4) size = {std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3])};
  const auto units = static_cast<int>(dash::size());
  const bool is_valid = (argc == 1 || argc == 4) && size.cols >= 16 && size.walks >= 100 &&
                        size.rows >= std::max(16, units * units);
  if (!is_valid)
    throw std::invalid_argument("usage: plate [ROWS COLUMNS WALKS], at least 16 16 100, and " +
                                std::to_string(units * units) + " rows for this number of units");
  return size;
}

}  // namespace

// --8<-- [start:main]
int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  dash::init(&argc, &argv);
  bool is_right = false;
  try {
    is_right = run(size_from(argc, argv));
  } catch (const std::exception& error) {
    if (dash::myid() == 0) std::fprintf(stderr, "%s\n", error.what());
  }
  dash::finalize();
  MPI_Finalize();
  return is_right ? 0 : 1;
}
// --8<-- [end:main]
