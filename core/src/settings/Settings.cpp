#include "dash/core/Settings.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "settings/SettingKinds.h"
#include "dash/Exception.h"
#include "dash/core/Log.h"
#include "dash/core/Tuning.h"

namespace dash::core {
namespace {

// Constant initialised, so that the settings are there before any constructor runs and are read
// without a guard.
constinit Settings g_settings{};
constinit std::string g_tuning_source{};

using namespace setting_kinds;

struct Row {
  const char* name;
  const char* help;
  std::string (*type)();
  std::string (*valid)();
  bool (*parse)(Settings& settings, std::string_view text);  // false: malformed
  std::string (*print)(const Settings& settings);
  bool is_tuned;  // by measurement on a machine
};

template <class Kind, auto member>
constexpr Row row(const char* name, const char* help, bool is_tuned = false) {
  return {name,
          help,
          Kind::type,
          Kind::valid,
          [](Settings& settings, std::string_view text) {
            const std::optional<typename Kind::Value> value = Kind::parse(text);
            if (value) {
              settings.*member = *value;
            }
            return value.has_value();
          },
          [](const Settings& settings) { return Kind::print(settings.*member); },
          is_tuned};
}

template <class Kind, auto member>
constexpr Row tuned_row(const char* name, const char* help) {
  return row<Kind, member>(name, help, true);
}

/// What data is cut into is no smaller: each piece costs as much to handle as so many bytes to copy.
constexpr std::size_t page = 4096;

constexpr std::array table{
    row<Choice<progress_names>, &Settings::progress>(
        "DART_PROGRESS",
        "who moves data: a thread of the library (which sleeps while nothing can need it), only "
        "callers that wait or test (poll), or the library's choice"),
    row<Choice<bind_names>, &Settings::bind>(
        "DART_BIND",
        "auto binds the threads of a unit to its share of the host's processors, unless there are "
        "more units than processors; none leaves them to the system"),
    row<Size, &Settings::heap_size>(
        "DART_HEAP_SIZE",
        "address range that each unit reserves for global memory; 0 for as much as the host has "
        "memory. Only what is used takes memory"),
    row<File, &Settings::tuning_file>(
        "DART_TUNING",
        "file of values that dash-tune has measured on machines; dash/tuning.conf of the user's "
        "configuration if empty; none for no file"),
    tuned_row<Size, &Settings::copy_queue_min>(
        "DART_COPY_QUEUE_MIN",
        "asynchronous copies within a node from this size on are queued; smaller ones are done "
        "inside the call"),
    tuned_row<BoundedSize<page>, &Settings::copy_quantum>(
        "DART_COPY_QUANTUM", "bytes of a queued copy that a thread takes at a time"),
    tuned_row<Size, &Settings::nontemporal_min>(
        "DART_NT_MIN", "copies from this size on bypass the caches of the destination"),
    tuned_row<BoundedSize<page>, &Settings::rma_piece>(
        "DART_RMA_PIECE",
        "transfers between nodes are cut into pieces of so many bytes, which are in flight "
        "together"),
    tuned_row<BoundedSize<1>, &Settings::rma_run_min>(
        "DART_RMA_RUN_MIN",
        "runs of a transfer between nodes of this length on average are an operation of MPI each; "
        "shorter ones share messages"),
    tuned_row<BoundedSize<page>, &Settings::copy_slab>(
        "DART_COPY_SLAB",
        "bytes of each of the four slabs that a copy between two other nodes passes through"),
    row<Stack, &Settings::task_stack>(
        "DART_TASK_STACK", "bytes of the stack of a task, of which only what is used takes memory"),
    row<Number<1U, 1'000'000U>, &Settings::poll_interval_us>(
        "DART_POLL_INTERVAL_US",
        "microseconds that an idle progress thread sleeps between two looks at the network"),
    row<Number<-1, 1'000'000>, &Settings::spin_us>(
        "DART_SPIN_US",
        "microseconds that a wait spins before it sleeps; -1 for a time where each unit has a "
        "processor of its own, and for some yields where it has not"),
    row<Choice<put_protocol_names>, &Settings::put_protocol>(
        "DART_PUT_PROTOCOL",
        "how puts get to other nodes: by RMA of MPI that a get confirms or, of a caller that "
        "waits, "
        "a flush; by messages that the target answers, data beyond 4 KiB sent beside them, that of "
        "gets too; or as a measurement at the start finds fastest; unit 0's counts for all"),
    row<Choice<reduce_order_names>, &Settings::reduce_order>(
        "DART_REDUCE_ORDER",
        "order in which a reduction combines: ascending takes the units one after the other, for "
        "the same bits however they lie on nodes; any is what is fastest"),
    row<Number<0U, 1'000'000'000U>, &Settings::memory_mbps>(
        "DART_MEMORY_MBPS",
        "megabytes a second that this unit moves to and from main memory, for patterns that "
        "balance "
        "the load; 0 to measure it when the first of them is made"),
    row<File, &Settings::topology_file>(
        "DART_TOPOLOGY",
        "file that describes the nodes and the network for teams that are mapped to them; none if "
        "empty. That of the team's first unit counts"),
    row<Choice<signal_names>, &Settings::signals>(
        "DART_SIGNALS",
        "auto lets a unit that dies of a signal or an exception say which one it is; none leaves "
        "signals alone"),
    row<Number<0U, 86'400U>, &Settings::finalize_timeout_s>(
        "DART_FINALIZE_TIMEOUT_S",
        "seconds after which a hanging MPI_Finalize of the library's own is given up; 0 for never"),
    row<File, &Settings::trace_file>(
        "DART_TRACE",
        "file into which the timeline of all units is written at exit, in the trace event format "
        "of Chrome; none if empty"),
    row<Switch, &Settings::statistics>(
        "DART_STATS",
        "1 counts operations, bytes, polls and waits, and prints a table of all units at exit"),
    row<Number<0U, 86'400U>, &Settings::watchdog_s>(
        "DART_WATCHDOG_S",
        "seconds after which a wait makes every unit say what it waits for, since when and from "
        "where in the program; 0 for never"),
    row<Library, &Settings::blas>(
        "DART_BLAS",
        "what multiplies blocks of matrices: a library with the C interface of BLAS; none for a "
        "kernel of our own; auto for a BLAS that is there and fast, or else that kernel"),
    row<Choice<log_level_names>, &Settings::log_level>(
        "DART_LOG_LEVEL", "messages of this level and of the graver ones are written"),
};

/// Of each row of the table: the source of its value in force.
enum class Source { standard, tuned, environment, program };
constexpr std::array source_names{"default", "tuned", "environment", "program"};
constinit std::array<Source, table.size()> g_sources{};

/// That of a row of the table.
const char* source_of(std::size_t row) {
  return source_names.at(static_cast<std::size_t>(g_sources.at(row)));
}

const Row* find_row(std::string_view name) {
  const auto* found = std::find_if(table.begin(), table.end(),
                                   [name](const Row& entry) { return name == entry.name; });
  return found == table.end() ? nullptr : found;
}

// The least number of insertions, deletions and replacements of a letter that make a into b
// (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> line(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    line[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(line[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = line[j];
      line[j] = std::min({line[j] + 1, line[j - 1] + 1, replaced});
    }
  }
  return line.back();
}

const char* nearest_name(std::string_view name) {
  const auto* nearest =
      std::min_element(table.begin(), table.end(), [name](const Row& a, const Row& b) {
        return edit_distance(name, a.name) < edit_distance(name, b.name);
      });
  return nearest->name;
}

std::pair<std::string_view, std::string_view> split(std::string_view entry) {
  const std::size_t equals = entry.find('=');
  if (equals == std::string_view::npos) {
    return {entry, {}};
  }
  return {entry.substr(0, equals), entry.substr(equals + 1)};
}

std::vector<std::string> to_strings(const char* const* environment) {
  std::vector<std::string> entries;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    entries.emplace_back(*environment);
  }
  return entries;
}

// Once a process: initialisation may be repeated hundreds of times.
void warn_once(const std::vector<std::string>& sentences) {
  static std::mutex mutex;  // guards `warned`
  static std::set<std::string> warned;
  const std::lock_guard lock(mutex);
  for (const std::string& sentence : sentences) {
    if (warned.insert(sentence).second) {
      log(LogLevel::warn, sentence);
    }
  }
}

/// What the file of measured values says of the machine.
/// \param file  as DART_TUNING names it
Tuning load_tuning(const std::string& file, std::string_view machine) {
  if (machine.empty() || file == no_tuning) return {{}, {}, "not asked for", {}};
  const std::string name = file.empty() ? default_tuning_file() : file;
  std::string text;
  std::string error;
  if (name.empty() || !read_file(name, text, error)) {
    Tuning none{{}, {}, name.empty() ? "no file is named" : name + ": " + error, {}};
    if (!file.empty()) none.mistakes.push_back("DART_TUNING: " + none.source);
    return none;
  }
  return parse_tuning(text, name, machine);
}

/// Makes it that of a setting; a name that is none is passed over.
void set_source(Source source, std::string_view name) {
  const Row* const found = find_row(name);
  if (found != nullptr) g_sources[static_cast<std::size_t>(found - table.data())] = source;
}

/// A program has changed settings in force.
void set_changed(const Settings& values) {
  for (const Row& entry : table) {
    if (entry.print(values) != entry.print(g_settings)) set_source(Source::program, entry.name);
  }
  g_settings = values;
}

}  // namespace

Settings parse_settings(std::span<const std::string> environment, const Settings& defaults) {
  Settings result = defaults;
  for (const std::string& entry : environment) {
    const auto [name, value] = split(entry);
    const Row* const found = find_row(name);
    if (found != nullptr && !found->parse(result, value)) {
      DASH_THROW(exception::InvalidArgument, "the environment variable "
                                                 << name << " is set to \"" << value
                                                 << "\", but must be " << found->valid());
    }
  }
  return result;
}

Settings parse_settings(const char* const* environment) {
  return parse_settings(to_strings(environment));
}

std::vector<std::string> unknown_settings(std::span<const std::string> environment) {
  std::vector<std::string> sentences;
  for (const std::string& entry : environment) {
    const std::string_view name = split(entry).first;
    if (name.starts_with("DART_") && find_row(name) == nullptr) {
      sentences.push_back("the environment variable " + std::string(name) +
                          " is not a setting and has no effect; the nearest is " +
                          nearest_name(name));
    }
  }
  return sentences;
}

const Settings& settings() noexcept {
  return g_settings;
}

std::string apply_tuned_value(Settings& settings, std::string_view name, std::string_view value) {
  const Row* const found = find_row(name);
  if (found == nullptr || !found->is_tuned) {
    std::string names;
    for (const Row& entry : table) {
      if (entry.is_tuned) names.append(names.empty() ? "" : ", ").append(entry.name);
    }
    return std::string(name) + " is none of what is measured: " + names;
  }
  if (found->parse(settings, value)) return {};
  return std::string(name) + " is \"" + std::string(value) + "\", but must be " + found->valid();
}

std::vector<std::string> tuned_values(const Settings& settings) {
  std::vector<std::string> entries;
  for (const Row& entry : table) {
    if (entry.is_tuned) entries.push_back(std::string(entry.name) + "=" + entry.print(settings));
  }
  return entries;
}

void load_settings(std::string_view machine) {
  const std::vector<std::string> environment = to_strings(environ);
  const Tuning tuning = load_tuning(parse_settings(environment).tuning_file, machine);
  g_settings = parse_settings(environment, tuning.settings);
  g_tuning_source = tuning.source;
  g_sources.fill(Source::standard);
  for (const std::string& name : tuning.names)
    set_source(Source::tuned, name);
  for (const std::string& entry : environment)
    set_source(Source::environment, split(entry).first);
  if (log_unit() <= 0) {
    warn_once(unknown_settings(environment));
    warn_once(tuning.mistakes);
  }
}

const std::string& tuning_source() noexcept {
  return g_tuning_source;
}

void change_settings(std::span<const std::string> entries) {
  set_changed(parse_settings(entries, g_settings));
}

void replace_settings(const Settings& values) {
  set_changed(values);
}

std::vector<SettingInForce> settings_in_force() {
  std::vector<SettingInForce> all;
  for (std::size_t i = 0; i < table.size(); ++i)
    all.push_back({table[i].name, table[i].print(settings()), source_of(i)});
  return all;
}

std::string settings_table() {
  const Settings defaults;
  std::vector<std::array<std::string, 6>> lines{
      {"name", "type", "default", "current", "from", "meaning"}};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Row& entry = table[i];
    lines.push_back({entry.name, entry.type(), entry.print(defaults), entry.print(settings()),
                     source_of(i), std::string(entry.help) + " (" + entry.valid() + ")"});
  }
  std::array<std::size_t, 5> widths{};
  for (const auto& line : lines) {
    for (std::size_t column = 0; column < widths.size(); ++column) {
      widths[column] = std::max(widths[column], line[column].size());
    }
  }
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t column = 0; column < widths.size(); ++column) {
      text += line[column] + std::string(widths[column] + 2 - line[column].size(), ' ');
    }
    text += line[5] + "\n";
  }
  return text;
}

}  // namespace dash::core
