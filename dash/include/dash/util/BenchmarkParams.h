#pragma once

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "dash/core/Export.h"

namespace dash::util {

/// Prints the parameters of a benchmark run on unit 0.
/// \threads externally synchronized per object
class DASH_API BenchmarkParams {
 public:
  using setting = std::pair<std::string, std::string>;

  /// The build options of the library and the settings of the environment.
  struct config_params_type {
    std::vector<setting> env_config;      // DASH_*, DART_*
    std::vector<setting> env_mpi_config;  // of MPI libraries
    bool env_mpi_shared_win = true;
    bool env_papi = false;
    bool env_hwloc = false;
    bool env_numalib = false;
    bool env_mkl = false;
    bool env_blas = false;
    bool env_lapack = false;
    bool env_scalapack = false;
    bool env_plasma = false;
    bool env_hdf5 = false;
  };

  explicit BenchmarkParams(const std::string& benchmark_name);

  /// Stores the command line, which print_header() prints.
  void parse_args(int argc, char* argv[]);

  /// Prints the name, the command line, the number of units and nodes, and the settings.
  void print_header();
  /// Prints the location of each unit: host, NUMA domain, processor, cores. \collective no
  void print_pinning();

  void print_section_start(const std::string& section_name) const;
  void print_section_end() const;

  template <class T>
  void print_param(const std::string& name, const T& value) const {
    print_line(name, "", text_of(value));
  }
  /// \param flag  the command-line option that sets the parameter
  template <class T>
  void print_param(const std::string& flag, const std::string& description, const T& value) const {
    print_line(flag, description, text_of(value));
  }

  /// Sets the number of characters of a line.
  void set_output_width(int width) noexcept { _width = width; }
  int output_width() const noexcept { return _width; }

  const config_params_type& config() const noexcept { return _config; }

 private:
  template <class T>
  static std::string text_of(const T& value) {
    std::ostringstream text;
    text << value;
    return text.str();
  }
  void print_line(const std::string& name, const std::string& description,
                  const std::string& value) const;

  std::string _name;
  std::vector<std::string> _arguments;
  config_params_type _config;
  int _width = 100;
};

}  // namespace dash::util
