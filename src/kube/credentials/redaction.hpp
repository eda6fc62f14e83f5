#ifndef KFTRAIN_SRC_KUBE_REDACTION_HPP
#define KFTRAIN_SRC_KUBE_REDACTION_HPP

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::kube::detail {

/** Texts that must not be shown. Servers, proxies and parsers repeat what they were sent, so whatever is made of their words
    goes through hide() before it becomes a message or a field of a log record. */
class secrets {
public:
    secrets() = default;

    /// Nothing of less than four characters: it would be found everywhere and protects nothing.
    void add(std::string_view secret);
    /// What an Authorization field gives away: what follows the scheme, and the password in it for Basic.
    void add_authorization(std::string_view value);

    /** `text` with `[hidden]` in place of every secret, also of those that are percent-encoded or escaped as in JSON, and of
        parts of eight characters: messages show the beginning of what a parser met. */
    std::string hide(std::string text) const;

private:
    std::vector<std::string> texts_;
};

/// A URL, or what was meant to be one, with `[hidden]` in place of user name and password.
std::string without_userinfo(std::string_view url);

} // namespace kftrain::kube::detail

#endif
