#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "dash/core/Log.h"
#include "dash/core/Settings.h"

/// \file Kinds of values of settings: how to parse and print them. A kind has the type Value, and the
/// functions type(), valid(), parse() and print().

namespace dash::core::setting_kinds {

inline bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

template <class Enum>
struct Name {
  std::string_view name;
  Enum value;
};

inline constexpr Name<ProgressMode> progress_names[] = {{"auto", ProgressMode::automatic},
                                                        {"thread", ProgressMode::thread},
                                                        {"poll", ProgressMode::poll},
                                                        {"ranks", ProgressMode::ranks}};
inline constexpr Name<BindMode> bind_names[] = {{"auto", BindMode::automatic},
                                                {"none", BindMode::none}};
inline constexpr Name<HeapRegister> heap_register_names[] = {{"auto", HeapRegister::automatic},
                                                             {"slabs", HeapRegister::slabs},
                                                             {"whole", HeapRegister::whole}};
inline constexpr Name<PutProtocol> put_protocol_names[] = {{"auto", PutProtocol::automatic},
                                                           {"rma", PutProtocol::rma},
                                                           {"flush", PutProtocol::flush},
                                                           {"message", PutProtocol::message}};
inline constexpr Name<ReduceOrder> reduce_order_names[] = {{"any", ReduceOrder::any},
                                                           {"ascending", ReduceOrder::ascending}};
inline constexpr Name<ApplicationMpi> application_mpi_names[] = {
    {"auto", ApplicationMpi::automatic}, {"yes", ApplicationMpi::yes}, {"no", ApplicationMpi::no}};
inline constexpr Name<SignalMode> signal_names[] = {{"auto", SignalMode::automatic},
                                                    {"none", SignalMode::none}};
inline constexpr Name<LogLevel> log_level_names[] = {{"error", LogLevel::error},
                                                     {"warn", LogLevel::warn},
                                                     {"info", LogLevel::info},
                                                     {"debug", LogLevel::debug},
                                                     {"trace", LogLevel::trace}};

template <const auto& names>
struct Choice {
  using Value = std::remove_const_t<decltype(names[0].value)>;

  static std::string type() { return "choice"; }

  static std::string valid() {
    std::string list = "one of ";
    for (const auto& entry : names) {
      list.append(&entry == &names[0] ? "" : ", ").append(entry.name);
    }
    return list;
  }

  static std::optional<Value> parse(std::string_view text) {
    for (const auto& entry : names) {
      if (equal_ignoring_case(entry.name, text)) {
        return entry.value;
      }
    }
    return std::nullopt;
  }

  static std::string print(Value value) {
    for (const auto& entry : names) {
      if (entry.value == value) {
        return std::string(entry.name);
      }
    }
    return "?";
  }
};

template <class T>
std::optional<T> parse_whole_number(std::string_view text) {
  T value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last) {
    return std::nullopt;
  }
  return value;
}

template <auto least, auto most>
struct Number {
  using Value = decltype(least);
  static_assert(std::is_same_v<Value, decltype(most)>);

  static std::string type() { return "number"; }

  static std::string valid() {
    return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  }

  static std::optional<Value> parse(std::string_view text) {
    const std::optional<Value> value = parse_whole_number<Value>(text);
    return value && *value >= least && *value <= most ? value : std::nullopt;
  }

  static std::string print(Value value) { return std::to_string(value); }
};

struct Size {
  using Value = std::size_t;

  static constexpr std::string_view suffixes = "KMGT";

  static std::string type() { return "size"; }

  static std::string valid() {
    return "a number of bytes, or one followed by K, M, G or T (powers of 1024), below 16777216T";
  }

  static std::optional<Value> parse(std::string_view text) {
    unsigned shift = 0;
    if (!text.empty()) {
      const auto last = static_cast<char>(std::toupper(static_cast<unsigned char>(text.back())));
      const std::size_t index = suffixes.find(last);
      if (index != std::string_view::npos) {
        shift = 10 * (static_cast<unsigned>(index) + 1);
        text.remove_suffix(1);
      }
    }
    const std::optional<Value> value = parse_whole_number<Value>(text);
    if (!value || *value > (std::numeric_limits<Value>::max() >> shift)) {
      return std::nullopt;
    }
    return *value << shift;
  }

  static std::string print(Value value) {
    std::string suffix;
    for (const char next : suffixes) {
      if (value == 0 || value % 1024 != 0) {
        break;
      }
      value /= 1024;
      suffix = next;
    }
    return std::to_string(value) + suffix;
  }
};

/// On or off.
struct Switch {
  using Value = bool;

  static std::string type() { return "switch"; }
  static std::string valid() { return "0 or 1"; }
  static std::optional<Value> parse(std::string_view text) {
    if (text != "0" && text != "1") return std::nullopt;
    return text == "1";
  }
  static std::string print(Value value) { return value ? "1" : "0"; }
};

/// File names.
struct File {
  using Value = std::string;

  static std::string type() { return "file"; }
  static std::string valid() { return "the name of a file"; }
  static std::optional<Value> parse(std::string_view text) { return Value(text); }
  static std::string print(const Value& value) { return value.empty() ? "-" : value; }
};

/// A shared library, or a way to choose one.
struct Library : File {
  static std::string type() { return "library"; }
  static std::string valid() { return "auto, none, or the name of a shared library"; }
};

/// Sizes up to 1G.
template <std::size_t least>
struct BoundedSize : Size {
  static constexpr std::size_t most = std::size_t{1} << 30;

  static std::string valid() {
    return "a number of bytes from " + print(least) + " to 1G, or one followed by K, M or G";
  }

  static std::optional<Value> parse(std::string_view text) {
    const std::optional<Value> value = Size::parse(text);
    return value && *value >= least && *value <= most ? value : std::nullopt;
  }
};

/// Stack sizes, rounded down to whole pages.
struct Stack : BoundedSize<std::size_t{32} << 10> {
  static std::optional<Value> parse(std::string_view text) {
    const std::optional<Value> value = BoundedSize::parse(text);
    if (!value) return std::nullopt;
    return *value / 4096 * 4096;
  }
};

}  // namespace dash::core::setting_kinds
