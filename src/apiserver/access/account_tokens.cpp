#include "apiserver/access/account_tokens.hpp"

#include "apiserver/json/json_access.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "base/joined.hpp"
#include "model/scalars/base64.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <random>

namespace kftrain::apiserver {
namespace {

constexpr std::string_view claims_name = "kubernetes.io";

/// RFC 4648, section 5, without padding.
std::string url_encoded(std::string_view bytes) {
    auto text = base64_encode(bytes);
    for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
    while (text.ends_with('=')) text.pop_back();
    return text;
}

std::optional<std::string> url_decoded(std::string_view text) {
    std::string padded(text);
    for (char& c : padded) c = c == '-' ? '+' : c == '_' ? '/' : c;
    while (padded.size() % 4 != 0) padded += '=';
    return base64_decode(padded);
}

std::int64_t seconds_of(time_point t) {
    return std::chrono::duration_cast<std::chrono::seconds>(t.time_since_epoch()).count();
}

/// As Go prints a slice of strings with `%q`.
std::string print_list(std::vector<std::string> const& texts) { return "[" + joined(texts, " ", in_quotes) + "]"; }

/// The error message for a token that both authenticators of a server reject.
std::string invalid(std::string const& why) { return "[invalid bearer token, " + why + "]"; }

bool contains(std::vector<std::string> const& list, std::string_view one) {
    return std::ranges::find(list, one) != list.end();
}

json::object named(std::string_view name, std::string_view uid) {
    json::object out;
    out["name"] = key(name);
    out["uid"] = key(uid);
    return out;
}

} // namespace

account_tokens::account_tokens() {
    std::random_device system;
    for (int word = 0; word < 8; ++word) {
        auto const bits = system();
        for (unsigned shift = 0; shift < 32; shift += 8) key_ += static_cast<char>(bits >> shift & 0xFFU);
    }
}

std::string const& account_tokens::api_audience() {
    static std::string const issuer = "https://kubernetes.default.svc.cluster.local";
    return issuer;
}

std::string account_tokens::sign(std::string_view text) const {
    std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
    unsigned size = 0;
    HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()), reinterpret_cast<unsigned char const*>(text.data()),
         text.size(), out.data(), &size);
    return url_encoded(std::string_view(reinterpret_cast<char const*>(out.data()), size));
}

std::string account_tokens::issue(std::string_view ns, std::string_view account, std::string_view account_uid,
                                  bound_object const& bound, time_point now,
                                  std::optional<std::chrono::seconds> lifetime,
                                  std::vector<std::string> const& audiences) const {
    json::object of_cluster, claims;
    of_cluster["namespace"] = key(ns);
    of_cluster["serviceaccount"] = named(account, account_uid);
    if (!bound.uid.empty()) of_cluster[bound.claim] = named(bound.name, bound.uid);
    claims["aud"] =
        audiences.empty() ? json::array{key(api_audience())} : json::array(audiences.begin(), audiences.end());
    claims["iss"] = key(api_audience());
    claims["iat"] = claims["nbf"] = seconds_of(now);
    if (lifetime) claims["exp"] = seconds_of(now) + lifetime->count();
    claims["sub"] = "system:serviceaccount:" + std::string(ns) + ":" + std::string(account);
    claims[key(claims_name)] = std::move(of_cluster);
    auto text = url_encoded(R"({"alg":"HS256","typ":"JWT"})") + "." + url_encoded(json::serialize(claims));
    return text + "." + sign(text);
}

account_tokens::outcome account_tokens::read(std::string_view token, object_store const& store, time_point now,
                                             std::vector<std::string> const& audiences) const {
    std::string unknown = "invalid bearer token";
    auto const last = token.rfind('.');
    auto const first = token.find('.');
    if (token.size() > longest_token || last == token.npos || first == last) return unknown;
    auto const signature = sign(token.substr(0, last));
    auto const given = token.substr(last + 1);
    if (given.size() != signature.size() || CRYPTO_memcmp(given.data(), signature.data(), given.size()) != 0)
        return unknown;
    auto const text = url_decoded(token.substr(first + 1, last - first - 1));
    auto const claims = text ? parse_object(*text) : answer<json::object>(refusal());
    auto const* const of_cluster = claims ? object_in(*claims, claims_name) : nullptr;
    auto const* const account = of_cluster != nullptr ? object_in(*of_cluster, "serviceaccount") : nullptr;
    if (account == nullptr) return unknown;
    authenticated_token out;
    std::vector<std::string> own;
    if (auto const* const list = array_in(*claims, "aud"))
        for (auto const& audience : *list) own.emplace_back(audience.get_string());
    auto const wanted = audiences.empty() ? std::vector{api_audience()} : audiences;
    std::ranges::copy_if(own, std::back_inserter(out.audiences), [&](auto const& a) { return contains(wanted, a); });
    if (out.audiences.empty())
        return invalid("token audiences " + print_list(own) + " is invalid for the target audiences " +
                       print_list(wanted));
    if (auto const end = integer_in(*claims, "exp"); end && seconds_of(now) >= *end)
        return invalid("service account token has expired");
    std::string const ns(text_in(*of_cluster, "namespace"));
    auto const exists = [&](std::string_view plural, json::object const& claim) {
        auto const kind = store.find("", "v1", plural);
        auto const found = kind ? store.get(*kind, ns, text_in(claim, "name")) : answer<object_ptr>(refusal());
        return found && (*found)->uid() == text_in(claim, "uid");
    };
    // Pods may name an account that does not exist.
    if (!text_in(*account, "uid").empty() && !exists("serviceaccounts", *account))
        return invalid("serviceaccounts " + in_quotes(text_in(*account, "name")) + " not found");
    auto const* const pod = object_in(*of_cluster, "pod");
    auto const* const secret = object_in(*of_cluster, "secret");
    if ((pod != nullptr && !exists("pods", *pod)) || (secret != nullptr && !exists("secrets", *secret)))
        return invalid("service account token has been invalidated");
    out.user = user_info::service_account(ns, std::string(text_in(*account, "name")));
    out.user.uid = text_in(*account, "uid");
    if (pod != nullptr)
        for (auto const* part : {"name", "uid"})
            out.user.extra["authentication.kubernetes.io/pod-" + std::string(part)] = {
                std::string(text_in(*pod, part))};
    return out;
}

void account_tokens::add_users(std::weak_ptr<void const> owner, user_lookup find) {
    std::erase_if(lists_, [](auto const& list) { return list.first.expired(); });
    lists_.emplace_back(std::move(owner), std::move(find));
}

account_tokens::outcome account_tokens::authenticate(std::string_view token, object_store const& store, time_point now,
                                                     std::vector<std::string> const& audiences) const {
    if (audiences.empty() || contains(audiences, api_audience()))
        for (auto const& [owner, find] : lists_) {
            auto const alive = owner.lock();
            auto const user = alive ? find(token) : nullptr;
            if (user == nullptr) continue;
            authenticated_token out;
            out.user = *user;
            out.audiences = {api_audience()};
            return out;
        }
    return read(token, store, now, audiences);
}

} // namespace kftrain::apiserver
