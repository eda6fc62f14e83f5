#ifndef KFTRAIN_SRC_APISERVER_ACCESS_ACCOUNT_TOKENS_HPP
#define KFTRAIN_SRC_APISERVER_ACCESS_ACCOUNT_TOKENS_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/apiserver/user_info.hpp>
#include <kftrain/model/meta.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::apiserver {

/** Issues and reads tokens of service accounts: JSON Web Tokens, signed with a random key by HMAC-SHA256. Nothing is
    stored for a token.
    @par Upstream kubernetes `pkg/serviceaccount/claims.go`, v1.31, whose claims they have; RFC 7519 */
class account_tokens {
public:
    /// The audience of the API server.
    static constexpr std::string_view issuer = "https://kubernetes.default.svc.cluster.local";

    account_tokens();

    /// @param account_uid Unless empty: the token is valid only while this account exists
    /// @param pod With a name and a uid: the token is valid only while this pod exists
    /// @param audiences Empty: this server
    std::string issue(std::string_view ns, std::string_view account, std::string_view account_uid,
                      object_meta const& pod, time_point now, std::optional<std::chrono::seconds> lifetime = {},
                      std::vector<std::string> const& audiences = {}) const;
    /// Returns the service account; nothing for a text that is no valid token for this server.
    std::optional<user_info> read(std::string_view token, object_store const&, time_point now) const;

private:
    std::string sign(std::string_view text) const;

    std::string key_;
};

} // namespace kftrain::apiserver

#endif
