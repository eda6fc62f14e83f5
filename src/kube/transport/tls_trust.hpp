#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_TLS_TRUST_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_TLS_TRUST_HPP

#include <openssl/types.h>

#include <cstddef>
#include <span>
#include <string>

namespace kftrain::kube::detail {

/// How a handshake judged the certificate of its server.
struct server_check {
    server_check() = default;

    std::string name; ///< the name that the certificate must have
    std::string why;  ///< the reason of a refusal; empty if the certificate was accepted
};

/** Trusts every certificate of a PEM bundle, and returns their number. Ignores blocks without a readable certificate.
    @par Upstream Go `crypto/x509`, `CertPool.AppendCertsFromPEM` */
std::size_t trust_bundle(SSL_CTX* context, std::string const& bundle);

/** Lets chains end at any trusted certificate, also an intermediate one or that of the server, and tries all trusted
    certificates with the name of an issuer until a signature fits.
    @par Upstream Go `crypto/x509`, `Certificate.Verify` */
void set_chain_rules(SSL_CTX* context);

/// Notes in `check`, which must live as long as `handle`, why the handshake refuses the certificate of the server.
void explain_refusal(SSL* handle, server_check& check);

/// Returns the first of these files that exists, else the first of these directories that is not empty, else nothing.
std::string find_authorities(std::span<char const* const> files, std::span<char const* const> directories);

/// Trusts the authorities that find_system_authorities() finds.
void trust_system(SSL_CTX* context);

} // namespace kftrain::kube::detail

#endif
