#include "dash/util/Trace.h"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <limits>
#include <ostream>
#include <set>
#include <sstream>

#include "dash/Team.h"
#include "dash/core/Clock.h"
#include "dash/core/Trace.h"
#include "dash/internal/team/Collective.h"
#include "dash/util/Config.h"

namespace dash::util {

namespace {

struct Store {
  bool enabled = false;
  std::map<std::string, TraceStore::trace_events_t> contexts;
};

Store& store() {
  // Never destroyed: traces with static storage duration may be destroyed later.
  static auto& traces = *new Store;
  return traces;
}

/// Copies the name to memory that lives as long as the process, as the timeline requires.
const char* persistent_name(const std::string& name) {
  static auto& names = *new std::set<std::string>;
  return names.insert(name).first->c_str();
}

/// The events of the caller as text; times are relative to `zero_ns`.
std::string own_lines(std::uint64_t zero_ns) {
  std::ostringstream lines;
  lines << std::fixed << std::setprecision(3);  // all nanoseconds, however long the program ran
  for (const auto& [context, events] : store().contexts) {
    for (const TraceStore::Event& event : events) {
      lines << context << "; " << Team::GlobalUnitID() << "; "
            << static_cast<double>(event.begin_ns - zero_ns) / 1000 << "; "
            << static_cast<double>(event.end_ns - zero_ns) / 1000 << "; " << event.state << '\n';
    }
  }
  return lines.str();
}

std::uint64_t own_begin() {
  auto begin = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [context, events] : store().contexts) {
    for (const TraceStore::Event& event : events)
      begin = std::min(begin, event.begin_ns);
  }
  return begin;
}

/// The events of all units as text, ordered by unit.
std::string all_lines() {
  const Team& team = Team::All();
  std::vector<std::uint64_t> begins(std::max<std::size_t>(1, team.size()), own_begin());
  const std::uint64_t begin = begins.front();
  dash::internal::allgather_bytes(&begin, begins.data(), sizeof(begin), team);
  const std::string own = own_lines(*std::min_element(begins.begin(), begins.end()));
  if (team.size() == 0) return own;
  std::string all;
  for (const int unit : team) {
    std::size_t nbytes = own.size();
    dash::internal::broadcast_bytes(&nbytes, sizeof(nbytes), team_unit_t(unit), team);
    std::string lines(nbytes, '\0');
    if (unit == team.myid()) lines = own;
    if (nbytes > 0) dash::internal::broadcast_bytes(lines.data(), nbytes, team_unit_t(unit), team);
    all += lines;
  }
  return all;
}

}  // namespace

bool TraceStore::on() {
  store().enabled = Config::get<bool>("DASH_ENABLE_TRACE");
  return store().enabled;
}

void TraceStore::off() {
  store().enabled = false;
}

bool TraceStore::enabled() noexcept {
  return store().enabled;
}

void TraceStore::clear() {
  store().contexts.clear();
}

void TraceStore::clear(const std::string& context) {
  store().contexts[context].clear();
}

void TraceStore::add_context(const std::string& context) {
  store().contexts.try_emplace(context);
}

TraceStore::trace_events_t& TraceStore::context_trace(const std::string& context) {
  return store().contexts[context];
}

void TraceStore::write(std::ostream& out, bool print_header) {
  const std::string lines = all_lines();
  if (Team::All().size() > 0 && Team::All().myid() != 0) return;
  if (print_header) out << "context; unit; begin_us; end_us; state\n";
  out << lines;
  out.flush();
}

bool TraceStore::write(const std::string& filename, const std::string& path) {
  const std::string folder = path.empty() ? Config::get<std::string>("DASH_TRACE_LOG_PATH") : path;
  const std::string lines = all_lines();
  if (Team::All().size() > 0 && Team::All().myid() != 0) return true;
  std::ofstream file(folder.empty() ? filename : folder + "/" + filename);
  file << "context; unit; begin_us; end_us; state\n" << lines;
  file.flush();
  return file.good();
}

Trace::Trace(const std::string& context) : _context(context) {
  if (!TraceStore::enabled()) return;
  TraceStore::add_context(context);
  Team::All().barrier();
}

void Trace::enter_state(const std::string& state) {
  if (TraceStore::enabled() || core::tracing()) _begin_ns[state] = core::now_ns();
}

void Trace::exit_state(const std::string& state) {
  if (!TraceStore::enabled() && !core::tracing()) return;
  const auto begin = _begin_ns.find(state);
  if (begin == _begin_ns.end()) return;  // recording was disabled at that time
  const std::uint64_t end_ns = core::now_ns();
  if (core::tracing())
    core::trace_span(core::TraceKind::task, persistent_name(state), begin->second, end_ns);
  if (TraceStore::enabled())
    TraceStore::context_trace(_context).push_back({begin->second, end_ns, state});
  _begin_ns.erase(begin);
}

}  // namespace dash::util
