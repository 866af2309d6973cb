#include "MpiFetch.h"

#include <mpi.h>

#include <array>
#include <cstring>

#include "support/MpiProgram.h"
#include "support/UserError.h"

namespace spmv {

namespace {

using kernels::MpiMemory;

/// Owners send the columns that other units need, which they learn once at the beginning. All
/// messages are persistent requests. Receives are started one product ahead, so that a sender that
/// is ahead finds them posted.
class TwoSidedFetch final : public Fetch {
 public:
  explicit TwoSidedFetch(const FetchSpec& spec)
      : Fetch(spec), _vector(spec.local_size()), _has_ranges(spec.variant == Variant::ranges) {
    std::vector<int> requested = exchange_sizes();
    for (const std::size_t buffer_index : {0, 1}) {
      for (const Dependency& dependency : _spec.dependencies) {
        const auto n = static_cast<int>(_spec.num_columns(dependency) * _spec.block_size);
        MPI_Recv_init(make_buffer(dependency, buffer_index), n, MPI_DOUBLE, dependency.owner, 0,
                      MPI_COMM_WORLD, &_receives[buffer_index].emplace_back());
      }
    }
    start_receives(1 - _current);
    exchange_columns(requested);
  }
  ~TwoSidedFetch() override {
    for (MPI_Request& request : _receives[1 - _current]) {
      MPI_Cancel(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (auto& receives : _receives) {
      for (MPI_Request& request : receives)
        MPI_Request_free(&request);
    }
    for (auto& send : _sends)
      MPI_Request_free(&send.request);
  }

  std::span<double> local() override { return _vector; }

  void start() override {
    _current = 1 - _current;
    for (Send& send : _sends) {
      std::size_t n = 0;
      for (const std::size_t offset : send.packed) {
        std::memcpy(send.buffer.data() + n, _vector.data() + offset,
                    _spec.block_size * sizeof(double));
        n += _spec.block_size;
      }
      MPI_Start(&send.request);
    }
    start_receives(1 - _current);
  }
  void finish() override {
    auto& receives = _receives[_current];
    MPI_Waitall(static_cast<int>(receives.size()), receives.data(), MPI_STATUSES_IGNORE);
    for (Send& send : _sends)
      MPI_Wait(&send.request, MPI_STATUS_IGNORE);
  }

 private:
  struct Send {
    std::vector<std::size_t> packed;  // for lists: offsets of the columns to pack
    std::vector<double> buffer;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void start_receives(std::size_t buffer_index) {
    MPI_Startall(static_cast<int>(_receives[buffer_index].size()), _receives[buffer_index].data());
  }

  /// \returns the number of columns that each unit needs from the caller
  std::vector<int> exchange_sizes() const {
    const auto units = static_cast<std::size_t>(_spec.layout.units);
    std::vector<int> needed(units);
    for (const Dependency& dependency : _spec.dependencies)
      needed[static_cast<std::size_t>(dependency.owner)] =
          static_cast<int>(dependency.columns.size());
    std::vector<int> requested(units);
    MPI_Alltoall(needed.data(), 1, MPI_INT, requested.data(), 1, MPI_INT, MPI_COMM_WORLD);
    return requested;
  }

  void exchange_columns(const std::vector<int>& requested) {
    std::vector<MPI_Request> requests;
    for (const Dependency& dependency : _spec.dependencies) {
      MPI_Isend(dependency.columns.data(), static_cast<int>(dependency.columns.size()),
                MPI_UINT64_T, dependency.owner, 1, MPI_COMM_WORLD, &requests.emplace_back());
    }
    // Elements must not move, since persistent requests refer to their buffers.
    _sends.reserve(requested.size());
    for (std::size_t unit = 0; unit < requested.size(); ++unit) {
      if (requested[unit] == 0) continue;
      std::vector<std::uint64_t> columns(static_cast<std::size_t>(requested[unit]));
      MPI_Recv(columns.data(), requested[unit], MPI_UINT64_T, static_cast<int>(unit), 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      add_send(static_cast<int>(unit), columns);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  void add_send(int to, const std::vector<std::uint64_t>& columns) {
    const auto local_offset = [&](std::uint64_t column) {
      return (column - _spec.layout.first) * _spec.block_size;
    };
    Send& send = _sends.emplace_back();
    const double* begin = _vector.data() + local_offset(columns.front());
    std::size_t n = columns.back() - columns.front() + 1;
    if (!_has_ranges) {
      for (const std::uint64_t column : columns)
        send.packed.push_back(local_offset(column));
      n = columns.size();
      send.buffer.resize(n * _spec.block_size);
      begin = send.buffer.data();
    }
    MPI_Send_init(begin, static_cast<int>(n * _spec.block_size), MPI_DOUBLE, to, 0, MPI_COMM_WORLD,
                  &send.request);
  }

  std::vector<double> _vector;
  bool _has_ranges;
  std::array<std::vector<MPI_Request>, 2> _receives;  // into the two buffers, used alternately
  std::vector<Send> _sends;
};

/// Fetches by gets with requests, which MPICH completes sooner than a flush.
class RmaFetch final : public Fetch {
 public:
  explicit RmaFetch(const FetchSpec& spec)
      : Fetch(spec), _vector(spec.local_size() * sizeof(double), MpiMemory::Kind::window) {
    for (const Dependency& dependency : spec.dependencies) {
      double* out = make_buffer(dependency);
      if (spec.variant == Variant::lists) {
        const auto n = static_cast<int>(dependency.columns.size() * spec.block_size);
        _gets.push_back({out, n, dependency.owner, offset(dependency, dependency.first()), 1,
                         make_list(dependency)});
        continue;
      }
      for (const ColumnRun& run : runs_of(dependency, spec.variant)) {
        const auto n = static_cast<int>(run.length * spec.block_size);
        _gets.push_back({out, n, dependency.owner, offset(dependency, run.first), n, MPI_DOUBLE});
        out += n;
      }
    }
    _requests.resize(_gets.size());
  }
  ~RmaFetch() override {
    for (MPI_Datatype& type : _lists)
      MPI_Type_free(&type);
  }

  std::span<double> local() override { return {_vector.local<double>(), _spec.local_size()}; }

  void start() override {
    MPI_Win_sync(_vector.window());
    for (std::size_t i = 0; i < _gets.size(); ++i) {
      const Get& get = _gets[i];
      MPI_Rget(get.out, get.n, MPI_DOUBLE, get.owner, get.offset, get.count, get.type,
               _vector.window(), &_requests[i]);
    }
  }
  void finish() override {
    MPI_Waitall(static_cast<int>(_requests.size()), _requests.data(), MPI_STATUSES_IGNORE);
    // In MPICH 4.0 the request of a get of a list may complete before its data has arrived.
    if (!_lists.empty()) _vector.flush();
  }

 private:
  struct Get {
    double* out;
    int n;
    int owner;
    MPI_Aint offset;
    int count;
    MPI_Datatype type;
  };

  MPI_Aint offset(const Dependency& dependency, std::uint64_t column) const {
    return static_cast<MPI_Aint>(_spec.offset_in_block(dependency, column) * sizeof(double));
  }
  MPI_Datatype make_list(const Dependency& dependency) {
    std::vector<int> lengths;
    std::vector<int> displacements;
    for (const ColumnRun& run : runs_of(dependency)) {
      lengths.push_back(static_cast<int>(run.length * _spec.block_size));
      displacements.push_back(
          static_cast<int>((run.first - dependency.first()) * _spec.block_size));
    }
    MPI_Datatype& type = _lists.emplace_back();
    MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), displacements.data(),
                     MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
  }

  MpiMemory _vector;
  std::vector<Get> _gets;
  std::vector<MPI_Request> _requests;
  std::vector<MPI_Datatype> _lists;
};

/// Reads columns of other units in place.
class SharedFetch final : public Fetch {
 public:
  explicit SharedFetch(const FetchSpec& spec)
      : Fetch(spec), _vector(spec.local_size() * sizeof(double), MpiMemory::Kind::shared) {
    for (const Dependency& dependency : spec.dependencies) {
      read_in_place(dependency, _vector.of<double>(dependency.owner) +
                                    spec.offset_in_block(dependency, dependency.first()));
    }
  }

  std::span<double> local() override { return {_vector.local<double>(), _spec.local_size()}; }
  void start() override {}
  void finish() override {}

 private:
  MpiMemory _vector;
};

}  // namespace

std::unique_ptr<Fetch> make_mpi_fetch(const FetchSpec& spec, const std::string& via) {
  if (via == "shared") return std::make_unique<SharedFetch>(spec);
  if (via == "rma") return std::make_unique<RmaFetch>(spec);
  if (spec.variant == Variant::elements) {
    throw kernels::UserError(
        "--via two-sided cannot fetch single elements of other units: expected --fetch ranges or "
        "lists");
  }
  return std::make_unique<TwoSidedFetch>(spec);
}

}  // namespace spmv
