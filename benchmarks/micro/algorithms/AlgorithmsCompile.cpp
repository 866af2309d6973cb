// dash-bench: serial
//
// The time to compile a program with libdash.h, one array and one algorithm at -O2, beside the same program
// with the standard library: for a simple algorithm, and for those that instantiate most.
//
// An argument selects the algorithms whose names contain it.

#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "support/Measure.h"
#include "support/Table.h"

using namespace dash::bench;

namespace {

constexpr int rounds = 5;
constexpr double goal_ns = 3e9;

constexpr const char* ours = R"(#include <libdash.h>
int main(int argc, char** argv) {{
  dash::init(&argc, &argv);
  {{
    dash::Array<int> array(1000);
    {}
    if (dash::myid() == 0) std::cout << array[999] << '\n';
  }}
  dash::finalize();
}}
)";

constexpr const char* baseline = R"(#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>
int main() {{
  std::vector<int> array(1000);
  {}
  std::cout << array[999] << '\n';
}}
)";

/// A call of an algorithm of the library, and of its counterpart in the standard library.
struct Statement {
  const char* algorithm;
  const char* ours;
  const char* baseline;
};

constexpr Statement statements[] = {
    {"fill", "dash::fill(array.begin(), array.end(), 1);",
     "std::fill(array.begin(), array.end(), 1);"},
    {"transform",
     "dash::transform(array.begin(), array.end(), array.begin(), [](int x) { return 2 * x + 1; });",
     "std::transform(array.begin(), array.end(), array.begin(), [](int x) { return 2 * x + 1; });"},
    {"reduce with a lambda",
     "array[999] = dash::reduce(array.begin(), array.end(), 0, [](int a, int b) { return a ^ b; "
     "});",
     "array[999] = std::reduce(array.begin(), array.end(), 0, [](int a, int b) { return a ^ b; "
     "});"},
    {"copy_if",
     "dash::copy_if(array.begin(), array.end(), array.begin(), [](int x) { return x > 1; });",
     "std::copy_if(array.begin(), array.end(), array.begin(), [](int x) { return x > 1; });"},
    {"inclusive_scan", "dash::inclusive_scan(array.begin(), array.end(), array.begin());",
     "std::inclusive_scan(array.begin(), array.end(), array.begin());"},
    {"nth_element", "dash::nth_element(array.begin(), array.begin() + 500, array.end());",
     "std::nth_element(array.begin(), array.begin() + 500, array.end());"},
    {"sort", "dash::sort(array.begin(), array.end());", "std::sort(array.begin(), array.end());"}};

/// A temporary folder, removed by the destructor.
class Folder {
 public:
  Folder() : _path(std::filesystem::temp_directory_path() / fmt::format("dash-{}", getpid())) {
    std::filesystem::create_directory(_path);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(_path); }

  std::string write(const char* name, const std::string& text) const {
    const auto path = _path / name;
    std::ofstream(path) << text;
    return path.string();
  }

 private:
  std::filesystem::path _path;
};

/// \returns the processor time of the terminated child processes, in nanoseconds
double cpu_ns_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto ns = [](const timeval& time) {
    return 1e9 * static_cast<double>(time.tv_sec) + 1e3 * static_cast<double>(time.tv_usec);
  };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

/// \returns the processor time of the compiler, which does not block on anything else, in nanoseconds
double compile(const std::string& source) {
  const std::string command = fmt::format("'{}' {} -std=c++20 -O2 -c '{}' -o '{}.o'",
                                          DASH_BENCH_COMPILER, DASH_BENCH_INCLUDES, source, source);
  const double begin = cpu_ns_of_children();
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
  return cpu_ns_of_children() - begin;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string filter = argc > 1 ? argv[1] : "";
  const Folder folder;
  Table table;
  for (const Statement& statement : statements) {
    if (std::string(statement.algorithm).find(filter) == std::string::npos) continue;
    const std::string with_dash =
        folder.write("dash.cpp", fmt::format(fmt::runtime(ours), statement.ours));
    const std::string with_std =
        folder.write("std.cpp", fmt::format(fmt::runtime(baseline), statement.baseline));
    const auto samples =
        interleave(rounds, {[&] { return compile(with_dash); }, [&] { return compile(with_std); }});
    const double ns = median(samples[0]);
    table.add(with_figures(
        {fmt::format("compilation at -O2: libdash.h, an array, {}", statement.algorithm), "",
         format_duration(ns), "the standard library", format_duration(median(samples[1])),
         format_ratio(spread(ratios(samples[0], samples[1]))), "<= 3 s", ns <= goal_ns},
        {samples[0], samples[1]}));
  }
  table.print();
}
