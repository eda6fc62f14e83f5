#include "apiserver/rest/request_target.hpp"

#include "apiserver/refusals/refusals.hpp"
#include "base/whole_number.hpp"
#include "model/json/json_text.hpp"

#include <algorithm>
#include <cctype>

namespace kftrain::apiserver {
namespace {

int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool is_utf8(std::string_view s) { return kftrain::detail::find_invalid_utf8(s) == s.npos; }

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

std::optional<std::string> percent_decoded(std::string_view s, bool plus_is_space) {
    std::string out;
    out.reserve(s.size());
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s[i] == '+' && plus_is_space) {
            out += ' ';
        } else if (s[i] == '%') {
            if (i + 2 >= s.size() || hex(s[i + 1]) < 0 || hex(s[i + 2]) < 0) return std::nullopt;
            out += static_cast<char>(hex(s[i + 1]) * 16 + hex(s[i + 2]));
            i += 2;
        } else {
            out += s[i];
        }
    }
    if (!is_utf8(out)) return std::nullopt; // could be in no answer
    return out;
}

answer<request_target> request_target::parse(std::string_view target) {
    request_target out;
    auto const wrong = [&] { return bad_request("invalid request target " + in_quotes(target)); };
    if (!is_utf8(target)) return bad_request("invalid request target: expected UTF-8");
    if (!target.starts_with('/')) return wrong();
    auto const question = target.find('?');
    auto path = target.substr(0, question);
    while (!path.empty()) {
        path.remove_prefix(1);
        auto const end = std::min(path.find('/'), path.size());
        auto segment = percent_decoded(path.substr(0, end), false);
        if (!segment) return wrong();
        if (!segment->empty()) out.path_.push_back(std::move(*segment));
        path.remove_prefix(end);
    }
    if (question == std::string_view::npos) return out;
    auto query = target.substr(question + 1);
    while (!query.empty()) {
        auto const end = std::min(query.find('&'), query.size());
        auto const item = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        if (item.empty()) continue;
        auto const equals = std::min(item.find('='), item.size());
        auto name = percent_decoded(item.substr(0, equals), true);
        auto value = percent_decoded(item.substr(std::min(equals + 1, item.size())), true);
        if (!name || !value)
            return bad_request("invalid request target: query parameter " + in_quotes(item.substr(0, equals)) +
                               ": expected UTF-8 in percent-encoding, got " +
                               in_quotes(item.substr(std::min(equals + 1, item.size()))));
        out.query_.emplace_back(std::move(*name), std::move(*value));
    }
    return out;
}

std::string_view request_target::get(std::string_view name) const noexcept {
    for (auto const& [n, v] : query_)
        if (n == name) return v;
    return {};
}

std::vector<std::string> request_target::get_all(std::string_view name) const {
    std::vector<std::string> all;
    for (auto const& [key, value] : query_)
        if (key == name) all.push_back(value);
    return all;
}

bool request_target::has(std::string_view name) const noexcept {
    for (auto const& [n, v] : query_)
        if (n == name) return true;
    return false;
}

bool request_target::flag(std::string_view name) const noexcept {
    auto const v = get(name);
    return has(name) && v != "0" && v != "false" && v != "False" && v != "FALSE";
}

answer<std::optional<std::int64_t>> request_target::number(std::string_view name) const {
    auto const v = get(name);
    if (v.empty()) return std::optional<std::int64_t>();
    auto const n = read_whole_number<std::int64_t>(v);
    if (!n) return bad_request(std::string(name) + ": " + invalid_value(v, "expected a whole number"));
    return n;
}

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
