// dash-test: serial

#include "dash/core/Pooled.h"
#include "support/Catch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

namespace {

using dash::core::Pooled;

template <std::size_t nbytes>
struct Object : Pooled {
  explicit Object(std::size_t value) { content.fill(value); }
  bool holds(std::size_t value) const {
    return std::all_of(content.begin(), content.end(), [=](std::size_t x) { return x == value; });
  }
  std::array<std::size_t, nbytes / sizeof(std::size_t)> content;
};

template <class T>
std::vector<std::unique_ptr<T>> make(std::size_t count) {
  std::vector<std::unique_ptr<T>> objects;
  objects.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    objects.push_back(std::make_unique<T>(i));
  return objects;
}

template <class T>
bool hold_their_values(const std::vector<std::unique_ptr<T>>& objects) {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (!objects[i]->holds(i)) return false;
  }
  return true;
}

}  // namespace

TEMPLATE_TEST_CASE("Bursts of objects of all sizes do not overlap and can be repeated", "[Pooled]",
                   Object<8>, Object<64>, Object<128>, Object<768>, Object<776>,
                   Object<Pooled::large_bytes>, Object<3 * Pooled::large_bytes>) {
  // Far more than the limit of shared large objects.
  constexpr std::size_t nbytes = std::size_t{8} << 20;
  const std::size_t count = nbytes / std::max<std::size_t>(sizeof(TestType), 64);
  for (int round = 0; round < 3; ++round) {
    auto objects = make<TestType>(count);
    REQUIRE(hold_their_values(objects));
    // Deletes in another order than that of creation.
    std::rotate(objects.begin(), objects.begin() + static_cast<std::ptrdiff_t>(count / 2),
                objects.end());
  }
}

TEMPLATE_TEST_CASE("Objects can be deleted on another thread", "[Pooled][stress]", Object<64>,
                   Object<128>, Object<Pooled::large_bytes>) {
  constexpr std::size_t count = 1000;
  constexpr int rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::vector<std::unique_ptr<TestType>>> parts(4);
    std::vector<std::thread> threads;
    for (auto& part : parts)
      threads.emplace_back([&part] { part = make<TestType>(count); });
    for (std::thread& thread : threads)
      thread.join();
    threads.clear();
    REQUIRE(std::all_of(parts.begin(), parts.end(),
                        [](const auto& part) { return hold_their_values(part); }));
    for (std::size_t t = 0; t < parts.size(); ++t) {
      threads.emplace_back([mine = std::move(parts[t])]() mutable {
        mine.resize(count / 2);
        const auto more = make<TestType>(count);
        mine.clear();
      });
    }
    for (std::thread& thread : threads)
      thread.join();
  }
}
