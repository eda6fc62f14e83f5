#ifndef KFTRAIN_SRC_KUBE_CREDENTIALS_OIDC_TOKEN_HPP
#define KFTRAIN_SRC_KUBE_CREDENTIALS_OIDC_TOKEN_HPP

/** @file
    Texts that are exchanged with a provider of OpenID Connect.
    @par Upstream client-go `plugin/pkg/client/auth/oidc/oidc.go`; RFC 6749 §2.3.1, §6; OpenID Connect Discovery 1.0 */

#include "kube/credentials/renewed_source.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/kube/message.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain::kube::detail {

/// The expiry in a token, which is not verified here; empty if it has none.
std::optional<obtained_credential::clock::time_point> expiry_of(std::string_view id_token);

/// The address that renews tokens.
struct token_endpoint {
    token_endpoint() = default;

    std::string server; ///< URL without path
    std::string target; ///< path and query
    bool takes_basic = true;
};
/// From the provider's own description. Errors: `reason::unauthorized`, with a sentence.
result<token_endpoint> read_discovery(std::string_view text);
/// The request for the next tokens.
http_request refresh_request(token_endpoint const& where, oidc_provider const& provider);
/// The answer of a provider: a token, and perhaps the next refresh token.
struct renewed_tokens {
    renewed_tokens() = default;

    std::string id_token;
    std::string refresh_token; ///< empty: as before
};
result<renewed_tokens> read_renewed_tokens(std::string_view text);

/// @par Errors `errc::invalid_argument` for an issuer that is no `https` URL.
result<std::unique_ptr<credential_source>> make_oidc_source(asio::any_io_executor const& executor, config const& c,
                                                            https_options const& options);

} // namespace kftrain::kube::detail

#endif
