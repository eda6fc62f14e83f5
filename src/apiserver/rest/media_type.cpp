#include "apiserver/rest/media_type.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

std::string_view trim(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
}

/// Cuts the text up to `separator` from the front.
std::string_view cut(std::string_view& rest, char separator) {
    auto const end = std::min(rest.find(separator), rest.size());
    auto const part = trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

} // namespace

std::string media_type(std::string_view content_type) { return to_lower(cut(content_type, ';')); }

media negotiate(std::string_view accept) {
    if (trim(accept).empty()) return media::json;
    while (!accept.empty()) {
        auto range = cut(accept, ',');
        auto const type = media_type(cut(range, ';'));
        if (type != "application/json" && type != "application/*" && type != "*/*") continue;
        std::string_view as, version, group;
        while (!range.empty()) {
            auto const parameter = cut(range, ';');
            if (parameter.starts_with("as=")) as = parameter.substr(3);
            if (parameter.starts_with("v=")) version = parameter.substr(2);
            if (parameter.starts_with("g=")) group = parameter.substr(2);
        }
        if (as.empty()) return media::json;
        if (as == "Table" && version == "v1" && group == "meta.k8s.io") return media::table;
    }
    return media::none;
}

} // namespace kftrain::apiserver
