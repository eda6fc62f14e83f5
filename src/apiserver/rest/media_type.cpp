#include "apiserver/rest/media_type.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <optional>

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

/// The form in which a client accepts JSON.
struct json_range {
    std::string_view as, version, group;
};

/// Cuts off the ranges up to the next one of JSON; nothing if there is none.
std::optional<json_range> next_json(std::string_view& accept) {
    while (!accept.empty()) {
        auto range = cut(accept, ',');
        auto const type = media_type(cut(range, ';'));
        if (type != "application/json" && type != "application/*" && type != "*/*") continue;
        json_range out;
        while (!range.empty()) {
            auto const parameter = cut(range, ';');
            if (parameter.starts_with("as=")) out.as = parameter.substr(3);
            if (parameter.starts_with("v=")) out.version = parameter.substr(2);
            if (parameter.starts_with("g=")) out.group = parameter.substr(2);
        }
        return out;
    }
    return std::nullopt;
}

} // namespace

std::string media_type(std::string_view content_type) { return to_lower(cut(content_type, ';')); }

media negotiate(std::string_view accept) {
    if (trim(accept).empty()) return media::json;
    while (auto const range = next_json(accept)) {
        if (range->as.empty()) return media::json;
        if (range->as == "Table" && range->version == "v1" && range->group == "meta.k8s.io") return media::table;
    }
    return media::none;
}

std::string_view aggregated_discovery_version(std::string_view accept) {
    while (auto const range = next_json(accept)) {
        if (range->as.empty()) break;
        bool const is_known = range->version == "v2" || range->version == "v2beta1";
        if (range->as == "APIGroupDiscoveryList" && range->group == "apidiscovery.k8s.io" && is_known)
            return range->version;
    }
    return {};
}

} // namespace kftrain::apiserver
