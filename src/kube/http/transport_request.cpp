#include "kube/http/transport_request.hpp"

#include "base/ascii.hpp"
#include "base/failure_at.hpp"
#include "kube/http/config_text.hpp"
#include "kube/http/header_fields.hpp"
#include "kube/http/redaction.hpp"

#include <kftrain/version.hpp>

#include <boost/url/parse.hpp>

#include <algorithm>

namespace kftrain::kube::detail {
namespace {

bool is_visible(char c) { return c > ' ' && c < '\x7f'; }
bool is_token(std::string_view s) {
    constexpr std::string_view separators = "()<>@,;:\\\"/[]?={}";
    return !s.empty() && std::all_of(s.begin(), s.end(), [&](char c) {
        return is_visible(c) && separators.find(c) == std::string_view::npos;
    });
}
bool is_field_value(std::string_view s) {
    return std::none_of(s.begin(), s.end(),
                        [](char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f'; });
}

} // namespace

result<server_url> parse_server_url(std::string_view text, bool secrets) {
    std::string full(text);
    if (full.find("://") == std::string::npos) full.insert(0, secrets ? "https://" : "http://");
    auto const parsed = boost::urls::parse_uri(full);
    auto const bad = [&] {
        return failure_at("server", "expected a URL like https://host:port, got \"" + without_userinfo(text) + "\"");
    };
    auto const scheme = parsed ? to_lower(parsed->scheme()) : std::string();
    if (scheme != "https" && scheme != "http") return bad();
    if (parsed->has_userinfo())
        return failure_at("server",
                          "user names and passwords in a URL are not supported: \"" + without_userinfo(text) + "\"");
    if (auto const path = parsed->encoded_path(); !path.empty() && !path.starts_with('/'))
        return bad(); // after "host:"
    server_url u;
    u.tls = scheme == "https";
    u.host = parsed->host_address();
    if (u.host.empty()) u.host = "localhost";
    if (!is_host(u.host)) return bad(); // it is written into requests, decoded
    u.port = parsed->has_port() && !parsed->port().empty() ? std::string(parsed->port()) : u.tls ? "443" : "80";
    if (!is_port(u.port))
        return failure_at("server", "expected a port from 1 to 65535, got \"" + without_userinfo(text) + "\"");
    u.authority = parsed->encoded_host().empty() ? u.host : std::string(parsed->encoded_host());
    if (parsed->has_port() && !parsed->port().empty()) u.authority += ":" + u.port;
    u.prefix = std::string(parsed->encoded_path());
    while (u.prefix.ends_with('/')) u.prefix.pop_back();
    return u;
}

result<std::string> write_request(http_request const& r, server_url const& server, std::string_view authorization,
                                  http_fields const& impersonated) {
    if (!is_token(r.method)) return failure_at("method", "expected an HTTP method, got \"" + r.method + "\"");
    if (!r.target.starts_with('/') || !std::all_of(r.target.begin(), r.target.end(), is_visible))
        return failure_at("target", "expected a percent-encoded path, got \"" + r.target + "\"");
    std::string text;
    text.reserve(512 + r.body.size());
    auto const add = [&](std::string_view name, std::string_view value) {
        text.append(name).append(": ").append(value).append("\r\n");
    };
    text.append(r.method).append(" ").append(server.prefix).append(r.target).append(" HTTP/1.1\r\n");
    add("Host", server.authority);
    bool usable = true;
    std::string_view unusable;
    auto const add_all = [&](http_fields const& fields) {
        for (auto const& [name, value] : fields) {
            if (usable && !(is_token(name) && is_field_value(value))) usable = false, unusable = name;
            add(name, value);
        }
    };
    add_all(r.fields);
    if (r.fields.get("Impersonate-User").empty()) add_all(impersonated);
    if (!usable)
        return failure_at("fields", "the name of header \"" + std::string(unusable) +
                                        "\" is invalid, or its value contains control characters");
    if (r.fields.get("User-Agent").empty())
        add("User-Agent", "kftrain/" + std::string(version()) + " (" + std::string(own_platform()) + ")");
    if (r.fields.get("Accept").empty()) add("Accept", "application/json");
    if (!authorization.empty() && r.fields.get("Authorization").empty()) {
        if (!is_field_value(authorization)) return failure_at("token", "the credentials contain control characters");
        add("Authorization", authorization);
    }
    if (!r.body.empty() || r.method == "POST" || r.method == "PUT" || r.method == "PATCH")
        add("Content-Length", std::to_string(r.body.size()));
    return text.append("\r\n").append(r.body);
}

} // namespace kftrain::kube::detail
