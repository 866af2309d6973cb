#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dash/core/Export.h"
#include "dash/core/LogLevel.h"

namespace dash::core {

/// Which threads make progress: a progress thread and callers that wait or test, or only these callers
/// (`poll`). If MPI does not permit the thread to call it, `thread` is an error; with `automatic`, the thread
/// does the work within the node only. With `ranks`, some processes of each node serve its units.
enum class ProgressMode { automatic, thread, poll, ranks };

/// Whether main and worker threads are bound to the unit's share of the processors.
enum class BindMode { automatic, none };

/// Protocol of small puts to other nodes.
enum class PutProtocol {
  /// The fastest one in a measurement during initialization.
  automatic,
  /// MPI RMA; a subsequent get ensures remote completion.
  rma,
  /// MPI RMA; a waiting caller flushes.
  flush,
  /// An active message that the target acknowledges.
  message
};

/// Order in which a reduction combines the contributions.
enum class ReduceOrder {
  /// The fastest order. The result is bitwise identical on all units, and in repeated runs on the same nodes.
  any,
  /// The order of the units. The result is bitwise independent of the placement on nodes.
  ascending
};

/// Whether a unit that is terminated by a signal reports its id.
enum class SignalMode { automatic, none };

/// Whether units that wait poll MPI for MPI calls of the application.
enum class ApplicationMpi { automatic, yes, no };

/// Which memory of the heaps lies in windows of MPI, and so is registered with the network.
enum class HeapRegister {
  /// `slabs` if the program runs on several hosts, otherwise `whole`.
  automatic,
  /// Slabs of growing size, made as memory is allocated. Transfers to other memory use messages.
  slabs,
  /// The whole address range of each heap, in one window.
  whole
};

/// Value of DART_TUNING that disables the tuning file.
inline constexpr std::string_view no_tuning = "none";

/// All settings with their defaults. The table in `Settings.cpp` documents each of them.
struct Settings {
  ProgressMode progress = ProgressMode::automatic;
  unsigned progress_ranks = 1;  ///< progress processes of each node
  BindMode bind = BindMode::automatic;
  unsigned node_units = 0;    ///< 0: all units of the host
  std::size_t heap_size = 0;  ///< bytes; 0: follows from the memory of the host
  HeapRegister heap_register = HeapRegister::automatic;
  std::size_t copy_queue_min = std::size_t{64} << 10;   ///< bytes
  std::size_t nontemporal_min = std::size_t{32} << 20;  ///< bytes
  std::size_t copy_chunk = std::size_t{128} << 10;      ///< bytes
  std::size_t copy_buffer = std::size_t{256} << 10;     ///< bytes
  std::size_t rma_fragment = std::size_t{1} << 30;      ///< bytes
  std::size_t rma_block_min = std::size_t{2} << 10;     ///< bytes
  std::size_t task_stack = std::size_t{256} << 10;      ///< bytes
  unsigned poll_interval_us = 400;
  ApplicationMpi application_mpi = ApplicationMpi::automatic;
  int spin_us = -1;  ///< -1: automatic
  PutProtocol put_protocol = PutProtocol::automatic;
  ReduceOrder reduce_order = ReduceOrder::any;
  unsigned memory_mbps = 0;   ///< 0: measured
  std::string topology_file;  ///< empty: the network is unknown
  SignalMode signals = SignalMode::automatic;
  unsigned finalize_timeout_s = 10;  ///< 0: none
  LogLevel log_level = LogLevel::warn;
  std::string trace_file;   ///< empty: no timeline is recorded
  std::string tuning_file;  ///< empty: the file in the user's configuration folder; or `no_tuning`
  bool statistics = false;
  unsigned watchdog_s = 0;  ///< 0: none
  std::string blas = "auto";

  friend bool operator==(const Settings&, const Settings&) = default;
};

/// Parses settings from an environment. Has no side effects.
/// \param   environment  "NAME=value" strings; unknown names are ignored. A current name has precedence over a
///                       deprecated one of the same setting
/// \param   defaults     values of settings that the environment does not contain
/// \threads thread-safe
/// \throws  exception::InvalidArgument for a malformed value; the message names the variable, the value and
///          the valid values
DASH_API Settings parse_settings(std::span<const std::string> environment,
                                 const Settings& defaults = {});

/// The same for a null-terminated array such as `environ`.
/// \param   environment  null for the defaults
DASH_API Settings parse_settings(const char* const* environment);

/// Returns a sentence for each variable DART_* that is not a setting, with the most similar name of a
/// setting, and for each deprecated name, with the current one. Variables DASH_* belong to the application.
/// \threads thread-safe
DASH_API std::vector<std::string> unknown_settings(std::span<const std::string> environment);

/// Sets one of the tunable settings, whose values are measured on a machine.
/// \returns an error message if name or value are invalid, in which case nothing changes; else empty
DASH_API std::string apply_tuned_value(Settings& settings, std::string_view name,
                                       std::string_view value);

/// The tunable settings as "NAME=value" strings.
DASH_API std::vector<std::string> tuned_values(const Settings& settings);

/// The settings in force: the defaults until `load_settings` is called.
/// \threads thread-safe, but not concurrently with `load_settings`   \cost one call, no lock
DASH_API const Settings& settings() noexcept;

/// Reads the environment of the process and replaces `settings()`. Settings that it does not contain get
/// the value that was measured on this machine, or the default. Warns about unknown variables and about
/// errors in the tuning file, once per process; after `set_log_unit` only on unit 0.
/// \param   machine  name of the machine in the tuning file, from tuned_machine(); empty: no file is read
/// \threads no thread of the library may run
/// \throws  exception::InvalidArgument as `parse_settings`; the settings in force then stay
DASH_API void load_settings(std::string_view machine = {});

/// Describes the origin of the tuned settings in force.
DASH_API const std::string& tuning_source() noexcept;

/// Changes settings in force, for programs that measure with different values. Has no effect on settings
/// that are read only during initialization.
/// \param   entries  as for `parse_settings`
/// \threads no operation may be in flight
DASH_API void change_settings(std::span<const std::string> entries);

/// Replaces the settings in force. The values may lie outside of the valid ranges for users: tests divide
/// small data into very small chunks. Otherwise as `change_settings`.
DASH_API void replace_settings(const Settings& values);

/// A setting in force.
struct CurrentSetting {
  std::string name;   ///< name of the variable
  std::string value;  ///< in the syntax of the variable
  /// "default", "tuned" (measured on this machine), "environment", or "program" (changed by the program).
  std::string source;
};

/// All settings, in the order of the table.
/// \threads as `settings`
DASH_API std::vector<CurrentSetting> current_settings();

/// The table of all settings as text: name, type, default, current value, origin of the value, description.
/// \threads as `settings`
DASH_API std::string settings_table();

}  // namespace dash::core
