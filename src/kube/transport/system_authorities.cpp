#include "kube/transport/system_authorities.hpp"

#include <kftrain/kube/default_config.hpp>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <cstdlib>
#include <filesystem>

namespace kftrain::kube {
namespace detail {
namespace {

// OpenSSL has one default place, which is that of the distribution it was built on.
constexpr std::array files_of_distributions = {
    "/etc/ssl/certs/ca-certificates.crt",                // Debian, Ubuntu, Arch Linux, Gentoo, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",                  // Fedora, RHEL
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // the same, in newer releases
    "/etc/ssl/ca-bundle.pem",                            // SUSE
    "/etc/ssl/cert.pem",                                 // Alpine without the package ca-certificates
};
constexpr std::array directories_of_distributions = {"/etc/ssl/certs"};

/// What SSL_CTX_set_default_verify_paths() loads; empty if that is nothing.
std::string openssl_authorities() {
    for (auto const* const name : {X509_get_default_cert_file_env(), X509_get_default_cert_dir_env()})
        if (auto const* const value = std::getenv(name); value != nullptr && *value != '\0') return value;
    std::array const file = {X509_get_default_cert_file()};
    std::array const directory = {X509_get_default_cert_dir()};
    return find_authorities(file, directory);
}

} // namespace

std::string find_authorities(std::span<char const* const> files, std::span<char const* const> directories) {
    std::error_code ec;
    for (auto const* const file : files)
        if (std::filesystem::is_regular_file(file, ec)) return file;
    for (auto const* const directory : directories)
        if (std::filesystem::is_directory(directory, ec) && !std::filesystem::is_empty(directory, ec) && !ec)
            return directory;
    return {};
}

void trust_system(SSL_CTX* context) {
    SSL_CTX_set_default_verify_paths(context);
    if (openssl_authorities().empty()) {
        if (auto const found = find_system_authorities(); !found.empty()) {
            std::error_code ec;
            bool const is_directory = std::filesystem::is_directory(found, ec);
            SSL_CTX_load_verify_locations(context, is_directory ? nullptr : found.c_str(),
                                          is_directory ? found.c_str() : nullptr);
        }
    }
    ERR_clear_error(); // a file that cannot be read trusts nobody
}

} // namespace detail

std::string find_system_authorities() {
    if (auto own = detail::openssl_authorities(); !own.empty()) return own;
    return detail::find_authorities(detail::files_of_distributions, detail::directories_of_distributions);
}

} // namespace kftrain::kube
