#include "Report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "Table.h"
#include "Words.h"

namespace dash::trace {

using tools::Table;

namespace {

std::string part(Time of, Time whole) {
  if (whole == 0) return "-";
  return share_in_words(static_cast<double>(of) / static_cast<double>(whole));
}

std::string unit_name(const UnitSummary& unit) {
  return unit.id == UnitSummary::all_units ? "all" : std::to_string(unit.id);
}

/// Where there is only one unit, the sum of all says nothing new.
std::vector<const UnitSummary*> rows_of(const Summary& summary) {
  std::vector<const UnitSummary*> rows;
  for (const UnitSummary& unit : summary.units)
    rows.push_back(&unit);
  if (rows.size() > 1) rows.push_back(&summary.total);
  return rows;
}

std::string units_table(const Summary& summary) {
  Table table({"unit", "time", "computing", "in calls", "waiting", "in flight", "hidden", "exposed",
               "overlap"});
  for (const UnitSummary* unit : rows_of(summary)) {
    const Overlap& overlap = unit->transfers;
    table.add({unit_name(*unit), time_in_words(unit->time), part(unit->computing, unit->time),
               part(unit->in_calls, unit->time), part(unit->waiting, unit->time),
               time_in_words(overlap.in_flight), time_in_words(overlap.hidden),
               time_in_words(overlap.exposed), share_in_words(overlap.share())});
  }
  return table.text();
}

void add_kinds(Table& table, const UnitSummary& unit, bool name_unit) {
  for (const Kind& kind : unit.kinds) {
    std::vector<std::string> row{kind.name,
                                 count_in_words(kind.count),
                                 bytes_in_words(kind.nbytes),
                                 time_in_words(kind.overlap.in_flight),
                                 time_in_words(kind.overlap.exposed_waits),
                                 share_in_words(kind.overlap.share())};
    if (name_unit) row.insert(row.begin(), unit_name(unit));
    table.add(std::move(row));
  }
}

std::string kinds_table(const Summary& summary, bool per_unit) {
  std::vector<std::string> head{"<operation", "count", "bytes", "in flight", "waited", "overlap"};
  if (per_unit) head.insert(head.begin(), "unit");
  Table table(std::move(head));
  if (per_unit) {
    for (const UnitSummary* unit : rows_of(summary))
      add_kinds(table, *unit, true);
  } else {
    add_kinds(table, summary.total, false);
  }
  return table.text();
}

std::string helpers_table(const Summary& summary) {
  Table table({"unit", "tasks", "in tasks", "set aside", "for", "polls", "in polls", "asleep",
               "pieces", "by progress"});
  for (const UnitSummary* unit : rows_of(summary)) {
    table.add({unit_name(*unit), count_in_words(unit->tasks), time_in_words(unit->in_tasks),
               count_in_words(unit->set_aside), time_in_words(unit->set_aside_time),
               count_in_words(unit->polls), time_in_words(unit->polling),
               time_in_words(unit->asleep), count_in_words(unit->pieces),
               count_in_words(unit->pieces_by_progress)});
  }
  return table.text();
}

std::string waits_table(const Summary& summary) {
  Table table({"unit", "<thread", "since", "length", "<what"});
  for (const LongWait& wait : summary.longest_waits) {
    table.add({std::to_string(wait.unit), wait.thread, moment_in_words(wait.time.begin),
               time_in_words(wait.time.length()), wait.what});
  }
  return table.text();
}

std::string verdict(const Overlap& overlap) {
  if (overlap.in_flight == 0) return "No transfer was in flight: there is nothing to hide.";
  return fmt::format(
      "{} of the time in which transfers were in flight was hidden: {} of {}. The rest: {} of "
      "waits, "
      "{} in calls.",
      share_in_words(overlap.share()), time_in_words(overlap.hidden),
      time_in_words(overlap.in_flight), time_in_words(overlap.exposed_waits),
      time_in_words(overlap.exposed - overlap.exposed_waits));
}

using Json = nlohmann::ordered_json;

Json to_json(const Overlap& overlap) {
  const std::optional<double> share = overlap.share();
  return {{"in_flight_ns", overlap.in_flight},
          {"hidden_ns", overlap.hidden},
          {"exposed_ns", overlap.exposed},
          {"exposed_waits_ns", overlap.exposed_waits},
          {"hidden_share", share ? Json(*share) : Json(nullptr)}};
}

Json to_json(const UnitSummary& unit) {
  Json kinds = Json::array();
  for (const Kind& kind : unit.kinds) {
    kinds.push_back({{"name", kind.name},
                     {"collective", kind.collective},
                     {"count", kind.count},
                     {"bytes", kind.nbytes},
                     {"overlap", to_json(kind.overlap)}});
  }
  Json result;
  if (unit.id != UnitSummary::all_units) result["unit"] = unit.id;
  result.update(Json{{"time_ns", unit.time},
                     {"computing_ns", unit.computing},
                     {"in_calls_ns", unit.in_calls},
                     {"waiting_ns", unit.waiting},
                     {"transfers", to_json(unit.transfers)},
                     {"collectives", to_json(unit.collectives)},
                     {"operations", kinds},
                     {"tasks", unit.tasks},
                     {"in_tasks_ns", unit.in_tasks},
                     {"tasks_set_aside", unit.set_aside},
                     {"tasks_set_aside_ns", unit.set_aside_time},
                     {"progress_polls", unit.polls},
                     {"progress_polls_ns", unit.polling},
                     {"progress_asleep_ns", unit.asleep},
                     {"copied_pieces", unit.pieces},
                     {"copied_pieces_by_progress", unit.pieces_by_progress},
                     {"unfinished_operations", unit.unfinished},
                     {"dropped_events", unit.dropped}});
  return result;
}

}  // namespace

std::string text_report(const std::string& file, const Timeline& timeline, const Summary& summary,
                        bool per_unit) {
  std::string text =
      fmt::format("{}: {}, {} to {}, {}\n", file, plural(summary.units.size(), "unit"),
                  time_in_words(summary.range.begin), time_in_words(summary.range.end),
                  plural(timeline.events, "event"));
  for (const std::string& warning : summary.warnings)
    text += "warning: " + warning + "\n";
  text += "\n" + units_table(summary) + "\n" + verdict(summary.total.transfers) + "\n";
  if (!summary.total.kinds.empty()) text += "\n" + kinds_table(summary, per_unit);
  text += "\nTasks; the progress thread; pieces of queued copies\n" + helpers_table(summary);
  if (!summary.longest_waits.empty()) text += "\nThe longest waits\n" + waits_table(summary);
  return text;
}

std::string json_report(const std::string& file, const Timeline& timeline, const Summary& summary) {
  Json units = Json::array();
  for (const UnitSummary& unit : summary.units)
    units.push_back(to_json(unit));
  Json waits = Json::array();
  for (const LongWait& wait : summary.longest_waits) {
    waits.push_back({{"unit", wait.unit},
                     {"thread", wait.thread},
                     {"since_ns", wait.time.begin},
                     {"length_ns", wait.time.length()},
                     {"what", wait.what}});
  }
  const Json report{{"file", file},
                    {"events", timeline.events},
                    {"begin_ns", summary.range.begin},
                    {"end_ns", summary.range.end},
                    {"total", to_json(summary.total)},
                    {"units", units},
                    {"longest_waits", waits},
                    {"warnings", summary.warnings}};
  // What is not UTF-8 in a file's name is replaced.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dash::trace
