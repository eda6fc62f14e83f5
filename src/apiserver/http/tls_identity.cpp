#include <kftrain/apiserver/tls_identity.hpp>

#include "apiserver/http/listener_session.hpp"
#include "base/failure_at.hpp"
#include "base/openssl_ptr.hpp"
#include "kube/transport/tls_trust.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

namespace kftrain::apiserver {
namespace {

failure problem(errc code, std::string text) {
    diagnostics d;
    d.message = std::move(text);
    return {code, std::move(d)};
}

bool is_address(std::string const& name) {
    error_code ec;
    boost::asio::ip::make_address(name, ec);
    return !ec;
}

bool is_name(std::string const& name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
               c == '*' || c == '_';
    });
}

std::string text_of(BIO* out) {
    char* data = nullptr;
    auto const size = BIO_get_mem_data(out, &data);
    return std::string(data, static_cast<std::size_t>(size));
}

/// Rejects encrypted keys. Without a callback OpenSSL reads a passphrase from the terminal.
int no_passphrase(char*, int, int, void*) { return 0; }

/// A certificate and its key, which signs itself if it has no signer.
struct certificate_parts {
    openssl_ptr<X509> certificate;
    openssl_ptr<EVP_PKEY> key;
};

using extension_texts = std::vector<std::pair<int, std::string>>;

bool add(X509* certificate, X509* issuer, int what, std::string const& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    openssl_ptr<X509_EXTENSION> const extension(X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str()));
    return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool add_to_name(X509* certificate, char const* field, std::string const& value) {
    auto const* bytes = reinterpret_cast<unsigned char const*>(value.data());
    return !value.empty() && X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), field, MBSTRING_UTF8, bytes,
                                                        static_cast<int>(value.size()), -1, 0) == 1;
}

/// Starts a certificate, which lacks the subject and a signature.
certificate_parts make_parts() {
    certificate_parts out{openssl_ptr<X509>(X509_new()), openssl_ptr<EVP_PKEY>(EVP_EC_gen("P-256"))};
    auto* const certificate = out.certificate.get();
    std::array<unsigned char, 16> serial{};
    if (!out.key || certificate == nullptr || RAND_bytes(serial.data(), static_cast<int>(serial.size())) != 1)
        return {};
    serial[0] = (serial[0] & 0x7f) | 0x40; // positive, and never short
    openssl_ptr<BIGNUM> const number(BN_bin2bn(serial.data(), static_cast<int>(serial.size()), nullptr));
    constexpr long hour = 3600, year = 365 * 24 * hour;
    bool const ok = number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr &&
                    X509_set_version(certificate, X509_VERSION_3) == 1 &&
                    X509_gmtime_adj(X509_getm_notBefore(certificate), -hour) != nullptr &&
                    X509_gmtime_adj(X509_getm_notAfter(certificate), year) != nullptr &&
                    X509_set_pubkey(certificate, out.key.get()) == 1;
    return ok ? std::move(out) : certificate_parts();
}

/// @param signer null: the certificate signs itself
result<tls_identity> sign(certificate_parts const& parts, extension_texts const& extensions,
                          certificate_parts const* signer = nullptr) {
    auto const& by = signer != nullptr ? *signer : parts;
    auto* const certificate = parts.certificate.get();
    bool ok = X509_set_issuer_name(certificate, X509_get_subject_name(by.certificate.get())) == 1;
    for (auto const& [what, value] : extensions) ok = ok && add(certificate, by.certificate.get(), what, value);
    openssl_ptr<BIO> const key_text(BIO_new(BIO_s_mem())), certificate_text(BIO_new(BIO_s_mem()));
    ok = ok && X509_sign(certificate, by.key.get(), EVP_sha256()) != 0 && key_text && certificate_text &&
         PEM_write_bio_X509(certificate_text.get(), certificate) == 1 &&
         PEM_write_bio_PrivateKey(key_text.get(), parts.key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1;
    if (!ok) return problem(errc::not_supported, "OpenSSL failed to create a certificate");
    tls_identity out;
    out.certificate_pem = text_of(certificate_text.get());
    out.key_pem = text_of(key_text.get());
    return out;
}

extension_texts authority_extensions(std::string const& usage) {
    return {{NID_basic_constraints, "critical,CA:TRUE"},
            {NID_key_usage, usage},
            {NID_subject_key_identifier, "hash"},
            {NID_authority_key_identifier, "keyid:always"}};
}

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using tcp = asio::ip::tcp;

class accepted_tls final : public kube::detail::byte_stream {
public:
    accepted_tls(tcp::socket s, std::shared_ptr<ssl::context> context)
        : context_(std::move(context)), stream_(std::move(s), *context_) {}

    void read_some(asio::mutable_buffer into, size_handler handler) override {
        stream_.async_read_some(into, std::move(handler));
    }
    void write_some(asio::const_buffer from, size_handler handler) override {
        stream_.async_write_some(from, std::move(handler));
    }
    void handshake(kube::any_handler<void(error_code)> handler) override {
        stream_.async_handshake(ssl::stream_base::server, std::move(handler));
    }
    void shutdown(kube::any_handler<void(error_code)> handler) override { stream_.async_shutdown(std::move(handler)); }
    tcp::socket& socket() noexcept override { return stream_.next_layer(); }
    SSL* handle() noexcept { return stream_.native_handle(); }

private:
    std::shared_ptr<ssl::context> context_;
    ssl::stream<tcp::socket> stream_;
};

class accepted_tls_factory final : public kube::detail::stream_factory {
public:
    explicit accepted_tls_factory(std::shared_ptr<ssl::context> context) : context_(std::move(context)) {}

    std::unique_ptr<kube::detail::byte_stream> wrap(tcp::socket s) const override {
        return std::make_unique<accepted_tls>(std::move(s), context_);
    }

private:
    std::shared_ptr<ssl::context> context_;
};

/** Asks clients for a certificate, which find_certified_user() checks: a handshake with a wrong one succeeds, as
    upstream, so that the client gets an answer. */
bool request_certificates(SSL_CTX* context, std::string const& ca_pem) {
    if (kube::detail::trust_bundle(context, ca_pem) == 0) return false;
    kube::detail::set_chain_rules(context);
    auto const* const trusted = X509_STORE_get0_objects(SSL_CTX_get_cert_store(context));
    for (int i = 0; i < sk_X509_OBJECT_num(trusted); ++i)
        if (auto* const one = X509_OBJECT_get0_X509(sk_X509_OBJECT_value(trusted, i)))
            SSL_CTX_add_client_CA(context, one); // clients choose their certificate by these names
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_cert_verify_callback(context, [](X509_STORE_CTX*, void*) { return 1; }, nullptr);
    // A resumed session has no chain to check.
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    return SSL_CTX_set_num_tickets(context, 0) == 1;
}

std::vector<std::string> values_in(X509_NAME const* name, int field) {
    std::vector<std::string> out;
    for (int i = X509_NAME_get_index_by_NID(name, field, -1); i >= 0; i = X509_NAME_get_index_by_NID(name, field, i)) {
        unsigned char* text = nullptr;
        int const size = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, i)));
        if (size >= 0) out.emplace_back(reinterpret_cast<char const*>(text), static_cast<std::size_t>(size));
        OPENSSL_free(text);
    }
    return out;
}

std::string fingerprint_of(X509 const* certificate) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    std::string out;
    if (X509_digest(certificate, EVP_sha256(), digest.data(), &size) != 1) return out;
    constexpr std::string_view digits = "0123456789abcdef";
    for (unsigned int i = 0; i < size; ++i) {
        out += digits[digest[i] / 16U];
        out += digits[digest[i] % 16U];
    }
    return out;
}

} // namespace

std::shared_ptr<certified_user const> find_certified_user(kube::detail::byte_stream& stream,
                                                          std::chrono::system_clock::time_point now) {
    auto* const tls = dynamic_cast<accepted_tls*>(&stream);
    openssl_ptr<X509> const leaf(tls != nullptr ? SSL_get1_peer_certificate(tls->handle()) : nullptr);
    if (!leaf) return nullptr;
    auto* const trusted = SSL_CTX_get_cert_store(SSL_get_SSL_CTX(tls->handle()));
    openssl_ptr<X509_STORE_CTX> const check(X509_STORE_CTX_new());
    bool valid = check &&
                 X509_STORE_CTX_init(check.get(), trusted, leaf.get(), SSL_get_peer_cert_chain(tls->handle())) == 1 &&
                 X509_STORE_CTX_set_purpose(check.get(), X509_PURPOSE_SSL_CLIENT) == 1;
    if (valid) X509_STORE_CTX_set_time(check.get(), 0, std::chrono::system_clock::to_time_t(now));
    valid = valid && X509_verify_cert(check.get()) == 1;
    ERR_clear_error();
    auto const* const subject = X509_get_subject_name(leaf.get());
    auto const names = values_in(subject, NID_commonName);
    if (!valid || names.empty() || names.back().empty()) return nullptr;
    auto out = std::make_shared<certified_user>();
    out->user = {names.back(), values_in(subject, NID_organizationName)};
    out->user.groups.emplace_back("system:authenticated");
    out->user.extra["authentication.kubernetes.io/credential-id"] = {"X509SHA256=" + fingerprint_of(leaf.get())};
    auto const* const chain = X509_STORE_CTX_get0_chain(check.get());
    auto const real_time = std::chrono::system_clock::now(); // from which ASN1_TIME_diff() counts, whatever `now` is
    out->end = std::chrono::system_clock::time_point::max();
    for (int i = 0; i < sk_X509_num(chain); ++i) {
        int days = 0, rest = 0;
        if (ASN1_TIME_diff(&days, &rest, nullptr, X509_get0_notAfter(sk_X509_value(chain, i))) != 1) return nullptr;
        out->end =
            std::min(out->end, real_time + std::chrono::days(std::min(days, 36'500)) + std::chrono::seconds(rest));
    }
    return out;
}

result<tls_identity> make_self_signed_identity(std::vector<std::string> const& extra_names) {
    std::vector<std::string> names{"localhost",
                                   "127.0.0.1",
                                   "::1",
                                   "kubernetes",
                                   "kubernetes.default",
                                   "kubernetes.default.svc",
                                   "kubernetes.default.svc.cluster.local"};
    for (auto const& n : extra_names)
        if (std::ranges::find(names, n) == names.end()) names.push_back(n);
    std::string list;
    for (auto const& n : names) {
        bool const address = is_address(n);
        if (!address && !is_name(n))
            return problem(errc::invalid_argument, "\"" + n + "\" is neither a DNS name nor an IP address");
        list += (list.empty() ? "" : ",") + std::string(address ? "IP:" : "DNS:") + n;
    }
    auto const parts = make_parts();
    if (!parts.key || !add_to_name(parts.certificate.get(), "CN", "kftrain-apiserver"))
        return problem(errc::not_supported, "OpenSSL failed to create a certificate");
    auto extensions = authority_extensions("critical,digitalSignature,keyEncipherment,keyCertSign");
    extensions.emplace_back(NID_ext_key_usage, "serverAuth");
    extensions.emplace_back(NID_subject_alt_name, list);
    return sign(parts, extensions);
}

result<tls_identity> make_client_authority() {
    auto const parts = make_parts();
    if (!parts.key || !add_to_name(parts.certificate.get(), "CN", "kftrain-client-ca"))
        return problem(errc::not_supported, "OpenSSL failed to create a certificate");
    return sign(parts, authority_extensions("critical,keyCertSign"));
}

result<tls_identity> make_client_identity(tls_identity const& authority, user_info const& user) {
    auto const read = [](std::string const& pem, auto* function) {
        openssl_ptr<BIO> const from(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
        return from ? function(from.get(), nullptr, &no_passphrase, nullptr) : nullptr;
    };
    certificate_parts const signer{openssl_ptr<X509>(read(authority.certificate_pem, &PEM_read_bio_X509)),
                                   openssl_ptr<EVP_PKEY>(read(authority.key_pem, &PEM_read_bio_PrivateKey))};
    ERR_clear_error();
    if (!signer.certificate || !signer.key || X509_check_private_key(signer.certificate.get(), signer.key.get()) != 1)
        return problem(errc::invalid_argument, "authority: expected a certificate and its key as PEM");
    auto const parts = make_parts();
    if (!parts.key) return problem(errc::not_supported, "OpenSSL failed to create a certificate");
    bool named = add_to_name(parts.certificate.get(), "CN", user.name);
    for (auto const& group : user.groups) named = named && add_to_name(parts.certificate.get(), "O", group);
    if (!named)
        return problem(errc::invalid_argument,
                       "user \"" + user.name +
                           "\": expected a name and groups of 1 to 64 characters for a client certificate");
    return sign(parts,
                {{NID_basic_constraints, "critical,CA:FALSE"},
                 {NID_key_usage, "critical,digitalSignature"},
                 {NID_ext_key_usage, "clientAuth"},
                 {NID_subject_key_identifier, "hash"},
                 {NID_authority_key_identifier, "keyid:always"}},
                &signer);
}

result<std::unique_ptr<kube::detail::stream_factory>> make_tls_streams(tls_identity const& identity,
                                                                       std::string const& client_ca_pem) {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
    context->set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
    // Many connections wait for long, as watches do: they keep neither buffers nor a session that could be resumed.
    SSL_CTX_set_mode(context->native_handle(), SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context->native_handle(), SSL_SESS_CACHE_OFF);
    error_code ec;
    diagnostics d;
    context->use_certificate_chain(asio::buffer(identity.certificate_pem), ec);
    if (ec) {
        d.path = "tls.certificate_pem";
    } else {
        SSL_CTX_set_default_passwd_cb(context->native_handle(), &no_passphrase);
        context->use_private_key(asio::buffer(identity.key_pem), ssl::context::pem, ec);
        d.path = "tls.key_pem";
        // Of two halves of different types OpenSSL notices only here that they do not belong together.
        if (!ec && SSL_CTX_check_private_key(context->native_handle()) != 1)
            ec = {static_cast<int>(ERR_get_error()), asio::error::get_ssl_category()};
    }
    if (!ec && !client_ca_pem.empty() && !request_certificates(context->native_handle(), client_ca_pem))
        return failure_at("client_ca_pem", "expected a PEM certificate");
    if (ec) {
        d.message = "OpenSSL rejected the credentials: " + ec.message();
        return failure(errc::invalid_argument, std::move(d));
    }
    return std::unique_ptr<kube::detail::stream_factory>(std::make_unique<accepted_tls_factory>(std::move(context)));
}

} // namespace kftrain::apiserver
