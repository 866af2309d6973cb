#include "Report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "Format.h"
#include "Table.h"

namespace dash::trace {

using tools::Table;

namespace {

std::string part(Time of, Time whole) {
  if (whole == 0) return "-";
  return format_share(static_cast<double>(of) / static_cast<double>(whole));
}

std::string unit_name(const UnitSummary& unit) {
  return unit.id == UnitSummary::all_units ? "all" : std::to_string(unit.id);
}

/// The units, and their sum if there are several.
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
    table.add({unit_name(*unit), format_time(unit->time), part(unit->computing, unit->time),
               part(unit->in_calls, unit->time), part(unit->waiting, unit->time),
               format_time(overlap.in_flight), format_time(overlap.hidden),
               format_time(overlap.exposed), format_share(overlap.share())});
  }
  return table.text();
}

void add_operations(Table& table, const UnitSummary& unit, bool name_unit) {
  for (const OperationSummary& operation : unit.operations) {
    std::vector<std::string> row{operation.name,
                                 format_count(operation.count),
                                 format_bytes(operation.nbytes),
                                 format_time(operation.overlap.in_flight),
                                 format_time(operation.overlap.exposed_waits),
                                 format_share(operation.overlap.share())};
    if (name_unit) row.insert(row.begin(), unit_name(unit));
    table.add(std::move(row));
  }
}

std::string operations_table(const Summary& summary, bool per_unit) {
  std::vector<std::string> head{"<operation", "count", "bytes", "in flight", "waited", "overlap"};
  if (per_unit) head.insert(head.begin(), "unit");
  Table table(std::move(head));
  if (per_unit) {
    for (const UnitSummary* unit : rows_of(summary))
      add_operations(table, *unit, true);
  } else {
    add_operations(table, summary.total, false);
  }
  return table.text();
}

std::string progress_table(const Summary& summary) {
  Table table({"unit", "tasks", "in tasks", "suspended", "for", "polls", "in polls", "slept",
               "chunks", "by progress"});
  for (const UnitSummary* unit : rows_of(summary)) {
    table.add({unit_name(*unit), format_count(unit->tasks), format_time(unit->in_tasks),
               format_count(unit->suspensions), format_time(unit->suspended),
               format_count(unit->polls), format_time(unit->polling), format_time(unit->sleeping),
               format_count(unit->chunks), format_count(unit->chunks_by_progress)});
  }
  return table.text();
}

std::string waits_table(const Summary& summary) {
  Table table({"unit", "<thread", "begin", "length", "<wait"});
  for (const LongWait& wait : summary.longest_waits) {
    table.add({std::to_string(wait.unit), wait.thread, format_timestamp(wait.time.begin),
               format_time(wait.time.length()), wait.description});
  }
  return table.text();
}

std::string overlap_sentence(const Overlap& overlap) {
  if (overlap.in_flight == 0) return "No transfer was in flight.";
  return fmt::format(
      "{} of the time in which transfers were in flight was hidden: {} of {}. The rest: {} of "
      "waits, {} in calls.",
      format_share(overlap.share()), format_time(overlap.hidden), format_time(overlap.in_flight),
      format_time(overlap.exposed_waits), format_time(overlap.exposed - overlap.exposed_waits));
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
  Json operations = Json::array();
  for (const OperationSummary& operation : unit.operations) {
    operations.push_back({{"name", operation.name},
                          {"collective", operation.collective},
                          {"count", operation.count},
                          {"bytes", operation.nbytes},
                          {"overlap", to_json(operation.overlap)}});
  }
  Json result;
  if (unit.id != UnitSummary::all_units) result["unit"] = unit.id;
  result.update(Json{{"time_ns", unit.time},
                     {"computing_ns", unit.computing},
                     {"in_calls_ns", unit.in_calls},
                     {"waiting_ns", unit.waiting},
                     {"transfers", to_json(unit.transfers)},
                     {"collectives", to_json(unit.collectives)},
                     {"operations", operations},
                     {"tasks", unit.tasks},
                     {"in_tasks_ns", unit.in_tasks},
                     {"task_suspensions", unit.suspensions},
                     {"tasks_suspended_ns", unit.suspended},
                     {"progress_polls", unit.polls},
                     {"progress_polls_ns", unit.polling},
                     {"progress_sleeping_ns", unit.sleeping},
                     {"copied_chunks", unit.chunks},
                     {"copied_chunks_by_progress", unit.chunks_by_progress},
                     {"unfinished_operations", unit.unfinished},
                     {"dropped_events", unit.dropped}});
  return result;
}

}  // namespace

std::string text_report(const std::string& file, const Timeline& timeline, const Summary& summary,
                        bool per_unit) {
  std::string text =
      fmt::format("{}: {}, {} to {}, {}\n", file, format_count(summary.units.size(), "unit"),
                  format_time(summary.range.begin), format_time(summary.range.end),
                  format_count(timeline.events, "event"));
  for (const std::string& warning : summary.warnings)
    text += "warning: " + warning + "\n";
  text += "\n" + units_table(summary) + "\n" + overlap_sentence(summary.total.transfers) + "\n";
  if (!summary.total.operations.empty()) text += "\n" + operations_table(summary, per_unit);
  text += "\nTasks; the progress thread; chunks of queued copies\n" + progress_table(summary);
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
                     {"begin_ns", wait.time.begin},
                     {"length_ns", wait.time.length()},
                     {"description", wait.description}});
  }
  const Json report{{"file", file},
                    {"events", timeline.events},
                    {"begin_ns", summary.range.begin},
                    {"end_ns", summary.range.end},
                    {"total", to_json(summary.total)},
                    {"units", units},
                    {"longest_waits", waits},
                    {"warnings", summary.warnings}};
  // `replace`: a file name may contain bytes that are not UTF-8.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dash::trace
