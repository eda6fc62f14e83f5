#ifndef KFTRAIN_SRC_FACADE_TIMELINE_DRAWING_HPP
#define KFTRAIN_SRC_FACADE_TIMELINE_DRAWING_HPP

#include "base/code_points.hpp"

#include <cstdint>
#include <string>
#include <string_view>

// The texts and the style of drawings, in characters and as pictures.
namespace kftrain {

/// The text on one line, with U+FFFD in the place of invalid UTF-8, of control characters, of those that change the
/// direction of text, and of those that XML excludes.
std::string plain_text(std::string_view text);

/// The same as text of an element of XML or HTML.
std::string xml_text(std::string_view text);

/// At most this many characters; a longer text ends in an ellipsis.
std::string shortened_to(std::string_view text, std::size_t characters);

/// A number of seconds in its two largest units: `44s`, `3m12s`, `2h`, `5d3h`.
std::string duration_text(std::int64_t seconds);

/// The style of pictures of the class `kf`. Programs without custom properties use the first value of each pair. A page
/// may set the properties.
inline constexpr std::string_view svg_style = R"(<style>
.kf { --ink: #1f2328; --dim: #59636e; --line: #8c959f; --job: #ddf4ff; --pod: #dafbe1; --other: #f6f8fa;
color-scheme: light dark }
@media (prefers-color-scheme: dark) {
.kf { --ink: #e6edf3; --dim: #9198a1; --line: #6e7681; --job: #0c2d6b; --pod: #033a16; --other: #21262d }
}
.kf text { fill: #1f2328; fill: var(--ink); font: 13px system-ui, sans-serif } .kf .b { font-weight: 600 }
.kf .d { fill: #59636e; fill: var(--dim) } .kf .m { font: 12px ui-monospace, monospace }
.kf path { fill: none; stroke: #8c959f; stroke: var(--line); stroke-width: 1.3 }
.kf rect { stroke: #8c959f; stroke: var(--line) } .kf .job { fill: #ddf4ff; fill: var(--job) }
.kf .pod { fill: #dafbe1; fill: var(--pod) } .kf .other { fill: #f6f8fa; fill: var(--other) }
</style>
)";

} // namespace kftrain

#endif
