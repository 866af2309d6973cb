// dash-bench: units=2,8 layouts=node,nolocal quick=node
//
// Halo exchange over the size of a face, in two contests. The exchange alone, of what nobody writes
// between two of them. And a step: each unit writes its faces, exchanges them, and reads the halos, as a
// stencil does whose inner work takes no time; so who leaves data in the neighbour's cache pays for it.
// The twin is two-sided, all receives and sends of a step at once, in the fastest of its forms:
// requests made in each step, persistent ones, or persistent ones whose receives start a step ahead, so
// that no message comes before it is expected; strided faces packed by hand or by a vector type.

#include <mpi.h>

#include <dash/Matrix.h>
#include <dash/halo/HaloMatrixWrapper.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/Contest.h"
#include "support/Effort.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr double sample_ns = 300'000;
constexpr long most_steps = 5'000;
/// Where units share processors a step takes microseconds if the neighbours happen to run, and
/// milliseconds if not: a sample has to have both.
constexpr long crowded_steps = 12;
/// For what was before to be over.
constexpr auto rest = std::chrono::milliseconds(1);
/// Elements between two faces of a unit, so that they are not the whole block.
constexpr std::size_t thickness = 16;
constexpr std::size_t line_nbytes = 64;
/// Up to here the bar is half the time of the twin.
constexpr std::size_t small_nbytes = std::size_t{64} << 10;

/// A face of a block: so many pieces of contiguous bytes at equal distances.
struct Face {
  std::size_t nblocks;
  std::size_t block_nbytes;
  std::size_t stride_nbytes;

  std::size_t nbytes() const { return nblocks * block_nbytes; }
};

/// What a step writes: the face's first element in each cache line becomes `value`, so that all of
/// its lines have changed, and little else takes time.
void write_face(double* face, const Face& shape, double value) {
  char* block = reinterpret_cast<char*>(face);
  for (std::size_t i = 0; i < shape.nblocks; ++i, block += shape.stride_nbytes) {
    for (std::size_t at = 0; at < shape.block_nbytes; at += line_nbytes)
      std::memcpy(block + at, &value, sizeof value);
  }
  keep_memory(face);
}

/// What a step reads: an element of each cache line.
double read_halo(const double* halo, std::size_t nbytes) {
  double sum = 0;
  for (std::size_t i = 0; i < nbytes / sizeof *halo; i += line_nbytes / sizeof *halo)
    sum += halo[i];
  keep(sum);
  return sum;
}

/// Whether a step writes its faces and reads its halos.
enum class Use { none, all };

/// All units take `steps` steps; unit 0's time counts.
/// \param begin, end  what is done before all steps and after them, untimed
template <class Step>
Contestant contestant(
    const World& world, Step step, const std::function<void()>& begin = [] {},
    const std::function<void()>& end = [] {}) {
  const auto run = [=](long steps) {
    begin();
    check(dart_barrier(DART_TEAM_ALL));
    std::this_thread::sleep_for(rest);
    check(dart_barrier(DART_TEAM_ALL));
    for (int warmth = 0; warmth < 4; ++warmth)
      step();
    const double time = time_each(steps, [&](long) { step(); });
    end();
    return time;
  };
  if (world.is_crowded()) return [=] { return run(crowded_steps); };
  const long fitting = repetitions_within(sample_ns, run(8));
  const long steps = from_first_unit(fitting < most_steps ? fitting : most_steps);
  return [=] { return run(steps); };
}

/// The faces of a block towards the lower and the higher unit, as the step before left them.
struct Block {
  Face face;
  double* first;
  double* last;
  double value = 0;

  void write() {
    value += 1;
    write_face(first, face, value);
    write_face(last, face, value);
  }
};

/// What a program by MPI alone does, on a line of units. \pre MPI is not used by others meanwhile
class Twin {
 public:
  enum class Requests { of_each_step, persistent, ahead };
  enum class Strides { packed, by_type };

  Twin(const World& world, Block& block, Requests requests, Strides strides)
      : _block(block), _requests(requests), _strides(strides) {
    const int me = world.unit();
    if (me > 0) add_side(me - 1, block.first);
    if (me + 1 < world.units()) add_side(me + 1, block.last);
    const Face& face = block.face;
    MPI_Type_vector(static_cast<int>(face.nblocks), static_cast<int>(face.block_nbytes),
                    static_cast<int>(face.stride_nbytes), MPI_BYTE, &_type);
    MPI_Type_commit(&_type);
    if (_requests != Requests::of_each_step) make_requests();
  }
  ~Twin() {
    if (_requests != Requests::of_each_step) {
      for (MPI_Request& request : _pending)
        MPI_Request_free(&request);
    }
    MPI_Type_free(&_type);
  }
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;

  std::string name() const {
    const std::string requests = _requests == Requests::of_each_step ? "Isend, Irecv"
                                 : _requests == Requests::persistent ? "persistent requests"
                                                                     : "receives a step ahead";
    if (_block.face.nblocks == 1) return requests;
    return requests + (_strides == Strides::by_type ? ", vector type" : ", packed by hand");
  }

  /// Before the first of several steps, and after the last one.
  /// @{
  void begin() {
    if (_requests == Requests::ahead) MPI_Startall(num_sides(), receives(_turn));
  }
  void end() {
    if (_requests != Requests::ahead) return;
    for (MPI_Request* request = receives(_turn); request != receives(_turn) + num_sides();
         ++request) {
      MPI_Cancel(request);
      MPI_Wait(request, MPI_STATUS_IGNORE);
    }
  }
  /// @}

  void step(Use use) {
    if (use == Use::all) _block.write();
    start();
    MPI_Waitall(2 * num_sides(), _turn == 0 ? receives(0) : sends(), MPI_STATUSES_IGNORE);
    if (use == Use::all) {
      for (const Side& side : _sides)
        read_halo(side.halos[_turn].data(), nbytes());
    }
    if (_requests == Requests::ahead) _turn = 1 - _turn;
  }

 private:
  struct Side {
    int unit;
    const double* face;
    std::array<std::vector<double>, 2> halos;  // the second one only for receives a step ahead
    std::vector<double> packed;
  };

  void add_side(int unit, const double* face) {
    const std::size_t elements = nbytes() / sizeof(double);
    Side& side = _sides.emplace_back(Side{unit, face, {}, std::vector<double>(elements)});
    side.halos[0].resize(elements);
    if (_requests == Requests::ahead) side.halos[1].resize(elements);
    _pending.resize((_requests == Requests::ahead ? 3 : 2) * _sides.size(), MPI_REQUEST_NULL);
  }

  std::size_t nbytes() const { return _block.face.nbytes(); }
  int num_sides() const { return static_cast<int>(_sides.size()); }
  MPI_Request* receives(std::size_t turn) { return _pending.data() + 2 * turn * _sides.size(); }
  MPI_Request* sends() { return _pending.data() + _sides.size(); }
  bool packs() const { return _block.face.nblocks > 1 && _strides == Strides::packed; }
  bool sends_type() const { return _block.face.nblocks > 1 && _strides == Strides::by_type; }

  void start() {
    if (_requests == Requests::of_each_step) return start_new();
    pack_sides();
    if (_requests == Requests::persistent) {
      MPI_Startall(2 * num_sides(), _pending.data());
      return;
    }
    MPI_Startall(num_sides(), sends());
    MPI_Startall(num_sides(), receives(1 - _turn));
  }

  void start_new() {
    const int n = static_cast<int>(nbytes());
    auto request = _pending.begin();
    for (Side& side : _sides) {
      MPI_Irecv(side.halos[0].data(), n, MPI_BYTE, side.unit, 0, MPI_COMM_WORLD, &*request++);
    }
    for (Side& side : _sides) {
      if (packs()) pack(side);
      if (sends_type()) {
        MPI_Isend(side.face, 1, _type, side.unit, 0, MPI_COMM_WORLD, &*request++);
      } else {
        MPI_Isend(data_of(side), n, MPI_BYTE, side.unit, 0, MPI_COMM_WORLD, &*request++);
      }
    }
  }

  void make_requests() {
    const int n = static_cast<int>(nbytes());
    auto request = _pending.begin();
    for (Side& side : _sides) {
      MPI_Recv_init(side.halos[0].data(), n, MPI_BYTE, side.unit, 0, MPI_COMM_WORLD, &*request++);
    }
    for (Side& side : _sides) {
      if (sends_type()) {
        MPI_Send_init(side.face, 1, _type, side.unit, 0, MPI_COMM_WORLD, &*request++);
      } else {
        MPI_Send_init(data_of(side), n, MPI_BYTE, side.unit, 0, MPI_COMM_WORLD, &*request++);
      }
    }
    if (_requests != Requests::ahead) return;
    for (Side& side : _sides) {
      MPI_Recv_init(side.halos[1].data(), n, MPI_BYTE, side.unit, 0, MPI_COMM_WORLD, &*request++);
    }
  }

  const double* data_of(const Side& side) const { return packs() ? side.packed.data() : side.face; }

  void pack_sides() {
    if (!packs()) return;
    for (Side& side : _sides)
      pack(side);
  }

  void pack(Side& side) const {
    const Face& face = _block.face;
    char* to = reinterpret_cast<char*>(side.packed.data());
    const char* from = reinterpret_cast<const char*>(side.face);
    if (face.block_nbytes == sizeof(double)) {
      for (std::size_t i = 0; i < face.nblocks; ++i, from += face.stride_nbytes)
        std::memcpy(to + i * sizeof(double), from, sizeof(double));
      return;
    }
    for (std::size_t i = 0; i < face.nblocks; ++i, from += face.stride_nbytes)
      std::memcpy(to + i * face.block_nbytes, from, face.block_nbytes);
  }

  Block& _block;
  Requests _requests;
  Strides _strides;
  std::vector<Side> _sides;
  std::vector<MPI_Request> _pending;  // receives, sends, receives into the second halos
  std::size_t _turn = 0;              // of the two halos
  MPI_Datatype _type = MPI_DATATYPE_NULL;
};

Contestant contestant_of(const World& world, Twin& twin, Use use) {
  return contestant(
      world, [&twin, use] { twin.step(use); }, [&twin] { twin.begin(); }, [&twin] { twin.end(); });
}

/// The twin in the form that is the fastest for a face, and for what is done with it.
class BestTwin {
 public:
  BestTwin(const World& world, Block& block, Use use) {
    using Requests = Twin::Requests;
    using Strides = Twin::Strides;
    for (const auto requests : {Requests::of_each_step, Requests::persistent, Requests::ahead}) {
      for (const auto strides : {Strides::packed, Strides::by_type}) {
        if (strides == Strides::by_type && block.face.nblocks == 1) continue;
        _forms.push_back(std::make_unique<Twin>(world, block, requests, strides));
      }
    }
    std::vector<Contestant> contestants;
    for (const auto& form : _forms)
      contestants.push_back(contestant_of(world, *form, use));
    // Crowded ones take as long as the scheduler's slices, whatever their form.
    const auto samples = interleave(world.is_crowded() ? 1 : trials, contestants);
    std::size_t best = 0;
    for (std::size_t i = 1; i < samples.size(); ++i)
      if (median(samples[i]) < median(samples[best])) best = i;
    // Of the samples of all units those of unit 0, so that all decide alike.
    _best = _forms[static_cast<std::size_t>(from_first_unit(static_cast<long>(best)))].get();
  }

  Twin& operator*() const { return *_best; }
  Twin* operator->() const { return _best; }

 private:
  static constexpr int trials = 5;
  std::vector<std::unique_ptr<Twin>> _forms;
  Twin* _best = nullptr;
};

Bar bar_of(const World& world, std::size_t nbytes) {
  if (!world.on_one_node()) return speed_at_least(0.97);
  if (world.is_crowded()) return ratio_at_most(0.1);
  return ratio_at_most(nbytes <= small_nbytes ? 0.5 : 1.0);
}

/// A row: a matrix of N dimensions that is distributed in one of them, halos of one element.
template <dash::dim_t N>
class Measurement {
 public:
  /// \param block  extents of a unit's part
  /// \param last   from the first element of the block to that of its last face
  Measurement(const World& world, const std::array<std::size_t, N>& block, dash::dim_t distributed,
              const Face& face, std::size_t last)
      : _world(world),
        _matrix(pattern_of(world, block, distributed)),
        _halo(_matrix, stencil_along(distributed)),
        _block{face, _matrix.lbegin(), _matrix.lbegin() + last},
        _regions{dash::halo::RegionCoords<N>::index(distributed, dash::halo::RegionPos::PRE),
                 dash::halo::RegionCoords<N>::index(distributed, dash::halo::RegionPos::POST)} {}

  void contend(const std::string& what, Table& table) {
    const std::size_t nbytes = _block.face.nbytes();
    const auto compare = [&](const char* how, Use use) {
      const BestTwin twin(_world, _block, use);
      const Outcome outcome =
          contest(contestant(_world, [=, this] { step(use); }), contestant_of(_world, *twin, use));
      table.add(row_of(what + how, size_of(nbytes), twin->name(), outcome, bar_of(_world, nbytes)));
    };
    compare(", exchange alone", Use::none);
    compare(", written and read", Use::all);
    check_halos();
  }

 private:
  using Pattern = dash::BlockPattern<N>;
  using Matrix = dash::NArray<double, N>;
  using Point = dash::halo::StencilPoint<N>;

  static Pattern pattern_of(const World& world, const std::array<std::size_t, N>& block,
                            dash::dim_t distributed) {
    const auto at = static_cast<std::size_t>(distributed);
    const auto units = static_cast<std::size_t>(world.units());
    std::array<dash::default_size_t, N> extents = block;
    std::array<dash::default_size_t, N> grid;
    grid.fill(1);
    dash::DistributionSpec<N> blocked;
    for (std::size_t d = 0; d < N; ++d)
      blocked[d] = d == at ? dash::BLOCKED : dash::NONE;
    extents[at] *= units;
    grid[at] = units;
    return Pattern(dash::SizeSpec<N>(extents), blocked, dash::TeamSpec<N>(grid), dash::Team::All());
  }

  static dash::halo::StencilSpec<Point, 2> stencil_along(dash::dim_t distributed) {
    Point before;
    Point after;
    before[static_cast<std::size_t>(distributed)] = -1;
    after[static_cast<std::size_t>(distributed)] = 1;
    return {before, after};
  }

  double step(Use use) {
    if (use == Use::all) _block.write();
    _halo.update_async();
    _halo.wait();
    if (use == Use::none) return 0;
    double sum = 0;
    auto& memory = _halo.halo_env().halo_memory();
    for (const auto region : _regions) {
      const auto [begin, end] = memory.range_at(region);
      if (begin != end) sum += read_halo(begin, _block.face.nbytes());
    }
    return sum;
  }

  /// That what was read is what the neighbours wrote in the same step.
  void check_halos() {
    const double nlines_in_block = static_cast<double>(
        (_block.face.block_nbytes + line_nbytes - 1) / line_nbytes * _block.face.nblocks);
    const double nread =
        static_cast<double>((_block.face.nbytes() + line_nbytes - 1) / line_nbytes);
    // Blocks shorter than a line are written as a whole.
    const double elements = std::min(nlines_in_block, nread);
    const int neighbours =
        (_world.unit() > 0 ? 1 : 0) + (_world.unit() + 1 < _world.units() ? 1 : 0);
    const double sum = step(Use::all);
    if (sum != elements * neighbours * _block.value)
      throw std::runtime_error("a halo is not what the neighbours have written");
  }

  const World& _world;
  Matrix _matrix;
  dash::halo::HaloMatrixWrapper<Matrix> _halo;
  Block _block;
  std::array<dash::halo::region_index_t, 2> _regions;
};

void measure_rows(const World& world, std::size_t elements, Table& table) {
  const std::size_t nbytes = elements * sizeof(double);
  Measurement<2>(world, {thickness, elements}, 0, {1, nbytes, nbytes}, (thickness - 1) * elements)
      .contend("2-D rows", table);
}

void measure_columns(const World& world, std::size_t elements, Table& table) {
  Measurement<2>(world, {elements, thickness}, 1,
                 {elements, sizeof(double), thickness * sizeof(double)}, thickness - 1)
      .contend("2-D columns", table);
}

/// Of a block of n x thickness x m the face between the two: n pieces of m elements.
void measure_faces(const World& world, std::size_t elements, Table& table) {
  std::size_t n = 1;
  while (2 * n * 2 * n <= elements)
    n *= 2;
  const std::size_t m = elements / n;
  Measurement<3>(world, {n, thickness, m}, 1,
                 {n, m * sizeof(double), thickness * m * sizeof(double)}, (thickness - 1) * m)
      .contend("3-D faces", table);
}

void measure_all(const World& world) {
  Table table;
  const bool are_few = world.is_crowded() || effort() == Effort::quick;
  const std::vector<std::size_t> sizes =
      are_few ? std::vector<std::size_t>{8, 4 << 10, small_nbytes}
              : std::vector<std::size_t>{8,        64,           512,       4 << 10,
                                         32 << 10, small_nbytes, 256 << 10, 2 << 20};
  for (const std::size_t nbytes : sizes) {
    const std::size_t elements = nbytes / sizeof(double);
    measure_rows(world, elements, table);
    measure_columns(world, elements, table);
    measure_faces(world, elements, table);
    if (world.leads()) table.keep();
  }
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure_all);
}
