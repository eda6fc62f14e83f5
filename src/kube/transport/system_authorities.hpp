#ifndef KFTRAIN_SRC_KUBE_SYSTEM_AUTHORITIES_HPP
#define KFTRAIN_SRC_KUBE_SYSTEM_AUTHORITIES_HPP

#include <openssl/types.h>

#include <span>
#include <string>

namespace kftrain::kube::detail {

/// Returns the first of these files that exists, else the first of these directories that is not empty, else nothing.
std::string find_authorities(std::span<char const* const> files, std::span<char const* const> directories);

/// Trusts the authorities that find_system_authorities() finds.
void trust_system(SSL_CTX* context);

} // namespace kftrain::kube::detail

#endif
