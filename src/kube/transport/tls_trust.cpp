#include "kube/transport/tls_trust.hpp"

#include "base/openssl_ptr.hpp"
#include "base/tls_reason.hpp"
#include "kube/http/config_text.hpp"

#include <kftrain/kube/default_config.hpp>

#include <boost/asio/ip/address.hpp>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <new>
#include <vector>

namespace kftrain::kube::detail {

// Classifiers of errors use these numbers without OpenSSL.
static_assert(kftrain::detail::certificate_verify_failed == SSL_R_CERTIFICATE_VERIFY_FAILED);
static_assert(kftrain::detail::tls_reason_mask == ERR_REASON_MASK);

namespace {

constexpr std::size_t longest_name = 200;
constexpr std::size_t most_names = 20;

int check_index() {
    static int const index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
    return index;
}

/// Returns whether `issuer` signed `subject`: its name, its key identifier and the signature fit. Authorities that
/// replace each other may have the same name.
int is_issued(X509_STORE_CTX*, X509* subject, X509* issuer) {
    if (X509_check_issued(issuer, subject) != X509_V_OK) return 0;
    ERR_set_mark();
    int const fits = X509_verify(subject, X509_get0_pubkey(issuer));
    ERR_pop_to_mark();
    return fits == 1 ? 1 : 0;
}

std::string text_of(X509_NAME const* name) {
    openssl_ptr<BIO> const out(BIO_new(BIO_s_mem()));
    if (!out || X509_NAME_print_ex(out.get(), name, 0, XN_FLAG_RFC2253) < 0) return {};
    char* data = nullptr;
    auto const size = BIO_get_mem_data(out.get(), &data);
    return in_quotes(plain(std::string_view(data, static_cast<std::size_t>(size)).substr(0, longest_name)));
}

std::string text_of(ASN1_TIME const* time) {
    std::tm parts{};
    if (ASN1_TIME_to_tm(time, &parts) != 1) return "an unreadable time";
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string text_of(GENERAL_NAME const* name) {
    namespace ip = boost::asio::ip;
    int type = 0;
    auto const* const value = static_cast<ASN1_STRING const*>(GENERAL_NAME_get0_value(name, &type));
    if (type != GEN_DNS && type != GEN_IPADD) return {};
    auto const* const data = ASN1_STRING_get0_data(value);
    auto const size = static_cast<std::size_t>(ASN1_STRING_length(value));
    if (type == GEN_DNS) return plain(std::string(reinterpret_cast<char const*>(data), size).substr(0, longest_name));
    ip::address_v4::bytes_type v4;
    ip::address_v6::bytes_type v6;
    if (size == v4.size()) return std::memcpy(v4.data(), data, size), ip::address_v4(v4).to_string();
    if (size == v6.size()) return std::memcpy(v6.data(), data, size), ip::address_v6(v6).to_string();
    return {};
}

/// Host names and addresses that a server with this certificate may have.
std::vector<std::string> names_in(X509 const* certificate) {
    std::vector<std::string> names;
    auto const release = [](GENERAL_NAMES* p) { GENERAL_NAMES_free(p); };
    std::unique_ptr<GENERAL_NAMES, decltype(release)> const all(
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)), release);
    for (int i = 0; all && i < sk_GENERAL_NAME_num(all.get()); ++i)
        if (auto text = text_of(sk_GENERAL_NAME_value(all.get(), i)); !text.empty()) names.push_back(std::move(text));
    return names;
}

std::string wrong_name(X509 const* certificate, std::string const& wanted) {
    auto const names = names_in(certificate);
    std::string text = "is not valid for " + in_quotes(wanted);
    if (names.empty()) return text + ": it has no subject alternative names";
    text += ", only for ";
    for (std::size_t i = 0; i < names.size() && i < most_names; ++i) text.append(i == 0 ? "" : ", ").append(names[i]);
    if (names.size() > most_names) text += " and " + std::to_string(names.size() - most_names) + " more";
    return text;
}

std::string reason_of(X509_STORE_CTX* context, std::string const& wanted) {
    int const code = X509_STORE_CTX_get_error(context);
    X509* const certificate = X509_STORE_CTX_get_current_cert(context);
    std::string plainly = X509_verify_cert_error_string(code);
    if (certificate == nullptr) return plainly;
    std::string const which = X509_STORE_CTX_get_error_depth(context) == 0
                                  ? "the certificate of the server "
                                  : "the authority's certificate " + text_of(X509_get_subject_name(certificate)) + " ";
    switch (code) {
    case X509_V_ERR_CERT_HAS_EXPIRED: return which + "expired at " + text_of(X509_get0_notAfter(certificate));
    case X509_V_ERR_CERT_NOT_YET_VALID:
        return which + "is not valid before " + text_of(X509_get0_notBefore(certificate));
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return which + wrong_name(certificate, wanted);
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        return "the certificate of the server is signed by an unknown authority, " +
               text_of(X509_get_issuer_name(certificate));
    default: return which + "is refused: " + plainly;
    }
}

int note_refusal(int ok, X509_STORE_CTX* context) {
    if (ok == 1) return ok;
    auto* const handle = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx()));
    auto* const check =
        handle == nullptr ? nullptr : static_cast<server_check*>(SSL_get_ex_data(handle, check_index()));
    if (check == nullptr) return ok;
    try {
        check->why = reason_of(context, check->name);
    } catch (...) { // NOLINT(bugprone-empty-catch): no exception may pass through C
    }
    return ok;
}

// OpenSSL has one default place, which is that of the distribution it was built on.
constexpr std::array files_of_distributions = {
    "/etc/ssl/certs/ca-certificates.crt",                // Debian, Ubuntu, Arch Linux, Gentoo, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",                  // Fedora, RHEL
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // the same, in newer releases
    "/etc/ssl/ca-bundle.pem",                            // SUSE
    "/etc/ssl/cert.pem",                                 // Alpine without the package ca-certificates
};
constexpr std::array directories_of_distributions = {"/etc/ssl/certs"};

/// Returns the file or directory that SSL_CTX_set_default_verify_paths() loads; empty if it loads none.
std::string openssl_authorities() {
    for (auto const* const name : {X509_get_default_cert_file_env(), X509_get_default_cert_dir_env()})
        if (auto const* const value = std::getenv(name); value != nullptr && *value != '\0') return value;
    std::array const file = {X509_get_default_cert_file()};
    std::array const directory = {X509_get_default_cert_dir()};
    return find_authorities(file, directory);
}

} // namespace

std::size_t trust_bundle(SSL_CTX* context, std::string const& bundle) {
    openssl_ptr<BIO> const from(BIO_new_mem_buf(bundle.data(), static_cast<int>(bundle.size())));
    X509_STORE* const store = SSL_CTX_get_cert_store(context);
    std::size_t count = 0;
    while (BIO_pending(from.get()) > 0) {
        openssl_ptr<X509> const certificate(PEM_read_bio_X509(from.get(), nullptr, nullptr, nullptr));
        if (certificate && X509_STORE_add_cert(store, certificate.get()) == 1) ++count;
    }
    ERR_clear_error(); // the end of the bundle counts as one
    return count;
}

void set_chain_rules(SSL_CTX* context) {
    X509_STORE* const store = SSL_CTX_get_cert_store(context);
    X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
    X509_STORE_set_check_issued(store, &is_issued);
}

void explain_refusal(SSL* handle, server_check& check) {
    if (SSL_get_verify_mode(handle) == SSL_VERIFY_NONE) return;
    if (SSL_set_ex_data(handle, check_index(), &check) != 1) throw std::bad_alloc();
    SSL_set_verify(handle, SSL_get_verify_mode(handle), &note_refusal);
}

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
    ERR_clear_error(); // an unreadable file adds no trust
}

} // namespace kftrain::kube::detail

namespace kftrain::kube {

std::string find_system_authorities() {
    if (auto own = detail::openssl_authorities(); !own.empty()) return own;
    return detail::find_authorities(detail::files_of_distributions, detail::directories_of_distributions);
}

} // namespace kftrain::kube
