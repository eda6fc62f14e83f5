#ifndef KFTRAIN_SRC_KUBE_CREDENTIALS_RENEWED_SOURCE_HPP
#define KFTRAIN_SRC_KUBE_CREDENTIALS_RENEWED_SOURCE_HPP

#include "kube/credentials/credential_source.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::kube::detail {

/// The result of an attempt to get credentials.
struct obtained_credential {
    using clock = std::chrono::system_clock; // they are dated in civil time

    obtained_credential() = default;

    std::string token;
    std::string certificate_pem;
    std::string key_pem;
    std::optional<clock::time_point> expires; ///< nothing: when a server refuses them
};

/// The time of the renewal: a tenth of the lifetime before the end, at most a minute before.
obtained_credential::clock::time_point renewal_time(obtained_credential::clock::time_point obtained,
                                                    obtained_credential::clock::time_point expires);

/** Credentials that come from another party. Requests that need them at the same time share one attempt, and none waits
    before the existing credentials expire. After an attempt that failed, or brought expired or rejected credentials,
    the next one starts after at least one second, then two, up to thirty. */
class renewed_source : public credential_source {
public:
    explicit renewed_source(asio::any_io_executor executor) : executor_(std::move(executor)) {}

    bool is_fresh() override;
    std::shared_ptr<asio::steady_timer> await() override;
    failure why() const override { return why_; }
    credential const& current() override { return value_; }
    bool may_change() const noexcept override { return true; }
    bool works_beside() const noexcept override { return true; }
    bool refused(std::uint64_t number) override;
    void accepted(std::uint64_t number) override;
    void add_to(secrets& all) const override;

protected:
    asio::any_io_executor const& executor() const noexcept { return executor_; }
    /// Starts an attempt, which ends with finish(), immediately or later.
    virtual void begin() = 0;
    void finish(result<obtained_credential> r);
    /// The current civil time.
    virtual obtained_credential::clock::time_point now() const { return clock::now(); }
    /// Sets credentials that exist already.
    void show(obtained_credential const& o);

private:
    using clock = obtained_credential::clock;

    bool is_held_back() const;
    void hold_back();
    void wake_waiting();

    asio::any_io_executor executor_;
    credential value_;
    std::vector<std::string> hidden_; // tokens and keys, the newest last
    bool usable_ = false;             // there are some, and no server has refused them
    bool accepted_ = false;           // and one has accepted them
    bool doubted_ = false;            // refused from the first: they are shown until the next attempt may be made
    bool failing_ = false;            // the last attempt brought none, or what had expired already
    std::optional<clock::time_point> expires_;
    std::optional<clock::time_point> renew_at_;
    std::shared_ptr<asio::steady_timer> news_; // of the attempt that is made
    failure why_;
    std::chrono::seconds pause_{0};
    std::chrono::steady_clock::time_point failed_at_;
};

} // namespace kftrain::kube::detail

#endif
