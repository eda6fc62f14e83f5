#include "kube/credentials/renewed_source.hpp"

#include "kube/async/timer.hpp"

#include <algorithm>
#include <utility>

namespace kftrain::kube::detail {
namespace {

constexpr std::chrono::seconds first_pause{1};
constexpr std::chrono::seconds longest_pause{30};
constexpr std::size_t remembered = 6; // tokens and keys of three renewals

} // namespace

obtained_credential::clock::time_point renewal_time(obtained_credential::clock::time_point obtained,
                                                    obtained_credential::clock::time_point expires) {
    using duration = obtained_credential::clock::duration;
    auto const tenth = std::max<duration>(duration(0), (expires - obtained) / 10);
    return expires - std::min<duration>(std::chrono::minutes(1), tenth);
}

bool renewed_source::is_fresh() {
    if (doubted_ && is_held_back()) return true;
    if (!usable_) return false;
    auto const time = now();
    if (!renew_at_ || time < *renew_at_) return true;
    if (time >= *expires_) return false;
    if (!news_ && !is_held_back()) await(); // the current ones are still valid: no request waits for the next ones
    return true;
}

bool renewed_source::is_held_back() const {
    return pause_.count() != 0 && time_source::of(executor_).now() - failed_at_ < pause_;
}

void renewed_source::hold_back() {
    failed_at_ = time_source::of(executor_).now();
    pause_ = pause_.count() == 0 ? first_pause : std::min(longest_pause, pause_ * 2);
}

std::shared_ptr<asio::steady_timer> renewed_source::await() {
    using news_timer = asio::steady_timer;
    if (news_) return news_;
    if (is_held_back()) return std::make_shared<news_timer>(executor_, news_timer::time_point::min());
    news_ = std::make_shared<news_timer>(executor_, news_timer::time_point::max());
    auto const news = news_; // finish() may be called at once
    begin();
    return news;
}

bool renewed_source::refused(std::uint64_t number) {
    if (number != value_.number) return true;
    if (doubted_ && is_held_back()) return false;
    usable_ = false;
    doubted_ = !accepted_;
    if (doubted_) hold_back();
    return !doubted_;
}

void renewed_source::accepted(std::uint64_t number) {
    if (number != value_.number) return;
    accepted_ = true;
    if (!failing_) pause_ = std::chrono::seconds(0); // accepted older credentials do not end the pause
}

void renewed_source::show(obtained_credential const& o) {
    auto const authorization = o.token.empty() ? std::string() : "Bearer " + o.token;
    bool const same = value_.number != 0 && authorization == value_.authorization &&
                      o.certificate_pem == value_.certificate_pem && o.key_pem == value_.key_pem;
    usable_ = true;
    accepted_ = doubted_ = false;
    why_ = {};
    expires_ = o.expires;
    renew_at_.reset();
    failing_ = false;
    if (expires_) renew_at_ = renewal_time(now(), *expires_);
    if (same) return;
    ++value_.number;
    value_.authorization = authorization;
    value_.certificate_pem = o.certificate_pem;
    value_.key_pem = o.key_pem;
    for (auto const* secret : {&o.token, &o.key_pem}) hidden_.push_back(*secret);
    if (hidden_.size() > remembered)
        hidden_.erase(hidden_.begin(), hidden_.begin() + static_cast<std::ptrdiff_t>(hidden_.size() - remembered));
}

void renewed_source::finish(result<obtained_credential> r) {
    if (r) {
        show(*r);
        if (expires_ && *expires_ <= now()) { // it or a clock is wrong: use it, and wait before the next attempt
            failing_ = true;
            hold_back();
            renew_at_ = expires_ = now() + pause_;
        }
        return wake_waiting();
    }
    hold_back();
    failing_ = true;
    why_ = r.error();
    wake_waiting();
}

void renewed_source::wake_waiting() {
    if (auto const news = std::exchange(news_, nullptr)) news->expires_at(asio::steady_timer::time_point::min());
}

void renewed_source::add_to(secrets& all) const {
    for (auto const& secret : hidden_) all.add(secret);
}

} // namespace kftrain::kube::detail
