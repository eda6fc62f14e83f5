#ifndef KFTRAIN_SRC_KUBE_HTTP_REDACTION_HPP
#define KFTRAIN_SRC_KUBE_HTTP_REDACTION_HPP

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::kube::detail {

/** Secrets that must not be shown. Servers, proxies and parsers repeat what they received, so their texts go through
    hide() before they become messages or fields of log records. */
class secrets {
public:
    secrets() = default;

    /// Ignores secrets with less than four characters: they would match everywhere and protect nothing.
    void add(std::string_view secret);
    /// Adds the secrets of an Authorization field: the text after the scheme, and the password for Basic.
    void add_authorization(std::string_view value);

    /** `text` with `[hidden]` in place of every secret, also of percent-encoded or JSON-escaped ones, and of parts of
        at least eight characters: parsers quote the beginning of a value. */
    std::string hide(std::string text) const;

private:
    std::vector<std::string> texts_;
};

/// A URL, or what was meant to be one, with `[hidden]` in place of user name and password.
std::string without_userinfo(std::string_view url);

} // namespace kftrain::kube::detail

#endif
