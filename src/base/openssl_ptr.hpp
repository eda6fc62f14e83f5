#ifndef KFTRAIN_SRC_BASE_OPENSSL_PTR_HPP
#define KFTRAIN_SRC_BASE_OPENSSL_PTR_HPP

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/encoder.h>
#include <openssl/evp.h>
#include <openssl/x509v3.h>

#include <memory>

namespace kftrain {

struct openssl_free {
    void operator()(BIGNUM* p) const noexcept { BN_free(p); }
    void operator()(BIO* p) const noexcept { BIO_free(p); }
    void operator()(EVP_PKEY* p) const noexcept { EVP_PKEY_free(p); }
    void operator()(OSSL_ENCODER_CTX* p) const noexcept { OSSL_ENCODER_CTX_free(p); }
    void operator()(X509* p) const noexcept { X509_free(p); }
    void operator()(X509_EXTENSION* p) const noexcept { X509_EXTENSION_free(p); }
    void operator()(X509_STORE_CTX* p) const noexcept { X509_STORE_CTX_free(p); }
};

/// Owns an object of OpenSSL.
template <class T> using openssl_ptr = std::unique_ptr<T, openssl_free>;

} // namespace kftrain

#endif
