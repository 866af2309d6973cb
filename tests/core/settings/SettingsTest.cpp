// dash-test: serial
#include "dash/core/Settings.h"

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "dash/Exception.h"
#include "support/Catch.h"

using namespace dash::core;
using dash::exception::InvalidArgument;

namespace {

Settings parse(const std::vector<std::string>& environment) {
  return parse_settings(environment);
}

// The error message for an environment; empty if it is accepted.
std::string error_of(const std::string& entry) {
  try {
    parse({entry});
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("The settings in force are the defaults before any are loaded") {
  CHECK(settings() == Settings{});
  CHECK(settings().copy_queue_min == 65536);
  CHECK(settings().poll_interval_us == 400);
}

TEST_CASE("An environment without our variables gives the defaults") {
  CHECK(parse({}) == Settings{});
  CHECK(parse({"PATH=/bin", "DASH_ANY=1", "DART", "", "=", "dart_progress=poll"}) == Settings{});
  CHECK(parse_settings(static_cast<const char* const*>(nullptr)) == Settings{});
}

TEST_CASE("Each variable sets its own setting") {
  Settings expected;
  expected.progress = ProgressMode::poll;
  expected.progress_ranks = 3;
  expected.bind = BindMode::none;
  expected.heap_size = std::size_t{2} << 30;
  expected.copy_queue_min = 1000;
  expected.nontemporal_min = std::size_t{1} << 20;
  expected.copy_chunk = 4096;
  expected.copy_buffer = 4096;
  expected.rma_fragment = std::size_t{1} << 30;
  expected.rma_block_min = 100;
  expected.tuning_file = "/x/y";
  expected.poll_interval_us = 50;
  expected.spin_us = 0;
  expected.put_protocol = dash::core::PutProtocol::message;
  expected.reduce_order = dash::core::ReduceOrder::ascending;
  expected.statistics = true;
  expected.watchdog_s = 30;
  expected.memory_mbps = 12000;
  expected.topology_file = "/etc/slurm/topology.conf";
  expected.log_level = LogLevel::debug;
  const std::vector<std::string> environment{"DART_PROGRESS=poll",
                                             "DART_PROGRESS_RANKS=3",
                                             "DART_BIND=none",
                                             "DART_HEAP_SIZE=2G",
                                             "DART_COPY_QUEUE_MIN=1000",
                                             "DART_NT_MIN=1024k",
                                             "DART_COPY_CHUNK=4K",
                                             "DART_COPY_BUFFER=4096",
                                             "DART_RMA_FRAGMENT=1G",
                                             "DART_RMA_BLOCK_MIN=100",
                                             "DART_TUNING=/x/y",
                                             "DART_POLL_INTERVAL_US=50",
                                             "DART_SPIN_US=0",
                                             "DART_LOG_LEVEL=DEBUG",
                                             "DART_REDUCE_ORDER=ascending",
                                             "DART_PUT_PROTOCOL=message",
                                             "DART_STATS=1",
                                             "DART_WATCHDOG_S=30",
                                             "DART_MEMORY_MBPS=12000",
                                             "DART_TOPOLOGY=/etc/slurm/topology.conf"};
  CHECK(parse(environment) == expected);

  std::vector<const char*> pointers;
  for (const std::string& entry : environment) {
    pointers.push_back(entry.c_str());
  }
  pointers.push_back(nullptr);
  CHECK(parse_settings(pointers.data()) == expected);
}

TEST_CASE("Names of choices are case-insensitive") {
  CHECK(parse({"DART_PROGRESS=Thread"}).progress == ProgressMode::thread);
  CHECK(parse({"DART_PROGRESS=AUTO"}).progress == ProgressMode::automatic);
  CHECK(parse({"DART_PROGRESS=ranks"}).progress == ProgressMode::ranks);
  CHECK(parse({"DART_LOG_LEVEL=error"}).log_level == LogLevel::error);
  CHECK(parse({"DART_LOG_LEVEL=TRACE"}).log_level == LogLevel::trace);
}

TEST_CASE("Sizes take the suffixes K, M, G and T") {
  const auto heap = [](const std::string& text) {
    return parse({"DART_HEAP_SIZE=" + text}).heap_size;
  };
  CHECK(heap("0") == 0);
  CHECK(heap("17") == 17);
  CHECK(heap("1K") == 1024);
  CHECK(heap("3m") == std::size_t{3} << 20);
  CHECK(heap("5G") == std::size_t{5} << 30);
  CHECK(heap("7t") == std::size_t{7} << 40);
  CHECK(heap("18446744073709551615") == ~std::size_t{0});
  CHECK(heap("16777215T") == std::size_t{16777215} << 40);
}

TEST_CASE("The error for a malformed value names the valid values") {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"DART_PROGRESS", {"", "fast", "threads", " poll", "poll ", "1"}},
      {"DART_PROGRESS_RANKS", {"", "0", "65", "-1", "one"}},
      {"DART_BIND", {"", "yes", "cores"}},
      {"DART_LOG_LEVEL", {"", "warning", "5", "-1"}},
      {"DART_HEAP_SIZE",
       {"", "K", "-1", "+1", "1.5G", "1KB", "1 K", "0x10", "G1", "1KK", "16777216T",
        "18446744073709551616"}},
      {"DART_COPY_QUEUE_MIN", {"", "much", "-5"}},
      {"DART_NT_MIN", {"", "none", "1e6"}},
      {"DART_COPY_CHUNK", {"", "0", "4095", "2G", "1048577K"}},
      {"DART_RMA_FRAGMENT", {"", "0", "3K", "2G", "all"}},
      {"DART_RMA_BLOCK_MIN", {"", "0", "2G"}},
      {"DART_COPY_BUFFER", {"", "0", "1", "2G"}},
      {"DART_POLL_INTERVAL_US", {"", "0", "-1", "1000001", "1ms", "99999999999"}},
      {"DART_STATS", {"", "yes", "2", "01"}},
      {"DART_SPIN_US", {"", "-2", "1000001", "auto", "3.5"}}};
  for (const auto& [name, values] : cases) {
    for (const std::string& value : values) {
      const std::string text = error_of(name + "=" + value);
      INFO(name << "=" << value << ": " << text);
      CHECK(text.find("environment variable " + name) != std::string::npos);
      CHECK(text.find("\"" + value + "\"") != std::string::npos);
      CHECK(text.find("must be ") != std::string::npos);
    }
  }
  CHECK(error_of("DART_PROGRESS=x").find("auto, thread, poll, ranks") != std::string::npos);
  CHECK(error_of("DART_SPIN_US=x").find("from -1 to 1000000") != std::string::npos);
  CHECK(error_of("DART_NT_MIN=x").find("K, M, G or T") != std::string::npos);
}

TEST_CASE("An unknown variable DART_* is reported with the most similar setting") {
  const std::vector<std::string> environment{"DART_PROGRES=poll", "DART_HEAPSIZE=1",
                                             "DASH_X=1",          "DART_SPIN_US=5",
                                             "DARTS=1",           "DART_BINDING"};
  const std::vector<std::string> sentences = unknown_settings(environment);
  REQUIRE(sentences.size() == 3);
  CHECK(sentences[0].find("DART_PROGRES ") != std::string::npos);
  CHECK(sentences[0].find("DART_PROGRESS") != std::string::npos);
  CHECK(sentences[1].find("DART_HEAP_SIZE") != std::string::npos);
  CHECK(sentences[2].find("the most similar is DART_BIND") != std::string::npos);
  CHECK(parse(environment).spin_us == 5);
}

TEST_CASE("A deprecated name sets its setting, unless the current name does, and is reported") {
  CHECK(parse({"DART_COPY_QUANTUM=8K"}).copy_chunk == 8192);
  CHECK(parse({"DART_COPY_SLAB=8K"}).copy_buffer == 8192);
  CHECK(parse({"DART_RMA_PIECE=8K"}).rma_fragment == 8192);
  CHECK(parse({"DART_RMA_RUN_MIN=8K"}).rma_block_min == 8192);
  CHECK(parse({"DART_COPY_CHUNK=16K", "DART_COPY_QUANTUM=8K"}).copy_chunk == 16384);
  CHECK(parse({"DART_COPY_QUANTUM=8K", "DART_COPY_CHUNK=16K"}).copy_chunk == 16384);
  CHECK(error_of("DART_RMA_PIECE=1").find("environment variable DART_RMA_PIECE") !=
        std::string::npos);
  const std::vector<std::string> environment{"DART_RMA_RUN_MIN=8K"};
  const std::vector<std::string> sentences = unknown_settings(environment);
  REQUIRE(sentences.size() == 1);
  CHECK(sentences[0].find("DART_RMA_RUN_MIN is deprecated") != std::string::npos);
  CHECK(sentences[0].find("use DART_RMA_BLOCK_MIN") != std::string::npos);
}

TEST_CASE("Loading reads the environment of the process, and keeps the settings if it is invalid") {
  setenv("DART_POLL_INTERVAL_US", "777", 1);
  load_settings();
  CHECK(settings().poll_interval_us == 777);
  setenv("DART_SPIN_US", "nonsense", 1);
  setenv("DART_POLL_INTERVAL_US", "778", 1);
  CHECK_THROWS_AS(load_settings(), InvalidArgument);
  CHECK(settings().poll_interval_us == 777);
  unsetenv("DART_SPIN_US");
  unsetenv("DART_POLL_INTERVAL_US");
  load_settings();
  CHECK(settings() == parse_settings(environ));
}

TEST_CASE("The table of settings shows each variable with its default and its current value") {
  setenv("DART_NT_MIN", "3M", 1);
  load_settings();
  const std::string table = settings_table();
  unsetenv("DART_NT_MIN");
  load_settings();
  for (const char* name :
       {"DART_PROGRESS", "DART_BIND", "DART_HEAP_SIZE", "DART_COPY_QUEUE_MIN", "DART_NT_MIN",
        "DART_POLL_INTERVAL_US", "DART_SPIN_US", "DART_LOG_LEVEL"}) {
    CHECK(table.find(std::string("\n") + name + " ") != std::string::npos);
  }
  const std::size_t line = table.find("\nDART_NT_MIN");
  REQUIRE(line != std::string::npos);
  std::istringstream words(table.substr(line));
  std::string name;
  std::string type;
  std::string standard;
  std::string current;
  std::string source;
  words >> name >> type >> standard >> current >> source;
  CHECK(type == "size");
  CHECK(current == "3M");
  CHECK(source == "environment");
  CHECK(parse({"DART_NT_MIN=" + standard}) == Settings{});
}
