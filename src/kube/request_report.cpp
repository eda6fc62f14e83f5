#include <kftrain/kube/request_report.hpp>

#include "base/ascii.hpp"

#include <array>
#include <vector>

namespace kftrain::kube {
namespace {

std::vector<std::string_view> segments_of(std::string_view path) {
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        path.remove_prefix(1); // the slash
        auto const end = path.find('/');
        parts.push_back(path.substr(0, end));
        path.remove_prefix(end == path.npos ? path.size() : end);
    }
    return parts;
}

/// Whether the query says `key=true` or `key=1`.
bool says(std::string_view query, std::string_view key) {
    while (!query.empty()) {
        auto const end = query.find('&');
        auto const one = query.substr(0, end);
        if (one.starts_with(key) && (one.substr(key.size()) == "=true" || one.substr(key.size()) == "=1")) return true;
        query.remove_prefix(end == query.npos ? query.size() : end + 1);
    }
    return false;
}

std::string verb_of(std::string_view method, std::string_view query, bool named) {
    if (method == "POST") return "create";
    if (method == "PUT") return "update";
    if (method == "PATCH") return "patch";
    if (method == "DELETE") return named ? "delete" : "deletecollection";
    if (method != "GET" && method != "HEAD") return to_lower(method);
    if (says(query, "watch")) return "watch";
    return named ? "get" : "list";
}

} // namespace

bool request_subject::mutates() const noexcept {
    static constexpr std::array<std::string_view, 6> reading{"get", "list", "watch", "head", "options", ""};
    for (auto const word : reading)
        if (verb == word) return false;
    return true;
}

request_subject subject_of(std::string_view method, std::string_view target) {
    request_subject s;
    auto const mark = target.find('?');
    auto const path = target.substr(0, mark);
    auto const query = mark == target.npos ? std::string_view() : target.substr(mark + 1);
    s.path_template = path;
    s.verb = to_lower(method);
    if (!path.starts_with('/')) return s;
    auto const parts = segments_of(path);
    bool const core = parts[0] == "api";
    std::size_t at = core ? 2 : 3; // of what follows the version
    if ((!core && parts[0] != "apis") || parts.size() <= at) return s;
    if (!core) s.group = parts[1];
    s.version = parts[at - 1];
    std::string shown;
    for (std::size_t i = 0; i < at; ++i) shown.append("/").append(parts[i]);
    auto const rest = parts.size() - at;
    // Of `namespaces/a/status` and `namespaces/a/finalize` the namespace itself is the object.
    bool const of_namespace =
        parts[at] == "namespaces" &&
        (rest <= 2 || (core && rest == 3 && (parts[at + 2] == "status" || parts[at + 2] == "finalize")));
    if (parts[at] == "namespaces" && !of_namespace) {
        s.namespace_ = parts[at + 1];
        shown += "/namespaces/{namespace}";
        at += 2;
    }
    s.resource = parts[at];
    shown.append("/").append(parts[at]);
    if (at + 1 < parts.size()) {
        s.name = parts[at + 1];
        shown += "/{name}";
    }
    if (of_namespace) s.namespace_ = s.name;
    if (at + 2 < parts.size()) {
        s.subresource = parts[at + 2];
        shown.append("/").append(parts[at + 2]);
    }
    if (at + 3 < parts.size()) shown += "/{path}"; // behind a proxy anything may follow
    s.path_template = std::move(shown);
    s.verb = verb_of(method, query, !s.name.empty());
    return s;
}

} // namespace kftrain::kube
