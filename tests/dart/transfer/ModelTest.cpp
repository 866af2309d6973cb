// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal,pairs modes=auto,thread,poll timeout=120 smoke=yes

// Thousands of mixed operations on several segments and teams, compared with plain arrays.
//
// All units generate the same operations from the same seed, and apply all of them to their models.
// Each unit executes the operations that it initiates. The bytes of a part consist of two halves.
// In each phase, operations that do not overlap write one half while others read the other half;
// the next phase swaps the halves. Words for atomic operations follow the halves; each word and
// phase uses one kind of operation.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "RandomLayouts.h"
#include "dart/teams/Teams.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

namespace {

constexpr int phases = 24;
constexpr std::size_t num_words = 16;

/// A segment, or a set of local allocations: a part on each member, with its model.
struct Area {
  std::vector<int> members;  // global ids
  std::vector<dart_gptr_t> parts;
  std::vector<std::vector<unsigned char>> model;
  std::size_t half = 0;
  dart_team_t team = DART_TEAM_NULL;  // set if the caller is a member

  std::size_t words_at() const { return 2 * half; }
  std::size_t nbytes() const { return 2 * half + num_words * sizeof(long); }
  bool has(int global) const {
    return std::find(members.begin(), members.end(), global) != members.end();
  }
  dart_gptr_t at(std::size_t part, std::size_t offset) const {
    dart_gptr_t gptr = parts[part];
    gptr.addr_or_offs.offset += offset;
    return gptr;
  }
};

class Workload {
 public:
  Workload() : _random(seed()) {
    const std::vector<int> all = globals_of(DART_TEAM_ALL);
    _teams.push_back(std::make_unique<SubTeam>(DART_TEAM_ALL, all));
    _teams.push_back(
        std::make_unique<SubTeam>(DART_TEAM_ALL, select(all, [](int u) { return u % 2 == 0; })));
    _teams.push_back(
        std::make_unique<SubTeam>(DART_TEAM_ALL, select(all, [](int u) { return u > 0; })));
    add_segment(DART_TEAM_ALL, all, 4096);
    fill_first_slab();
    add_segment(_teams[0]->id(), all, 1024);
    add_segment(_teams[1]->id(), select(all, [](int u) { return u % 2 == 0; }), 2048);
    add_segment(_teams[2]->id(), select(all, [](int u) { return u > 0; }), 9000);
    add_segment(DART_TEAM_ALL, all, 40'000);
    add_pool(all, 2048);
    add_registered(all, 3000);
  }

  ~Workload() {
    barrier();
    dart_memfree(_own_pool);
    dart_team_memderegister(_registered);
    for (const std::size_t area : {std::size_t{0}, std::size_t{4}})
      dart_team_memfree(_areas[area].parts[0]);
    dart_team_memfree(_filler);
  }
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  void run_phase(int phase) {
    _phase = phase;
    for (Area& area : _areas) {
      if (area.members.empty()) continue;
      for (std::size_t part = 0; part < area.members.size(); ++part) {
        write_part(area, part);
        change_words(area, part);
      }
      for (int i = 0; i < 6; ++i)
        read(area);
    }
    complete();
    barrier();
    check();
    barrier();
  }

 private:
  struct Read {
    std::vector<unsigned char> buffer;
    std::vector<unsigned char> expected;
  };

  Area& add_area(const std::vector<int>& members, std::size_t half) {
    _areas.push_back({members, {}, {}, half / 16 * 16});
    Area& area = _areas.back();
    area.model.assign(members.size(), std::vector<unsigned char>(area.nbytes()));
    return area;
  }

  /// If the heap consists of slabs: leaves no space for the segments that follow. Those of teams other than
  /// DART_TEAM_ALL then lie in no window of MPI.
  void fill_first_slab() {
    const char* const setting = std::getenv("DART_HEAP_REGISTER");
    if (setting == nullptr || std::string(setting) != "slabs") return;
    constexpr std::size_t nbytes = (std::size_t{48} << 20) - 65'536;
    const std::size_t own = my_id() == 0 ? nbytes : 0;  // the largest size applies to all units
    REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, own, DART_TYPE_BYTE, &_filler) == DART_OK);
  }

  void add_segment(dart_team_t team, const std::vector<int>& members, std::size_t half) {
    Area& area = add_area(members, half);
    area.parts.resize(members.size());
    if (!area.has(my_id())) return;
    area.team = team;
    dart_gptr_t gptr;
    REQUIRE(dart_team_memalloc_aligned(team, area.nbytes(), DART_TYPE_BYTE, &gptr) == DART_OK);
    for (std::size_t part = 0; part < members.size(); ++part) {
      area.parts[part] = gptr;
      area.parts[part].unitid = static_cast<int>(part) & 0xffffff;
    }
  }

  void add_pool(const std::vector<int>& members, std::size_t half) {
    Area& area = add_area(members, half);
    area.team = DART_TEAM_ALL;
    area.parts.resize(members.size());
    REQUIRE(dart_memalloc(area.nbytes(), DART_TYPE_BYTE, &_own_pool) == DART_OK);
    REQUIRE(dart_allgather(&_own_pool, area.parts.data(), sizeof _own_pool, DART_TYPE_BYTE,
                           DART_TEAM_ALL) == DART_OK);
  }

  void add_registered(const std::vector<int>& members, std::size_t half) {
    Area& area = add_area(members, half);
    area.team = DART_TEAM_ALL;
    _memory.resize(area.nbytes() / sizeof(long));
    REQUIRE(dart_team_memregister(DART_TEAM_ALL, area.nbytes(), DART_TYPE_BYTE, _memory.data(),
                                  &_registered) == DART_OK);
    for (const int member : members) {
      area.parts.push_back(_registered);
      area.parts.back().unitid = member & 0xffffff;
    }
  }

  int random_member(const Area& area) { return area.members[_random(area.members.size())]; }

  void write_part(Area& area, std::size_t part) {
    const std::size_t begin = _phase % 2 == 0 ? 0 : area.half;
    const std::size_t end = begin + area.half;
    for (std::size_t at = begin + _random(64);;) {
      const Type& base = types[_random(types.size())];
      const std::size_t nelem = _random(8) == 0 ? 1 + _random(600) : 1 + _random(24);
      Layout dest = random_layout(_random, nelem, base);
      Layout source = random_layout(_random, nelem, base);
      const std::size_t nbytes = dest.span() * base.size;
      const int initiator = random_member(area);
      const std::size_t variant = _random(4);
      if (at + nbytes <= end) {
        _buffers.push_back(_random.bytes(source.span() * base.size));
        copy(area.model[part].data() + at, dest, _buffers.back().data(), source, base.size);
        if (initiator == my_id()) {
          put(variant, area.at(part, at), _buffers.back().data(), nelem, source.type, dest.type);
        }
      }
      destroy(dest);
      destroy(source);
      at += nbytes + _random(100);
      if (at >= end) return;
    }
  }

  void put(std::size_t variant, dart_gptr_t to, const void* from, std::size_t nelem,
           dart_datatype_t src_type, dart_datatype_t dst_type) {
    if (variant == 0) {
      REQUIRE(dart_put_blocking(to, from, nelem, src_type, dst_type) == DART_OK);
    } else if (variant == 1) {
      _handles.emplace_back();
      REQUIRE(dart_put_handle(to, from, nelem, src_type, dst_type, &_handles.back()) == DART_OK);
      _put_by_handle.push_back(to);
    } else {
      REQUIRE(dart_put(to, from, nelem, src_type, dst_type) == DART_OK);
      _to_flush.push_back(to);
    }
  }

  void read(Area& area) {
    const Type& base = types[_random(types.size())];
    const std::size_t nelem = 1 + _random(200);
    Layout source = random_layout(_random, nelem, base);
    Layout dest = random_layout(_random, nelem, base);
    const std::size_t part = _random(area.members.size());
    const int initiator = random_member(area);
    const std::size_t variant = _random(4);
    const std::size_t nbytes = source.span() * base.size;
    const std::size_t num_positions = area.half < nbytes ? 0 : area.half - nbytes + 1;
    const std::size_t at =
        (_phase % 2 == 0 ? area.half : 0) + (num_positions == 0 ? 0 : _random(num_positions));
    if (num_positions != 0 && initiator == my_id()) {
      _reads.push_back({std::vector<unsigned char>(dest.span() * base.size, 0xee), {}});
      Read& read = _reads.back();
      read.expected = read.buffer;
      copy(read.expected.data(), dest, area.model[part].data() + at, source, base.size);
      get(variant, read.buffer.data(), area.at(part, at), nelem, source.type, dest.type);
    }
    destroy(source);
    destroy(dest);
  }

  void get(std::size_t variant, void* to, dart_gptr_t from, std::size_t nelem,
           dart_datatype_t src_type, dart_datatype_t dst_type) {
    if (variant == 0) {
      REQUIRE(dart_get_blocking(to, from, nelem, src_type, dst_type) == DART_OK);
    } else if (variant == 1) {
      _handles.emplace_back();
      REQUIRE(dart_get_handle(to, from, nelem, src_type, dst_type, &_handles.back()) == DART_OK);
    } else {
      REQUIRE(dart_get(to, from, nelem, src_type, dst_type) == DART_OK);
      _to_flush.push_back(from);
    }
  }

  /// Changes each word by several units with one commutative operation, or by one unit with a swap. A word
  /// has one type.
  void change_words(Area& area, std::size_t part) {
    for (std::size_t word = 0; word < num_words; ++word) {
      const std::size_t at = area.words_at() + word * sizeof(long);
      switch (word % 6) {
        case 0:
          change_word<unsigned char>(area, part, at, DART_TYPE_BYTE);
          break;
        case 1:
          change_word<short>(area, part, at, DART_TYPE_SHORT);
          break;
        case 2:
          change_word<int>(area, part, at, DART_TYPE_INT);
          break;
        case 3:
          change_word<long>(area, part, at, DART_TYPE_LONG);
          break;
        case 4:
          change_word<unsigned long long>(area, part, at, DART_TYPE_ULONGLONG);
          break;
        default:
          change_word<double>(area, part, at, DART_TYPE_DOUBLE);
      }
    }
  }

  template <class T>
  void change_word(Area& area, std::size_t part, std::size_t at, dart_datatype_t type) {
    const dart_operation_t ops[] = {DART_OP_SUM, DART_OP_MAX, DART_OP_MIN,
                                    std::is_integral_v<T> ? DART_OP_BXOR : DART_OP_SUM};
    T value;
    std::memcpy(&value, area.model[part].data() + at, sizeof value);
    const std::size_t which = _random(6);
    if (which >= 4) {
      swap(area.at(part, at), random_member(area), value, type, which == 4);
    } else {
      combine(area, part, at, value, type, ops[which]);
    }
    std::memcpy(area.model[part].data() + at, &value, sizeof value);
  }

  template <class T>
  static T combined(dart_operation_t op, T a, T b) {
    if (op == DART_OP_MAX) return std::max(a, b);
    if (op == DART_OP_MIN) return std::min(a, b);
    if constexpr (std::is_integral_v<T>) {
      if (op == DART_OP_BXOR) return static_cast<T>(a ^ b);
    }
    return static_cast<T>(a + b);
  }

  template <class T>
  T random_operand() {
    return static_cast<T>(static_cast<long>(_random(1'000'000)) - 500'000);
  }

  template <class T>
  void combine(Area& area, std::size_t part, std::size_t at, T& value, dart_datatype_t type,
               dart_operation_t op) {
    constexpr std::size_t times = 3;
    const T before = value;
    std::array<T, times> operands;
    for (T& operand : operands) {
      operand = random_operand<T>();
      value = combined(op, value, operand);
    }
    const dart_gptr_t gptr = area.at(part, at);
    for (std::size_t i = 0; i < times; ++i) {
      const std::size_t variant = _random(4);
      if (random_member(area) != my_id()) continue;
      if (variant < 2) {
        // The old value may be the result of any subset of the other operations.
        std::vector<T> possible;
        for (std::size_t others = 0; others < std::size_t{1} << times; ++others) {
          if ((others >> i & 1) != 0) continue;
          T outcome = before;
          for (std::size_t other = 0; other < times; ++other) {
            if ((others >> other & 1) != 0) outcome = combined(op, outcome, operands[other]);
          }
          possible.push_back(outcome);
        }
        fetch(gptr, operands[i], possible, type, op);
      } else {
        accumulate(variant == 2, gptr, operands[i], type, op);
      }
      _to_flush.push_back(gptr);
    }
  }

  template <class T>
  void fetch(dart_gptr_t gptr, T operand, const std::vector<T>& possible, dart_datatype_t type,
             dart_operation_t op) {
    const auto operand_kept = std::make_shared<T>(operand);
    const auto old = std::make_shared<T>();
    REQUIRE(dart_fetch_and_op(gptr, operand_kept.get(), old.get(), type, op) == DART_OK);
    _fetched.push_back([operand_kept, old, possible] {
      return std::find(possible.begin(), possible.end(), *old) != possible.end();
    });
  }

  template <class T>
  void accumulate(bool blocking, dart_gptr_t gptr, T operand, dart_datatype_t type,
                  dart_operation_t op) {
    if (blocking) {
      REQUIRE(dart_accumulate_blocking_local(gptr, &operand, 1, type, op) == DART_OK);
      operand = T{77};
      return;
    }
    _buffers.emplace_back(sizeof operand);
    std::memcpy(_buffers.back().data(), &operand, sizeof operand);
    REQUIRE(dart_accumulate(gptr, _buffers.back().data(), 1, type, op) == DART_OK);
  }

  template <class T>
  void swap(dart_gptr_t gptr, int initiator, T& value, dart_datatype_t type, bool matches) {
    const T before = value;
    const T compare = matches ? value : static_cast<T>(value + 1);
    const T desired = random_operand<T>();
    if (matches) value = desired;
    if (initiator != my_id()) return;
    T result{};
    REQUIRE(dart_compare_and_swap(gptr, &desired, &compare, &result, type) == DART_OK);
    REQUIRE(dart_flush(gptr) == DART_OK);
    REQUIRE(result == before);
  }

  void complete() {
    // The choice differs between units, since every unit has different handles.
    const std::size_t variant =
        (static_cast<std::size_t>(_phase) + static_cast<std::size_t>(my_id())) % 8;
    std::vector<dart_handle_t> handles(_handles.begin(), _handles.end());
    complete_handles(variant, handles);
    for (const dart_handle_t handle : handles)
      REQUIRE(handle == DART_HANDLE_NULL);
    const bool locally = variant >= 4;
    for (const dart_gptr_t& gptr : _to_flush)
      REQUIRE(flush(variant % 2 == 0, locally, gptr) == DART_OK);
    for (const Read& read : _reads)
      REQUIRE((read.buffer == read.expected));
    for (const std::function<bool()>& is_possible : _fetched)
      REQUIRE(is_possible());
    if (locally) {
      // The sources may be reused, but the operations are not complete at the target yet.
      for (std::vector<unsigned char>& buffer : _buffers)
        std::fill(buffer.begin(), buffer.end(), static_cast<unsigned char>(0xcc));
      _to_flush.insert(_to_flush.end(), _put_by_handle.begin(), _put_by_handle.end());
      for (const dart_gptr_t& gptr : _to_flush)
        REQUIRE(dart_flush(gptr) == DART_OK);
    }
    _handles.clear();
    _put_by_handle.clear();
    _to_flush.clear();
    _reads.clear();
    _fetched.clear();
    _buffers.clear();
  }

  static dart_ret_t flush(bool of_unit, bool locally, dart_gptr_t gptr) {
    if (locally) return of_unit ? dart_flush_local(gptr) : dart_flush_local_all(gptr);
    return of_unit ? dart_flush(gptr) : dart_flush_all(gptr);
  }

  /// Completes handles in one of eight ways; the last four are local completion.
  static void complete_handles(std::size_t variant, std::vector<dart_handle_t>& handles) {
    const bool locally = variant >= 4;
    int32_t done = 0;
    switch (variant % 4) {
      case 0:
        REQUIRE((locally ? dart_waitall_local : dart_waitall)(handles.data(), handles.size()) ==
                DART_OK);
        break;
      case 1:
        while (done == 0)
          REQUIRE((locally ? dart_testall_local : dart_testall)(handles.data(), handles.size(),
                                                                &done) == DART_OK);
        break;
      case 2:
        for (dart_handle_t& handle : handles)
          REQUIRE((locally ? dart_wait_local : dart_wait)(&handle) == DART_OK);
        break;
      default:
        for (dart_handle_t& handle : handles) {
          for (done = 0; done == 0;)
            REQUIRE((locally ? dart_test_local : dart_test)(&handle, &done) == DART_OK);
        }
    }
  }

  /// Checks every byte of the caller's parts and of one other part of each area.
  void check() {
    for (std::size_t index = 0; index < _areas.size(); ++index) {
      const Area& area = _areas[index];
      const std::size_t other = _random(std::max<std::size_t>(area.members.size(), 1));
      if (!area.has(my_id())) continue;
      for (std::size_t part = 0; part < area.members.size(); ++part) {
        if (area.members[part] != my_id() && part != other) continue;
        std::vector<unsigned char> bytes(area.nbytes());
        REQUIRE(dart_get_blocking(bytes.data(), area.at(part, 0), bytes.size(), DART_TYPE_BYTE,
                                  DART_TYPE_BYTE) == DART_OK);
        INFO("phase " << _phase << ", area " << index << ", part " << part);
        REQUIRE((bytes == area.model[part]));
      }
    }
  }

  static void destroy(Layout& layout) {
    if (layout.derived) REQUIRE(dart_type_destroy(&layout.type) == DART_OK);
  }

  RandomSource _random;
  int _phase = 0;
  std::vector<std::unique_ptr<SubTeam>> _teams;
  std::deque<Area> _areas;
  dart_gptr_t _filler = DART_GPTR_NULL;
  dart_gptr_t _own_pool = DART_GPTR_NULL;
  dart_gptr_t _registered = DART_GPTR_NULL;
  std::vector<long> _memory;

  // State of the current phase:
  std::deque<std::vector<unsigned char>> _buffers;
  std::deque<Read> _reads;
  std::deque<std::function<bool()>> _fetched;  // whether the fetched value is possible
  std::deque<dart_handle_t> _handles;
  std::vector<dart_gptr_t> _put_by_handle;
  std::vector<dart_gptr_t> _to_flush;
};

}  // namespace

TEST_CASE("Mixed operations have the same results as on plain arrays", "[Model]") {
  Workload workload;
  for (int phase = 0; phase < phases; ++phase)
    workload.run_phase(phase);
}
