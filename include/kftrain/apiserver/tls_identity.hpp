#ifndef KFTRAIN_APISERVER_TLS_IDENTITY_HPP
#define KFTRAIN_APISERVER_TLS_IDENTITY_HPP

#include <kftrain/base/diagnostics.hpp>

#include <string>
#include <vector>

namespace kftrain::apiserver {

/// What a TLS server shows.
struct tls_identity {
    tls_identity() = default;

    std::string certificate_pem; ///< the certificate, then its chain
    std::string key_pem;
};

/** Makes a P-256 key and a certificate signed with it, valid from an hour ago for a year, for `localhost`, `127.0.0.1`,
    `::1`, `kubernetes`, `kubernetes.default`, `kubernetes.default.svc`, `kubernetes.default.svc.cluster.local` and
    `extra_names` (DNS names or addresses). The certificate is its own authority: it goes into the
    `certificate-authority-data` of a kubeconfig.
    @par Errors `errc::invalid_argument` for a name with characters that no name has; `errc::not_supported` if OpenSSL
    fails. */
result<tls_identity> make_self_signed_identity(std::vector<std::string> const& extra_names = {});

} // namespace kftrain::apiserver

#endif
