// dash-test: parallel main=own ranks=full units=1,2,3 layouts=node,nolocal modes=auto,poll

// DART_TRACE: the file contains the events of all units. The test does not use Catch2, whose runner would
// initialize the runtime.

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "dash/Future.h"
#include "dash/dart/Collective.h"
#include "dash/dart/if/dart.h"

namespace {

int failures = 0;

void expect(bool good, const char* what) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "failed: %s (%s)\n", what, dart_last_error());
}

long count(const std::string& text, const std::string& part) {
  long n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

/// Makes a large transfer, within a node or between nodes, and waits.
void communicate(int me, int units) {
  constexpr std::size_t nbytes = std::size_t{1} << 20;
  dart_gptr_t gptr = DART_GPTR_NULL;
  expect(dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes, DART_TYPE_BYTE, &gptr) == DART_OK,
         "memory");
  gptr.unitid = (me + 1) % units;
  const std::vector<char> source(nbytes, 1);
  dart_handle_t handle = DART_HANDLE_NULL;
  expect(dart_put_handle(gptr, source.data(), nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle) ==
             DART_OK,
         "put");
  expect(dart_wait(&handle) == DART_OK, "wait");
  std::thread([&] {
    pthread_setname_np(pthread_self(), R"(a "name"\)");
    std::vector<char> back(nbytes);
    dart_handle_t get = DART_HANDLE_NULL;
    expect(dart_get_handle(back.data(), gptr, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &get) ==
                   DART_OK &&
               dart_wait(&get) == DART_OK,
           "get by another thread");
  }).join();
  expect(dart_barrier(DART_TEAM_ALL) == DART_OK, "barrier");
  dash::Promise<void> promise;
  promise.get_future().wait_for(std::chrono::milliseconds(1));
  promise.set_value();
  using State = dash::dart::CollectiveState<void>;
  const auto state = dash::exec::StatePtr<State>::adopt(new State());
  dash::dart::start_barrier(dash::dart::Done(state), DART_TEAM_ALL, true);
  state->wait();
}

void check_timeline(const std::string& text, int units) {
  expect(text.front() == '[' && text.substr(text.size() - 2) == "]\n", "an array");
  expect(count(text, "{") == count(text, "}"), "whole objects");
  for (int unit = 0; unit < units; ++unit) {
    const std::string name = "\"name\":\"unit " + std::to_string(unit) + "\"";
    expect(count(text, name) == 1, name.c_str());
  }
  expect(count(text, "\"dart_put_handle\"") == units, "a put of each unit");
  expect(count(text, "\"bytes\":1048576") >= units, "its bytes");
  expect(count(text, R"("name":"a \"name\"\\")") == units,
         "the thread's name, escaped as JSON requires");
  expect(count(text, "\"ph\":\"b\"") >= units, "an operation in flight");
  expect(count(text, "\"barrier_async\",\"cat\":\"collective\"") == 2 * units,
         "a collective of each unit");
  expect(count(text, "\"wait for a future\"") == units, "the wait of each unit");
  expect(count(text, "\"ph\":\"b\"") == count(text, "\"ph\":\"e\""), "an end for each beginning");
}

}  // namespace

int main(int argc, char** argv) {
  // In the folder of the test run's temporary files; the units of a run have the same parent process.
  const std::string file = (std::filesystem::temp_directory_path() /
                            ("dash-timeline-" + std::to_string(getppid()) + ".json"))
                               .string();
  setenv("DART_TRACE", file.c_str(), 1);
  expect(dart_init(&argc, &argv) == DART_OK, "init");
  dart_global_unit_t unit;
  std::size_t units = 0;
  expect(dart_myid(&unit) == DART_OK && dart_size(&units) == DART_OK, "id and number of units");
  communicate(unit.id, static_cast<int>(units));
  expect(dart_exit() == DART_OK, "exit");
  if (unit.id == 0) {
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream),
                           std::istreambuf_iterator<char>()};
    expect(text.size() > 100, "a file");
    if (text.size() > 100) check_timeline(text, static_cast<int>(units));
    std::filesystem::remove(file);
  }
  return failures == 0 ? 0 : 1;
}
