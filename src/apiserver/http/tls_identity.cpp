#include <kftrain/apiserver/tls_identity.hpp>

#include "apiserver/http/listener_session.hpp"
#include "base/openssl_ptr.hpp"

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

bool add(X509* certificate, int what, std::string const& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
    openssl_ptr<X509_EXTENSION> const extension(X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str()));
    return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

std::string text_of(BIO* out) {
    char* data = nullptr;
    auto const size = BIO_get_mem_data(out, &data);
    return std::string(data, static_cast<std::size_t>(size));
}

bool fill(X509* certificate, EVP_PKEY* key, std::string const& names) {
    std::array<unsigned char, 16> serial{};
    if (RAND_bytes(serial.data(), static_cast<int>(serial.size())) != 1) return false;
    serial[0] = (serial[0] & 0x7f) | 0x40; // positive, and never short
    openssl_ptr<BIGNUM> const number(BN_bin2bn(serial.data(), static_cast<int>(serial.size()), nullptr));
    bool ok = number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
    constexpr long hour = 3600, year = 365 * 24 * hour;
    auto const* cn = reinterpret_cast<unsigned char const*>("kftrain-apiserver");
    auto* subject = X509_get_subject_name(certificate);
    ok = ok && X509_set_version(certificate, X509_VERSION_3) == 1;
    ok = ok && X509_gmtime_adj(X509_getm_notBefore(certificate), -hour) != nullptr;
    ok = ok && X509_gmtime_adj(X509_getm_notAfter(certificate), year) != nullptr;
    ok = ok && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, cn, -1, -1, 0) == 1;
    ok = ok && X509_set_issuer_name(certificate, subject) == 1 && X509_set_pubkey(certificate, key) == 1;
    ok = ok && add(certificate, NID_basic_constraints, "critical,CA:TRUE");
    ok = ok && add(certificate, NID_key_usage, "critical,digitalSignature,keyEncipherment,keyCertSign");
    ok = ok && add(certificate, NID_ext_key_usage, "serverAuth");
    ok = ok && add(certificate, NID_subject_key_identifier, "hash");
    ok = ok && add(certificate, NID_authority_key_identifier, "keyid:always");
    ok = ok && add(certificate, NID_subject_alt_name, names);
    return ok && X509_sign(certificate, key, EVP_sha256()) != 0;
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

} // namespace

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
    openssl_ptr<EVP_PKEY> const key(EVP_EC_gen("P-256"));
    openssl_ptr<X509> const certificate(X509_new());
    openssl_ptr<BIO> const key_text(BIO_new(BIO_s_mem())), certificate_text(BIO_new(BIO_s_mem()));
    bool const ok = key && certificate && key_text && certificate_text && fill(certificate.get(), key.get(), list) &&
                    PEM_write_bio_X509(certificate_text.get(), certificate.get()) == 1 &&
                    PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1;
    if (!ok) return problem(errc::not_supported, "OpenSSL failed to create a certificate");
    tls_identity out;
    out.certificate_pem = text_of(certificate_text.get());
    out.key_pem = text_of(key_text.get());
    return out;
}

result<std::unique_ptr<kube::detail::stream_factory>> make_tls_streams(tls_identity const& identity) {
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
        context->use_private_key(asio::buffer(identity.key_pem), ssl::context::pem, ec);
        d.path = "tls.key_pem";
        // Of two halves of different types OpenSSL notices only here that they do not belong together.
        if (!ec && SSL_CTX_check_private_key(context->native_handle()) != 1)
            ec = {static_cast<int>(ERR_get_error()), asio::error::get_ssl_category()};
    }
    if (ec) {
        d.message = "OpenSSL rejected the credentials: " + ec.message();
        return failure(errc::invalid_argument, std::move(d));
    }
    return std::unique_ptr<kube::detail::stream_factory>(std::make_unique<accepted_tls_factory>(std::move(context)));
}

} // namespace kftrain::apiserver
