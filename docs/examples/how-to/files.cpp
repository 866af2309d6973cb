// Files: writes a matrix and reads it back, by each unit, by one unit, and with MPI-IO. The binary file contains the
// elements in row-major order and nothing else, so it does not depend on the number of units.
// dash-example: units=1,3,4,7 layouts=node,nolocal uses=mpi
#include <dash/dart/Mpi.h>
#include <fcntl.h>
#include <libdash.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace {

using Matrix = dash::NArray<double, 2>;

// --8<-- [start:errors]
/// Calls f. If it throws on one unit, throws on all units, so that no unit waits for another one. Returns when all
/// units have called f.
template <class F>
void run_on_all_units(F f) {
  std::exception_ptr error;
  try {
    f();
  } catch (...) {
    error = std::current_exception();
  }
  const int failed = dash::allreduce_async(error ? 1 : 0, dash::plus<int>()).get();
  if (error) std::rethrow_exception(error);
  if (failed > 0) throw std::runtime_error(std::to_string(failed) + " other units have failed");
}
// --8<-- [end:errors]

// --8<-- [start:file]
/// An open file. Several threads and processes may read and write different parts of it at the same time.
class File {
 public:
  File(const std::string& name, int flags) : _descriptor(::open(name.c_str(), flags, 0666)) {
    check(_descriptor >= 0);
  }
  ~File() { ::close(_descriptor); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// Reads n elements from a position in bytes.
  void read(double* elements, std::size_t n, off_t position) const {
    auto* to = reinterpret_cast<char*>(elements);
    for (std::size_t left = n * sizeof(double); left > 0;) {
      const ssize_t done = ::pread(_descriptor, to, left, position);
      if (done == 0) throw std::runtime_error("the file is too short");
      check(done > 0);
      to += done;
      position += done;
      left -= static_cast<std::size_t>(done);
    }
  }
  /// Writes n elements to a position in bytes.
  void write(const double* elements, std::size_t n, off_t position) const {
    const auto* from = reinterpret_cast<const char*>(elements);
    for (std::size_t left = n * sizeof(double); left > 0;) {
      const ssize_t done = ::pwrite(_descriptor, from, left, position);
      check(done > 0);
      from += done;
      position += done;
      left -= static_cast<std::size_t>(done);
    }
  }

 private:
  static void check(bool condition) {
    if (!condition) throw std::system_error(errno, std::generic_category());
  }
  int _descriptor;
};
// --8<-- [end:file]

// --8<-- [start:rows]
/// Calls f(elements, n, position) for each row of the caller's block: its elements in memory, their number, and their
/// position in the file in bytes. Each unit has at most one block.
template <class F>
void for_each_local_row(Matrix& matrix, F f) {
  if (matrix.local_size() == 0) return;
  const auto extents = matrix.pattern().local_extents();
  for (long i = 0; i < static_cast<long>(extents[0]); ++i) {
    const auto first = matrix.pattern().global({i, 0});  // global coordinates
    const long index = first[0] * static_cast<long>(matrix.extent(1)) + first[1];
    f(matrix.lbegin() + i * static_cast<long>(extents[1]), extents[1],
      index * static_cast<off_t>(sizeof(double)));
  }
}
// --8<-- [end:rows]

// --8<-- [start:read]
void read_blocks(Matrix& matrix, const std::string& name) {
  run_on_all_units([&] {
    const File file(name, O_RDONLY);
    for_each_local_row(matrix, [&](double* elements, std::size_t n, off_t position) {
      file.read(elements, n, position);
    });
  });  // all units have read their elements
}
// --8<-- [end:read]

// --8<-- [start:write]
void write_blocks(Matrix& matrix, const std::string& name) {
  run_on_all_units([&] {
    if (dash::myid() == 0) const File created(name, O_WRONLY | O_CREAT | O_TRUNC);
  });  // the file exists and is empty
  run_on_all_units([&] {
    const File file(name, O_WRONLY);
    for_each_local_row(matrix, [&](const double* elements, std::size_t n, off_t position) {
      file.write(elements, n, position);
    });
  });  // the file is complete
}
// --8<-- [end:write]

// --8<-- [start:stream]
/// Reads a file with the elements of an array with one block on each unit.
void read_array(dash::Array<double>& array, const std::string& name) {
  run_on_all_units([&] {
    if (array.lsize() == 0) return;
    std::ifstream file;
    file.exceptions(std::ios::failbit | std::ios::badbit);  // errors are exceptions
    file.open(name, std::ios::binary);
    file.seekg(array.pattern().global(0) * static_cast<long>(sizeof(double)));
    file.read(reinterpret_cast<char*>(array.lbegin()),
              static_cast<std::streamsize>(array.lsize() * sizeof(double)));
  });
}
// --8<-- [end:stream]

// --8<-- [start:scatter]
/// Unit 0 reads numbers in text form and copies each row to its owners.
void read_text(Matrix& matrix, const std::string& name) {
  run_on_all_units([&] {
    if (dash::myid() != 0) return;
    std::ifstream file(name);
    std::vector<double> row(matrix.extent(1));
    for (std::size_t i = 0; i < matrix.extent(0); ++i) {
      for (double& element : row)
        if (!(file >> element)) throw std::runtime_error(name + ": expected a number");
      dash::copy(row.data(), row.data() + row.size(), matrix.row(static_cast<long>(i)).begin());
    }
  });
}
// --8<-- [end:scatter]

// --8<-- [start:gather]
/// Unit 0 copies each row from its owners and writes it as text.
void write_text(Matrix& matrix, const std::string& name) {
  dash::barrier();  // all units have written their elements
  run_on_all_units([&] {
    if (dash::myid() != 0) return;
    std::ofstream file(name);
    file.precision(std::numeric_limits<double>::max_digits10);  // to read the same values again
    std::vector<double> row(matrix.extent(1));
    for (std::size_t i = 0; i < matrix.extent(0); ++i) {
      const auto elements = matrix.row(static_cast<long>(i));
      dash::copy(elements.begin(), elements.end(), row.data());
      for (const double element : row)
        file << element << ' ';
      file << '\n';
    }
    file.close();
    if (!file) throw std::runtime_error(name + ": cannot write");
  });
}
// --8<-- [end:gather]

// --8<-- [start:mpi]
/// Writes the matrix with MPI-IO. Each unit has at most one block.
void write_with_mpi(Matrix& matrix, const std::string& name) {
  const auto check = [](int code) {
    if (code != MPI_SUCCESS) throw std::runtime_error("MPI-IO failed");
  };
  run_on_all_units([&] {
    MPI_Comm communicator = MPI_COMM_NULL;  // the rank of a unit is its number in the team
    if (dart_team_communicator(matrix.team().dart_id(), &communicator) != DART_OK)
      throw std::runtime_error(dart_last_error());

    // The part of the file that belongs to the caller's block.
    MPI_Datatype block = MPI_DATATYPE_NULL;
    if (matrix.local_size() > 0) {
      const auto first = matrix.pattern().global({0, 0});
      const auto local = matrix.pattern().local_extents();
      const int extents[] = {static_cast<int>(matrix.extent(0)),
                             static_cast<int>(matrix.extent(1))};
      const int local_extents[] = {static_cast<int>(local[0]), static_cast<int>(local[1])};
      const int offsets[] = {static_cast<int>(first[0]), static_cast<int>(first[1])};
      check(MPI_Type_create_subarray(2, extents, local_extents, offsets, MPI_ORDER_C, MPI_DOUBLE,
                                     &block));
    } else {
      check(MPI_Type_dup(MPI_DOUBLE, &block));  // a subarray must not be empty
    }
    check(MPI_Type_commit(&block));

    MPI_File file = MPI_FILE_NULL;
    check(MPI_File_open(communicator, name.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY,
                        MPI_INFO_NULL, &file));
    check(MPI_File_set_size(file, 0));  // removes the contents of an existing file
    check(MPI_File_set_view(file, 0, MPI_DOUBLE, block, "native", MPI_INFO_NULL));
    check(MPI_File_write_all(file, matrix.lbegin(), static_cast<int>(matrix.local_size()),
                             MPI_DOUBLE, MPI_STATUS_IGNORE));
    check(MPI_File_close(&file));
    check(MPI_Type_free(&block));
  });  // the file is complete
}
// --8<-- [end:mpi]

double value_at(long row, long col) {
  return static_cast<double>(1000 * row + col) / 7;  // not a short decimal number
}

/// The number of the caller's elements that are wrong.
int errors_in(Matrix& matrix) {
  int wrong = 0;
  const auto extents = matrix.pattern().local_extents();
  for (long i = 0; i < static_cast<long>(extents[0]); ++i)
    for (long j = 0; j < static_cast<long>(extents[1]); ++j) {
      const auto at = matrix.pattern().global({i, j});
      wrong += matrix.local(i, j) == value_at(at[0], at[1]) ? 0 : 1;
    }
  dash::fill(matrix, 0.0);
  dash::barrier();
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    // The tests run this program several times at the same time, so each run has its own file.
    const long run = dash::bcast_async(static_cast<long>(::getpid()), dash::team_unit_t(0)).get();
    const std::string name =
        std::filesystem::temp_directory_path() / ("dash-files-" + std::to_string(run));
    const long num_rows = 22;
    const long num_cols = 17;

    dash::TeamSpec<2> grid(dash::Team::All());
    grid.balance_extents();
    const dash::SizeSpec<2> sizes(num_rows, num_cols);
    Matrix blocks(
        Matrix::pattern_type(sizes, dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED), grid));
    Matrix rows(num_rows, num_cols);
    dash::generate_with_index(
        rows, [](long index) { return value_at(index / num_cols, index % num_cols); });

    write_blocks(rows, name);
    read_blocks(blocks, name);  // in another distribution
    wrong += errors_in(blocks) + errors_in(rows);

    read_blocks(blocks, name);
    write_text(blocks, name);
    read_text(rows, name);
    wrong += errors_in(rows);

    write_with_mpi(blocks, name + ".mpi");
    read_blocks(rows, name + ".mpi");
    wrong += errors_in(rows) + errors_in(blocks);

    dash::Array<double> array(num_rows * num_cols);
    read_array(array, name + ".mpi");
    for (std::size_t i = 0; i < array.lsize(); ++i) {
      const long index = array.pattern().global(static_cast<long>(i));
      wrong += array.local[i] == value_at(index / num_cols, index % num_cols) ? 0 : 1;
    }

    bool is_reported = false;
    try {
      read_blocks(rows, name + ".missing");
    } catch (const std::exception&) {
      is_reported = true;  // on all units
    }
    wrong += is_reported ? 0 : 1;

    dash::barrier();
    if (dash::myid() == 0) {
      std::filesystem::remove(name);
      std::filesystem::remove(name + ".mpi");
    }
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
