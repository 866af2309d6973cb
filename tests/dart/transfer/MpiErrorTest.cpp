// dash-test: parallel units=2,3 layouts=nolocal modes=auto,poll env=DART_RMA_FRAGMENT:4K,DART_PUT_PROTOCOL:rma

// Failures of MPI in a transfer between nodes. The program replaces MPI_Rget by a function that fails on
// request.

#include <mpi.h>

#include <atomic>
#include <string>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/Exception.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::test::barrier;
using dash::test::Bytes;
using dash::test::last_error_has;
using dash::test::my_id;
using dash::test::num_units;

namespace {

std::atomic<int> calls_before_failure{-1};  // negative: no call fails

constexpr std::size_t nbytes = std::size_t{3} * 4096;  // three calls of MPI_Rget

/// The text of the exception::RuntimeError that f() throws, or "" if it throws none.
template <class F>
std::string runtime_error_of(F&& f) {
  try {
    f();
  } catch (const dash::exception::RuntimeError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

extern "C" int MPI_Rget(void* origin, int n, MPI_Datatype type, int target, MPI_Aint at,
                        int target_n, MPI_Datatype target_type, MPI_Win win, MPI_Request* request) {
  if (calls_before_failure >= 0 && calls_before_failure-- == 0) return MPI_ERR_OTHER;
  return PMPI_Rget(origin, n, type, target, at, target_n, target_type, win, request);
}

TEST_CASE("A get that MPI rejects is a runtime error that names the call and the unit",
          "[MpiError]") {
  const Bytes memory(nbytes);
  barrier();
  const int next = (my_id() + 1) % num_units();
  const std::string expected = "MPI_Rget (peer: unit " + std::to_string(next) + ") failed";
  std::vector<unsigned char> into(nbytes);
  for (int call = 0; call < 3; ++call) {
    CAPTURE(call);
    calls_before_failure = call;
    // The first call fails in get_async; after it, the future fails when the other parts have ended.
    const std::string text = runtime_error_of(
        [&] { dash::dart::get_async(into.data(), memory.at(next), nbytes).wait(); });
    CHECK(text.find(expected) == 0);
    CHECK(runtime_error_of([] { dash::dart::complete_all(); }) == "");
  }
  calls_before_failure = 0;
  CHECK(dart_get(into.data(), memory.at(next), nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE) ==
        DART_ERR_OTHER);
  CHECK(last_error_has(expected.c_str()));
  barrier();
  dash::dart::get_async(into.data(), memory.at(next), nbytes).wait();
}

TEST_CASE("Puts complete although MPI rejects the completion get of the first one", "[MpiError]") {
  constexpr std::size_t put_bytes = 2000;
  constexpr std::size_t num_puts = 5;
  const Bytes memory(num_puts * put_bytes);
  barrier();
  const int next = (my_id() + 1) % num_units();
  std::vector<unsigned char> out(num_puts * put_bytes, static_cast<unsigned char>(my_id() + 1));
  calls_before_failure = 0;
  std::vector<dash::exec::Operation> puts;
  for (std::size_t i = 0; i < num_puts; ++i) {
    puts.push_back(dash::dart::put_async(memory.at(next, i * put_bytes), out.data() + i * put_bytes,
                                         put_bytes));
  }
  CHECK(calls_before_failure == -1);
  for (dash::exec::Operation& put : puts)
    put.wait();
  std::vector<unsigned char> in(out.size());
  REQUIRE(dart_get_blocking(in.data(), memory.at(next), in.size(), DART_TYPE_BYTE,
                            DART_TYPE_BYTE) == DART_OK);
  CHECK(in == out);
  barrier();
}
