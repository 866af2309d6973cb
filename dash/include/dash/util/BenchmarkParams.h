#pragma once

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "dash/core/Export.h"

namespace dash::util {

/// Prints the parameters of a benchmark run on unit 0.
/// \threads externally synchronized per object
/// \ingroup utilities
class DASH_API BenchmarkParams {
 public:
  /// Name and value.
  using setting = std::pair<std::string, std::string>;

  /// The build options of the library and the settings of the environment.
  struct config_params_type {
    std::vector<setting> env_config;      ///< environment variables DASH_* and DART_*, by name
    std::vector<setting> env_mpi_config;  ///< environment variables of MPI libraries, by name
    bool env_mpi_shared_win = true;       ///< MPI shared memory is used
    bool env_papi = false;                ///< built with PAPI
    bool env_hwloc = false;               ///< built with hwloc
    bool env_numalib = false;             ///< built with support for NUMA domains
    bool env_mkl = false;                 ///< built with Intel MKL
    bool env_blas = false;                ///< built with BLAS
    bool env_lapack = false;              ///< built with LAPACK
    bool env_scalapack = false;           ///< built with ScaLAPACK
    bool env_plasma = false;              ///< built with PLASMA
    bool env_hdf5 = false;                ///< built with HDF5
  };

  /// Reads the caller's environment.
  /// \param benchmark_name  for print_header()
  explicit BenchmarkParams(const std::string& benchmark_name);

  /// Stores the command line, which print_header() prints.
  void parse_args(int argc, char* argv[]);

  /// Prints the name, the command line, the number of units and nodes, and the settings.
  void print_header();
  /// Prints the location of each unit: host, NUMA domain, processor, cores. \collective no
  void print_pinning();

  /// Prints a separator and the name of a section.
  void print_section_start(const std::string& section_name) const;
  /// Flushes the output.
  void print_section_end() const;

  /// Prints a line with a name and a value.
  /// \tparam T  can be written to a std::ostream
  template <class T>
  void print_param(const std::string& name, const T& value) const {
    print_line(name, "", text_of(value));
  }
  /// Prints a line with a name, a description and a value.
  /// \param flag  the command-line option that sets the parameter
  template <class T>
  void print_param(const std::string& flag, const std::string& description, const T& value) const {
    print_line(flag, description, text_of(value));
  }

  /// Prints the lines of a stream, each after a prefix.
  void print(std::stringstream& lines, const std::string& prefix = "") const;

  /// Sets the number of characters of a line.
  void set_output_width(int width) noexcept { _width = width; }
  /// Number of characters of a line, by default 100.
  int output_width() const noexcept { return _width; }

  /// The build options and the environment variables.
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
