#include "support/MpiProgram.h"

#include <fmt/core.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>

#include "dash/core/Spin.h"
#include "support/MpiWait.h"

namespace kernels {

namespace {

MPI_Op operation(World::Reduction reduction) {
  switch (reduction) {
    case World::Reduction::sum:
      return MPI_SUM;
    case World::Reduction::max:
      return MPI_MAX;
    case World::Reduction::bit_xor:
      return MPI_BXOR;
  }
  return MPI_OP_NULL;
}

void* align_up(void* address, std::size_t alignment) {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  return reinterpret_cast<void*>((value + alignment - 1) / alignment * alignment);
}

}  // namespace

void reduce_all(void* values, std::size_t count, MPI_Datatype type, MPI_Op operation) {
  const auto size = static_cast<int>(count);
  if (!is_oversubscribed()) {
    MPI_Allreduce(MPI_IN_PLACE, values, size, type, operation, MPI_COMM_WORLD);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, values, size, type, operation, MPI_COMM_WORLD, &request);
  wait_yielding(request);
}

MpiWorld::MpiWorld() {
  MPI_Comm_rank(MPI_COMM_WORLD, &_unit);
  MPI_Comm_size(MPI_COMM_WORLD, &_units);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int neighbours = 0;
  MPI_Comm_size(node, &neighbours);
  MPI_Comm_free(&node);
  _is_one_node = neighbours == _units;
  _is_oversubscribed = is_oversubscribed();
}

void MpiWorld::end_job() {
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void MpiWorld::barrier() {
  if (!_is_oversubscribed) {
    MPI_Barrier(MPI_COMM_WORLD);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  wait_yielding(request);
}
void MpiWorld::reduce(std::span<double> values, Reduction reduction) {
  reduce_all(values.data(), values.size(), MPI_DOUBLE, operation(reduction));
}
void MpiWorld::reduce(std::span<std::uint64_t> values, Reduction reduction) {
  reduce_all(values.data(), values.size(), MPI_UINT64_T, operation(reduction));
}

MpiMemory::MpiMemory(std::size_t nbytes, Kind kind, const Hints& hints) {
  // Whole pages, and at least one: if sizes are not multiples of a page, puts and gets of MPICH 4.0
  // access wrong addresses in the memory of another process of the node.
  constexpr std::size_t page = 4096;
  const auto size = static_cast<MPI_Aint>((nbytes / page + 1) * page);
  MpiWorld world;
  _units = world.units();
  if (world.is_one_node()) {
    require_shared_memory(world, static_cast<double>(size),
                          fmt::format("a window of {} bytes a unit", nbytes));
  }
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  for (const auto& [key, value] : hints)
    MPI_Info_set(info, key.c_str(), value.c_str());
  if (kind == Kind::window) {
    MPI_Win_allocate(size, 1, info, MPI_COMM_WORLD, &_local, &_window);
  } else {
    // The memory of each process starts on a separate page with MPICH, but is not aligned with Open MPI 4.
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    constexpr std::size_t line = dash::core::cache_line_size;
    MPI_Win_allocate_shared(size + static_cast<MPI_Aint>(line), 1, info, MPI_COMM_WORLD, &_local,
                            &_window);
    _local = align_up(_local, line);
    for (int unit = 0; unit < _units; ++unit) {
      MPI_Aint segment_size = 0;
      int disp_unit = 0;
      void* begin = nullptr;
      MPI_Win_shared_query(_window, unit, &segment_size, &disp_unit, &begin);
      _segments.push_back(align_up(begin, line));
    }
  }
  MPI_Info_free(&info);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, _window);
  std::memset(_local, 0, nbytes);
  MPI_Win_sync(_window);
  MPI_Barrier(MPI_COMM_WORLD);
}

MpiMemory::~MpiMemory() {
  MPI_Win_unlock_all(_window);
  MPI_Win_free(&_window);
}

void MpiMemory::flush() const {
  for (int unit = 0; unit < _units; ++unit)
    MPI_Win_flush(unit, _window);
}

void MpiMemory::flush_local() const {
  for (int unit = 0; unit < _units; ++unit)
    MPI_Win_flush_local(unit, _window);
}

int mpi_main(int argc, char** argv, const std::string& name, const Run& run, int thread_level) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, thread_level, &provided);
  int code = 1;
  {
    MpiWorld world;
    code = run_and_report_errors(
        argc, argv, name,
        [&](int count, char** words, World& all) {
          if (provided < thread_level)
            throw UserError("MPI does not provide the thread level that the program needs");
          return run(count, words, all);
        },
        world);
    // All processes enter MPI_Finalize together: over TCP, a process that enters later than another
    // one hangs in MPI_Finalize of MPICH before 4.2 (docs/decisions/004-finalize-over-tcp.md).
    world.barrier();
  }
  MPI_Finalize();
  return code;
}

int mpi_main(int argc, char** argv, const Program& program, int thread_level) {
  const auto run = [&](int count, char** words, World& world) {
    return run_program(count, words, program, world, true);
  };
  return mpi_main(argc, argv, program.name, run, thread_level);
}

}  // namespace kernels
