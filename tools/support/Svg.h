#pragma once

#include <string>
#include <string_view>

namespace dash::tools {

/// Writes an SVG file from top to bottom.
class Svg {
 public:
  /// \param background  a colour, or `none` for what it stands on
  Svg(double width, double height, std::string_view style, std::string_view background = "#ffffff");

  enum class Anchor { start, middle, end };

  /// \param fill  a colour; none if empty
  /// \param tip   shown when the pointer rests on it
  void box(double x, double y, double width, double height, std::string_view fill,
           std::string_view tip = {});
  /// An invisible box that has a tip.
  void hot_spot(double x, double y, double width, double height, std::string_view tip);
  void line(double x1, double y1, double x2, double y2, std::string_view stroke);
  void text(double x, double y, std::string_view text, std::string_view style_class,
            Anchor anchor = Anchor::start);

  /// Between these, coordinates count from (x, y) in units of the scale.
  void begin_scaled(double x, double y, double scale_x, double scale_y);
  void path(std::string_view data, std::string_view fill, std::string_view tip = {});
  /// Lines without a fill; their width is scaled, too.
  void outline(std::string_view data, std::string_view stroke, double width);
  void end_scaled();

  /// The whole file; nothing may be added afterwards.
  std::string finish();
  std::size_t size() const noexcept { return _out.size(); }

 private:
  void end_with_tip(std::string_view element, std::string_view tip);

  std::string _out;
};

}  // namespace dash::tools
