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

/// Signs certificates that live for an hour.
class certificate_authority {
public:
    explicit certificate_authority(std::string const& common_name = "test CA");
    ~certificate_authority();
    certificate_authority(certificate_authority const&) = delete;
    certificate_authority& operator=(certificate_authority const&) = delete;

    std::string certificate() const;
    /// `names` as OpenSSL writes subjectAltName, e.g. `DNS:api,IP:127.0.0.1`; empty for none.
    identity issue(std::string const& common_name, std::string const& names) const;

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace kftrain::test

#endif
