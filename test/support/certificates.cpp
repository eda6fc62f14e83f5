#include "support/certificates.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <atomic>
#include <stdexcept>

namespace kftrain::test {
namespace {

struct deleter {
    void operator()(EVP_PKEY* p) const { EVP_PKEY_free(p); }
    void operator()(X509* p) const { X509_free(p); }
    void operator()(BIO* p) const { BIO_free(p); }
    void operator()(X509_EXTENSION* p) const { X509_EXTENSION_free(p); }
};
using key_ptr = std::unique_ptr<EVP_PKEY, deleter>;
using certificate_ptr = std::unique_ptr<X509, deleter>;

template <class Write> std::string pem(Write write) {
    std::unique_ptr<BIO, deleter> const out(BIO_new(BIO_s_mem()));
    write(out.get());
    char* data = nullptr;
    auto const size = BIO_get_mem_data(out.get(), &data);
    return {data, static_cast<std::size_t>(size)};
}

std::string text(X509* c) {
    return pem([&](BIO* out) { PEM_write_bio_X509(out, c); });
}

void extend(X509* c, X509* issuer, int kind, std::string const& value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, c, nullptr, nullptr, 0);
    std::unique_ptr<X509_EXTENSION, deleter> const e(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
    if (!e) throw std::runtime_error("certificate extension " + value);
    X509_add_ext(c, e.get(), -1);
}

certificate_ptr make(std::string const& name, EVP_PKEY* key, X509* issuer, EVP_PKEY* issuer_key,
                     std::string const& names, bool authority, certificate_form const& form = {}) {
    certificate_ptr c(X509_new());
    static std::atomic<long> serial{1};
    X509_set_version(c.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(c.get()), serial++);
    X509_gmtime_adj(X509_getm_notBefore(c.get()), form.begins_in);
    X509_gmtime_adj(X509_getm_notAfter(c.get()), form.ends_in);
    X509_set_pubkey(c.get(), key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(c.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<unsigned char const*>(name.c_str()), -1, -1, 0);
    X509* const signer = issuer != nullptr ? issuer : c.get();
    X509_set_issuer_name(c.get(), X509_get_subject_name(signer));
    if (authority) extend(c.get(), signer, NID_basic_constraints, "critical,CA:TRUE");
    if (!names.empty()) extend(c.get(), signer, NID_subject_alt_name, names);
    X509_sign(c.get(), issuer_key, EVP_sha256());
    return c;
}

} // namespace

struct certificate_authority::impl {
    key_ptr key{EVP_EC_gen("P-256")};
    certificate_ptr certificate;
};

certificate_authority::certificate_authority(std::string const& common_name) : impl_(std::make_unique<impl>()) {
    impl_->certificate = make(common_name, impl_->key.get(), nullptr, impl_->key.get(), {}, true);
}

certificate_authority::certificate_authority(std::string const& common_name, certificate_authority const& signer)
    : impl_(std::make_unique<impl>()) {
    auto const& by = *signer.impl_;
    impl_->certificate = make(common_name, impl_->key.get(), by.certificate.get(), by.key.get(), {}, true);
}

certificate_authority::~certificate_authority() = default;

std::string certificate_authority::certificate() const { return text(impl_->certificate.get()); }

identity certificate_authority::issue(std::string const& common_name, std::string const& names,
                                      certificate_form const& form) const {
    key_ptr const key(form.rsa ? EVP_RSA_gen(2048) : EVP_EC_gen("P-256"));
    auto const c = make(common_name, key.get(), impl_->certificate.get(), impl_->key.get(), names, false, form);
    identity i;
    i.certificate = text(c.get());
    i.key = pem([&](BIO* out) { PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
    return i;
}

} // namespace kftrain::test
