#ifndef KFTRAIN_APISERVER_TLS_IDENTITY_HPP
#define KFTRAIN_APISERVER_TLS_IDENTITY_HPP

#include <kftrain/apiserver/user_info.hpp>
#include <kftrain/base/diagnostics.hpp>

#include <string>
#include <vector>

namespace kftrain::apiserver {

/// The certificate and key of a TLS server, of a client, or of an authority that signs client certificates.
struct tls_identity {
    tls_identity() = default;

    std::string certificate_pem; ///< the certificate, then its chain
    std::string key_pem;
};

/** Creates a P-256 key and a self-signed certificate, valid from one hour ago for one year, for `localhost`,
    `127.0.0.1`, `::1`, `kubernetes`, `kubernetes.default`, `kubernetes.default.svc`,
    `kubernetes.default.svc.cluster.local` and `extra_names` (DNS names or addresses). The certificate is its own
    authority: use it as the `certificate-authority-data` of a kubeconfig.
    @par Errors `errc::invalid_argument` for a name with invalid characters; `errc::not_supported` if OpenSSL fails. */
[[nodiscard]] result<tls_identity> make_self_signed_identity(std::vector<std::string> const& extra_names = {});

/** Creates a P-256 key and the certificate of an authority for client certificates, valid from one hour ago for one
    year. Its certificate is a value of listener_options::client_ca_pem.
    @par Errors `errc::not_supported` if OpenSSL fails. */
[[nodiscard]] result<tls_identity> make_client_authority();

/** Creates a P-256 key and a client certificate that `authority` signs, valid from one hour ago for one year. The
    common name is the name of the user, and each group is an organization; `uid` and `extra` have no place in it.
    @par Errors `errc::invalid_argument` for a name or a group that is not 1 to 64 characters of UTF-8, as X.509
    demands, and for an unusable authority; `errc::not_supported` if OpenSSL fails.
    @par Upstream kubernetes `staging/src/k8s.io/apiserver/pkg/authentication/request/x509`, v1.32 */
[[nodiscard]] result<tls_identity> make_client_identity(tls_identity const& authority, user_info const& user);

} // namespace kftrain::apiserver

#endif
