#ifndef KFTRAIN_SRC_APISERVER_ACCESS_ACCOUNT_TOKENS_HPP
#define KFTRAIN_SRC_APISERVER_ACCESS_ACCOUNT_TOKENS_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/apiserver/user_info.hpp>
#include <kftrain/model/meta.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::apiserver {

/// The user of a token, and which of the requested audiences the token is for.
struct authenticated_token {
    authenticated_token() = default;

    user_info user;
    std::vector<std::string> audiences;
};

/// An object without which a token is not valid.
struct bound_object {
    std::string claim; ///< its name in the claims: `pod` or `secret`
    std::string name;
    std::string uid; ///< empty: the token is bound to no object
};

/** Issues and reads tokens of service accounts: JSON Web Tokens, signed with a random key by HMAC-SHA256. Nothing is
    stored for a token. Also finds the users of the tokens that listeners know.
    @par Upstream kubernetes `pkg/serviceaccount/claims.go` and `jwt.go`, v1.31, whose claims and errors they have; RFC
    7519 */
class account_tokens {
public:
    /// A user, or the error message of a server that rejects the token.
    using outcome = boost::system::result<authenticated_token, std::string>;
    using user_lookup = std::function<std::shared_ptr<user_info const>(std::string_view token)>;

    /// In bytes: read() rejects longer ones.
    static constexpr std::size_t longest_token = 4096;

    account_tokens();

    /// The audience of this API server, for which tokens are valid by default.
    static std::string const& api_audience();

    /// @param account_uid Unless empty: the token is valid only while this account exists
    /// @param bound The token is valid only while this object exists
    /// @param audiences Empty: this API server
    std::string issue(std::string_view ns, std::string_view account, std::string_view account_uid,
                      bound_object const& bound, time_point now, std::optional<std::chrono::seconds> lifetime = {},
                      std::vector<std::string> const& audiences = {}) const;
    /// Returns the service account of a token that is for one of the audiences; without audiences, for this API server.
    outcome read(std::string_view token, object_store const&, time_point now,
                 std::vector<std::string> const& audiences = {}) const;

    /// Adds users with fixed tokens, which are for this API server, for the lifetime of `owner`.
    void add_users(std::weak_ptr<void const> owner, user_lookup find);
    /// As read(), also for these users.
    outcome authenticate(std::string_view token, object_store const&, time_point now,
                         std::vector<std::string> const& audiences) const;

private:
    std::string sign(std::string_view text) const;

    std::string key_;
    std::vector<std::pair<std::weak_ptr<void const>, user_lookup>> lists_;
};

} // namespace kftrain::apiserver

#endif
