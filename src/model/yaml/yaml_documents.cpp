#include <kftrain/model/codec.hpp>

#include <algorithm>
#include <optional>

namespace kftrain {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_blank(std::string_view s) { return s.find_first_not_of(blanks) == std::string_view::npos; }

/// Nothing, or only a comment.
bool is_void(std::string_view line) {
    auto const first = line.find_first_not_of(blanks);
    return first == std::string_view::npos || line[first] == '#';
}

bool has_marker(std::string_view line, std::string_view marker) {
    return line.starts_with(marker) && (line.size() == 3 || blanks.find(line[3]) != std::string_view::npos);
}

/// Returns the content of a line without a comment behind it.
std::string_view content_of(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    if (auto const comment = line.find(" #"); comment != std::string_view::npos) line = line.substr(0, comment);
    return line.substr(0, line.find_last_not_of(blanks) + 1);
}

bool is_null(std::string_view content) {
    return content == "null" || content == "~" || content == "Null" || content == "NULL";
}

} // namespace

std::vector<yaml_document> split_yaml(std::string_view text) {
    std::vector<yaml_document> found;
    std::size_t begin = 0; // of the current document
    std::size_t first_line = 1;
    bool content = false; // other than one null
    bool null = false;
    std::optional<yaml_document> only_null; // the result if there is nothing else
    bool directives = false;                // these belong to the document behind the next marker
    auto const finish = [&](std::size_t end) {
        auto const document = text.substr(begin, end - begin);
        if (content)
            found.emplace_back(document, first_line);
        else if (null && !only_null)
            only_null.emplace(document, first_line);
        content = null = false;
    };
    // A null beside other documents is no object, as in kubectl.
    auto const add = [&](std::string_view line) {
        content = content || null || !is_null(content_of(line));
        null = true;
    };
    std::size_t line_number = 1;
    for (std::size_t at = 0; at < text.size(); ++line_number) {
        while (at == begin && text.substr(at).starts_with(byte_order_mark)) at = begin += byte_order_mark.size();
        std::size_t const stop = std::min(text.find('\n', at), text.size());
        std::size_t const next = std::min(stop + 1, text.size());
        auto const line = text.substr(at, stop - at);
        if (has_marker(line, "---")) {
            bool const bare = is_void(line.substr(3));
            if (content || null || !directives) {
                finish(at);
                begin = bare ? next : at;
                first_line = line_number + (bare ? 1 : 0);
            }
            directives = false;
            if (!bare) add(line.substr(3));
        } else if (has_marker(line, "...") && is_blank(line.substr(3))) {
            finish(at);
            begin = next;
            first_line = line_number + 1;
            directives = false;
        } else if (!content && !null && line.starts_with('%')) {
            directives = true;
        } else if (!is_void(line)) {
            add(line);
        }
        at = next;
    }
    finish(text.size());
    if (found.empty() && only_null) found.push_back(*std::move(only_null));
    return found;
}

} // namespace kftrain
