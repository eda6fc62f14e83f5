#include "apiserver/rest/requested_access.hpp"

#include <algorithm>
#include <cctype>

namespace kftrain::apiserver {
namespace {

std::string_view verb_of_method(std::string_view method) {
    return method == "POST"                      ? "create"
           : method == "PUT"                     ? "update"
           : method == "PATCH"                   ? "patch"
           : method == "DELETE"                  ? "delete"
           : method == "GET" || method == "HEAD" ? "get"
                                                 : "";
}

/// The name that a field selector demands, if it demands one.
std::string_view selected_name(std::string_view fields) {
    while (!fields.empty()) {
        auto const end = std::min(fields.find(','), fields.size());
        auto one = fields.substr(0, end);
        fields.remove_prefix(std::min(end + 1, fields.size()));
        constexpr std::string_view wanted = "metadata.name=";
        if (!one.starts_with(wanted)) continue;
        one.remove_prefix(wanted.size());
        if (one.starts_with('=')) one.remove_prefix(1);
        return one.find('/') == one.npos ? one : std::string_view();
    }
    return {};
}

} // namespace

access_request access_request_of(std::string_view method, request_target const& target) {
    access_request out;
    auto const& path = target.path();
    bool const core = !path.empty() && path[0] == "api";
    std::size_t const head = core ? 2 : 3; // api, v1 | apis, group, version
    if (path.size() <= head || (!core && path[0] != "apis")) {
        for (char const c : method) out.verb += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        for (auto const& part : path) out.path += "/" + part;
        if (out.path.empty()) out.path = "/";
        return out;
    }
    if (!core) out.group = path[1];
    out.version = path[head - 1];
    std::size_t first = head;
    auto const at = [&](std::size_t i) { return first + i < path.size() ? path[first + i] : std::string(); };
    if (at(0) == "namespaces") {
        out.ns = at(1);
        if (path.size() > first + 2 && at(2) != "status" && at(2) != "finalize") first += 2;
    }
    out.resource = at(0);
    out.name = at(1);
    out.subresource = at(2);
    out.verb = verb_of_method(method);
    if (!out.name.empty()) return out;
    if (out.verb == "delete") out.verb = "deletecollection";
    if (out.verb != "get") return out;
    out.verb = target.flag("watch") ? "watch" : "list";
    out.name = selected_name(target.get("fieldSelector"));
    return out;
}

} // namespace kftrain::apiserver
