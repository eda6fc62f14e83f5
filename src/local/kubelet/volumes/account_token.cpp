#include "local/kubelet/volumes/account_token.hpp"

#include "base/make_failure.hpp"
#include "local/kubelet/containers/container_security.hpp"
#include "model/json/json_members.hpp"

#include <kftrain/kube/request.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace kftrain::local {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;

constexpr std::int32_t default_token_mode = 0644;
constexpr std::int32_t owner_only = 0600; // pod_volumes adds `fsGroup`

/// The user of all containers, if they have one in common.
/// @par Upstream kubernetes v1.31 `pkg/volume/util/util.go`, `FsUserFrom`
std::optional<std::int64_t> common_user_of(pod const& p) {
    std::optional<std::int64_t> user;
    for (auto const* list : {&p.spec.init_containers, &p.spec.containers})
        for (auto const& c : *list) {
            auto const own = user_of(p, c);
            if (!own || (user && user != own)) return std::nullopt;
            user = own;
        }
    return user;
}

std::string token_request_of(pod const& p, core::service_account_token_projection const& token) {
    json::object reference{{"apiVersion", "v1"}, {"kind", "Pod"}, {"name", p.metadata.name}, {"uid", p.metadata.uid}};
    json::object spec{{"boundObjectRef", std::move(reference)}};
    if (!token.audience.empty()) spec["audiences"] = json::array{token.audience};
    if (token.expiration_seconds) spec["expirationSeconds"] = *token.expiration_seconds;
    return json::serialize(
        json::object{{"apiVersion", "authentication.k8s.io/v1"}, {"kind", "TokenRequest"}, {"spec", std::move(spec)}});
}

/// When to replace a token of this lifetime: upstream's rule without the random part.
std::chrono::seconds renewal_of(std::chrono::seconds lifetime) {
    constexpr std::chrono::seconds shortest{1}, longest = std::chrono::hours(24);
    return std::clamp(lifetime - lifetime / 5, shortest, longest);
}

failure not_fetched(std::string const& why) {
    return make_failure(errc::invalid_argument, "failed to fetch token: " + why);
}

} // namespace

asio::awaitable<result<account_token>> request_account_token(kube::client const& c, pod const& p,
                                                             core::service_account_token_projection const& token,
                                                             std::optional<std::int32_t> default_mode) {
    account_token made;
    auto& file = made.file;
    file.path = token.path;
    file.user = common_user_of(p);
    bool const has_group = p.spec.security_context && p.spec.security_context->fs_group;
    file.mode = file.user || has_group ? owner_only : default_mode.value_or(default_token_mode) & 0777;
    if (leads_out_of_volume(file.path))
        co_return make_failure(errc::invalid_argument, "path \"" + file.path + "\" leads out of the volume");
    std::string const account = p.spec.service_account_name.empty() ? "default" : p.spec.service_account_name;
    auto request = kube::request::get(core::service_account::resource, p.metadata.namespace_, account);
    if (!request) co_return not_fetched(request.error().detail.message);
    request->method = "POST";
    request->target += "/token";
    request->fields.add("Content-Type", "application/json");
    request->body = token_request_of(p, token);
    diagnostics detail;
    kube::call_options how;
    how.with_detail(detail);
    auto [ec, text] = co_await c.async_call(std::move(request), std::move(how), asio::as_tuple(asio::use_awaitable));
    if (ec) co_return not_fetched(detail.message.empty() ? ec.message() : detail.message);
    boost::system::error_code unread;
    auto const answer = json::parse(text, unread);
    auto const* const object = answer.if_object();
    auto const* const status = object != nullptr ? detail::object_in(*object, "status") : nullptr;
    auto const* const spec = object != nullptr ? detail::object_in(*object, "spec") : nullptr;
    auto const* const seconds = spec != nullptr ? spec->if_contains("expirationSeconds") : nullptr;
    if (status == nullptr || detail::text_in(*status, "token").empty() || seconds == nullptr || !seconds->is_int64())
        co_return not_fetched("expected a TokenRequest with a token and expirationSeconds");
    file.data = detail::text_in(*status, "token");
    made.renewal = renewal_of(std::chrono::seconds(seconds->get_int64()));
    co_return made;
}

} // namespace kftrain::local
