// dash-test: serial threads=2
#include "dash/core/CopyKernel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "dash/core/Clock.h"
#include "dash/core/Settings.h"
#include "dash/core/Topology.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::core;

namespace {

constexpr std::size_t guard = 64;
constexpr unsigned char guard_byte = 0xA5;

std::vector<unsigned char> random_bytes(std::size_t n, std::mt19937& random) {
  std::vector<unsigned char> bytes(n);
  for (unsigned char& byte : bytes) {
    byte = static_cast<unsigned char>(random());
  }
  return bytes;
}

// A destination between two guard areas, at a given offset from a cache line.
class Destination {
 public:
  explicit Destination(std::size_t capacity) : _bytes(capacity + 4 * guard, guard_byte) {}

  unsigned char* at(std::size_t alignment) {
    const auto address = reinterpret_cast<std::uintptr_t>(_bytes.data());
    return _bytes.data() + guard + (guard - address % guard) % guard + alignment;
  }

  // Whether [to, to + n) equals the source and the guards are unchanged; resets the memory.
  bool holds(unsigned char* to, const unsigned char* src, std::size_t n) {
    bool right = n == 0 || std::memcmp(to, src, n) == 0;
    for (std::size_t i = 1; i <= guard; ++i) {
      right = right && to[-static_cast<std::ptrdiff_t>(i)] == guard_byte;
      right = right && to[n + i - 1] == guard_byte;
    }
    std::fill(to, to + n, guard_byte);
    return right;
  }

 private:
  std::vector<unsigned char> _bytes;
};

std::vector<std::string> available_kernels() {
  std::vector<std::string> names;
  for (const char* name : {"avx512f", "avx2", "sse2", "memcpy"}) {
    if (copy_nontemporal_by(name, nullptr, nullptr, 0)) {
      names.emplace_back(name);
    }
  }
  return names;
}

// The processor with the given index in the set, modulo its size.
CpuSet processor_at(const CpuSet& all, int index) {
  CpuSet one;
  one.set(*std::next(all.begin(), index % all.count()));
  return one;
}

void use_nontemporal_min(const char* value) {
  setenv("DART_NT_MIN", value, 1);
  load_settings();
  unsetenv("DART_NT_MIN");
}

}  // namespace

TEST_CASE("This processor supports the chosen kernel") {
  const std::vector<std::string> names = available_kernels();
  CHECK(std::find(names.begin(), names.end(), copy_kernel_name()) != names.end());
  CHECK(copy_kernel_name() == names.front());
  CHECK_FALSE(copy_nontemporal_by("avx1024", nullptr, nullptr, 0));
}

TEST_CASE("Every kernel copies every size and alignment, and writes nothing else") {
  INFO("seed " << dash::test::seed());
  std::mt19937 random(dash::test::seed());
  const std::vector<unsigned char> source = random_bytes(2048, random);
  Destination destination(2048);
  for (const std::string& kernel : available_kernels()) {
    INFO(kernel);
    bool right = true;
    for (std::size_t to_alignment = 0; to_alignment < 64; ++to_alignment) {
      unsigned char* const to = destination.at(to_alignment);
      for (const std::size_t from_alignment : {0, 1, 7, 8, 16, 31, 33, 63}) {
        const unsigned char* const from = source.data() + from_alignment;
        for (std::size_t n = 0; n <= 1100; n += 1 + random() % 7) {
          REQUIRE(copy_nontemporal_by(kernel, to, from, n));
          right = destination.holds(to, from, n) && right;
        }
      }
    }
    CHECK(right);
  }
}

TEST_CASE("Every kernel copies sizes around its block size, and large ones") {
  INFO("seed " << dash::test::seed());
  std::mt19937 random(dash::test::seed());
  constexpr std::size_t large = (std::size_t{1} << 20) + 777;
  const std::vector<unsigned char> source = random_bytes(large + 64, random);
  Destination destination(large + 64);
  for (const std::string& kernel : available_kernels()) {
    for (const std::size_t alignment : {0, 1, 32, 63}) {
      for (const std::size_t n : {255, 256, 257, 319, 320, 321, 511, 512, 513, 4096, 4097, 65536}) {
        unsigned char* const to = destination.at(alignment);
        INFO(kernel << " to " << alignment << " n " << n);
        REQUIRE(copy_nontemporal_by(kernel, to, source.data() + 5, n));
        REQUIRE(destination.holds(to, source.data() + 5, n));
      }
      unsigned char* const to = destination.at(alignment);
      REQUIRE(copy_nontemporal_by(kernel, to, source.data(), large));
      REQUIRE(destination.holds(to, source.data(), large));
    }
  }
}

TEST_CASE("copy_bytes copies below and above the threshold") {
  INFO("seed " << dash::test::seed());
  std::mt19937 random(dash::test::seed());
  const std::vector<unsigned char> source = random_bytes(8192, random);
  Destination destination(8192);
  for (const char* threshold : {"0", "4K", "1T"}) {
    use_nontemporal_min(threshold);
    for (const std::size_t n : {0, 1, 8, 4095, 4096, 4097, 8000}) {
      unsigned char* const to = destination.at(3);
      INFO("threshold " << threshold << " n " << n);
      copy_bytes(to, source.data() + 1, n);
      CHECK(destination.holds(to, source.data() + 1, n));
    }
    copy_bytes(nullptr, nullptr, 0);
  }
  load_settings();
}

TEST_CASE("copy_strided equals a loop of memcpy") {
  INFO("seed " << dash::test::seed());
  std::mt19937 random(dash::test::seed());
  for (int round = 0; round < 2000; ++round) {
    constexpr std::size_t lengths[] = {0, 1, 2, 3, 4, 7, 8, 12, 16, 24, 32, 40, 64, 100};
    const std::size_t blocklen = lengths[random() % std::size(lengths)];
    const std::size_t src_stride = blocklen + random() % 3 * (random() % 40);
    const std::size_t dst_stride = blocklen + random() % 3 * (random() % 40);
    const std::size_t nblocks = random() % 20;
    const std::vector<unsigned char> source = random_bytes(src_stride * nblocks + 8, random);
    std::vector<unsigned char> expected(dst_stride * nblocks + 8, guard_byte);
    std::vector<unsigned char> got = expected;
    for (std::size_t i = 0; i < nblocks; ++i) {
      std::memcpy(&expected[i * dst_stride], &source[i * src_stride], blocklen);
    }
    copy_strided(got.data(), source.data(), blocklen, src_stride, dst_stride, nblocks);
    INFO(blocklen << " " << src_stride << " " << dst_stride << " " << nblocks);
    REQUIRE(got == expected);
  }
}

// The reader spins, and checks the end first: without a store fence, the last writes become visible too late.
// Without the fence, up to one round in a hundred fails on two idle processors.
TEST_CASE("A release store after a copy by any kernel publishes the copy") {
  constexpr std::size_t nwords = 2048;
  constexpr std::size_t nslots = 64;  // so that the reader does not cache the lines written next
  constexpr std::uint64_t rounds = 10'000;
  constexpr std::uint64_t max_ns = 500'000'000;  // for each kernel, on a busy machine
  constexpr std::uint64_t end = ~std::uint64_t{0};
  struct alignas(64) Slot {
    std::array<std::uint64_t, nwords> words;
  };
  // Returns the new value.
  const auto await = [](const std::atomic<std::uint64_t>& value, std::uint64_t old) {
    for (int spins = 0;; ++spins) {
      const std::uint64_t now = value.load(std::memory_order_acquire);
      if (now != old) {
        return now;
      }
      if (spins > 1'000) {
        std::this_thread::yield();
      }
    }
  };
  for (const std::string& kernel : available_kernels()) {
    const auto source = std::make_unique<Slot>();
    const auto slots = std::make_unique<std::array<Slot, nslots>>();
    alignas(64) std::atomic<std::uint64_t> published{0};
    alignas(64) std::atomic<std::uint64_t> seen{0};
    std::uint64_t stale = 0;
    const CpuSet all = this_thread_affinity();
    std::thread reader([&] {
      bind_this_thread(processor_at(all, 1));
      for (std::uint64_t round = 1; await(published, round - 1) != end; ++round) {
        const Slot& slot = (*slots)[round % nslots];
        stale += std::count(slot.words.rbegin(), slot.words.rend(), round) == nwords ? 0 : 1;
        seen.store(round, std::memory_order_release);
      }
    });
    bind_this_thread(processor_at(all, 0));
    const std::uint64_t begin = now_ns();
    std::uint64_t round = 0;
    while (round < rounds && now_ns() - begin < max_ns) {
      source->words.fill(++round);
      copy_nontemporal_by(kernel, &(*slots)[round % nslots], source.get(), sizeof(Slot));
      published.store(round, std::memory_order_release);
      await(seen, round - 1);
    }
    published.store(end, std::memory_order_release);
    reader.join();
    bind_this_thread(all);
    INFO(kernel);
    CHECK(stale == 0);
  }
}
