#include "dash/util/LocalityJSONPrinter.h"

#include <array>
#include <cstdio>
#include <ostream>

namespace dash::util {

template <class T>
LocalityJSONPrinter& LocalityJSONPrinter::member(std::string_view name, const T& value) {
  *this << name;
  _text += ": ";
  *this << value;
  _text += ", ";
  return *this;
}

/// Closes an object or array, and removes the ", " after its last member.
void LocalityJSONPrinter::close(char bracket) {
  if (_text.size() > 2 && _text.compare(_text.size() - 2, 2, ", ") == 0)
    _text.resize(_text.size() - 2);
  _text += bracket;
}

LocalityJSONPrinter& LocalityJSONPrinter::operator<<(std::string_view text) {
  _text += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      _text += '\\';
      _text += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
      _text += escape.data();
    } else {
      _text += c;
    }
  }
  _text += '"';
  return *this;
}

LocalityJSONPrinter& LocalityJSONPrinter::operator<<(dart_locality_scope_t scope) {
  return *this << scope_name(static_cast<Locality::Scope>(scope));
}

LocalityJSONPrinter& LocalityJSONPrinter::operator<<(const dart_hwinfo_t& hardware) {
  _text += '{';
  member("host", hardware.host);
  member("numa_id", hardware.numa_id).member("num_numa", hardware.num_numa);
  member("core_id", hardware.core_id).member("num_cores", hardware.num_cores);
  member("cpu_id", hardware.cpu_id);
  member("min_threads", hardware.min_threads).member("max_threads", hardware.max_threads);
  member("min_cpu_mhz", hardware.min_cpu_mhz).member("max_cpu_mhz", hardware.max_cpu_mhz);
  *this << "cache_sizes";
  _text += ": [";
  for (const int nbytes : hardware.cache_sizes) {
    if (nbytes < 0) continue;
    *this << nbytes;
    _text += ", ";
  }
  close(']');
  close('}');
  return *this;
}

LocalityJSONPrinter& LocalityJSONPrinter::operator<<(const dart_unit_locality_t& unit) {
  _text += '{';
  member("unit", unit.unit.id).member("team", unit.team).member("domain_tag", unit.domain_tag);
  member("hwinfo", unit.hwinfo);
  close('}');
  return *this;
}

LocalityJSONPrinter& LocalityJSONPrinter::operator<<(const dart_domain_locality_t& domain) {
  _text += '{';
  member("scope", domain.scope).member("domain_tag", domain.domain_tag);
  if (domain.host[0] != '\0') member("host", domain.host);
  member("level", domain.level).member("global_index", domain.global_index);
  member("relative_index", domain.relative_index);
  member("node_id", domain.node_id).member("num_nodes", domain.num_nodes);
  member("num_cores", domain.num_cores);
  *this << "units";
  _text += ": [";
  for (int i = 0; i < domain.num_units; ++i) {
    *this << domain.unit_ids[i].id;
    _text += ", ";
  }
  close(']');
  _text += ", ";
  *this << "domains";
  _text += ": [";
  for (int i = 0; i < domain.num_domains; ++i) {
    *this << *domain.children[i];
    _text += ", ";
  }
  close(']');
  close('}');
  return *this;
}

std::ostream& operator<<(std::ostream& os, const LocalityJSONPrinter& printer) {
  return os << printer.str();
}

}  // namespace dash::util
