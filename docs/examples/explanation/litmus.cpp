// The guaranteed outcomes of the litmus tests of docs/explanation/memory-model.md.
// dash-example: units=2,3 layouts=node,nolocal modes=auto,poll
#include <libdash.h>

#include <atomic>
#include <cstdio>
#include <thread>

namespace {

constexpr int rounds = 25;

/// Variables in global memory: element u belongs to unit u. The value in round r is r.
struct Variables {
  dash::Array<int> x{dash::size()};
  dash::Array<int> f{dash::size()};
  dash::Array<dash::Atomic<int>> a{dash::size()};
  dash::SignalArray signals{1};  // one signal of each unit
};

/// What a unit has read; `unread` if it reads nothing.
constexpr int unread = -1;

int put_then_barrier(Variables& v, int me, int one) {
  auto& x = v.x;
  int r = unread;
  // --8<-- [start:put-barrier]
  if (me == 0) dash::copy_async(&one, &one + 1, x.begin() + 1);  // dropped
  x.barrier();
  if (me == 1) r = x.local[0];
  // --8<-- [end:put-barrier]
  return r;
}

int put_then_signal(Variables& v, int me, int one) {
  auto& x = v.x;
  auto& s = v.signals;
  int r = unread;
  // --8<-- [start:put-wait-signal]
  if (me == 0) {
    auto put = dash::copy_async(&one, &one + 1, x.begin() + 1);
    put.wait();
    s(dash::team_unit_t(1)).set(one);
  }
  if (me == 1) {
    s[0].wait_until(one);
    r = x.local[0];
  }
  // --8<-- [end:put-wait-signal]
  return r;
}

int put_with_signal(Variables& v, int me, int one) {
  auto& x = v.x;
  auto& s = v.signals;
  int r = unread;
  // --8<-- [start:put-signal]
  if (me == 0) {
    const auto signal = s(dash::team_unit_t(1));
    dash::put_signal(&one, &one + 1, x.begin() + 1, signal, one);
  }
  if (me == 1) {
    s[0].wait_until(one);
    r = x.local[0];
  }
  // --8<-- [end:put-signal]
  return r;
}

int put_then_atomic_flag(Variables& v, int me, int one) {
  auto& x = v.x;
  auto& a = v.a;
  int r = unread;
  // --8<-- [start:atomic-flag]
  if (me == 0) {
    x[1] = one;  // complete on return
    a[1].store(one);
  }
  if (me == 1) {
    while (a[1].load() != one)
      dash::progress();
    r = x.local[0];
  }
  // --8<-- [end:atomic-flag]
  return r;
}

/// Each of two units writes one variable and reads the other.
int store_buffering(Variables& v, int me, int one) {
  auto& a = v.a;
  int r = unread;
  // --8<-- [start:store-buffering]
  if (me == 0) {
    a[0].store(one);
    r = a[1].load();
  }
  if (me == 1) {
    a[1].store(one);
    r = a[0].load();
  }
  // --8<-- [end:store-buffering]
  return r;
}

int native_then_barrier(Variables& v, int me, int one) {
  auto& x = v.x;
  int r = unread;
  // --8<-- [start:native-barrier]
  if (me == 0) {
    int* const of_unit_1 = x.on_node(dash::team_unit_t(1)).data();
    *of_unit_1 = one;  // a plain store
  }
  x.barrier();
  if (me == 1) r = *x.lbegin();  // a plain load
  // --8<-- [end:native-barrier]
  return r;
}

int native_then_flag(Variables& v, int me, int one) {
  auto& x = v.x;
  auto& f = v.f;
  int r = unread;
  // --8<-- [start:native-flag]
  if (me == 0) {
    int* const of_unit_1 = x.on_node(dash::team_unit_t(1)).data();
    int* const flag_of_unit_1 = f.on_node(dash::team_unit_t(1)).data();
    *of_unit_1 = one;
    const std::atomic_ref<int> flag(*flag_of_unit_1);
    flag.store(one, std::memory_order_release);
  }
  if (me == 1) {
    const std::atomic_ref<int> flag(*f.lbegin());
    while (flag.load(std::memory_order_acquire) != one)
      std::this_thread::yield();
    r = *x.lbegin();
  }
  // --8<-- [end:native-flag]
  return r;
}

/// Runs a litmus test in which unit 1 must read the value of the round. \returns whether it always did
template <class Test>
bool always_reads_value(const char* name, Test test) {
  Variables variables;
  const int me = dash::myid();
  bool right = true;
  for (int round = 1; round <= rounds; ++round) {
    const int seen = test(variables, me, round);
    if (me == 1 && seen != round) {
      std::printf("%s: unit 1 read %d instead of %d\n", name, seen, round);
      right = false;
    }
    dash::barrier();
  }
  return right;
}

/// At least one of two units must read the value that the other one has written.
bool reads_at_least_one() {
  Variables variables;
  bool right = true;
  for (int round = 1; round <= rounds; ++round) {
    const auto seen = dash::allgather_async(store_buffering(variables, dash::myid(), round)).get();
    if (seen[0] != round && seen[1] != round) {
      std::printf("store buffering: %d and %d in round %d\n", seen[0], seen[1], round);
      right = false;
    }
    dash::barrier();
  }
  return right;
}

/// No addition of a unit is lost.
bool counts_all() {
  dash::Array<dash::Atomic<int>> counter(1);
  // --8<-- [start:counter]
  for (int i = 0; i < rounds; ++i)
    counter[0].add(1);  // on all units
  dash::barrier();
  const int r = counter[0].load();  // rounds * number of units
  // --8<-- [end:counter]
  return r == rounds * static_cast<int>(dash::size());
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool right = true;
  right &= always_reads_value("put, barrier", put_then_barrier);
  right &= always_reads_value("put, wait, signal", put_then_signal);
  right &= always_reads_value("put with signal", put_with_signal);
  right &= always_reads_value("put, atomic flag", put_then_atomic_flag);
  right &= reads_at_least_one();
  right &= counts_all();
  const bool share_memory =
      dash::bcast_async(dash::Team::All().is_on_node(dash::team_unit_t(1)), dash::team_unit_t(0))
          .get();  // whether units 0 and 1 do
  if (share_memory) {
    right &= always_reads_value("plain store, barrier", native_then_barrier);
    right &= always_reads_value("plain store, native flag", native_then_flag);
  }
  dash::finalize();
  return right ? 0 : 1;
}
