#pragma once

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <unordered_map>

#include "dash/core/Export.h"

namespace dash::util {

/// Settings of the application by name: the environment variables DASH_* and values that the
/// application sets. (The library's own settings are DART_*, see docs/reference/settings.md.)
///
/// For a value that is a boolean word, such as "yes", there is also NAME_BOOL ("1" or "0"). For a
/// name that ends in _SIZE and a number, which may have a suffix K, M or G, there is NAME_BYTES.
/// \threads externally synchronized
/// \ingroup utilities
class DASH_API Config {
 public:
  /// Values by name.
  using map_type = std::unordered_map<std::string, std::string>;
  using iterator = map_type::iterator;
  using const_iterator = map_type::const_iterator;

  /// Sets the build flags and the variables DASH_* of the environment; called by dash::init().
  /// Replaces values that were set before under the same names; keeps all others.
  static void init();

  /// \returns for bool, whether the value is a word for true; for integers, the value, or 0 if it
  ///         is not set; for strings, the text, or an empty one if it is not set; for other types,
  ///         what operator>> reads
  /// \throws std::invalid_argument for a floating-point type if the text is not a number or not set
  template <class T>
  static T get(const std::string& key) {
    if constexpr (std::is_same_v<T, bool>) {
      return is_true(key);
    } else if constexpr (std::is_same_v<T, std::string>) {
      return text(key);
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(integer(key));
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(number(key));
    } else {
      T value{};
      std::istringstream(text(key)) >> value;
      return value;
    }
  }

  /// Sets a value, and NAME_BOOL and NAME_BYTES as described above. DASH_ENABLE_LOGGING enables or
  /// disables the log of the caller's unit.
  static void set(const std::string& key, const std::string& value);
  /// \overload
  static void set(const std::string& key, const char* value) { set(key, std::string(value)); }
  /// \overload
  /// get() of the same type returns an equal value.
  template <class T>
  requires std::is_arithmetic_v<T>
  static void set(const std::string& key, T value) {
    std::ostringstream text;
    if constexpr (std::is_floating_point_v<T>)
      text.precision(std::numeric_limits<T>::max_digits10);  // get() reads the same value
    text << value;
    set(key, text.str());
  }

  /// Whether there is a value with this name; it may be empty.
  static bool is_set(const std::string& key);

  /// The first pair of name and value, in no particular order. set() invalidates iterators.
  static iterator begin();
  /// The end of the pairs.
  static iterator end();

 private:
  static bool is_true(const std::string& key);
  static std::int64_t integer(const std::string& key);
  static double number(const std::string& key);
  static std::string text(const std::string& key);
};

}  // namespace dash::util
