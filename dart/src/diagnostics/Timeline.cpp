#include "diagnostics/Timeline.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "dash/core/Clock.h"
#include "dash/core/Log.h"
#include "dash/core/Settings.h"
#include "dash/core/Trace.h"

namespace dash::dart {

Timeline::Timeline() : _file(core::settings().trace_file) {
  if (!_file.empty()) core::start_trace();
}

void Timeline::agree_on_zero(const Session& session, Team& all) {
  all.barrier();
  const std::uint64_t local_ns = core::now_ns();
  std::uint64_t first_unit[] = {local_ns, _file.empty() ? 0U : 1U};
  all.bcast(first_unit, sizeof first_unit, 0);
  const Layout& layout = session.layout();
  const bool same_clock =
      layout.host_of[static_cast<std::size_t>(layout.unit)] == layout.host_of[0];
  _zero_ns = same_clock ? first_unit[0] : local_ns;
  _written = first_unit[1] != 0;
}

void Timeline::write(Team& all) {
  core::stop_trace();
  if (!_written) return;
  const int me = all.my_id();
  if (me == 0)
    append("w", [&](std::FILE* file) {
      std::fprintf(file, "[{\"name\":\"units\",\"ph\":\"M\",\"args\":{\"units\":%d}}\n",
                   all.size());
    });
  for (int unit = 0; unit < all.size(); ++unit) {
    all.barrier();
    if (unit != me) continue;
    append("a", [&](std::FILE* file) {
      const std::size_t dropped = core::write_trace(file, me, _zero_ns);
      if (dropped == 0) return;
      core::log(core::LogLevel::warn,
                fmt::format("DART_TRACE={}: the last {} events were not recorded", _file, dropped));
    });
  }
  all.barrier();
  if (me == 0) append("a", [](std::FILE* file) { std::fputs("]\n", file); });
}

template <class Print>
void Timeline::append(const char* mode, Print print) {
  if (_file.empty()) return;
  std::FILE* const file = std::fopen(_file.c_str(), mode);
  if (file == nullptr) {
    core::log(core::LogLevel::error,
              fmt::format("DART_TRACE={}: cannot be written: {}", _file, std::strerror(errno)));
    _file.clear();
    return;
  }
  print(file);
  std::fclose(file);
}

}  // namespace dash::dart
