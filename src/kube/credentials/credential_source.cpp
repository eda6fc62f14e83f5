#include "kube/credentials/credential_source.hpp"

#include "kube/async/timer.hpp"
#include "kube/credentials/exec_credential.hpp"
#include "kube/credentials/oidc_token.hpp"
#include "kube/http/config_text.hpp"
#include "model/scalars/base64.hpp"

#include <optional>
#include <utility>

namespace kftrain::kube::detail {
namespace {

/// The credentials in the configuration itself, or none.
class static_source final : public credential_source {
public:
    explicit static_source(config const& c) : token_(c.token), password_(c.password) {
        if (!c.token.empty()) value_.authorization = "Bearer " + c.token;
        if (!c.username.empty()) value_.authorization = "Basic " + base64_encode(c.username + ":" + c.password);
    }

    credential const& current() override { return value_; }
    bool may_change() const noexcept override { return false; }
    bool refused(std::uint64_t) override { return false; }
    void add_to(secrets& all) const override {
        all.add(token_);
        all.add(password_);
        all.add_authorization(value_.authorization);
    }

private:
    credential value_;
    std::string token_;
    std::string password_;
};

/// A token in a file that other programs rewrite.
class file_source final : public credential_source {
public:
    file_source(time_source const& time, std::string token, std::string file, std::chrono::milliseconds interval)
        : time_(time), token_(std::move(token)), file_(std::move(file)), interval_(interval) {
        show();
    }

    /// Reads the file. If that fails, the previous token stays in use.
    result<void> refresh() {
        read_at_ = time_.now();
        auto const text = content_of(file_);
        if (!text)
            return config_fault("token_file",
                                "cannot read a token from " + in_quotes(file_) + ": " + text.error().detail.message);
        auto token = without_blanks(*text);
        if (token.empty()) return config_fault("token_file", "expected a token in " + in_quotes(file_));
        if (auto ok = refuse_unsendable("token_file", token); !ok) return ok;
        if (token == token_) return {};
        previous_ = std::exchange(token_, std::move(token));
        ++value_.number;
        show();
        return {};
    }

    credential const& current() override {
        if (!read_at_ || time_.now() - *read_at_ >= interval_) (void)refresh();
        return value_;
    }
    bool may_change() const noexcept override { return true; }
    bool refused(std::uint64_t number) override {
        if (number == value_.number) (void)refresh();
        return number != value_.number;
    }
    void add_to(secrets& all) const override {
        all.add(token_);
        all.add(previous_);
    }

private:
    void show() { value_.authorization = token_.empty() ? std::string() : "Bearer " + token_; }

    time_source const& time_;
    credential value_;
    std::string token_;
    std::string previous_;
    std::string file_;
    std::chrono::milliseconds interval_;
    std::optional<std::chrono::steady_clock::time_point> read_at_;
};

} // namespace

result<std::unique_ptr<credential_source>> make_credential_source(asio::any_io_executor const& executor,
                                                                  config const& c, https_options const& options) {
    bool const has_token = !c.token.empty() || !c.token_file.empty();
    if (!c.username.empty() && has_token) return config_fault("username", "cannot be combined with a token");
    if (c.username.empty() && !c.password.empty()) return config_fault("password", "needs a username");
    if (c.exec && c.oidc) return config_fault("exec", "cannot be combined with oidc");
    if (auto ok = refuse_unsendable("token", c.token); !ok) return ok.error();
    if (c.oidc)
        if (auto ok = refuse_unsendable("oidc.id_token", c.oidc->id_token); !ok) return ok.error();
    bool const is_identified = has_token || !c.username.empty() || !c.client_certificate_pem.empty();
    if (c.exec && !is_identified) return make_exec_source(executor, c, options);
    if (c.oidc && !is_identified) return make_oidc_source(executor, c, options);
    if (c.token_file.empty()) return std::unique_ptr<credential_source>(std::make_unique<static_source>(c));
    auto source =
        std::make_unique<file_source>(time_source::of(executor), c.token, c.token_file, options.file_interval);
    if (auto const read = source->refresh(); !read && c.token.empty()) return read.error();
    return std::unique_ptr<credential_source>(std::move(source));
}

} // namespace kftrain::kube::detail
