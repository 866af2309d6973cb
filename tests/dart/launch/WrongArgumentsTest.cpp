// dash-test: parallel units=1,2,4 layouts=node,cliques,nolocal modes=auto,poll

// Every one-sided function, called with every kind of invalid argument, returns an error and changes nothing.

#include <climits>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "dart/support/Fixture.h"
#include "support/Catch.h"

using namespace dash::test;

namespace {

constexpr std::size_t nbytes = 64;
constexpr dart_datatype_t type = DART_TYPE_LONG;

/// Buffers that a call may read and write, with a check that it did not write.
struct Buffers {
  long value = 42;
  long other = 43;
  long result = 44;
  dart_handle_t handle = DART_HANDLE_NULL;

  void require_untouched() const {
    REQUIRE(value == 42);
    REQUIRE(other == 43);
    REQUIRE(result == 44);
    REQUIRE(handle == DART_HANDLE_NULL);
  }
};

struct Call {
  const char* name;
  std::function<dart_ret_t(dart_gptr_t, Buffers&)> run;
};

const std::vector<Call>& transfers() {
  static const std::vector<Call> calls{
      {"dart_get_blocking",
       [](auto at, auto& b) { return dart_get_blocking(&b.result, at, 1, type, type); }},
      {"dart_put_blocking",
       [](auto at, auto& b) { return dart_put_blocking(at, &b.value, 1, type, type); }},
      {"dart_get", [](auto at, auto& b) { return dart_get(&b.result, at, 1, type, type); }},
      {"dart_put", [](auto at, auto& b) { return dart_put(at, &b.value, 1, type, type); }},
      {"dart_get_handle",
       [](auto at, auto& b) { return dart_get_handle(&b.result, at, 1, type, type, &b.handle); }},
      {"dart_put_handle",
       [](auto at, auto& b) { return dart_put_handle(at, &b.value, 1, type, type, &b.handle); }}};
  return calls;
}

const std::vector<Call>& atomics() {
  static const std::vector<Call> calls{
      {"dart_accumulate",
       [](auto at, auto& b) { return dart_accumulate(at, &b.value, 1, type, DART_OP_SUM); }},
      {"dart_accumulate_blocking_local",
       [](auto at, auto& b) {
         return dart_accumulate_blocking_local(at, &b.value, 1, type, DART_OP_SUM);
       }},
      {"dart_fetch_and_op",
       [](auto at, auto& b) {
         return dart_fetch_and_op(at, &b.value, &b.result, type, DART_OP_SUM);
       }},
      {"dart_compare_and_swap", [](auto at, auto& b) {
         return dart_compare_and_swap(at, &b.value, &b.other, &b.result, type);
       }}};
  return calls;
}

const std::vector<Call>& flushes() {
  static const std::vector<Call> calls{
      {"dart_flush", [](auto at, auto&) { return dart_flush(at); }},
      {"dart_flush_local", [](auto at, auto&) { return dart_flush_local(at); }},
      {"dart_flush_all", [](auto at, auto&) { return dart_flush_all(at); }},
      {"dart_flush_local_all", [](auto at, auto&) { return dart_flush_local_all(at); }}};
  return calls;
}

void require_refused(const std::vector<Call>& calls, dart_gptr_t at) {
  for (const Call& call : calls) {
    INFO(call.name);
    Buffers buffers;
    REQUIRE(call.run(at, buffers) == DART_ERR_INVAL);
    REQUIRE(last_error_has(call.name));
    buffers.require_untouched();
  }
}

void require_empty(const Bytes& segment) {
  barrier();
  REQUIRE(std::accumulate(segment.mine(), segment.mine() + nbytes, 0) == 0);
  barrier();
}

}  // namespace

TEST_CASE("An invalid global pointer is an error of every one-sided function", "[WrongArguments]") {
  const Bytes segment(nbytes);
  const int unit = (my_id() + 1) % num_units();
  dart_team_t live_team = DART_TEAM_NULL;
  REQUIRE(dart_team_clone(DART_TEAM_ALL, &live_team) == DART_OK);
  dart_gptr_t freed = DART_GPTR_NULL;
  REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes, DART_TYPE_BYTE, &freed) == DART_OK);
  REQUIRE(dart_team_memfree(freed) == DART_OK);
  freed.unitid = unit;
  dart_gptr_t other_team = segment.at(unit);
  other_team.teamid = live_team;
  dart_gptr_t no_team = segment.at(unit);
  no_team.teamid = 12'345;
  dart_gptr_t no_segment = segment.at(unit);
  no_segment.segid = 12'345;
  dart_gptr_t no_registration = segment.at(unit);
  no_registration.segid = -123;
  for (const dart_gptr_t at : {freed, other_team, no_team, no_segment, no_registration,
                               static_cast<dart_gptr_t>(DART_GPTR_NULL)}) {
    INFO("unit " << at.unitid << ", team " << at.teamid << ", segment " << at.segid);
    require_refused(transfers(), at);
    require_refused(atomics(), at);
    require_refused(flushes(), at);
  }
  require_empty(segment);
  REQUIRE(dart_team_destroy(&live_team) == DART_OK);
}

TEST_CASE("A unit or an offset out of range is an error of every one-sided function",
          "[WrongArguments]") {
  const Bytes segment(nbytes);
  const int n = num_units();
  for (const int unit : {n, -1, n + 1000}) {
    INFO("unit " << unit);
    require_refused(transfers(), segment.at(unit));
    require_refused(atomics(), segment.at(unit));
  }
  // Flushes of all units ignore the unit.
  const std::vector<Call> flushes_of_one(flushes().begin(), flushes().begin() + 2);
  require_refused(flushes_of_one, segment.at(n));
  require_refused(flushes_of_one, segment.at(-1));
  for (const int unit : {my_id(), (my_id() + 1) % n}) {
    for (const std::uint64_t offset : {nbytes - 7, nbytes, nbytes + 8, ~std::uint64_t{0} - 7}) {
      INFO("offset " << offset);
      require_refused(transfers(), segment.at(unit, offset));
      require_refused(atomics(), segment.at(unit, offset));
    }
  }
  require_empty(segment);
}

TEST_CASE("A null buffer is an error if there are elements to transfer", "[WrongArguments]") {
  const Bytes segment(nbytes);
  dart_datatype_t strided = DART_TYPE_UNDEFINED;
  dart_datatype_t custom = DART_TYPE_UNDEFINED;
  REQUIRE(dart_type_create_strided(type, 2, 1, &strided) == DART_OK);
  REQUIRE(dart_type_create_custom(8, &custom) == DART_OK);
  dart_handle_t handle = DART_HANDLE_NULL;
  Buffers b;
  for (const int unit : {my_id(), (my_id() + 1) % num_units()}) {
    const dart_gptr_t at = segment.at(unit);
    for (const dart_datatype_t t : {type, strided, custom}) {
      for (const auto& [n, expected] :
           {std::pair<std::size_t, dart_ret_t>{2, DART_ERR_INVAL}, {0, DART_OK}}) {
        INFO("type " << t << ", elements " << n);
        REQUIRE(dart_get_blocking(nullptr, at, n, t, t) == expected);
        REQUIRE(dart_put_blocking(at, nullptr, n, t, t) == expected);
        REQUIRE(dart_get(nullptr, at, n, t, t) == expected);
        REQUIRE(dart_put(at, nullptr, n, t, t) == expected);
        REQUIRE(dart_get_handle(nullptr, at, n, t, t, &handle) == expected);
        REQUIRE(dart_put_handle(at, nullptr, n, t, t, &handle) == expected);
        REQUIRE(handle == DART_HANDLE_NULL);
      }
    }
    REQUIRE(dart_get_handle(&b.result, at, 1, type, type, nullptr) == DART_ERR_INVAL);
    REQUIRE(dart_put_handle(at, &b.value, 1, type, type, nullptr) == DART_ERR_INVAL);
    REQUIRE(dart_accumulate(at, nullptr, 1, type, DART_OP_SUM) == DART_ERR_INVAL);
    REQUIRE(dart_accumulate_blocking_local(at, nullptr, 1, type, DART_OP_MAX) == DART_ERR_INVAL);
    REQUIRE(dart_fetch_and_op(at, nullptr, &b.result, type, DART_OP_SUM) == DART_ERR_INVAL);
    REQUIRE(last_error_has("operand"));
    REQUIRE(dart_fetch_and_op(at, &b.value, nullptr, type, DART_OP_SUM) == DART_ERR_INVAL);
    REQUIRE(last_error_has("result"));
    REQUIRE(dart_fetch_and_op(at, nullptr, nullptr, type, DART_OP_NO_OP) == DART_ERR_INVAL);
    REQUIRE(dart_compare_and_swap(at, nullptr, &b.other, &b.result, type) == DART_ERR_INVAL);
    REQUIRE(dart_compare_and_swap(at, &b.value, nullptr, &b.result, type) == DART_ERR_INVAL);
    REQUIRE(dart_compare_and_swap(at, &b.value, &b.other, nullptr, type) == DART_ERR_INVAL);
    b.require_untouched();
    // DART_OP_NO_OP has no operand.
    REQUIRE(dart_fetch_and_op(at, nullptr, &b.result, type, DART_OP_NO_OP) == DART_OK);
    REQUIRE(dart_flush(at) == DART_OK);
    REQUIRE(b.result == 0);
    b.result = 44;
    REQUIRE(dart_accumulate(at, nullptr, 1, type, DART_OP_NO_OP) == DART_OK);
    REQUIRE(dart_flush(at) == DART_OK);
  }
  require_empty(segment);
  REQUIRE(dart_type_destroy(&strided) == DART_OK);
  REQUIRE(dart_type_destroy(&custom) == DART_OK);
}

TEST_CASE("Invalid types and counts are errors of every transfer", "[WrongArguments]") {
  const Bytes segment(nbytes);
  Buffers b;
  struct Wrong {
    std::size_t n;
    dart_datatype_t src;
    dart_datatype_t dst;
  };
  for (const int unit : {my_id(), (my_id() + 1) % num_units()}) {
    const dart_gptr_t at = segment.at(unit);
    for (const Wrong& w :
         {Wrong{9, type, type}, Wrong{SIZE_MAX / 2, type, type}, Wrong{1, type, DART_TYPE_INT},
          Wrong{1, 77, 77}, Wrong{1, DART_TYPE_UNDEFINED, DART_TYPE_UNDEFINED},
          Wrong{1, DART_TYPE_LAST, DART_TYPE_LAST}, Wrong{1, -3, -3}, Wrong{0, 77, 77}}) {
      INFO(w.n << " of types " << w.src << ", " << w.dst);
      REQUIRE(dart_get_blocking(&b.result, at, w.n, w.src, w.dst) == DART_ERR_INVAL);
      REQUIRE(dart_put_blocking(at, &b.value, w.n, w.src, w.dst) == DART_ERR_INVAL);
      REQUIRE(dart_get(&b.result, at, w.n, w.src, w.dst) == DART_ERR_INVAL);
      REQUIRE(dart_put(at, &b.value, w.n, w.src, w.dst) == DART_ERR_INVAL);
      REQUIRE(dart_get_handle(&b.result, at, w.n, w.src, w.dst, &b.handle) == DART_ERR_INVAL);
      REQUIRE(dart_put_handle(at, &b.value, w.n, w.src, w.dst, &b.handle) == DART_ERR_INVAL);
      b.require_untouched();
    }
  }
  require_empty(segment);
}

TEST_CASE("Null handle arrays and too many handles are an error", "[WrongArguments]") {
  constexpr std::size_t too_many = std::size_t{INT_MAX} + 1;
  dart_handle_t handle = DART_HANDLE_NULL;
  int32_t flag = 7;
  for (const auto wait : {dart_wait, dart_wait_local, dart_handle_free})
    REQUIRE(wait(nullptr) == DART_ERR_INVAL);
  for (const auto wait : {dart_waitall, dart_waitall_local}) {
    REQUIRE(wait(nullptr, 3) == DART_ERR_INVAL);
    REQUIRE(wait(&handle, too_many) == DART_ERR_INVAL);
    REQUIRE(wait(nullptr, 0) == DART_OK);
  }
  for (const auto test : {dart_test, dart_test_local}) {
    REQUIRE(test(nullptr, &flag) == DART_ERR_INVAL);
    REQUIRE(test(&handle, nullptr) == DART_ERR_INVAL);
  }
  for (const auto test : {dart_testall, dart_testall_local}) {
    REQUIRE(test(&handle, too_many, &flag) == DART_ERR_INVAL);
    REQUIRE(test(&handle, 1, nullptr) == DART_ERR_INVAL);
    REQUIRE(test(nullptr, 0, nullptr) == DART_ERR_INVAL);
    flag = 0;
    REQUIRE(test(nullptr, 3, &flag) == DART_OK);
    REQUIRE(flag == 1);
  }
  std::vector<dart_handle_t> handles(5, DART_HANDLE_NULL);
  REQUIRE(dart_waitall(handles.data(), handles.size()) == DART_OK);
  REQUIRE(dart_handle_free(handles.data()) == DART_OK);
}
