// dash-bench: serial
//
// The processor time to compile at -O2: of headers and small programs, relative to a program that uses some of the large
// headers of the standard library; and of a program with libdash.h, one array and one algorithm, beside the same program
// with the standard library: for a simple algorithm, and for those that instantiate most.
//
// An argument selects the programs and the algorithms whose names contain it.

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

constexpr const char* large_headers = R"(#include <future>
#include <ranges>
#include <regex>
#include <unordered_map>
int main(int argc, char** argv) {
  return std::regex_match(argv[argc - 1], std::regex("[0-9]+")) ? 0 : 1;
}
)";

/// A source file, and the goal for the time of its compilation relative to that of `large_headers`.
struct Program {
  const char* name;
  const char* text;
  double goal;
};

constexpr Program programs[] = {
    {"dash/Array.h", "#include <dash/Array.h>\n", 0.2},
    {"libdash.h", "#include <libdash.h>\n", 0.35},
    {"an array, fill and reduce", R"(#include <libdash.h>
int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  {
    dash::Array<double> array(1000);
    dash::fill(array.begin(), array.end(), 1.0);
    const double sum = dash::reduce(array.begin(), array.end(), 0.0);
    if (dash::myid() == 0) std::cout << sum << '\n';
  }
  dash::finalize();
}
)",
     0.5},
    {"a stencil of radius 2", R"(#include <dash/halo/HaloMatrixWrapper.h>
#include <dash/halo/stencil/StencilLoop.h>
#include <libdash.h>
int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  {
    using Grid = dash::NArray<double, 2>;
    using Point = dash::halo::StencilPoint<2>;
    Grid a(256, 256);
    Grid b(256, 256);
    dash::fill(a.begin(), a.end(), 1.0);
    const dash::halo::StencilSpec<Point, 8> star(Point(-2, 0), Point(-1, 0), Point(1, 0),
                                                 Point(2, 0), Point(0, -2), Point(0, -1),
                                                 Point(0, 1), Point(0, 2));
    dash::halo::StencilLoop loop(a, b, star);
    loop.steps(10, [](const auto& cell) {
      return 0.1 * (cell(-2, 0) + cell(2, 0) + cell(0, -2) + cell(0, 2)) +
             0.15 * (cell(-1, 0) + cell(1, 0) + cell(0, -1) + cell(0, 1));
    });
  }
  dash::finalize();
}
)",
     1.0}};

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

bool is_selected(const std::string& name, const std::string& filter) {
  return name.find(filter) != std::string::npos;
}

void measure_programs(const Folder& folder, const std::string& filter, Table& table) {
  const std::string with_std = folder.write("headers.cpp", large_headers);
  for (const Program& program : programs) {
    if (!is_selected(program.name, filter)) continue;
    const std::string with_dash = folder.write("dash.cpp", program.text);
    const auto samples =
        interleave(rounds, {[&] { return compile(with_dash); }, [&] { return compile(with_std); }});
    const Samples relative = ratios(samples[0], samples[1]);
    table.add(with_figures({fmt::format("compilation at -O2: {}", program.name), "",
                            format_duration(median(samples[0])), "large standard headers",
                            format_duration(median(samples[1])), format_ratio(spread(relative)),
                            fmt::format("<= {}", program.goal), median(relative) <= program.goal},
                           {samples[0], samples[1]}));
  }
}

void measure_algorithms(const Folder& folder, const std::string& filter, Table& table) {
  for (const Statement& statement : statements) {
    if (!is_selected(statement.algorithm, filter)) continue;
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
}

}  // namespace

int main(int argc, char** argv) {
  const std::string filter = argc > 1 ? argv[1] : "";
  const Folder folder;
  Table table;
  measure_programs(folder, filter, table);
  measure_algorithms(folder, filter, table);
  table.print();
}
