// dash-test: serial
#include "dash/core/Tuning.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/diagnostics/StderrCapture.h"
#include "dash/Exception.h"
#include "dash/core/Settings.h"
#include "support/Catch.h"

using namespace dash::core;

namespace {

constexpr const char* machine = "Some CPU [rev 2]; MPICH 4.0.2";

/// A temporary folder.
class Folder {
 public:
  Folder()
      : _path(std::filesystem::temp_directory_path() /
              ("dash-tuning-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(_path);
  }
  ~Folder() { std::filesystem::remove_all(_path); }
  std::string file(const std::string& name) const { return _path / name; }
  std::string path() const { return _path; }

 private:
  std::filesystem::path _path;
};

/// Sets an environment variable until the end of the scope.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : _name(name) {
    if (const char* before = std::getenv(name)) _before = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (_before.empty()) {
      ::unsetenv(_name);
    } else {
      ::setenv(_name, _before.c_str(), 1);
    }
  }

 private:
  const char* _name;
  std::string _before;
};

void write(const std::string& file, const std::string& text) {
  std::ofstream(file) << text;
}
std::string read(const std::string& file) {
  std::string text;
  std::string error;
  REQUIRE(read_file(file, text, error));
  return text;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("A tuning file provides the values of this machine only") {
  const std::string text =
      "# a comment\n"
      "[Another CPU; MPICH 4.0.2]\n"
      "DART_NT_MIN = 1M\n"
      "DART_NO_SUCH = nonsense\n"
      "[" +
      std::string(machine) +
      "]\n\n"
      "  DART_NT_MIN =  5M \r\n"
      "DART_COPY_QUEUE_MIN=7K\n"
      "DART_RMA_RUN_MIN = 100\n"  // a deprecated name
      "[" +
      std::string(machine) + "x]\nDART_COPY_CHUNK = 1K\n";
  const Tuning tuning = parse_tuning(text, "f", machine);
  CHECK(tuning.mistakes.empty());
  CHECK(says(tuning.source, machine));
  Settings expected;
  expected.nontemporal_min = std::size_t{5} << 20;
  expected.copy_queue_min = std::size_t{7} << 10;
  expected.rma_block_min = 100;
  CHECK(tuning.settings == expected);

  const Tuning none = parse_tuning(text, "f", "A third CPU; MPICH 4.0.2");
  CHECK(none.settings == Settings{});
  CHECK(none.mistakes.empty());
  CHECK(says(none.source, "no values of A third CPU"));
  CHECK(parse_tuning("", "f", machine).settings == Settings{});
}

TEST_CASE(
    "Errors in a tuning file are reported with file, line, name and value, and have no effect") {
  const std::string text = "DART_NT_MIN = 1M\n[" + std::string(machine) +
                           "]\n"
                           "DART_NT_MIN = much\n"
                           "DART_LOG_LEVEL = debug\n"
                           "DART_NT_MINI = 1M\n"
                           "half a line\n"
                           "DART_COPY_CHUNK = 2G\n"
                           "DART_COPY_CHUNK = 64K\n"
                           "[no end\n";
  const Tuning tuning = parse_tuning(text, "/x/tuning.conf", machine);
  REQUIRE(tuning.mistakes.size() == 7);
  CHECK(says(tuning.mistakes[0], "/x/tuning.conf:1: DART_NT_MIN precedes the first"));
  CHECK(
      says(tuning.mistakes[1], "/x/tuning.conf:3: DART_NT_MIN is \"much\", but must be a number"));
  CHECK(says(tuning.mistakes[2],
             ":4: DART_LOG_LEVEL is not a tunable setting; these are: DART_COPY_QUEUE"));
  CHECK(says(tuning.mistakes[3], ":5: DART_NT_MINI is not a tunable setting"));
  CHECK(says(tuning.mistakes[4], ":6: \"half a line\" is neither"));
  CHECK(says(tuning.mistakes[5], ":7: DART_COPY_CHUNK is \"2G\", but must be"));
  CHECK(says(tuning.mistakes[6], ":9: \"[no end\" is neither"));
  Settings expected;
  expected.copy_chunk = std::size_t{64} << 10;
  CHECK(tuning.settings == expected);
}

TEST_CASE("The environment overrides the tuning file, which overrides the defaults") {
  const Folder folder;
  const std::string file = folder.file("tuned");
  write(file, "[" + std::string(machine) +
                  "]\nDART_NT_MIN = 5M\nDART_COPY_QUEUE_MIN = 7K\nDART_COPY_BUFFER = no\n");
  const Variable named("DART_TUNING", file);
  const Variable queue("DART_COPY_QUEUE_MIN", "9K");
  StderrCapture errors;
  load_settings(machine);
  CHECK(settings().nontemporal_min == std::size_t{5} << 20);
  CHECK(settings().copy_queue_min == std::size_t{9} << 10);
  CHECK(settings().copy_buffer == Settings{}.copy_buffer);
  CHECK(tuning_source() == file + ", " + machine);
  load_settings(machine);  // which does not repeat the warnings
  load_settings("Another CPU; MPICH 4.0.2");
  CHECK(settings().nontemporal_min == Settings{}.nontemporal_min);
  load_settings();
  CHECK(settings().nontemporal_min == Settings{}.nontemporal_min);
  const std::string text = errors.text();
  const std::size_t at = text.find(file + ":4: DART_COPY_BUFFER is \"no\", but must be");
  REQUIRE(at != std::string::npos);
  CHECK(text.find("DART_COPY_BUFFER", at + file.size() + 20) == std::string::npos);
}

TEST_CASE("Each setting in force reports the origin of its value") {
  const auto source_of = [](const std::string& name) {
    for (const CurrentSetting& each : current_settings()) {
      if (each.name == name) return each.value + " " + each.source;
    }
    return "no " + name;
  };
  {
    const Folder folder;
    const std::string file = folder.file("tuned");
    write(file, "[" + std::string(machine) +
                    "]\nDART_NT_MIN = 32M\nDART_COPY_QUEUE_MIN = 7K\nDART_COPY_BUFFER = no\n"
                    "DART_COPY_CHUNK = 8K\n");
    const Variable named("DART_TUNING", file);
    const Variable queue("DART_COPY_QUEUE_MIN", "9K");
    StderrCapture warnings;
    load_settings(machine);
    CHECK(source_of("DART_NT_MIN") == "32M tuned");  // equals the default
    CHECK(source_of("DART_COPY_QUEUE_MIN") == "9K environment");
    CHECK(source_of("DART_COPY_BUFFER") == "256K default");
    CHECK(source_of("DART_COPY_CHUNK") == "8K tuned");
    CHECK(source_of("DART_TUNING") == file + " environment");
    CHECK(current_settings().size() > 20);
    const std::string entries[] = {"DART_COPY_CHUNK=4K"};
    change_settings(entries);
    CHECK(source_of("DART_COPY_CHUNK") == "4K program");
    CHECK(source_of("DART_NT_MIN") == "32M tuned");
    Settings values = settings();
    values.copy_buffer = 1;
    replace_settings(values);
    CHECK(source_of("DART_COPY_BUFFER") == "1 program");
  }
  const Variable none("DART_TUNING", "none");
  load_settings(machine);
  CHECK(source_of("DART_NT_MIN") == "32M default");
  CHECK(source_of("DART_COPY_BUFFER") == "256K default");
}

TEST_CASE("The tuning file is in the user's configuration folder, unless another one is set") {
  const Folder folder;
  std::filesystem::create_directories(folder.file("dash"));
  write(folder.file("dash/tuning.conf"), "[" + std::string(machine) + "]\nDART_NT_MIN = 6M\n");
  const Variable config("XDG_CONFIG_HOME", folder.path());
  CHECK(default_tuning_file() == folder.file("dash/tuning.conf"));
  {
    const Variable empty("DART_TUNING", "");
    load_settings(machine);
    CHECK(settings().nontemporal_min == std::size_t{6} << 20);
  }
  {
    const Variable none("DART_TUNING", "none");
    load_settings(machine);
    CHECK(settings().nontemporal_min == Settings{}.nontemporal_min);
  }
  {
    const Variable missing("DART_TUNING", folder.file("missing"));
    StderrCapture errors;
    load_settings(machine);
    CHECK(settings().nontemporal_min == Settings{}.nontemporal_min);
    CHECK(says(errors.text(), "DART_TUNING: " + folder.file("missing") + ": No such file"));
  }
  {
    const Variable a_folder("DART_TUNING", folder.path());
    StderrCapture errors;
    load_settings(machine);
    CHECK(settings().nontemporal_min == Settings{}.nontemporal_min);
    CHECK(says(errors.text(), "DART_TUNING: " + folder.path() + ": Is a directory"));
  }
  {
    const std::string pipe = folder.file("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const Variable a_pipe("DART_TUNING", pipe);
    StderrCapture errors;
    load_settings(machine);
    CHECK(settings().nontemporal_min == Settings{}.nontemporal_min);
    CHECK(says(errors.text(), "DART_TUNING: " + pipe + ": it is a pipe"));
  }
  const Variable relative("XDG_CONFIG_HOME", "relative");
  const Variable home("HOME", "/somewhere");
  CHECK(default_tuning_file() == "/somewhere/.config/dash/tuning.conf");
  load_settings();
}

TEST_CASE("Stored values keep those of other machines, and replace older ones") {
  const Folder folder;
  const std::string file = folder.file("new/folder/tuning.conf");
  const std::vector<std::string> first{"DART_NT_MIN=5M", "DART_COPY_CHUNK=64K"};
  store_tuning(file, machine, first);
  const std::vector<std::string> other{"DART_NT_MIN=6M"};
  store_tuning(file, "Another CPU; MPICH 4.0.2", other);
  const std::vector<std::string> second{"DART_NT_MIN=7M", "DART_RMA_FRAGMENT=1M"};
  store_tuning(file, machine, second);
  const std::string text = read(file);
  const Tuning tuning = parse_tuning(text, file, machine);
  CHECK(tuning.mistakes.empty());
  CHECK(tuning.settings.nontemporal_min == std::size_t{7} << 20);
  CHECK(tuning.settings.copy_chunk == std::size_t{64} << 10);
  CHECK(tuning.settings.rma_fragment == std::size_t{1} << 20);
  CHECK(parse_tuning(text, file, "Another CPU; MPICH 4.0.2").settings.nontemporal_min ==
        std::size_t{6} << 20);
  CHECK_FALSE(says(text, "5M"));
  // The folder contains only the file.
  CHECK(std::distance(std::filesystem::directory_iterator(folder.file("new/folder")), {}) == 1);
  // An existing file that cannot be read is not replaced.
  CHECK_THROWS_WITH(store_tuning(folder.file("new"), machine, first),
                    Catch::Matchers::ContainsSubstring("cannot read " + folder.file("new")));
}

TEST_CASE(
    "Storing through a link replaces its target, and leaves temporary files of others alone") {
  namespace fs = std::filesystem;
  const Folder folder;
  fs::create_directories(folder.file("shared"));
  fs::create_directories(folder.file("home"));
  const std::string target = folder.file("shared/tuning.conf");
  const std::string link = folder.file("home/tuning.conf");
  fs::create_symlink("../shared/tuning.conf", link);
  // A temporary file of a process with the same id on another host.
  const std::string other = link + "." + std::to_string(::getpid());
  write(other, "half");
  write(target + "." + std::to_string(::getpid()), "half");

  const std::vector<std::string> first{"DART_NT_MIN=5M"};
  store_tuning(link, machine, first);  // creates the target, which did not exist
  CHECK(fs::is_symlink(link));
  CHECK(parse_tuning(read(target), target, machine).settings.nontemporal_min == std::size_t{5}
                                                                                    << 20);
  REQUIRE(::chmod(target.c_str(), 0640) == 0);
  const std::vector<std::string> second{"DART_NT_MIN=7M"};
  store_tuning(link, machine, second);
  CHECK(fs::is_symlink(link));
  CHECK(parse_tuning(read(target), target, machine).settings.nontemporal_min == std::size_t{7}
                                                                                    << 20);
  CHECK(fs::status(target).permissions() == fs::perms(0640));
  CHECK(read(other) == "half");
  CHECK(read(target + "." + std::to_string(::getpid())) == "half");
  CHECK(std::distance(fs::directory_iterator(folder.file("shared")), {}) == 2);
  CHECK(std::distance(fs::directory_iterator(folder.file("home")), {}) == 2);
}

TEST_CASE("The tunable settings can be listed and set again from the list") {
  Settings values;
  values.nontemporal_min = std::size_t{3} << 20;
  values.copy_buffer = 4096;
  Settings again;
  for (const std::string& entry : tuned_values(values)) {
    const std::size_t equals = entry.find('=');
    CHECK(apply_tuned_value(again, entry.substr(0, equals), entry.substr(equals + 1)).empty());
  }
  CHECK(again == values);
  CHECK(tuned_values(values).size() == 6);
}

TEST_CASE("Changing settings affects only the given ones") {
  load_settings();
  const Settings before = settings();
  const std::string entries[] = {"DART_COPY_CHUNK=4K"};
  change_settings(entries);
  Settings expected = before;
  expected.copy_chunk = 4096;
  CHECK(settings() == expected);
  const std::string wrong[] = {"DART_COPY_CHUNK=0"};
  CHECK_THROWS_AS(change_settings(wrong), dash::exception::InvalidArgument);
  CHECK(settings() == expected);
  load_settings();
}
