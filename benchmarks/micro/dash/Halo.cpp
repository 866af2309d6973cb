// dash-bench: units=2,8 layouts=node,nolocal quick=node
//
// Halo exchange over the size of a face, in two comparisons:
// - the exchange only, of faces that are not written between exchanges;
// - a step: each unit writes its faces, exchanges them, and reads the halos, like a stencil without inner
//   work. A variant that leaves data in the cache of another processor pays for the cache misses.
//
// The baseline is two-sided and starts all receives and sends of a step at once. It is the fastest of these
// variants: requests made in each step, persistent requests, or persistent requests whose receives are
// posted a step ahead, so that no message arrives before its receive; strided faces are packed manually or
// by a vector type.

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

#include "support/Comparison.h"
#include "support/Sampling.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr double sample_ns = 300'000;
constexpr long max_steps = 5'000;
/// On an oversubscribed node a step takes microseconds if the neighbours are running, and milliseconds
/// otherwise. A sample must contain both.
constexpr long oversubscribed_steps = 12;
/// The time after which activities of the previous sample have ended.
constexpr auto pause = std::chrono::milliseconds(1);
/// The extent of a block between its two faces, so that these are not the whole block.
constexpr std::size_t thickness = 16;
constexpr std::size_t line_nbytes = 64;
/// Up to this size the goal is half the time of the baseline.
constexpr std::size_t small_nbytes = std::size_t{64} << 10;

/// A face of a block of elements: `nblocks` contiguous blocks of bytes with a constant stride.
struct Face {
  std::size_t nblocks;
  std::size_t block_nbytes;
  std::size_t stride_nbytes;

  std::size_t nbytes() const { return nblocks * block_nbytes; }
};

/// Writes `value` to the first element of the face in each cache line. This modifies all cache lines and
/// takes little time.
void write_face(double* face, const Face& shape, double value) {
  char* block = reinterpret_cast<char*>(face);
  for (std::size_t i = 0; i < shape.nblocks; ++i, block += shape.stride_nbytes) {
    for (std::size_t at = 0; at < shape.block_nbytes; at += line_nbytes)
      std::memcpy(block + at, &value, sizeof value);
  }
  clobber_memory(face);
}

/// Reads one element of each cache line.
/// \returns their sum
double read_halo(const double* halo, std::size_t nbytes) {
  double sum = 0;
  for (std::size_t i = 0; i < nbytes / sizeof *halo; i += line_nbytes / sizeof *halo)
    sum += halo[i];
  do_not_optimize(sum);
  return sum;
}

/// Whether a step writes its faces and reads its halos.
enum class Use { none, all };

/// Makes a candidate that measures the average time of a step, which all units perform. The time of unit 0
/// counts.
/// \param begin, end  called before the first and after the last step of a sample, untimed
template <class Step>
Candidate make_candidate(
    const World& world, Step step, const std::function<void()>& begin = [] {},
    const std::function<void()>& end = [] {}) {
  const auto run = [=](long steps) {
    begin();
    check(dart_barrier(DART_TEAM_ALL));
    std::this_thread::sleep_for(pause);
    check(dart_barrier(DART_TEAM_ALL));
    for (int i = 0; i < 4; ++i)
      step();
    const double time = measure_ns_per_call(steps, [&](long) { step(); });
    end();
    return time;
  };
  if (world.is_oversubscribed()) return [=] { return run(oversubscribed_steps); };
  const long fitting = repetitions_within(sample_ns, run(8));
  const long steps = broadcast_from_first_unit(fitting < max_steps ? fitting : max_steps);
  return [=] { return run(steps); };
}

/// The faces of a block towards the previous and the next unit.
struct Block {
  Face face;
  double* first;
  double* last;
  double value = 0;  // of the last write

  void write() {
    value += 1;
    write_face(first, face, value);
    write_face(last, face, value);
  }
};

/// The exchange of a plain MPI program, for units in a line.
/// \pre no other thread uses MPI at the same time
class Baseline {
 public:
  enum class Requests { new_each_step, persistent, posted_ahead };
  enum class Packing { manual, vector_type };

  Baseline(const World& world, Block& block, Requests requests, Packing packing)
      : _block(block), _requests(requests), _packing(packing) {
    const int me = world.unit();
    if (me > 0) add_side(me - 1, block.first);
    if (me + 1 < world.units()) add_side(me + 1, block.last);
    const Face& face = block.face;
    MPI_Type_vector(static_cast<int>(face.nblocks), static_cast<int>(face.block_nbytes),
                    static_cast<int>(face.stride_nbytes), MPI_BYTE, &_type);
    MPI_Type_commit(&_type);
    if (_requests != Requests::new_each_step) make_requests();
  }
  ~Baseline() {
    if (_requests != Requests::new_each_step) {
      for (MPI_Request& request : _pending)
        MPI_Request_free(&request);
    }
    MPI_Type_free(&_type);
  }
  Baseline(const Baseline&) = delete;
  Baseline& operator=(const Baseline&) = delete;

  std::string name() const {
    const std::string requests = _requests == Requests::new_each_step ? "Isend, Irecv"
                                 : _requests == Requests::persistent
                                     ? "persistent requests"
                                     : "receives posted a step ahead";
    if (_block.face.nblocks == 1) return requests;
    return requests + (_packing == Packing::vector_type ? ", vector type" : ", packed manually");
  }

  /// Called before the first of several steps, and after the last one.
  /// @{
  void begin() {
    if (_requests == Requests::posted_ahead) MPI_Startall(num_sides(), receives(_current));
  }
  void end() {
    if (_requests != Requests::posted_ahead) return;
    for (MPI_Request* request = receives(_current); request != receives(_current) + num_sides();
         ++request) {
      MPI_Cancel(request);
      MPI_Wait(request, MPI_STATUS_IGNORE);
    }
  }
  /// @}

  void step(Use use) {
    if (use == Use::all) _block.write();
    start();
    MPI_Waitall(2 * num_sides(), _current == 0 ? receives(0) : sends(), MPI_STATUSES_IGNORE);
    if (use == Use::all) {
      for (const Side& side : _sides)
        read_halo(side.halos[_current].data(), nbytes());
    }
    if (_requests == Requests::posted_ahead) _current = 1 - _current;
  }

 private:
  struct Side {
    int unit;
    const double* face;
    std::array<std::vector<double>, 2> halos;  // the second one only for posted_ahead
    std::vector<double> packed;
  };

  void add_side(int unit, const double* face) {
    const std::size_t elements = nbytes() / sizeof(double);
    Side& side = _sides.emplace_back(Side{unit, face, {}, std::vector<double>(elements)});
    side.halos[0].resize(elements);
    if (_requests == Requests::posted_ahead) side.halos[1].resize(elements);
    _pending.resize((_requests == Requests::posted_ahead ? 3 : 2) * _sides.size(),
                    MPI_REQUEST_NULL);
  }

  std::size_t nbytes() const { return _block.face.nbytes(); }
  int num_sides() const { return static_cast<int>(_sides.size()); }
  MPI_Request* receives(std::size_t parity) { return _pending.data() + 2 * parity * _sides.size(); }
  MPI_Request* sends() { return _pending.data() + _sides.size(); }
  bool packs_manually() const { return _block.face.nblocks > 1 && _packing == Packing::manual; }
  bool uses_vector_type() const {
    return _block.face.nblocks > 1 && _packing == Packing::vector_type;
  }

  void start() {
    if (_requests == Requests::new_each_step) return start_new();
    pack_sides();
    if (_requests == Requests::persistent) {
      MPI_Startall(2 * num_sides(), _pending.data());
      return;
    }
    MPI_Startall(num_sides(), sends());
    MPI_Startall(num_sides(), receives(1 - _current));
  }

  void start_new() {
    const int n = static_cast<int>(nbytes());
    auto request = _pending.begin();
    for (Side& side : _sides) {
      MPI_Irecv(side.halos[0].data(), n, MPI_BYTE, side.unit, 0, MPI_COMM_WORLD, &*request++);
    }
    for (Side& side : _sides) {
      if (packs_manually()) pack(side);
      if (uses_vector_type()) {
        MPI_Isend(side.face, 1, _type, side.unit, 0, MPI_COMM_WORLD, &*request++);
      } else {
        MPI_Isend(send_buffer(side), n, MPI_BYTE, side.unit, 0, MPI_COMM_WORLD, &*request++);
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
      if (uses_vector_type()) {
        MPI_Send_init(side.face, 1, _type, side.unit, 0, MPI_COMM_WORLD, &*request++);
      } else {
        MPI_Send_init(send_buffer(side), n, MPI_BYTE, side.unit, 0, MPI_COMM_WORLD, &*request++);
      }
    }
    if (_requests != Requests::posted_ahead) return;
    for (Side& side : _sides) {
      MPI_Recv_init(side.halos[1].data(), n, MPI_BYTE, side.unit, 0, MPI_COMM_WORLD, &*request++);
    }
  }

  const double* send_buffer(const Side& side) const {
    return packs_manually() ? side.packed.data() : side.face;
  }

  void pack_sides() {
    if (!packs_manually()) return;
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
  Packing _packing;
  std::vector<Side> _sides;
  std::vector<MPI_Request> _pending;  // receives, sends, receives into the second halos
  std::size_t _current = 0;           // index of the halos of this step
  MPI_Datatype _type = MPI_DATATYPE_NULL;
};

Candidate make_candidate(const World& world, Baseline& baseline, Use use) {
  return make_candidate(
      world, [&baseline, use] { baseline.step(use); }, [&baseline] { baseline.begin(); },
      [&baseline] { baseline.end(); });
}

/// The fastest variant of the baseline for a face and its use.
class BestBaseline {
 public:
  BestBaseline(const World& world, Block& block, Use use) {
    using Requests = Baseline::Requests;
    using Packing = Baseline::Packing;
    for (const auto requests :
         {Requests::new_each_step, Requests::persistent, Requests::posted_ahead}) {
      for (const auto packing : {Packing::manual, Packing::vector_type}) {
        if (packing == Packing::vector_type && block.face.nblocks == 1) continue;
        _variants.push_back(std::make_unique<Baseline>(world, block, requests, packing));
      }
    }
    std::vector<Candidate> candidates;
    for (const auto& variant : _variants)
      candidates.push_back(make_candidate(world, *variant, use));
    // On an oversubscribed node, all variants take as long as the time slices of the scheduler.
    const auto samples = interleave(world.is_oversubscribed() ? 1 : trials, candidates);
    std::size_t best = 0;
    for (std::size_t i = 1; i < samples.size(); ++i)
      if (median(samples[i]) < median(samples[best])) best = i;
    // All units take the decision of unit 0.
    _best = _variants[static_cast<std::size_t>(broadcast_from_first_unit(static_cast<long>(best)))]
                .get();
  }

  Baseline& operator*() const { return *_best; }
  Baseline* operator->() const { return _best; }

 private:
  static constexpr int trials = 5;
  std::vector<std::unique_ptr<Baseline>> _variants;
  Baseline* _best = nullptr;
};

Goal goal_of(const World& world, std::size_t nbytes) {
  if (!world.on_one_node()) return speed_at_least(0.97);
  if (world.is_oversubscribed()) return ratio_at_most(0.1);
  return ratio_at_most(nbytes <= small_nbytes ? 0.5 : 1.0);
}

/// The rows of one face: an N-dimensional matrix that is distributed in one dimension, with halos of one
/// element.
template <dash::dim_t N>
class Measurement {
 public:
  /// \param block  extents of a unit's part
  /// \param last   the offset of the first element of the last face in the block
  Measurement(const World& world, const std::array<std::size_t, N>& block, dash::dim_t distributed,
              const Face& face, std::size_t last)
      : _world(world),
        _matrix(pattern_of(world, block, distributed)),
        _halo(_matrix, stencil_along(distributed)),
        _block{face, _matrix.lbegin(), _matrix.lbegin() + last},
        _regions{dash::halo::RegionCoords<N>::index(distributed, dash::halo::RegionPos::PRE),
                 dash::halo::RegionCoords<N>::index(distributed, dash::halo::RegionPos::POST)} {}

  void add_comparisons(const std::string& name, Table& table) {
    const std::size_t nbytes = _block.face.nbytes();
    const auto add_comparison = [&](const char* suffix, Use use) {
      const BestBaseline baseline(_world, _block, use);
      const Outcome outcome = compare(make_candidate(_world, [=, this] { step(use); }),
                                      make_candidate(_world, *baseline, use));
      table.add(make_row(name + suffix, format_size(nbytes), baseline->name(), outcome,
                         goal_of(_world, nbytes)));
    };
    add_comparison(", exchange only", Use::none);
    add_comparison(", written and read", Use::all);
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

  /// Checks that a step reads the values that the neighbours have written in the same step.
  void check_halos() {
    const double nlines_in_block = static_cast<double>(
        (_block.face.block_nbytes + line_nbytes - 1) / line_nbytes * _block.face.nblocks);
    const double nread =
        static_cast<double>((_block.face.nbytes() + line_nbytes - 1) / line_nbytes);
    // Each block that is shorter than a cache line is written, but the packed halo is read by cache lines.
    const double elements = std::min(nlines_in_block, nread);
    const int neighbours =
        (_world.unit() > 0 ? 1 : 0) + (_world.unit() + 1 < _world.units() ? 1 : 0);
    const double sum = step(Use::all);
    if (sum != elements * neighbours * _block.value)
      throw std::runtime_error("a halo differs from the values that the neighbours have written");
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
      .add_comparisons("2-D rows", table);
}

void measure_columns(const World& world, std::size_t elements, Table& table) {
  Measurement<2>(world, {elements, thickness}, 1,
                 {elements, sizeof(double), thickness * sizeof(double)}, thickness - 1)
      .add_comparisons("2-D columns", table);
}

/// Blocks of n x thickness x m elements, distributed in the second dimension: a face is n contiguous blocks
/// of m elements.
void measure_faces(const World& world, std::size_t elements, Table& table) {
  std::size_t n = 1;
  while (2 * n * 2 * n <= elements)
    n *= 2;
  const std::size_t m = elements / n;
  Measurement<3>(world, {n, thickness, m}, 1,
                 {n, m * sizeof(double), thickness * m * sizeof(double)}, (thickness - 1) * m)
      .add_comparisons("3-D faces", table);
}

void measure_all(const World& world) {
  Table table;
  const bool few_sizes = world.is_oversubscribed() || sampling() == Sampling::quick;
  const std::vector<std::size_t> sizes =
      few_sizes ? std::vector<std::size_t>{8, 4 << 10, small_nbytes}
                : std::vector<std::size_t>{8,        64,           512,       4 << 10,
                                           32 << 10, small_nbytes, 256 << 10, 2 << 20};
  for (const std::size_t nbytes : sizes) {
    const std::size_t elements = nbytes / sizeof(double);
    measure_rows(world, elements, table);
    measure_columns(world, elements, table);
    measure_faces(world, elements, table);
    if (world.is_first_unit()) table.flush();
  }
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure_all);
}
