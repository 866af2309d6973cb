// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll timeout=120

// Thousands of mixed operations on several segments and teams, against plain arrays.
//
// All units draw the same operations and apply all of them to their model; each executes its own.
// The bytes of a part have two halves: in a phase one is written, by operations that do not
// overlap, and the other is read; in the next phase it is the other way round. Behind them are
// words for atomic operations, of one kind for each word and phase.

#include <catch2/catch.hpp>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Teams.h"

using namespace dash::test;

namespace {

constexpr int phases = 24;
constexpr std::size_t num_words = 16;

struct Type {
  dart_datatype_t id;
  std::size_t size;
};
const std::vector<Type> types{{DART_TYPE_BYTE, 1},   {DART_TYPE_SHORT, 2},
                              {DART_TYPE_INT, 4},    {DART_TYPE_LONG, 8},
                              {DART_TYPE_DOUBLE, 8}, {DART_TYPE_LONG_DOUBLE, 16}};

class Draw {
 public:
  explicit Draw(unsigned seed) : _random(seed) {}
  /// 0 ... below - 1
  std::size_t operator()(std::size_t below) { return _random() % below; }
  std::size_t divisor_of(std::size_t n) {
    std::size_t d = 1 + (*this)(n);
    while (n % d != 0)
      --d;
    return d;
  }
  std::vector<unsigned char> bytes(std::size_t n) {
    std::vector<unsigned char> result(n);
    for (unsigned char& byte : result)
      byte = static_cast<unsigned char>(_random());
    return result;
  }

 private:
  std::mt19937 _random;
};

/// How elements lie in memory: contiguous, strided or indexed.
struct Layout {
  std::vector<std::size_t> places;  // of each element, in elements
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  bool derived = false;

  std::size_t span() const { return places.empty() ? 0 : places.back() + 1; }
};

Layout draw_layout(Draw& draw, std::size_t nelem, const Type& base) {
  Layout layout;
  layout.type = base.id;
  const std::size_t kind = draw(3);
  layout.derived = kind != 0;
  if (kind == 0) {
    for (std::size_t i = 0; i < nelem; ++i)
      layout.places.push_back(i);
  } else if (kind == 1) {
    const std::size_t blocklen = draw.divisor_of(nelem);
    const std::size_t stride = blocklen + draw(4);
    for (std::size_t i = 0; i < nelem; ++i)
      layout.places.push_back(i / blocklen * stride + i % blocklen);
    REQUIRE(dart_type_create_strided(base.id, stride, blocklen, &layout.type) == DART_OK);
  } else {
    std::vector<std::size_t> lengths;
    std::vector<std::size_t> offsets;
    std::size_t next = draw(3);
    for (std::size_t left = nelem; left != 0;) {
      lengths.push_back(1 + draw(left));
      offsets.push_back(next);
      for (std::size_t i = 0; i < lengths.back(); ++i)
        layout.places.push_back(next + i);
      left -= lengths.back();
      next += lengths.back() + draw(5);
    }
    REQUIRE(dart_type_create_indexed(base.id, lengths.size(), lengths.data(), offsets.data(),
                                     &layout.type) == DART_OK);
  }
  return layout;
}

/// Copies elements from one layout to another, as a transfer should.
void copy(unsigned char* to, const Layout& to_layout, const unsigned char* from,
          const Layout& from_layout, std::size_t size) {
  for (std::size_t i = 0; i < to_layout.places.size(); ++i)
    std::memcpy(to + to_layout.places[i] * size, from + from_layout.places[i] * size, size);
}

/// A segment, or what comes close to one: a part of each member, and the model of it.
struct Area {
  std::vector<int> members;  // global ids
  std::vector<dart_gptr_t> parts;
  std::vector<std::vector<unsigned char>> model;
  std::size_t half = 0;
  dart_team_t team = DART_TEAM_NULL;  // where the caller is a member

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

class World {
 public:
  World() : _draw(Catch::rngSeed()) {
    const std::vector<int> all = globals_of(DART_TEAM_ALL);
    _teams.push_back(std::make_unique<SubTeam>(DART_TEAM_ALL, all));
    _teams.push_back(
        std::make_unique<SubTeam>(DART_TEAM_ALL, select(all, [](int u) { return u % 2 == 0; })));
    _teams.push_back(
        std::make_unique<SubTeam>(DART_TEAM_ALL, select(all, [](int u) { return u > 0; })));
    add_segment(DART_TEAM_ALL, all, 4096);
    add_segment(DART_TEAM_ALL, all, 40'000);
    add_segment(_teams[0]->id(), all, 1024);
    add_segment(_teams[1]->id(), select(all, [](int u) { return u % 2 == 0; }), 2048);
    add_segment(_teams[2]->id(), select(all, [](int u) { return u > 0; }), 9000);
    add_pool(all, 2048);
    add_registered(all, 3000);
  }

  ~World() {
    barrier();
    dart_memfree(_own_pool);
    dart_team_memderegister(_registered);
    dart_team_memfree(_areas[0].parts[0]);
    dart_team_memfree(_areas[1].parts[0]);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

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

  int draw_member(const Area& area) { return area.members[_draw(area.members.size())]; }

  void write_part(Area& area, std::size_t part) {
    const std::size_t begin = _phase % 2 == 0 ? 0 : area.half;
    const std::size_t end = begin + area.half;
    for (std::size_t at = begin + _draw(64);;) {
      const Type& base = types[_draw(types.size())];
      const std::size_t nelem = _draw(8) == 0 ? 1 + _draw(600) : 1 + _draw(24);
      Layout dest = draw_layout(_draw, nelem, base);
      Layout source = draw_layout(_draw, nelem, base);
      const std::size_t nbytes = dest.span() * base.size;
      const int initiator = draw_member(area);
      const std::size_t way = _draw(4);
      if (at + nbytes <= end) {
        _buffers.push_back(_draw.bytes(source.span() * base.size));
        copy(area.model[part].data() + at, dest, _buffers.back().data(), source, base.size);
        if (initiator == my_id()) {
          put(way, area.at(part, at), _buffers.back().data(), nelem, source.type, dest.type);
        }
      }
      destroy(dest);
      destroy(source);
      at += nbytes + _draw(100);
      if (at >= end) return;
    }
  }

  void put(std::size_t way, dart_gptr_t to, const void* from, std::size_t nelem,
           dart_datatype_t src_type, dart_datatype_t dst_type) {
    if (way == 0) {
      REQUIRE(dart_put_blocking(to, from, nelem, src_type, dst_type) == DART_OK);
    } else if (way == 1) {
      _handles.emplace_back();
      REQUIRE(dart_put_handle(to, from, nelem, src_type, dst_type, &_handles.back()) == DART_OK);
    } else {
      REQUIRE(dart_put(to, from, nelem, src_type, dst_type) == DART_OK);
      _to_flush.push_back(to);
    }
  }

  void read(Area& area) {
    const Type& base = types[_draw(types.size())];
    const std::size_t nelem = 1 + _draw(200);
    Layout source = draw_layout(_draw, nelem, base);
    Layout dest = draw_layout(_draw, nelem, base);
    const std::size_t part = _draw(area.members.size());
    const int initiator = draw_member(area);
    const std::size_t way = _draw(4);
    const std::size_t nbytes = source.span() * base.size;
    const std::size_t room = area.half < nbytes ? 0 : area.half - nbytes + 1;
    const std::size_t at = (_phase % 2 == 0 ? area.half : 0) + (room == 0 ? 0 : _draw(room));
    if (room != 0 && initiator == my_id()) {
      _reads.push_back({std::vector<unsigned char>(dest.span() * base.size, 0xee), {}});
      Read& read = _reads.back();
      read.expected = read.buffer;
      copy(read.expected.data(), dest, area.model[part].data() + at, source, base.size);
      get(way, read.buffer.data(), area.at(part, at), nelem, source.type, dest.type);
    }
    destroy(source);
    destroy(dest);
  }

  void get(std::size_t way, void* to, dart_gptr_t from, std::size_t nelem, dart_datatype_t src_type,
           dart_datatype_t dst_type) {
    if (way == 0) {
      REQUIRE(dart_get_blocking(to, from, nelem, src_type, dst_type) == DART_OK);
    } else if (way == 1) {
      _handles.emplace_back();
      REQUIRE(dart_get_handle(to, from, nelem, src_type, dst_type, &_handles.back()) == DART_OK);
    } else {
      REQUIRE(dart_get(to, from, nelem, src_type, dst_type) == DART_OK);
      _to_flush.push_back(from);
    }
  }

  /// Several units at one word with one operation that commutes, or one unit with a swap.
  void change_words(Area& area, std::size_t part) {
    const dart_operation_t ops[] = {DART_OP_SUM, DART_OP_BXOR, DART_OP_MAX, DART_OP_MIN};
    for (std::size_t word = 0; word < num_words; ++word) {
      const std::size_t at = area.words_at() + word * sizeof(long);
      long value = 0;
      std::memcpy(&value, area.model[part].data() + at, sizeof value);
      const std::size_t which = _draw(6);
      if (which >= 4) {
        swap(area, part, at, value, which == 4);
      } else {
        for (std::size_t i = 0; i < 3; ++i)
          combine(area, part, at, value, ops[which]);
      }
      std::memcpy(area.model[part].data() + at, &value, sizeof value);
    }
  }

  void combine(Area& area, std::size_t part, std::size_t at, long& value, dart_operation_t op) {
    const long operand = static_cast<long>(_draw(1'000'000)) - 500'000;
    const bool fetches = _draw(2) == 0;
    const int initiator = draw_member(area);
    if (op == DART_OP_SUM) value += operand;
    if (op == DART_OP_BXOR) value ^= operand;
    if (op == DART_OP_MAX) value = std::max(value, operand);
    if (op == DART_OP_MIN) value = std::min(value, operand);
    if (initiator != my_id()) return;
    const dart_gptr_t gptr = area.at(part, at);
    if (fetches) {
      _words.push_back(0);
      REQUIRE(dart_fetch_and_op(gptr, &operand, &_words.back(), DART_TYPE_LONG, op) == DART_OK);
    } else {
      REQUIRE(dart_accumulate(gptr, &operand, 1, DART_TYPE_LONG, op) == DART_OK);
    }
    _to_flush.push_back(gptr);
  }

  void swap(Area& area, std::size_t part, std::size_t at, long& value, bool matches) {
    const long before = value;
    const long compare = matches ? value : value + 1;
    const auto desired = static_cast<long>(_draw(1'000'000));
    const int initiator = draw_member(area);
    if (matches) value = desired;
    if (initiator != my_id()) return;
    const dart_gptr_t gptr = area.at(part, at);
    long result = 0;
    REQUIRE(dart_compare_and_swap(gptr, &desired, &compare, &result, DART_TYPE_LONG) == DART_OK);
    REQUIRE(dart_flush(gptr) == DART_OK);
    REQUIRE(result == before);
  }

  void complete() {
    // Local draws from here on: every unit has other handles.
    const std::size_t way =
        (static_cast<std::size_t>(_phase) + static_cast<std::size_t>(my_id())) % 4;
    std::vector<dart_handle_t> handles(_handles.begin(), _handles.end());
    int32_t done = 0;
    if (way == 0) {
      REQUIRE(dart_waitall(handles.data(), handles.size()) == DART_OK);
    } else if (way == 1) {
      while (done == 0)
        REQUIRE(dart_testall(handles.data(), handles.size(), &done) == DART_OK);
    } else if (way == 2) {
      for (dart_handle_t& handle : handles)
        REQUIRE(dart_wait(&handle) == DART_OK);
    } else {
      for (dart_handle_t& handle : handles) {
        for (done = 0; done == 0;)
          REQUIRE(dart_test(&handle, &done) == DART_OK);
      }
    }
    for (const dart_handle_t handle : handles)
      REQUIRE(handle == DART_HANDLE_NULL);
    for (const dart_gptr_t& gptr : _to_flush)
      REQUIRE((way % 2 == 0 ? dart_flush(gptr) : dart_flush_all(gptr)) == DART_OK);
    for (const Read& read : _reads)
      REQUIRE((read.buffer == read.expected));
    _handles.clear();
    _to_flush.clear();
    _reads.clear();
    _words.clear();
    _buffers.clear();
  }

  /// Every byte of the own parts, and all of one other part of each area.
  void check() {
    for (std::size_t index = 0; index < _areas.size(); ++index) {
      const Area& area = _areas[index];
      const std::size_t other = _draw(std::max<std::size_t>(area.members.size(), 1));
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

  Draw _draw;
  int _phase = 0;
  std::vector<std::unique_ptr<SubTeam>> _teams;
  std::deque<Area> _areas;
  dart_gptr_t _own_pool = DART_GPTR_NULL;
  dart_gptr_t _registered = DART_GPTR_NULL;
  std::vector<long> _memory;

  // Of the phase:
  std::deque<std::vector<unsigned char>> _buffers;
  std::deque<Read> _reads;
  std::deque<long> _words;
  std::deque<dart_handle_t> _handles;
  std::vector<dart_gptr_t> _to_flush;
};

}  // namespace

TEST_CASE("Mixed operations leave what they leave in plain arrays", "[Model]") {
  World world;
  for (int phase = 0; phase < phases; ++phase)
    world.run_phase(phase);
}
