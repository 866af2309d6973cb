// dash-test: serial

// On which processors the progress thread runs.

#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "TestedEngine.h"
#include "dash/async/Engine.h"
#include "dash/async/HostLoad.h"
#include "dash/async/PollSource.h"
#include "dash/core/Topology.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::core::CpuSet;
using dash::exec::Demand;
using dash::exec::Engine;
using dash::exec::PollSource;
using dash::test::StartedEngine;
using namespace std::chrono_literals;

namespace {

/// Records the processors of the progress thread at each poll.
class AffinitySource final : public PollSource {
 public:
  Demand demand() const noexcept override { return Demand::busy; }
  bool poll() noexcept override {
    if (!dash::exec::on_progress_thread()) return false;
    const std::lock_guard lock(_mutex);
    _processors = dash::core::this_thread_affinity().to_string();
    return false;
  }

  /// Waits until the thread polls on these processors, for at most ten seconds.
  /// \returns the processors of its last poll
  std::string wait_for(const CpuSet& processors) {
    const std::string wanted = processors.to_string();
    for (int attempt = 0; attempt < 10'000 && current() != wanted; ++attempt)
      std::this_thread::sleep_for(1ms);
    return current();
  }

 private:
  std::string current() {
    const std::lock_guard lock(_mutex);
    return _processors;
  }

  std::mutex _mutex;
  std::string _processors;
};

CpuSet only(int processor) {
  return CpuSet::range(processor, processor + 1);
}

}  // namespace

TEST_CASE("The progress thread uses a free processor, and none of another unit's main thread",
          "[Engine]") {
  const CpuSet all = dash::core::this_thread_affinity();
  if (all.count() < 2) DASH_SKIP("needs two processors");
  const CpuSet own = only(all.first());
  const CpuSet others = only(all.next(all.first()));
  AffinitySource source;
  Engine::instance().add_source(source);
  {
    dash::exec::HostLoad load;
    load.processors = 2;
    load.occupy(others);
    Engine::Options options;
    options.mode = dash::core::ProgressMode::thread;
    options.num_own_processors = 1;
    options.main_processors = own;
    options.thread_processors = own | others;
    options.host_load = &load;
    options.service_interval_ns = 500'000;
    const StartedEngine engine(options);
    // If the thread were preempted there, it would keep the locks of MPI until the other unit sleeps.
    CHECK(source.wait_for(own) == own.to_string());
    load.vacate(others);
    CHECK(source.wait_for(others) == others.to_string());
    load.occupy(others);
    CHECK(source.wait_for(own) == own.to_string());
  }
  Engine::instance().remove_source(source);
}
