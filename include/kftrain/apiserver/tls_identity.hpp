#ifndef KFTRAIN_APISERVER_TLS_IDENTITY_HPP
#define KFTRAIN_APISERVER_TLS_IDENTITY_HPP

#include <kftrain/base/diagnostics.hpp>

#include <string>
#include <vector>

namespace kftrain::apiserver {

/// The certificate and key of a TLS server.
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

} // namespace kftrain::apiserver

#endif
