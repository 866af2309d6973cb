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
/// \ingroup locality
class DASH_API LocalityJSONPrinter {
 public:
  /// Appends an object with the members of the domain, including its subdomains.
  LocalityJSONPrinter& operator<<(const dart_domain_locality_t& domain);
  /// Appends an object with the ids, the domain tag and the hardware of the unit.
  LocalityJSONPrinter& operator<<(const dart_unit_locality_t& unit);
  /// Appends an object with the host, processors, clock rates and cache sizes.
  LocalityJSONPrinter& operator<<(const dart_hwinfo_t& hardware);
  /// Appends the name of the scope as a string.
  LocalityJSONPrinter& operator<<(dart_locality_scope_t scope);
  /// \overload
  LocalityJSONPrinter& operator<<(Locality::Scope scope) {
    return *this << static_cast<dart_locality_scope_t>(scope);
  }
  /// Appends an object with the members of the domain, including its subdomains.
  LocalityJSONPrinter& operator<<(const LocalityDomain& domain) {
    return *this << domain.dart_type();
  }
  /// Appends the domain of the team.
  LocalityJSONPrinter& operator<<(const TeamLocality& team) { return *this << team.domain(); }
  /// Appends the hardware of the unit.
  LocalityJSONPrinter& operator<<(const UnitLocality& unit) { return *this << unit.hwinfo(); }
  /// Appends a string in quotation marks, with special characters escaped.
  LocalityJSONPrinter& operator<<(std::string_view text);
  /// \overload
  LocalityJSONPrinter& operator<<(const std::string& text) {
    return *this << std::string_view(text);
  }
  /// \overload
  LocalityJSONPrinter& operator<<(const char* text) { return *this << std::string_view(text); }
  /// Appends a number.
  template <std::integral I>
  LocalityJSONPrinter& operator<<(I value) {
    _text += std::to_string(value);
    return *this;
  }

  /// The text.
  const std::string& str() const noexcept { return _text; }

  friend std::ostream& operator<<(std::ostream& os, const LocalityJSONPrinter& printer);

 private:
  template <class T>
  LocalityJSONPrinter& member(std::string_view name, const T& value);
  void close(char bracket);

  std::string _text;
};

/// Writes the text.
/// \ingroup locality
DASH_API std::ostream& operator<<(std::ostream& os, const LocalityJSONPrinter& printer);

}  // namespace dash::util
