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
  bool _is_crowded = false;
};

/// Memory of each process that others access, in one epoch for as long as it lives.
/// \collective begin and end
class MpiMemory {
 public:
  enum class Kind { window, shared };

  using Hints = std::vector<std::pair<std::string, std::string>>;

  /// \param nbytes of the calling process
  /// \param hints  what the window's info says besides
  MpiMemory(std::size_t nbytes, Kind kind, const Hints& hints = {});
  ~MpiMemory();
  MpiMemory(const MpiMemory&) = delete;
  MpiMemory& operator=(const MpiMemory&) = delete;

  MPI_Win window() const { return _window; }
  /// Completes the caller's operations at all processes. By a flush of each: MPI_Win_flush_all of MPICH
  /// 4.0 returns before a hundred gets or puts of words are complete.
  void flush() const;
  /// The same in the caller's memory only.
  void flush_local() const;
  template <class T>
  T* local() const {
    return static_cast<T*>(_local);
  }
  /// Of any process. \pre shared
  template <class T>
  T* of(int unit) const {
    return static_cast<T*>(_parts[static_cast<std::size_t>(unit)]);
  }

 private:
  void* _local = nullptr;
  MPI_Win _window = MPI_WIN_NULL;
  int _units = 1;
  std::vector<void*> _parts;
};

/// Reduces values of all processes on all of them, and leaves the processor to others meanwhile if there
/// are more processes than processors.
void reduce_all(void* values, std::size_t count, MPI_Datatype type, MPI_Op operation);

/// The main function of a program by MPI alone.
/// \param thread_level what it needs
/// @{
int mpi_main(int argc, char** argv, const Program& program, int thread_level = MPI_THREAD_SINGLE);
int mpi_main(int argc, char** argv, const std::string& name, const Run& run,
             int thread_level = MPI_THREAD_SINGLE);
/// @}

}  // namespace kernels
