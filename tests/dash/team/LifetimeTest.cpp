// dash-test: parallel units=1,2,3,4 layouts=node,nolocal main=own ranks=full
//
// Containers that outlive the library, and repeated initialization of the library: a separate
// program, since it calls init and finalize itself.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>

#include <mpi.h>

#include "dash/Array.h"
#include "dash/Coarray.h"
#include "dash/Coevent.h"
#include "dash/Comutex.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Mutex.h"
#include "dash/Shared.h"
#include "dash/SharedCounter.h"
#include "dash/Team.h"

namespace {

int failures = 0;

void check(bool ok, const char* what, int cycle) {
  if (ok) return;
  ++failures;
  std::fprintf(stderr, "unit %d, cycle %d: %s\n", dash::myid().id, cycle, what);
}

dash::Array<int> static_array;
dash::Matrix<int, 2> static_matrix;

/// Teams and their containers that are destroyed explicitly, in finalize, or long after it.
struct Parts {
  std::unique_ptr<dash::Team> team;
  std::unique_ptr<dash::Array<int>> array;

  void make(int cycle) {
    // Destroying the teams of the last cycle must not communicate.
    team.reset();
    array.reset();
    dash::Team& half = dash::Team::All().split(2);
    if (half.is_null()) return;
    array = std::make_unique<dash::Array<int>>(3 * half.size(), half);
    team = std::make_unique<dash::Team>(std::move(dash::Team::All().split(2)));
    check(*team == dash::Team::All().sub(), "a moved team is not the latest", cycle);
    dash::Array<int> outlives_its_team;
    {
      dash::Team scoped(std::move(team->split(2)));
      if (!scoped.is_null()) outlives_its_team.allocate(5, scoped);
    }
    check(team->is_leaf(), "a destroyed team still exists", cycle);
    check(outlives_its_team.lbegin() == nullptr, "memory of a destroyed team", cycle);
  }

  void check_ended(int cycle) const {
    check(!team || (team->is_null() && team->size() == 0), "a team after finalize", cycle);
    check(!array || array->lbegin() == nullptr, "memory of a team after finalize", cycle);
  }
};

dash::Shared<int> static_shared(dash::team_unit_t(0));
dash::SharedCounter<int> static_counter;
dash::Mutex static_mutex;
dash::Coarray<int> static_coarray;
dash::Coevent static_event;
dash::Comutex static_comutex;

/// Initializes objects of static storage again in each cycle.
void run_shared(int cycle) {
  check(static_shared.init(10 + cycle), "a shared value existed already", cycle);
  check(static_counter.init() && static_mutex.init(), "a counter or mutex existed already", cycle);
  check(static_event.initialize() && static_comutex.initialize(),
        "an event or mutex existed already", cycle);
  check(!static_shared.init(3) && !static_mutex.init() && !static_event.initialize() &&
            !static_comutex.initialize(),
        "an object was initialized twice", cycle);
  static_coarray.allocate();
  check(static_shared.get() == 10 + cycle, "the value of a shared object", cycle);
  static_counter.inc(1);
  {
    const std::lock_guard lock(static_mutex);
    static_coarray(0) += 1;
  }
  const int next = (dash::myid().id + 1) % static_cast<int>(dash::size());
  static_event(next).post();
  static_event.wait();
  { const std::lock_guard lock(static_comutex(next)); }
  static_coarray.barrier();
  check(static_counter.get() == static_cast<int>(dash::size()), "a counter", cycle);
  check(static_coarray(0) == static_cast<int>(dash::size()), "a coarray", cycle);
  dash::barrier();
}

void run_cycle(int cycle, std::unique_ptr<dash::Array<int>>& survivor, Parts& parts) {
  dash::init(nullptr, nullptr);
  check(dash::is_initialized(), "not initialized after init", cycle);
  try {
    dash::init(nullptr, nullptr);
    check(false, "a second init is accepted", cycle);
  } catch (const dash::exception::RuntimeError&) {
  }
  // Destroying the containers of the last cycle must not communicate.
  survivor.reset();
  static_array.allocate(10 * dash::size());
  static_matrix.allocate(4, 5);
  survivor = std::make_unique<dash::Array<int>>(7 * dash::size(), dash::CYCLIC);
  dash::Array<int> scoped(5);
  check((*survivor)[0] == 0, "memory is not zero", cycle);
  static_array.barrier();
  const auto last = static_cast<dash::default_index_t>(static_array.size()) - 1;
  if (dash::myid() == 0) static_array[last] = 100 + cycle;
  if (dash::myid() == 0) (*survivor)[0] = 1;
  static_array.barrier();
  check(static_array[last] == 100 + cycle, "an element that was written is not read", cycle);
  run_shared(cycle);
  parts.make(cycle);
  if (cycle == 3 && dash::myid() == 0) static_mutex.lock();
  try {
    dash::finalize();
    check(cycle != 3, "a held mutex is destroyed without an error", cycle);
  } catch (const dash::exception::InvalidArgument&) {
    check(cycle == 3, "finalize fails", cycle);
  }
  parts.check_ended(cycle);
  check(!dash::is_initialized(), "initialized after finalize", cycle);
  check(dash::size() == 0 && dash::myid() == -1, "units after finalize", cycle);
  check(static_array.lbegin() == nullptr, "native memory after finalize", cycle);
  dash::finalize();
  dash::barrier();
  try {
    dash::progress();
    check(false, "progress after finalize is accepted", cycle);
  } catch (const dash::exception::RuntimeError&) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  check(dash::size() == 0, "units before init", -1);
  {
    std::unique_ptr<dash::Array<int>> survivor;
    Parts parts;
    for (int cycle = 0; cycle < 5; ++cycle)
      run_cycle(cycle, survivor, parts);
  }
  MPI_Finalize();
  if (failures == 0) std::printf("ok\n");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
