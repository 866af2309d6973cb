#include "dash/core/Settings.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "dash/Exception.h"
#include "dash/core/Log.h"
#include "dash/core/Tuning.h"
#include "settings/SettingKinds.h"

namespace dash::core {
namespace {

// Valid before other constructors run, and read without a guard. g++ initializes them at compile time. clang 14 cannot do
// so with the strings of g++ 12's library; there, the priority puts these constructors before all others.
[[gnu::init_priority(101)]] Settings g_settings{};
[[gnu::init_priority(101)]] std::string g_tuning_source{};

void apply_changes(const Settings& values) {
  g_settings = values;
  set_log_level(values.log_level);
}

using namespace setting_kinds;

struct Row {
  const char* name;
  const char* help;
  std::string (*type)();
  std::string (*valid)();
  bool (*parse)(Settings& settings, std::string_view text);  // false: malformed
  std::string (*print)(const Settings& settings);
  bool is_tuned;  // the tuning file may contain it
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

/// Smallest chunk or segment: the overhead of each equals the cost of copying about this number of bytes.
constexpr std::size_t page = 4096;

constexpr std::array table{
    row<Choice<progress_names>, &Settings::progress>(
        "DART_PROGRESS",
        "which threads make progress: auto, a thread of the library, which sleeps while it is not "
        "needed; thread, the same, and an error without MPI_THREAD_MULTIPLE; poll, only callers "
        "that "
        "wait or test; ranks, separate processes, of which each node has DART_PROGRESS_RANKS"),
    row<Number<1U, 64U>, &Settings::progress_ranks>(
        "DART_PROGRESS_RANKS",
        "progress processes of each node with DART_PROGRESS=ranks; they are not units"),
    row<Choice<bind_names>, &Settings::bind>(
        "DART_BIND",
        "auto binds the threads of a unit to its share of the host's processors, unless there are "
        "more units than processors; none does not bind threads"),
    row<Number<0U, 1'000'000U>, &Settings::node_units>(
        "DART_NODE_UNITS",
        "divides the units of each host into nodes of this number of units, to simulate several "
        "nodes; 0 does not divide them. Must be the same for all units"),
    row<Size, &Settings::heap_size>("DART_HEAP_SIZE",
                                    "size of the address range that each unit reserves for global "
                                    "memory; 0 for a size that follows from the memory of the "
                                    "host. Pages take memory only when they are used"),
    row<Choice<heap_register_names>, &Settings::heap_register>(
        "DART_HEAP_REGISTER",
        "global memory that is registered with the network: slabs, in slabs of growing size as it "
        "is allocated; whole, the whole address range of each unit at once; auto, as slabs if the "
        "program runs on several hosts, otherwise as whole"),
    row<File, &Settings::tuning_file>(
        "DART_TUNING",
        "file of values that dash-tune has measured on machines; if empty, dash/tuning.conf in the "
        "user's configuration folder; none for no file"),
    tuned_row<Size, &Settings::copy_queue_min>(
        "DART_COPY_QUEUE_MIN",
        "asynchronous copies within a node of at least this size are queued; smaller ones are "
        "executed inside the call"),
    tuned_row<BoundedSize<page>, &Settings::copy_chunk>(
        "DART_COPY_CHUNK", "size of the chunks of a queued copy that threads take"),
    tuned_row<Size, &Settings::nontemporal_min>(
        "DART_NT_MIN", "copies of at least this size bypass the caches for the destination"),
    tuned_row<BoundedSize<page>, &Settings::rma_fragment>(
        "DART_RMA_FRAGMENT",
        "fragment size of transfers between nodes; the fragments of a transfer are in flight at "
        "the "
        "same time"),
    tuned_row<BoundedSize<1>, &Settings::rma_block_min>(
        "DART_RMA_BLOCK_MIN",
        "contiguous blocks of a transfer between nodes that have at least this size on average are "
        "separate MPI operations; smaller blocks are packed into messages"),
    tuned_row<BoundedSize<page>, &Settings::copy_buffer>(
        "DART_COPY_BUFFER", "size of each of the four buffers of a copy between two other nodes"),
    row<Stack, &Settings::task_stack>(
        "DART_TASK_STACK",
        "size of the stack of a task; pages take memory only when they are used"),
    row<Number<1U, 1'000'000U>, &Settings::poll_interval_us>(
        "DART_POLL_INTERVAL_US",
        "microseconds that a progress thread that becomes idle sleeps between two polls of the "
        "network; after four polls without a result, the sleeps take 1000"),
    row<Choice<application_mpi_names>, &Settings::application_mpi>(
        "DART_APPLICATION_MPI",
        "how often a unit that waits polls MPI for the application, while all units are on one "
        "node: "
        "yes, at least every 0.5 ms; no, never; auto, as yes if the application has initialized "
        "MPI "
        "or requested the communicator of a team, otherwise at least every 20 ms"),
    row<Number<-1, 1'000'000>, &Settings::spin_us>(
        "DART_SPIN_US",
        "microseconds that a wait spins before it sleeps; -1 for 50 if each unit has a processor, "
        "and "
        "for some yields otherwise"),
    row<Choice<put_protocol_names>, &Settings::put_protocol>(
        "DART_PUT_PROTOCOL",
        "protocol of puts to other nodes: MPI RMA, completed by a get (rma) or, if the caller "
        "waits, "
        "by a flush (flush); active messages that the target acknowledges, with data beyond 4 KiB "
        "(including that of gets) in separate messages (message); the fastest one in a measurement "
        "during initialization (auto). The value of unit 0 applies to all units"),
    row<Choice<reduce_order_names>, &Settings::reduce_order>(
        "DART_REDUCE_ORDER",
        "order in which a reduction combines contributions: ascending is the order of the units, "
        "so "
        "that the result is bitwise independent of their placement; any is the fastest order"),
    row<Number<0U, 1'000'000'000U>, &Settings::memory_mbps>(
        "DART_MEMORY_MBPS",
        "memory bandwidth of this unit in megabytes per second, for patterns that balance the "
        "load; "
        "0 measures it when the first such pattern is created"),
    row<File, &Settings::topology_file>(
        "DART_TOPOLOGY",
        "file that describes the nodes and the network, for teams that are mapped to them; none if "
        "empty. The value of the team's first unit applies"),
    row<Choice<signal_names>, &Settings::signals>(
        "DART_SIGNALS",
        "auto makes a unit that is terminated by a signal or an exception report its id; none "
        "installs no signal handlers"),
    row<Number<0U, 86'400U>, &Settings::finalize_timeout_s>(
        "DART_FINALIZE_TIMEOUT_S",
        "seconds after which the library stops waiting for its own call of MPI_Finalize; 0 for "
        "never"),
    row<File, &Settings::trace_file>(
        "DART_TRACE",
        "file into which the timeline of all units is written at exit, in the trace event format "
        "of Chrome; none if empty"),
    row<Switch, &Settings::statistics>(
        "DART_STATS",
        "1 counts operations, bytes, polls and waits, and prints a table of all units at exit"),
    row<Number<0U, 86'400U>, &Settings::watchdog_s>(
        "DART_WATCHDOG_S",
        "seconds after which a wait makes every unit report what it waits for, since when, and "
        "where "
        "in the program; 0 for never"),
    row<Library, &Settings::blas>(
        "DART_BLAS",
        "multiplies blocks of matrices: a library with the C interface of BLAS; none for the "
        "library's own kernel; auto for a fast BLAS if there is one, else that kernel"),
    row<Choice<log_level_names>, &Settings::log_level>(
        "DART_LOG_LEVEL", "messages of this level and of more severe levels are written"),
};

/// Origin of the current value of each row of the table.
enum class Source { standard, tuned, environment, program };
constexpr std::array source_names{"default", "tuned", "environment", "program"};
constinit std::array<Source, table.size()> g_sources{};

/// The name of the origin of a row.
const char* source_of(std::size_t row) {
  return source_names.at(static_cast<std::size_t>(g_sources.at(row)));
}

/// A name of a setting that an earlier release used.
struct DeprecatedName {
  std::string_view name;
  std::string_view current;
};
constexpr std::array deprecated_names{
    DeprecatedName{"DART_COPY_QUANTUM", "DART_COPY_CHUNK"},
    DeprecatedName{"DART_COPY_SLAB", "DART_COPY_BUFFER"},
    DeprecatedName{"DART_RMA_PIECE", "DART_RMA_FRAGMENT"},
    DeprecatedName{"DART_RMA_RUN_MIN", "DART_RMA_BLOCK_MIN"},
};

/// The current name of a setting if `name` is a deprecated one, else `name`.
std::string_view current_name(std::string_view name) {
  for (const DeprecatedName& deprecated : deprecated_names) {
    if (deprecated.name == name) return deprecated.current;
  }
  return name;
}

/// \param name  a current or a deprecated name
const Row* find_row(std::string_view name) {
  name = current_name(name);
  const auto* found = std::find_if(table.begin(), table.end(),
                                   [name](const Row& entry) { return name == entry.name; });
  return found == table.end() ? nullptr : found;
}

// The Levenshtein distance: the least number of insertions, deletions and replacements that turn a into b.
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

// Logs each sentence once per process: initialization may be repeated hundreds of times.
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

/// Reads the values of the machine from the tuning file.
/// \param file  value of DART_TUNING
Tuning load_tuning(const std::string& file, std::string_view machine) {
  if (machine.empty() || file == no_tuning) return {{}, {}, "not requested", {}};
  const std::string name = file.empty() ? default_tuning_file() : file;
  std::string text;
  std::string error;
  if (name.empty() || !read_file(name, text, error)) {
    Tuning none{{}, {}, name.empty() ? "no file is set" : name + ": " + error, {}};
    if (!file.empty()) none.mistakes.push_back("DART_TUNING: " + none.source);
    return none;
  }
  return parse_tuning(text, name, machine);
}

/// Sets the origin of a setting; ignores unknown names.
void set_source(Source source, std::string_view name) {
  const Row* const found = find_row(name);
  if (found != nullptr) g_sources[static_cast<std::size_t>(found - table.data())] = source;
}

/// Applies values that the program has changed, and records their origin.
void set_changed(const Settings& values) {
  for (const Row& entry : table) {
    if (entry.print(values) != entry.print(g_settings)) set_source(Source::program, entry.name);
  }
  apply_changes(values);
}

}  // namespace

Settings parse_settings(std::span<const std::string> environment, const Settings& defaults) {
  Settings result = defaults;
  // Values of current names override those of deprecated names.
  std::vector<std::string_view> entries(environment.begin(), environment.end());
  std::stable_partition(entries.begin(), entries.end(), [](std::string_view entry) {
    return current_name(split(entry).first) != split(entry).first;
  });
  for (const std::string_view entry : entries) {
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
    if (const std::string_view current = current_name(name); current != name) {
      sentences.push_back("the environment variable " + std::string(name) +
                          " is deprecated and will be removed in the next release; use " +
                          std::string(current));
    } else if (name.starts_with("DART_") && find_row(name) == nullptr) {
      sentences.push_back("the environment variable " + std::string(name) +
                          " is not a setting and has no effect; the most similar is " +
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
    return std::string(name) + " is not a tunable setting; these are: " + names;
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
  apply_changes(parse_settings(environment, tuning.settings));
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

std::vector<CurrentSetting> current_settings() {
  std::vector<CurrentSetting> all;
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
