#include <kftrain/control/content_maker.hpp>

#include "base/openssl_ptr.hpp"
#include "model/scalars/base64.hpp"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

#include <array>
#include <cstdint>
#include <vector>

namespace kftrain::control {
namespace {

failure no_content(error_code code, std::string message) {
    diagnostics why;
    why.message = std::move(message);
    return {code, std::move(why)};
}
failure refused(std::string_view what) {
    return no_content(boost::system::errc::make_error_code(boost::system::errc::io_error),
                      std::string("OpenSSL: ").append(what));
}

/// A string of the protocol of ssh: its length in four bytes, then itself. Upstream: RFC 4251, section 5.
void add_string(std::string& blob, std::string_view text) {
    for (int shift = 24; shift >= 0; shift -= 8) blob += static_cast<char>((text.size() >> shift) & 0xffU);
    blob += text;
}

/// A number that is not negative: big-endian, with a zero before a first bit that would be read as a sign.
bool add_number(std::string& blob, EVP_PKEY* key, char const* name) {
    BIGNUM* read = nullptr;
    if (EVP_PKEY_get_bn_param(key, name, &read) != 1) return false;
    openssl_ptr<BIGNUM> const number(read);
    std::vector<unsigned char> bytes(static_cast<std::size_t>(BN_num_bytes(number.get())));
    BN_bn2bin(number.get(), bytes.data());
    std::string text(bytes.begin(), bytes.end());
    if (!bytes.empty() && bytes.front() >= 0x80U) text.insert(text.begin(), '\0');
    add_string(blob, text);
    return true;
}

/// The line of `authorized_keys`. Upstream: RFC 4253, section 6.6 (RSA), and RFC 5656, section 3.1.
result<std::string> public_line(EVP_PKEY* key, rules::ssh_key::algorithm kind) {
    std::string blob;
    std::string_view const name = kind == rules::ssh_key::algorithm::rsa_2048 ? "ssh-rsa" : "ecdsa-sha2-nistp521";
    add_string(blob, name);
    if (kind == rules::ssh_key::algorithm::rsa_2048) {
        if (!add_number(blob, key, OSSL_PKEY_PARAM_RSA_E) || !add_number(blob, key, OSSL_PKEY_PARAM_RSA_N))
            return refused("the key has no public part");
    } else {
        std::array<unsigned char, 133> point{};
        std::size_t length = 0;
        if (EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size(), &length) != 1 ||
            length != point.size())
            return refused("the key has no uncompressed public point");
        add_string(blob, "nistp521");
        add_string(blob, std::string(point.begin(), point.end()));
    }
    return std::string(name).append(" ").append(base64_encode(blob)).append("\n");
}

result<std::string> private_pem(EVP_PKEY* key) {
    openssl_ptr<OSSL_ENCODER_CTX> const encoder(
        OSSL_ENCODER_CTX_new_for_pkey(key, EVP_PKEY_KEYPAIR, "PEM", "type-specific", nullptr));
    unsigned char* text = nullptr; // a private key: wiped when it goes
    std::size_t length = 0;
    if (!encoder || OSSL_ENCODER_CTX_get_num_encoders(encoder.get()) == 0 ||
        OSSL_ENCODER_to_data(encoder.get(), &text, &length) != 1)
        return refused("the private key cannot be encoded");
    auto const wipe = [&](unsigned char* p) { OPENSSL_clear_free(p, length); };
    std::unique_ptr<unsigned char, decltype(wipe)> const kept(text, wipe);
    return std::string(text, text + length);
}

class openssl_maker final : public content_maker {
public:
    result<rules::key_texts> make(rules::ssh_key wanted) override {
        bool const rsa = wanted.kind == rules::ssh_key::algorithm::rsa_2048;
        openssl_ptr<EVP_PKEY> const key(rsa ? EVP_RSA_gen(2048U) : EVP_EC_gen("P-521"));
        if (!key) return refused("the key cannot be generated");
        auto pem = private_pem(key.get());
        if (!pem) return pem.error();
        auto line = public_line(key.get(), wanted.kind);
        if (!line) return line.error();
        rules::key_texts texts;
        texts.private_pem = std::move(*pem);
        texts.public_line = std::move(*line);
        return texts;
    }

    result<std::string> make(rules::random_text const& wanted) override {
        auto const count = wanted.alphabet.size();
        if (count == 0 || count > 256 || wanted.length > 4096)
            return no_content(make_error_code(errc::invalid_argument),
                              "expected a random text of up to 4096 characters from an alphabet of 1 to 256, got " +
                                  std::to_string(wanted.length) + " out of " + std::to_string(count));
        // Bytes beyond the last whole multiple are thrown away: each character is as likely as any other.
        auto const fair = 256 - 256 % count;
        std::string text;
        while (text.size() < wanted.length) {
            std::array<unsigned char, 64> bytes{};
            if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
                return refused("no random numbers are available");
            for (std::size_t i = 0; i < bytes.size() && text.size() < wanted.length; ++i)
                if (bytes[i] < fair) text += wanted.alphabet[bytes[i] % count];
        }
        return text;
    }
};

} // namespace

std::shared_ptr<content_maker> make_content_maker() { return std::make_shared<openssl_maker>(); }

} // namespace kftrain::control
