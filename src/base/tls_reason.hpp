#ifndef KFTRAIN_SRC_BASE_TLS_REASON_HPP
#define KFTRAIN_SRC_BASE_TLS_REASON_HPP

// Numbers of OpenSSL for a layer that does not include it.
namespace kftrain::detail {

/// ERR_REASON_MASK
inline constexpr int tls_reason_mask = 0x7fffff;
/// SSL_R_CERTIFICATE_VERIFY_FAILED
inline constexpr int certificate_verify_failed = 134;

} // namespace kftrain::detail

#endif
