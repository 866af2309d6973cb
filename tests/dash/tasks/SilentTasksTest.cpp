// dash-test: parallel units=3,4 layouts=nolocal,node modes=auto,thread,poll

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Tasks.h"
#include "support/AgreedFile.h"
#include "support/Catch.h"
#include "support/Units.h"

namespace tasks = dash::tasks;

using dash::test::me;

TEST_CASE("A silent unit does not delay tasks between other units", "[Tasks]") {
  // Unit 2 calls nothing until it sees a file that unit 1 creates when its task has run. If it
  // delayed the tasks of units 0 and 1, it would stay silent and the test would hang.
  const std::filesystem::path is_silent = dash::test::agreed_file("task-silent");
  const std::filesystem::path has_run = dash::test::agreed_file("task-run");
  constexpr long n = 200'000;
  dash::Array<double> large(n * dash::size());
  dash::Array<int> array(dash::size());
  array.local[0] = 0;
  dash::barrier();
  const std::vector<double> source(n, 1.5);
  const dart_gptr_t silent = (large.begin() + 2 * n).dart_gptr();
  dart_ret_t put = DART_OK;
  bool ran = false;
  if (me() == 0) {
    tasks::async(
        [&] {
          while (!std::filesystem::exists(is_silent))
            tasks::yield();
          put = dart_put(silent, source.data(), n, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE);
          array[1] = 7;
        },
        tasks::out(array[1]));
  }
  tasks::phase();
  if (me() == 1) {
    tasks::async(
        [&] {
          ran = array.local[0] == 7;
          std::ofstream(has_run) << "\n";
        },
        tasks::in(array[1]));
  }
  tasks::phase();
  if (me() == 2) {
    std::ofstream(is_silent) << "\n";
    while (!std::filesystem::exists(has_run))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  tasks::wait();
  REQUIRE(put == DART_OK);
  REQUIRE(dart_flush(silent) == DART_OK);
  dash::barrier();
  REQUIRE(ran == (me() == 1));
  if (me() == 2) {
    std::filesystem::remove(is_silent);
    std::filesystem::remove(has_run);
    REQUIRE(std::all_of(large.lbegin(), large.lend(), [](double each) { return each == 1.5; }));
  }
}
