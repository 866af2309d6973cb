#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dash/core/Export.h"

namespace dash::core {

/// Who makes progress: a thread of its own, only the callers that wait or test, or the library's
/// choice.
enum class ProgressMode { automatic, thread, poll };

/// Whether main and worker threads are bound to the unit's share of the processors.
enum class BindMode { automatic, none };

/// How a small put gets to another node.
enum class PutProtocol {
  /// As a calibration at init finds faster.
  automatic,
  /// By RMA of MPI, confirmed by a get.
  rma,
  /// By RMA of MPI, flushed by a caller that waits.
  flush,
  /// By a message that the target answers.
  message
};

/// In which order the contributions to a reduction are combined.
enum class ReduceOrder {
  /// As is fastest: the same bits for all units, and for each run on the same nodes.
  any,
  /// In the order of the units: the same bits however the units lie on nodes.
  ascending
};

/// Whether a dying unit names itself.
enum class SignalMode { automatic, none };

/// Ordered from the fewest messages to the most.
enum class LogLevel { error, warn, info, debug, trace };

/// What DART_TUNING is set to if no file is to be read.
inline constexpr std::string_view no_tuning = "none";

/// Everything that a user can set. The values here are the defaults; each is documented, once, by
/// its row in the table of `Settings.cpp`.
struct Settings {
  ProgressMode progress = ProgressMode::automatic;
  BindMode bind = BindMode::automatic;
  std::size_t heap_size = 0;                            ///< bytes; 0: the memory of the host
  std::size_t copy_queue_min = std::size_t{64} << 10;   ///< bytes
  std::size_t nontemporal_min = std::size_t{32} << 20;  ///< bytes
  std::size_t copy_quantum = std::size_t{128} << 10;    ///< bytes
  std::size_t copy_slab = std::size_t{256} << 10;       ///< bytes
  std::size_t rma_piece = std::size_t{1} << 30;         ///< bytes
  std::size_t rma_run_min = std::size_t{2} << 10;       ///< bytes
  std::size_t task_stack = std::size_t{256} << 10;      ///< bytes
  unsigned poll_interval_us = 400;
  int spin_us = -1;  ///< -1: automatic
  PutProtocol put_protocol = PutProtocol::automatic;
  ReduceOrder reduce_order = ReduceOrder::any;
  unsigned memory_mbps = 0;   ///< 0: measured
  std::string topology_file;  ///< empty: nothing is known of the network
  SignalMode signals = SignalMode::automatic;
  unsigned finalize_timeout_s = 10;  ///< 0: none
  LogLevel log_level = LogLevel::warn;
  std::string trace_file;   ///< empty: no timeline is recorded
  std::string tuning_file;  ///< empty: that of the user's configuration; or `no_tuning`
  bool statistics = false;
  unsigned watchdog_s = 0;  ///< 0: none
  std::string blas = "auto";

  friend bool operator==(const Settings&, const Settings&) = default;
};

/// The settings that an environment asks for. Changes nothing, writes nothing.
/// \param   environment "NAME=value" strings; those that are not ours are ignored
/// \param   defaults what is not in the environment
/// \threads any
/// \throws  exception::InvalidArgument for a malformed value: names variable, value and what is
///          valid
DASH_API Settings parse_settings(std::span<const std::string> environment,
                                 const Settings& defaults = {});

/// As above, for an array that ends with a null pointer, such as `environ`.
/// \param   environment may be null: the defaults
DASH_API Settings parse_settings(const char* const* environment);

/// One sentence for each variable DART_* that is not a setting, with the nearest name that is one.
/// DASH_* belongs to the application.
/// \threads any
DASH_API std::vector<std::string> unknown_settings(std::span<const std::string> environment);

/// Sets one of those settings that are measured on a machine.
/// \returns what is wrong with name or value, of which then nothing is used; empty if nothing is
DASH_API std::string apply_tuned_value(Settings& settings, std::string_view name,
                                       std::string_view value);

/// Those settings that are measured on a machine, as "NAME=value" strings.
DASH_API std::vector<std::string> tuned_values(const Settings& settings);

/// The settings in force: the defaults until `load_settings` is called.
/// \threads any, but not while `load_settings` runs   \cost one call, no lock
DASH_API const Settings& settings() noexcept;

/// Reads the environment of the process and replaces `settings()`. What it does not set has the value
/// that was measured on this machine, or the default. Warns of unknown variables and of what is wrong
/// in the file of measured values, once a process, and only on unit 0 if `set_log_unit` was called
/// before.
/// \param   machine what values are to be measured for, as tuned_machine() says; empty: no file is read
/// \threads none of the library's may run
/// \throws  exception::InvalidArgument as `parse_settings`; the settings in force then stay
DASH_API void load_settings(std::string_view machine = {});

/// Where the settings in force come from that are measured: a sentence.
DASH_API const std::string& tuning_source() noexcept;

/// Changes settings in force, for programs that measure with different ones. Those that are read at
/// the start only have no effect.
/// \param   entries as for `parse_settings`
/// \threads none of the library's may be in need of them: nothing is in flight
DASH_API void change_settings(std::span<const std::string> entries);

/// Replaces the settings in force, by values that need not be such as a user may set: tests cut small
/// data into smaller pieces. As `change_settings` otherwise.
DASH_API void replace_settings(const Settings& values);

/// A setting in force.
struct SettingInForce {
  std::string name;   ///< of its variable
  std::string value;  ///< as the variable has it
  /// "default", "tuned" (measured on this machine), "environment", or "program", which has changed it.
  std::string source;
};

/// All settings, in the order of the table.
/// \threads as `settings`
DASH_API std::vector<SettingInForce> settings_in_force();

/// The table of all settings as text: name, type, default, current value, where that comes from, and
/// what it does.
/// \threads as `settings`
DASH_API std::string settings_table();

}  // namespace dash::core
