#include "kube/credentials/oidc_token.hpp"

#include "base/ascii.hpp"
#include "base/make_failure.hpp"
#include "kube/http/config_text.hpp"
#include "model/scalars/base64.hpp"

#include <boost/json/parse.hpp>
#include <boost/url/parse.hpp>

#include <algorithm>
#include <utility>

namespace kftrain::kube::detail {
namespace {

using clock_of_tokens = obtained_credential::clock;

failure no_token(std::string message) { return make_failure(reason::unauthorized, std::move(message)); }

/// An object; an empty one for anything else.
boost::json::object object_in(std::string_view text) {
    boost::system::error_code ec;
    auto value = boost::json::parse(text, ec);
    return !ec && value.is_object() ? std::move(value.as_object()) : boost::json::object();
}

std::string text_in(boost::json::object const& object, std::string_view key) {
    auto const* const value = object.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::string form_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (char const c : text) {
        auto const byte = static_cast<unsigned char>(c);
        if (is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~')
            out += c;
        else
            out.append(1, '%').append(1, digits[byte >> 4U]).append(1, digits[byte & 15U]);
    }
    return out;
}

} // namespace

std::optional<clock_of_tokens::time_point> expiry_of(std::string_view id_token) {
    auto const first = id_token.find('.');
    auto const last = id_token.rfind('.');
    if (first == std::string_view::npos || first == last) return {};
    std::string claims(id_token.substr(first + 1, last - first - 1));
    std::replace(claims.begin(), claims.end(), '-', '+');
    std::replace(claims.begin(), claims.end(), '_', '/');
    claims.append((4 - claims.size() % 4) % 4, '=');
    auto const text = base64_decode(claims);
    if (!text) return {};
    auto const object = object_in(*text);
    auto const* const exp = object.if_contains("exp");
    boost::system::error_code ec;
    auto const seconds = exp != nullptr ? exp->to_number<double>(ec) : 0.0;
    constexpr double latest = 9e9; // what the clock can hold
    if (exp == nullptr || ec || !(seconds >= 0 && seconds < latest)) return {};
    return clock_of_tokens::time_point(std::chrono::seconds(static_cast<std::int64_t>(seconds)));
}

result<token_endpoint> read_discovery(std::string_view text) {
    auto const object = object_in(text);
    auto const url = text_in(object, "token_endpoint");
    auto const parsed = boost::urls::parse_uri(url);
    if (!parsed || to_lower(parsed->scheme()) != "https" || parsed->encoded_host().empty() || parsed->has_userinfo())
        return no_token("has no https URL as token_endpoint in its description");
    token_endpoint where;
    where.server = "https://" + std::string(parsed->encoded_host_and_port());
    where.target = parsed->encoded_path().empty() ? "/" : std::string(parsed->encoded_path());
    if (parsed->has_query()) where.target += "?" + std::string(parsed->encoded_query());
    if (auto const* const methods = object.if_contains("token_endpoint_auth_methods_supported");
        methods != nullptr && methods->is_array() && !methods->as_array().empty())
        where.takes_basic =
            std::any_of(methods->as_array().begin(), methods->as_array().end(), [](boost::json::value const& m) {
                return m.is_string() && m.as_string() == "client_secret_basic";
            });
    return where;
}

http_request refresh_request(token_endpoint const& where, oidc_provider const& provider) {
    http_request r;
    r.method = "POST";
    r.target = where.target;
    r.fields.add("Content-Type", "application/x-www-form-urlencoded");
    r.body = "grant_type=refresh_token&refresh_token=" + form_encoded(provider.refresh_token);
    if (!provider.client_secret.empty() && where.takes_basic) {
        auto const pair = form_encoded(provider.client_id) + ":" + form_encoded(provider.client_secret);
        r.fields.add("Authorization", "Basic " + base64_encode(pair));
        return r;
    }
    r.body += "&client_id=" + form_encoded(provider.client_id);
    if (!provider.client_secret.empty()) r.body += "&client_secret=" + form_encoded(provider.client_secret);
    return r;
}

result<renewed_tokens> read_renewed_tokens(std::string_view text) {
    auto const object = object_in(text);
    renewed_tokens tokens;
    tokens.id_token = text_in(object, "id_token");
    tokens.refresh_token = text_in(object, "refresh_token");
    if (tokens.id_token.empty()) return no_token("answered without an id_token");
    if (!refuse_unsendable("", tokens.id_token))
        return no_token("answered with an id_token that contains a control character");
    return tokens;
}

} // namespace kftrain::kube::detail
