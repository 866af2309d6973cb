#include "MpiFetch.h"

#include <mpi.h>

#include <array>
#include <cstring>

#include "support/MpiProgram.h"
#include "support/UserError.h"

namespace spmv {

namespace {

using kernels::MpiMemory;

/// Owners send what others need. They are told once; then all messages are persistent requests, and
/// receives start a product ahead: who is ahead finds them.
class TwoSidedFetch final : public Fetch {
 public:
  explicit TwoSidedFetch(const FetchSpec& spec)
      : Fetch(spec), _vector(spec.local_size()), _has_ranges(spec.variant == Variant::ranges) {
    std::vector<int> wanted = tell_sizes();
    for (const std::size_t turn : {0, 1}) {
      for (const Need& need : _spec.needs) {
        const auto n = static_cast<int>(_spec.columns_of(need) * _spec.block_size);
        MPI_Recv_init(make_room(need, turn), n, MPI_DOUBLE, need.owner, 0, MPI_COMM_WORLD,
                      &_receives[turn].emplace_back());
      }
    }
    expect(1 - _turn);
    tell_columns(wanted);
  }
  ~TwoSidedFetch() override {
    for (MPI_Request& request : _receives[1 - _turn]) {
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
    _turn = 1 - _turn;
    for (Send& send : _sends) {
      std::size_t n = 0;
      for (const std::size_t place : send.packed) {
        std::memcpy(send.buffer.data() + n, _vector.data() + place,
                    _spec.block_size * sizeof(double));
        n += _spec.block_size;
      }
      MPI_Start(&send.request);
    }
    expect(1 - _turn);
  }
  void finish() override {
    auto& receives = _receives[_turn];
    MPI_Waitall(static_cast<int>(receives.size()), receives.data(), MPI_STATUSES_IGNORE);
    for (Send& send : _sends)
      MPI_Wait(&send.request, MPI_STATUS_IGNORE);
  }

 private:
  struct Send {
    std::vector<std::size_t> packed;  // of a list: where its elements are
    std::vector<double> buffer;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void expect(std::size_t turn) {
    MPI_Startall(static_cast<int>(_receives[turn].size()), _receives[turn].data());
  }

  /// \returns how many columns each unit wants
  std::vector<int> tell_sizes() const {
    const auto units = static_cast<std::size_t>(_spec.layout.units);
    std::vector<int> needed(units);
    for (const Need& need : _spec.needs)
      needed[static_cast<std::size_t>(need.owner)] = static_cast<int>(need.columns.size());
    std::vector<int> wanted(units);
    MPI_Alltoall(needed.data(), 1, MPI_INT, wanted.data(), 1, MPI_INT, MPI_COMM_WORLD);
    return wanted;
  }

  void tell_columns(const std::vector<int>& wanted) {
    std::vector<MPI_Request> telling;
    for (const Need& need : _spec.needs) {
      MPI_Isend(need.columns.data(), static_cast<int>(need.columns.size()), MPI_UINT64_T,
                need.owner, 1, MPI_COMM_WORLD, &telling.emplace_back());
    }
    // Buffers of requests must not move any more.
    _sends.reserve(wanted.size());
    for (std::size_t unit = 0; unit < wanted.size(); ++unit) {
      if (wanted[unit] == 0) continue;
      std::vector<std::uint64_t> columns(static_cast<std::size_t>(wanted[unit]));
      MPI_Recv(columns.data(), wanted[unit], MPI_UINT64_T, static_cast<int>(unit), 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      add_send(static_cast<int>(unit), columns);
    }
    MPI_Waitall(static_cast<int>(telling.size()), telling.data(), MPI_STATUSES_IGNORE);
  }

  void add_send(int to, const std::vector<std::uint64_t>& columns) {
    const auto place = [&](std::uint64_t column) {
      return (column - _spec.layout.first) * _spec.block_size;
    };
    Send& send = _sends.emplace_back();
    const double* begin = _vector.data() + place(columns.front());
    std::size_t n = columns.back() - columns.front() + 1;
    if (!_has_ranges) {
      for (const std::uint64_t column : columns)
        send.packed.push_back(place(column));
      n = columns.size();
      send.buffer.resize(n * _spec.block_size);
      begin = send.buffer.data();
    }
    MPI_Send_init(begin, static_cast<int>(n * _spec.block_size), MPI_DOUBLE, to, 0, MPI_COMM_WORLD,
                  &send.request);
  }

  std::vector<double> _vector;
  bool _has_ranges;
  std::array<std::vector<MPI_Request>, 2> _receives;  // into rooms that take turns
  std::vector<Send> _sends;
};

/// Gets with requests, which MPICH completes sooner than a flush.
class RmaFetch final : public Fetch {
 public:
  explicit RmaFetch(const FetchSpec& spec)
      : Fetch(spec), _vector(spec.local_size() * sizeof(double), MpiMemory::Kind::window) {
    for (const Need& need : spec.needs) {
      double* out = make_room(need);
      if (spec.variant == Variant::lists) {
        const auto n = static_cast<int>(need.columns.size() * spec.block_size);
        _gets.push_back({out, n, need.owner, offset(need, need.first()), 1, make_list(need)});
        continue;
      }
      for (const Run& run : runs_of(need, spec.variant)) {
        const auto n = static_cast<int>(run.length * spec.block_size);
        _gets.push_back({out, n, need.owner, offset(need, run.first), n, MPI_DOUBLE});
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
      MPI_Rget(get.out, get.n, MPI_DOUBLE, get.owner, get.place, get.count, get.type,
               _vector.window(), &_requests[i]);
    }
  }
  void finish() override {
    MPI_Waitall(static_cast<int>(_requests.size()), _requests.data(), MPI_STATUSES_IGNORE);
    // With MPICH 4.0 the request of a get of a list is complete before its data is there.
    if (!_lists.empty()) _vector.flush();
  }

 private:
  struct Get {
    double* out;
    int n;
    int owner;
    MPI_Aint place;
    int count;
    MPI_Datatype type;
  };

  MPI_Aint offset(const Need& need, std::uint64_t column) const {
    return static_cast<MPI_Aint>(_spec.place_in_part(need, column) * sizeof(double));
  }
  MPI_Datatype make_list(const Need& need) {
    std::vector<int> lengths;
    std::vector<int> places;
    for (const Run& run : runs_of(need)) {
      lengths.push_back(static_cast<int>(run.length * _spec.block_size));
      places.push_back(static_cast<int>((run.first - need.first()) * _spec.block_size));
    }
    MPI_Datatype& type = _lists.emplace_back();
    MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_DOUBLE,
                     &type);
    MPI_Type_commit(&type);
    return type;
  }

  MpiMemory _vector;
  std::vector<Get> _gets;
  std::vector<MPI_Request> _requests;
  std::vector<MPI_Datatype> _lists;
};

/// Reads others' parts where they are.
class SharedFetch final : public Fetch {
 public:
  explicit SharedFetch(const FetchSpec& spec)
      : Fetch(spec), _vector(spec.local_size() * sizeof(double), MpiMemory::Kind::shared) {
    for (const Need& need : spec.needs) {
      read_in_place(need, _vector.of<double>(need.owner) + spec.place_in_part(need, need.first()));
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
        "--via two-sided has no elements of others to fetch one by one: --fetch ranges or lists");
  }
  return std::make_unique<TwoSidedFetch>(spec);
}

}  // namespace spmv
