#include "kube/http/request_parts.hpp"

#include "base/ascii.hpp"

#include <kftrain/kube/request_report.hpp>

#include <array>

namespace kftrain::kube {
namespace {

/// Whether the query has `key=true` or `key=1`.
bool is_set(std::string_view query, std::string_view key) {
    while (!query.empty()) {
        auto const end = query.find('&');
        auto const one = query.substr(0, end);
        if (one.starts_with(key) && (one.substr(key.size()) == "=true" || one.substr(key.size()) == "=1")) return true;
        query.remove_prefix(end == query.npos ? query.size() : end + 1);
    }
    return false;
}

/// Empty for a method that none of the verbs stands for.
std::string_view verb_of(std::string_view method, std::string_view query, bool named) {
    if (method == "POST") return "create";
    if (method == "PUT") return "update";
    if (method == "PATCH") return "patch";
    if (method == "DELETE") return named ? "delete" : "deletecollection";
    if (method != "GET" && method != "HEAD") return {};
    if (is_set(query, "watch")) return "watch";
    return named ? "get" : "list";
}

/// Cuts the first segment and the slash before it off a path.
std::string_view cut_segment(std::string_view& path) {
    if (path.empty()) return {};
    auto const segment = path.substr(1, path.find('/', 1) - 1);
    path.remove_prefix(1 + segment.size());
    return segment;
}

} // namespace

bool request_subject::mutates() const noexcept {
    static constexpr std::array<std::string_view, 6> reading{"get", "list", "watch", "head", "options", ""};
    for (auto const reading_verb : reading)
        if (verb == reading_verb) return false;
    return true;
}

namespace detail {

request_parts parts_of(std::string_view method, std::string_view target) {
    request_parts p;
    auto const mark = target.find('?');
    p.path = target.substr(0, mark);
    auto const query = mark == target.npos ? std::string_view() : target.substr(mark + 1);
    auto rest = p.path;
    if (!rest.starts_with('/')) return p;
    auto const root = cut_segment(rest);
    auto const group = root == "apis" ? cut_segment(rest) : std::string_view();
    auto const version = cut_segment(rest);
    if ((root != "api" && root != "apis") || rest.empty()) return p;
    p.group = group;
    p.version = version;
    p.api = p.path.substr(0, p.path.size() - rest.size());
    p.resource = cut_segment(rest);
    if (p.resource == "namespaces" && !rest.empty()) {
        p.namespace_ = cut_segment(rest);
        // Of `namespaces/a/status` and `namespaces/a/finalize` the namespace itself is the object.
        p.in_namespace = !rest.empty() && (root != "api" || (rest != "/status" && rest != "/finalize"));
        if (p.in_namespace)
            p.resource = cut_segment(rest);
        else
            p.name = p.namespace_;
    }
    if (p.name.empty()) p.name = cut_segment(rest);
    p.subresource = cut_segment(rest);
    p.continues = !rest.empty(); // behind a proxy anything may follow
    p.verb = verb_of(method, query, !p.name.empty());
    return p;
}

} // namespace detail

request_subject subject_of(std::string_view method, std::string_view target) {
    auto const p = detail::parts_of(method, target);
    request_subject s;
    s.verb = p.verb.empty() ? to_lower(method) : std::string(p.verb);
    s.group = p.group;
    s.version = p.version;
    s.namespace_ = p.namespace_;
    s.resource = p.resource;
    s.subresource = p.subresource;
    s.name = p.name;
    s.path_template = p.resource.empty() ? p.path : p.api;
    if (p.resource.empty()) return s;
    s.path_template.append(p.in_namespace ? "/namespaces/{namespace}/" : "/").append(p.resource);
    if (!p.name.empty()) s.path_template += "/{name}";
    if (!p.subresource.empty()) s.path_template.append("/").append(p.subresource);
    if (p.continues) s.path_template += "/{path}";
    return s;
}

} // namespace kftrain::kube
