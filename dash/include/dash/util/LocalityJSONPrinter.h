#pragma once

#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>

#include "dash/core/Export.h"
#include "dash/dart/if/dart_locality_types.h"
#include "dash/util/Locality.h"
#include "dash/util/LocalityDomain.h"
#include "dash/util/TeamLocality.h"
#include "dash/util/UnitLocality.h"

namespace dash::util {

/// Writes domains, units and hardware information as JSON.
/// \threads externally synchronized per object
class DASH_API LocalityJSONPrinter {
 public:
  LocalityJSONPrinter& operator<<(const dart_domain_locality_t& domain);
  LocalityJSONPrinter& operator<<(const dart_unit_locality_t& unit);
  LocalityJSONPrinter& operator<<(const dart_hwinfo_t& hardware);
  LocalityJSONPrinter& operator<<(dart_locality_scope_t scope);
  LocalityJSONPrinter& operator<<(Locality::Scope scope) {
    return *this << static_cast<dart_locality_scope_t>(scope);
  }
  LocalityJSONPrinter& operator<<(const LocalityDomain& domain) {
    return *this << domain.dart_type();
  }
  LocalityJSONPrinter& operator<<(const TeamLocality& team) { return *this << team.domain(); }
  LocalityJSONPrinter& operator<<(const UnitLocality& unit) { return *this << unit.hwinfo(); }
  LocalityJSONPrinter& operator<<(std::string_view text);
  LocalityJSONPrinter& operator<<(const std::string& text) {
    return *this << std::string_view(text);
  }
  LocalityJSONPrinter& operator<<(const char* text) { return *this << std::string_view(text); }
  template <std::integral I>
  LocalityJSONPrinter& operator<<(I value) {
    _text += std::to_string(value);
    return *this;
  }

  const std::string& str() const noexcept { return _text; }

  friend std::ostream& operator<<(std::ostream& os, const LocalityJSONPrinter& printer);

 private:
  template <class T>
  LocalityJSONPrinter& member(std::string_view name, const T& value);
  void close(char bracket);

  std::string _text;
};

DASH_API std::ostream& operator<<(std::ostream& os, const LocalityJSONPrinter& printer);

}  // namespace dash::util
