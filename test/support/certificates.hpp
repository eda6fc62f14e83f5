#ifndef KFTRAIN_TEST_SUPPORT_CERTIFICATES_HPP
#define KFTRAIN_TEST_SUPPORT_CERTIFICATES_HPP

#include <memory>
#include <string>

namespace kftrain::test {

/// A certificate and its key as PEM.
struct identity {
    std::string certificate;
    std::string key;
};

/// How a certificate differs from the usual one.
struct certificate_form {
    certificate_form() = default;

    bool rsa = false;         ///< instead of a key on the curve P-256
    long begins_in = -60;     ///< seconds from now
    long ends_in = 60L * 60L; ///< the same
};

/// Signs certificates that live for an hour. Authorities of one name have nothing else in common.
class certificate_authority {
public:
    explicit certificate_authority(std::string const& common_name = "test CA");
    /// An intermediate one.
    certificate_authority(std::string const& common_name, certificate_authority const& signer);
    ~certificate_authority();
    certificate_authority(certificate_authority const&) = delete;
    certificate_authority& operator=(certificate_authority const&) = delete;

    std::string certificate() const;
    /// `names` as OpenSSL writes subjectAltName, e.g. `DNS:api,IP:127.0.0.1`; empty for none.
    identity issue(std::string const& common_name, std::string const& names, certificate_form const& form = {}) const;

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace kftrain::test

#endif
