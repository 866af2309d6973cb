// dash-bench: serial
//
// How long a program with libdash.h, one array and one algorithm takes to compile at -O2, beside one
// with the standard library's; of one that is simple, and of those that bring most along.
//
// An argument limits it to algorithms whose names contain it.

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
constexpr double bar_ns = 3e9;

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

constexpr const char* twin = R"(#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>
int main() {{
  std::vector<int> array(1000);
  {}
  std::cout << array[999] << '\n';
}}
)";

/// One algorithm of the library, and the standard library's.
struct Statement {
  const char* algorithm;
  const char* ours;
  const char* twin;
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

/// A folder that goes with the object.
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

/// What processes that this one has started took of processors, in nanoseconds.
double cpu_ns_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto ns = [](const timeval& time) {
    return 1e9 * static_cast<double>(time.tv_sec) + 1e3 * static_cast<double>(time.tv_usec);
  };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

/// Time of the processor: compilers wait for nothing else.
double compile(const std::string& source) {
  const std::string command = fmt::format("'{}' {} -std=c++20 -O2 -c '{}' -o '{}.o'",
                                          DASH_BENCH_COMPILER, DASH_BENCH_INCLUDES, source, source);
  const double begin = cpu_ns_of_children();
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
  return cpu_ns_of_children() - begin;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  const Folder folder;
  Table table;
  for (const Statement& statement : statements) {
    if (std::string(statement.algorithm).find(wanted) == std::string::npos) continue;
    const std::string with_dash =
        folder.write("dash.cpp", fmt::format(fmt::runtime(ours), statement.ours));
    const std::string with_std =
        folder.write("std.cpp", fmt::format(fmt::runtime(twin), statement.twin));
    const auto samples =
        interleave(rounds, {[&] { return compile(with_dash); }, [&] { return compile(with_std); }});
    const double ns = median(samples[0]);
    table.add(with_figures(
        {fmt::format("compilation at -O2: libdash.h, an array, {}", statement.algorithm), "",
         duration(ns), "the standard library", duration(median(samples[1])),
         ratio(spread(ratios(samples[0], samples[1]))), "<= 3 s", ns <= bar_ns},
        {samples[0], samples[1]}));
  }
  table.print();
}
