#include "dash/core/mapping/MachineFile.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "Fail.h"
#include "Readers.h"
#include "TextLines.h"

namespace dash::core::mapping {

namespace {

MachineFormat detect(const TextLines& text) {
  const TextLine& first = text.lines().front();
  if (first.words.front() == dash_heading) return MachineFormat::dash;
  if (is_slurm(first)) return MachineFormat::slurm;
  if (is_cray(first)) return MachineFormat::cray;
  first.refuse(first.words.front(), "'", dash_heading,
               " 1', a line of Slurm's topology.conf such as SwitchName=..., or a Cray node such "
               "as c0-0c0s0n0");
}

std::string content_of(const std::string& path) {
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  std::string text;
  std::array<char, 65536> buffer;
  while (file != nullptr) {
    const std::size_t nbytes = std::fread(buffer.data(), 1, buffer.size(), file.get());
    if (nbytes == 0) break;
    text.append(buffer.data(), nbytes);
  }
  if (file == nullptr || std::ferror(file.get()) != 0)
    fail(path, " cannot be read: ", std::strerror(errno));
  return text;
}

}  // namespace

Machine parse_machine(std::string_view text, const std::string& name, MachineFormat format) {
  const TextLines lines(text, name);
  if (lines.lines().empty()) fail(name, " describes no machine: it contains only comments");
  if (format == MachineFormat::automatic) format = detect(lines);
  Machine machine = format == MachineFormat::dash    ? read_dash(lines)
                    : format == MachineFormat::slurm ? read_slurm(lines)
                                                     : read_cray(lines);
  if (machine.num_nodes() == 0) fail(name, " describes a machine without nodes");
  machine.finish();
  return machine;
}

Machine read_machine(const std::string& path, MachineFormat format) {
  return parse_machine(content_of(path), path, format);
}

}  // namespace dash::core::mapping
