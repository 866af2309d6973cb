// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include "dash/algorithm/Scan.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "ScanCheck.h"
#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "support/Catch.h"

using Catch::Matchers::ContainsSubstring;

namespace {

/// x -> factor * x + summand: composition is associative but not commutative.
struct Affine {
  Affine(std::uint32_t a, std::uint32_t b) : factor(a), summand(b) {}
  std::uint32_t factor;
  std::uint32_t summand;
  friend bool operator==(const Affine&, const Affine&) = default;
};
struct Chain {
  Affine operator()(const Affine& a, const Affine& b) const {
    return {a.factor * b.factor, a.summand * b.factor + b.summand};
  }
};

/// Checks both scans, in place and to another range.
template <class Policy, class In, class Out>
void check_scans(const Policy& policy, const In& first, const In& last, const Out& out) {
  const auto input = random_values<long>(static_cast<std::size_t>(last - first), 1000);
  const Out out_last = out + (last - first);
  std::vector<long> expected(input.size());
  assign(first, input);

  std::inclusive_scan(input.begin(), input.end(), expected.begin());
  CHECK(dash::inclusive_scan(policy, first, last, out) == out_last);
  CHECK(values_of(out, out_last) == expected);

  std::exclusive_scan(input.begin(), input.end(), expected.begin(), 5L, std::bit_xor<>());
  CHECK(dash::exclusive_scan(policy, first, last, out, 5L, std::bit_xor<>()) == out_last);
  CHECK(values_of(out, out_last) == expected);

  const auto larger = [](long a, long b) { return std::max(a, b); };
  std::inclusive_scan(input.begin(), input.end(), expected.begin(), larger, 500L);
  CHECK(dash::inclusive_scan(policy, first, last, first, larger, 500L) == last);
  CHECK(values_of(first, last) == expected);

  assign(first, input);
  std::exclusive_scan(input.begin(), input.end(), expected.begin(), -1L);
  CHECK(dash::exclusive_scan(policy, first, last, first, -1L) == last);
  CHECK(values_of(first, last) == expected);
}

}  // namespace

TEST_CASE("scans of arrays give the standard library's results for each pair of distributions") {
  for (const std::size_t n : {std::size_t{1}, std::size_t{10}, std::size_t{700}}) {
    for (const auto& to : distributions()) {
      dash::Array<long> out(n, to);
      for_each_array<long>(n, [&](const auto& first, const auto& last) {
        check_scans(dash::par, first, last, out.begin());
      });
    }
  }
}

TEST_CASE("a scan of very many segments uses several rounds and slices") {
  // With at most three units, each unit has more segments than a round can process.
  const std::size_t n = 140000 * std::min<std::size_t>(dash::size(), 3);
  dash::Array<std::int32_t> array(n, dash::CYCLIC);
  dash::Array<std::int64_t> sums(n, dash::CYCLIC);
  const auto input = random_values<std::int32_t>(n, 9);
  assign(array.begin(), input);
  CHECK(dash::exclusive_scan_async(array, sums, std::int64_t{7}).get() == sums.end());
  std::vector<std::int64_t> expected(n);
  std::exclusive_scan(input.begin(), input.end(), expected.begin(), std::int64_t{7});
  CHECK(values_of(sums.begin(), sums.end()) == expected);
  dash::inclusive_scan(array, array);
  std::vector<std::int32_t> inclusive(n);
  std::inclusive_scan(input.begin(), input.end(), inclusive.begin());
  CHECK(values_of(array.begin(), array.end()) == inclusive);
}

TEST_CASE("scans with a non-commutative operation on types without default constructor") {
  for (const auto& distribution : {dash::BLOCKED, dash::BLOCKCYCLIC(4), dash::CYCLIC}) {
    const std::size_t n = 9000;
    dash::Array<Affine> array(n, distribution);
    std::vector<Affine> input;
    for (std::size_t i = 0; i < n; ++i)
      input.emplace_back(static_cast<std::uint32_t>(random_up_to(1 << 30)),
                         static_cast<std::uint32_t>(random_up_to(1 << 30)));
    const auto wrong = [&](const std::vector<Affine>& expected) {
      long number = 0;
      for (index_t i = 0; i < static_cast<index_t>(array.lsize()); ++i) {
        const auto global = static_cast<std::size_t>(array.pattern().global(i));
        if (!(array.lbegin()[i] == expected[global])) ++number;
      }
      return number;
    };
    std::vector<Affine> expected = input;
    assign(array.begin(), input);
    std::inclusive_scan(input.begin(), input.end(), expected.begin(), Chain());
    dash::inclusive_scan(array, array, Chain());
    CHECK(wrong(expected) == 0);
    assign(array.begin(), input);
    std::exclusive_scan(input.begin(), input.end(), expected.begin(), Affine(3, 4), Chain());
    dash::exclusive_scan(array, array, Affine(3, 4), Chain());
    CHECK(wrong(expected) == 0);
    array.barrier();
  }
}

TEST_CASE("scans of floating-point numbers are bitwise reproducible with 1, 2 and 3 workers") {
  constexpr std::size_t n = 100000;
  dash::Array<float> in(n, dash::BLOCKCYCLIC(1000));
  dash::Array<double> out(n, dash::BLOCKED);
  std::vector<float> input(n);
  for (std::size_t i = 0; i < n; ++i)
    input[i] = 1.0F / static_cast<float>(i + 1);
  assign(in.begin(), input);
  dash::inclusive_scan(dash::seq, in, out, std::plus<>(), 0.0);
  const auto first = values_of(out.begin(), out.end());
  CHECK(first[0] == 1.0);
  CHECK(first[n - 1] == Approx(std::accumulate(input.begin(), input.end(), 0.0)).epsilon(1e-12));
  for (const int number : {1, 2, 3}) {
    const Workers several(number);
    for (int round = 0; round < 2; ++round) {
      dash::inclusive_scan(in, out, std::plus<>(), 0.0);
      CHECK(values_of(out.begin(), out.end()) == first);
    }
  }
}

TEST_CASE("a scan throws on all units if the operation throws on one, early or late") {
  const auto last = static_cast<int>(dash::size()) - 1;
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC}) {
    for (const std::size_t n : {std::size_t{60}, std::size_t{9000}}) {
      dash::Array<long> array(n * dash::size(), distribution);
      for (const long allowed : {0L, 2L, 59L, 70L, 100L, 8999L, 9001L, 12000L}) {
        long calls = 0;
        const auto fails = [&calls, allowed, last](long a, long b) {
          if (dash::myid() == last && calls++ == allowed) throw std::range_error("overflow");
          return a + b;
        };
        int caught = 0;
        try {
          dash::inclusive_scan(dash::seq, array.begin(), array.end(), array.begin(),
                               std::cref(fails));
        } catch (const dash::exception::RuntimeError& error) {
          caught = 1;
          CHECK_THAT(error.what(), ContainsSubstring("unit " + std::to_string(last)) &&
                                       ContainsSubstring("overflow") &&
                                       ContainsSubstring("dash::inclusive_scan"));
        }
        CHECK(dash::allreduce_async(caught, dash::plus<int>()).get() ==
              caught * static_cast<int>(dash::size()));
        if (allowed < 3) CHECK(caught == 1);
      }
    }
  }
}
