// dash-bench: units=2,8 layouts=node,nolocal
//
// An exchange of halos and nothing else, over the size of a face, against its two-sided twin: all
// receives and sends of a step at once, the faces of columns packed by hand or by a vector type,
// whichever is faster. Besides, of rows, an exchange after which the halo is read: MPI's receiver has
// copied it into its own cache by then, while ours fetches it from the sender's.

#include <mpi.h>

#include <dash/Matrix.h>
#include <dash/halo/HaloMatrixWrapper.h>

#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/Contest.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr double sample_ns = 300'000;
constexpr long most_steps = 5'000;
/// For what was before to be over.
constexpr auto rest = std::chrono::milliseconds(1);
/// Elements between two faces of a unit, so that they are not the whole block.
constexpr std::size_t thickness = 16;

/// A face of a block: so many pieces of contiguous bytes at equal distances.
struct Face {
  std::size_t nblocks;
  std::size_t block_nbytes;
  std::size_t stride_nbytes;

  std::size_t nbytes() const { return nblocks * block_nbytes; }
};

/// What a stencil does with a halo: an element of each cache line is read.
void read_halo(const void* halo, std::size_t nbytes) {
  constexpr std::size_t line = 64;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < nbytes; i += line) {
    std::uint64_t element;
    std::memcpy(&element, static_cast<const char*>(halo) + i, sizeof element);
    sum += element;
  }
  keep(sum);
}

/// All units take `steps` steps; unit 0's time counts.
template <class Step>
Contestant contestant(Step step) {
  const auto run = [=](long steps) {
    check(dart_barrier(DART_TEAM_ALL));
    std::this_thread::sleep_for(rest);
    check(dart_barrier(DART_TEAM_ALL));
    for (int warmth = 0; warmth < 4; ++warmth)
      step();
    return time_each(steps, [&](long) { step(); });
  };
  const long fitting = repetitions_within(sample_ns, run(8));
  const long steps = from_first_unit(fitting < most_steps ? fitting : most_steps);
  return [=] { return run(steps); };
}

/// What a program by MPI alone does, on a line of units. \pre MPI is not used by others meanwhile
class Twin {
 public:
  enum class By { packing, type };

  /// \param first, last  the faces of the block towards the lower and the higher unit
  Twin(const World& world, const Face& face, By by, const double* first, const double* last)
      : _face(face), _by(by) {
    const int me = world.unit();
    if (me > 0) _sides.push_back({me - 1, as_bytes(first), {}, {}});
    if (me + 1 < world.units()) _sides.push_back({me + 1, as_bytes(last), {}, {}});
    for (Side& side : _sides) {
      side.halo.resize(face.nbytes());
      side.packed.resize(face.nbytes());
    }
    MPI_Type_vector(static_cast<int>(face.nblocks), static_cast<int>(face.block_nbytes),
                    static_cast<int>(face.stride_nbytes), MPI_BYTE, &_type);
    MPI_Type_commit(&_type);
  }
  ~Twin() { MPI_Type_free(&_type); }
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;

  /// \param reads  the halo, too
  void step(bool reads) {
    std::array<MPI_Request, 4> requests{};
    int n = 0;
    const int nbytes = static_cast<int>(_face.nbytes());
    for (Side& side : _sides) {
      MPI_Irecv(side.halo.data(), nbytes, MPI_BYTE, side.unit, 0, MPI_COMM_WORLD, &requests[n++]);
    }
    for (Side& side : _sides) {
      if (_face.nblocks == 1) {
        MPI_Isend(side.face, nbytes, MPI_BYTE, side.unit, 0, MPI_COMM_WORLD, &requests[n++]);
      } else if (_by == By::type) {
        MPI_Isend(side.face, 1, _type, side.unit, 0, MPI_COMM_WORLD, &requests[n++]);
      } else {
        pack(side);
        MPI_Isend(side.packed.data(), nbytes, MPI_BYTE, side.unit, 0, MPI_COMM_WORLD,
                  &requests[n++]);
      }
    }
    MPI_Waitall(n, requests.data(), MPI_STATUSES_IGNORE);
    if (!reads) return;
    for (const Side& side : _sides)
      read_halo(side.halo.data(), side.halo.size());
  }

 private:
  struct Side {
    int unit;
    const char* face;
    std::vector<char> halo;
    std::vector<char> packed;
  };

  static const char* as_bytes(const double* data) { return reinterpret_cast<const char*>(data); }

  void pack(Side& side) const {
    char* to = side.packed.data();
    const char* from = side.face;
    if (_face.block_nbytes == sizeof(double)) {
      for (std::size_t i = 0; i < _face.nblocks; ++i, from += _face.stride_nbytes)
        std::memcpy(to + i * sizeof(double), from, sizeof(double));
      return;
    }
    for (std::size_t i = 0; i < _face.nblocks; ++i, from += _face.stride_nbytes)
      std::memcpy(to + i * _face.block_nbytes, from, _face.block_nbytes);
  }

  Face _face;
  By _by;
  std::vector<Side> _sides;
  MPI_Datatype _type = MPI_DATATYPE_NULL;
};

Bar bar_of(const World& world, std::size_t nbytes) {
  if (!world.on_one_node()) return world.is_crowded() ? Bar{} : speed_at_least(0.97);
  if (world.is_crowded()) return ratio_at_most(0.1);
  return ratio_at_most(nbytes <= (std::size_t{64} << 10) ? 0.5 : 1.0);
}

/// Of the samples of all units those of unit 0, so that all decide alike.
Twin::By faster_way(Twin& packing, Twin& type, const Face& face) {
  if (face.nblocks == 1) return Twin::By::packing;
  const auto samples = interleave(
      5, {contestant([&] { packing.step(false); }), contestant([&] { type.step(false); })});
  const bool packs = median(samples[0]) <= median(samples[1]);
  return from_first_unit(packs ? 1 : 0) == 1 ? Twin::By::packing : Twin::By::type;
}

/// One row: a matrix of N dimensions that is distributed in one of them, halos of one element.
template <dash::dim_t N>
void measure(const World& world, const std::string& what, const std::array<std::size_t, N>& block,
             dash::dim_t distributed, const Face& face, std::size_t last_offset, Table& table) {
  using Pattern = dash::BlockPattern<N>;
  using Matrix = dash::NArray<double, N>;
  using Wrapper = dash::halo::HaloMatrixWrapper<Matrix>;
  using Point = dash::halo::StencilPoint<N>;
  std::array<dash::default_size_t, N> extents = block;
  std::array<dash::default_size_t, N> grid;
  grid.fill(1);
  dash::DistributionSpec<N> blocked;
  for (int d = 0; d < N; ++d)
    blocked[static_cast<std::size_t>(d)] = d == distributed ? dash::BLOCKED : dash::NONE;
  const auto units = static_cast<std::size_t>(world.units());
  extents[static_cast<std::size_t>(distributed)] *= units;
  grid[static_cast<std::size_t>(distributed)] = units;
  Matrix matrix(
      Pattern(dash::SizeSpec<N>(extents), blocked, dash::TeamSpec<N>(grid), dash::Team::All()));
  Point before;
  Point after;
  before[static_cast<std::size_t>(distributed)] = -1;
  after[static_cast<std::size_t>(distributed)] = 1;
  Wrapper wrapper(matrix, dash::halo::StencilSpec<Point, 2>(before, after));

  const double* const first = matrix.lbegin();
  const double* const last = first + last_offset;
  Twin packing(world, face, Twin::By::packing, first, last);
  Twin type(world, face, Twin::By::type, first, last);
  const Twin::By by = faster_way(packing, type, face);
  Twin& twin = by == Twin::By::packing ? packing : type;
  const std::string name = face.nblocks == 1      ? "Isend, Irecv"
                           : by == Twin::By::type ? "vector type"
                                                  : "packed by hand";
  const auto north = dash::halo::RegionCoords<N>::index(distributed, dash::halo::RegionPos::PRE);
  const auto south = dash::halo::RegionCoords<N>::index(distributed, dash::halo::RegionPos::POST);
  const auto step = [&](bool reads) {
    wrapper.update_async();
    wrapper.wait();
    auto& memory = wrapper.halo_env().halo_memory();
    for (const auto region : {north, south}) {
      const auto [begin, end] = memory.range_at(region);
      if (reads && begin != end) read_halo(begin, face.nbytes());
    }
  };
  const auto compare = [&](bool reads) {
    return contest(contestant([=] { step(reads); }),
                   contestant([&twin, reads] { twin.step(reads); }));
  };
  const std::string size = size_of(face.nbytes());
  table.add(row_of(what, size, name, compare(false), bar_of(world, face.nbytes())));
  if (N == 2 && face.nblocks == 1) table.add(row_of(what + ", read", size, name, compare(true)));
}

void measure_rows(const World& world, std::size_t elements, Table& table) {
  const std::size_t nbytes = elements * sizeof(double);
  measure<2>(world, "2-D rows", {thickness, elements}, 0, {1, nbytes, nbytes},
             (thickness - 1) * elements, table);
}

void measure_columns(const World& world, std::size_t elements, Table& table) {
  measure<2>(world, "2-D columns", {elements, thickness}, 1,
             {elements, sizeof(double), thickness * sizeof(double)}, thickness - 1, table);
}

/// Of a block of n x thickness x m the face between the two: n pieces of m elements.
void measure_faces(const World& world, std::size_t elements, Table& table) {
  std::size_t n = 1;
  while (2 * n * 2 * n <= elements)
    n *= 2;
  const std::size_t m = elements / n;
  measure<3>(world, "3-D faces", {n, thickness, m}, 1,
             {n, m * sizeof(double), thickness * m * sizeof(double)}, (thickness - 1) * m, table);
}

void measure_all(const World& world) {
  Table table;
  const std::size_t largest = world.is_crowded() ? std::size_t{64} << 10 : std::size_t{4} << 20;
  for (std::size_t nbytes = 8; nbytes <= largest; nbytes *= 8) {
    const std::size_t elements = nbytes / sizeof(double);
    measure_rows(world, elements, table);
    measure_columns(world, elements, table);
    measure_faces(world, elements, table);
  }
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure_all);
}
