#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/Program.h"

namespace kernels {

/// The processes of MPI_COMM_WORLD.
class MpiWorld final : public World {
 public:
  MpiWorld();

  int unit() const override { return _unit; }
  int units() const override { return _units; }
  void barrier() override;
  void reduce(std::span<double> values, Reduction reduction) override;
  void reduce(std::span<std::uint64_t> values, Reduction reduction) override;
  bool is_one_node() const override { return _is_one_node; }

 private:
  void end_job() override;

  int _unit = 0;
  int _units = 1;
  bool _is_one_node = false;
  bool _is_oversubscribed = false;
};

/// A window of MPI: memory of each process that the other processes access. One passive-target
/// epoch lasts as long as the object.
/// \collective constructor and destructor
class MpiMemory {
 public:
  enum class Kind { window, shared };

  using Hints = std::vector<std::pair<std::string, std::string>>;

  /// \param nbytes  memory of the calling process
  /// \param hints   further keys and values of the window's info object
  MpiMemory(std::size_t nbytes, Kind kind, const Hints& hints = {});
  ~MpiMemory();
  MpiMemory(const MpiMemory&) = delete;
  MpiMemory& operator=(const MpiMemory&) = delete;

  MPI_Win window() const { return _window; }
  /// Completes the caller's operations at all targets. It flushes each target separately, since
  /// MPI_Win_flush_all of MPICH 4.0 may return before gets and puts of words are complete (seen
  /// with a hundred of them).
  void flush() const;
  /// Completes the caller's operations locally: their buffers may be reused.
  void flush_local() const;
  template <class T>
  T* local() const {
    return static_cast<T*>(_local);
  }
  /// Memory of any process. \pre the kind is `shared`
  template <class T>
  T* of(int unit) const {
    return static_cast<T*>(_segments[static_cast<std::size_t>(unit)]);
  }

 private:
  void* _local = nullptr;
  MPI_Win _window = MPI_WIN_NULL;
  int _units = 1;
  std::vector<void*> _segments;
};

/// Reduces values over all processes in place, like MPI_Allreduce. If a host is oversubscribed,
/// waits with yields.
void reduce_all(void* values, std::size_t count, MPI_Datatype type, MPI_Op operation);

/// The main function of an MPI program.
/// \param thread_level  required thread level of MPI
/// @{
int mpi_main(int argc, char** argv, const Program& program, int thread_level = MPI_THREAD_SINGLE);
int mpi_main(int argc, char** argv, const std::string& name, const Run& run,
             int thread_level = MPI_THREAD_SINGLE);
/// @}

}  // namespace kernels
