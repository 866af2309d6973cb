// dash-test: parallel main=own units=3 layouts=node modes=auto,thread,poll

// DART_APPLICATION_MPI determines how often a unit that waits polls MPI, if all units share a node.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "dash/core/Statistics.h"
#include "dash/transfer/ApplicationMpi.h"

namespace {

/// Polls of a unit that waits for half a second in a barrier.
/// \param value  of DART_APPLICATION_MPI; null to unset it
std::uint64_t polls_of_waiting_unit(const char* value) {
  if (value != nullptr) {
    ::setenv("DART_APPLICATION_MPI", value, 1);
  } else {
    ::unsetenv("DART_APPLICATION_MPI");
  }
  dash::init(nullptr, nullptr);
  dash::barrier();
  dash::core::start_statistics();
  if (dash::myid() == 0) ::usleep(500'000);
  dash::barrier();
  const std::uint64_t polls = dash::core::statistics().of(dash::core::Counter::caller_polls);
  dash::core::stop_statistics();
  dash::finalize();
  return polls;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const std::uint64_t yes = polls_of_waiting_unit("yes");
  const std::uint64_t no = polls_of_waiting_unit("no");
  // The application has initialized MPI, so this is `yes`.
  const std::uint64_t automatic = polls_of_waiting_unit(nullptr);
  const bool has_waited = dash::test::world().rank != 0;
  MPI_Finalize();
  // By `yes` and `automatic` about 1000 more than by `no`, and 27 more if a unit polls every 20 ms.
  if (!has_waited || std::min(yes, automatic) > no + 100) return 0;
  std::fprintf(stderr, "polls: %lu with yes, %lu with no, %lu without a value\n", yes, no,
               automatic);
  return 1;
}
