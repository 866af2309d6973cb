#include "dash/util/BenchmarkParams.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string_view>

#include "dash/Team.h"
#include "dash/dart/MpiLibrary.h"
#include "dash/util/Config.h"
#include "dash/util/StaticConfig.h"
#include "dash/util/UnitLocality.h"

extern char** environ;

namespace dash::util {

namespace {

std::vector<BenchmarkParams::setting> environment(
    std::initializer_list<std::string_view> prefixes) {
  std::vector<BenchmarkParams::setting> settings;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto assign = std::min(text.find('='), text.size());
    const bool wanted = std::any_of(prefixes.begin(), prefixes.end(), [text](auto prefix) {
      return text.substr(0, prefix.size()) == prefix;
    });
    if (wanted && assign < text.size())
      settings.emplace_back(text.substr(0, assign), text.substr(assign + 1));
  }
  std::sort(settings.begin(), settings.end());
  return settings;
}

bool is_printing_unit() {
  return Team::GlobalUnitID() <= 0;
}

}  // namespace

BenchmarkParams::BenchmarkParams(const std::string& benchmark_name) : _name(benchmark_name) {
  _config.env_config = environment({"DASH_", "DART_"});
  _config.env_mpi_config = environment({"MPICH_", "MPIR_", "UCX_", "I_MPI_", "MP_"});
  _config.env_papi = DashConfig.avail_papi;
  _config.env_hwloc = DashConfig.avail_hwloc;
  _config.env_numalib = DashConfig.avail_numa;
  _config.env_mkl = DashConfig.avail_mkl;
  _config.env_blas = DashConfig.avail_blas;
  _config.env_lapack = DashConfig.avail_lapack;
  _config.env_scalapack = DashConfig.avail_scalapack;
  _config.env_plasma = DashConfig.avail_plasma;
  _config.env_hdf5 = DashConfig.avail_hdf5;
}

void BenchmarkParams::parse_args(int argc, char* argv[]) {
  _arguments.assign(argv, argv + argc);
}

void BenchmarkParams::print_header() {
  if (!is_printing_unit()) return;
  print_section_start("Benchmark");
  print_param("name", _name);
  std::string command;
  for (const std::string& argument : _arguments)
    command += (command.empty() ? "" : " ") + argument;
  if (!command.empty()) print_param("command", command);
  print_section_end();

  print_section_start("Environment");
  print_param("units", Team::All().size());
  print_param("nodes", Locality::NumNodes());
  print_param("MPI", dart::mpi_library());
  for (const auto* settings : {&_config.env_config, &_config.env_mpi_config}) {
    for (const auto& [name, value] : *settings)
      print_param(name, value);
  }
  print_section_end();
}

void BenchmarkParams::print(std::stringstream& lines, const std::string& prefix) const {
  if (!is_printing_unit()) return;
  for (std::string line; std::getline(lines, line);)
    std::cout << prefix << line << '\n';
  std::cout.flush();
}

void BenchmarkParams::print_pinning() {
  if (!is_printing_unit()) return;
  print_section_start("Units");
  for (const int unit : Team::All()) {
    const UnitLocality locality(Team::All(), team_unit_t(unit));
    std::ostringstream text;
    text << locality.hostname() << "  NUMA " << locality.numa_id() << "  CPU " << locality.cpu_id()
         << "  cores " << locality.num_cores();
    print_param("unit " + std::to_string(unit), text.str());
  }
  print_section_end();
}

void BenchmarkParams::print_section_start(const std::string& section_name) const {
  if (!is_printing_unit()) return;
  std::cout << std::string(static_cast<std::size_t>(std::max(0, _width)), '-') << '\n'
            << "-- " << section_name << '\n';
}

void BenchmarkParams::print_section_end() const {
  if (is_printing_unit()) std::cout << std::flush;
}

void BenchmarkParams::print_line(const std::string& name, const std::string& description,
                                 const std::string& value) const {
  if (!is_printing_unit()) return;
  const std::string label = description.empty() ? name : name + "  " + description;
  // The values are right-aligned, if the line is wide enough.
  const int value_width = std::max(2, _width - static_cast<int>(label.size()) - 3);
  std::cout << "-- " << label << std::setw(value_width) << value << '\n';
}

}  // namespace dash::util
