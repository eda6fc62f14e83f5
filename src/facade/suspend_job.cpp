#include "facade/change_job.hpp"
#include "facade/follow/job_layout.hpp"
#include "facade/job_arguments.hpp"
#include "facade/job_operation.hpp"
#include "job/contract/watched_pods.hpp"
#include "kube/async/blocking_form.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/wait.hpp>
#include <kftrain/objects/core/pod.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/as_tuple.hpp>

#include <functional>

namespace kftrain {
namespace {

namespace asio = boost::asio;

/// The number of remaining pods that a message names.
constexpr std::size_t most_names = 4;
constexpr std::uint32_t max_pages = 1000;

/// Pods of the run before a suspension that are still there.
struct left_pods {
    left_pods() = default;

    std::vector<std::string> names; ///< of the first
    std::string uid;                ///< of the first
    std::size_t count = 0;

    std::string to_string() const {
        std::string text = count == 1 ? "pod " : "pods ";
        for (std::size_t i = 0; i != names.size(); ++i)
            text += (i == 0 ? "" : i + 1 == count ? " and " : ", ") + names[i];
        if (count > names.size()) text += " and " + std::to_string(count - names.size()) + " more";
        return text;
    }
};

/// Waits until a suspended job has no pods. Without permission to read pods the job is resumed immediately.
class pod_absence {
public:
    pod_absence(kube::client c, prepared_job const& j, shared_deadline const& t)
        : client_(std::move(c)), job_(j), time_(t), pods_(client_, job_->metadata().namespace_) {}

    /// Returns whether there were any.
    asio::awaitable<bool> run() {
        if (!job_.is_valid()) co_return false; // no operator creates pods for it
        auto const selectors = pod_selectors(job_.layout());
        for (left_pods last_seen;;) {
            left_pods left;
            bool looked = true;
            for (auto const& selector : selectors) {
                auto const ec = co_await look(selector, left);
                looked = looked && may_look(ec, last_seen);
            }
            if (!looked || left.count == 0) co_return last_seen.count != 0;
            last_seen = left;
            auto const ec = co_await absence(left);
            looked = may_look(ec, last_seen);
            if (!looked) co_return true;
        }
    }

private:
    /// Returns whether the caller may read pods; fails for any other error.
    bool may_look(error_code ec, left_pods const& last_seen) const {
        if (is_forbidden(ec)) return false;
        if (ec == errc::timeout && last_seen.count != 0) report(last_seen);
        if (ec) kube::detail::fail(ec);
        return true;
    }

    asio::awaitable<error_code> look(std::string const& selector, left_pods& into) {
        kube::page_options options;
        static_cast<kube::call_options&>(options) = time_.next();
        options.total_timeout = options.timeout;
        options.label_selector = selector;
        options.max_pages = max_pages;
        auto const before = into;
        kube::detail::page_function<object_list<core::pod>> take = [&](kube::list_page<object_list<core::pod>> page) {
            if (page.restarted) into = before;
            pod_claim const claim(job_->rules(), job_->metadata());
            for (auto const& p : page.list.items) {
                if (claim.is_of_another(p.metadata)) continue;
                if (into.count++ == 0) into.uid = p.metadata.uid;
                if (into.names.size() < most_names) into.names.push_back(p.metadata.name);
            }
            return true;
        };
        auto const outcome = co_await kube::async_list_pages(pods_, std::move(take), std::move(options),
                                                             asio::as_tuple(asio::use_awaitable));
        co_return std::get<0>(outcome);
    }

    /// Waits for the first pod only: the others disappear at about the same time.
    asio::awaitable<error_code> absence(left_pods const& left) {
        kube::wait_options options;
        options.timeout = time_.left();
        options.detail = time_.options().detail;
        std::function<bool(core::pod const*)> const gone = [uid = left.uid](core::pod const* p) {
            return p == nullptr || p->metadata.uid != uid;
        };
        auto const outcome = co_await kube::async_wait(pods_, left.names.front(), gone, std::move(options),
                                                       asio::as_tuple(asio::use_awaitable));
        co_return std::get<0>(outcome);
    }

    void report(left_pods const& left) const {
        auto* const detail = time_.options().detail;
        if (detail == nullptr) return;
        *detail = diagnostics();
        detail->message = left.to_string() + " of the run before the suspension" +
                          (left.count == 1 ? " still exists" : " still exist") +
                          ", and the operator would count them as ended replicas of the resumed job";
    }

    kube::client client_;
    prepared_job job_;
    shared_deadline time_;
    kube::api<core::pod> pods_;
};

asio::awaitable<bool> nothing_to_await() { co_return false; }

} // namespace

void training_client::suspend_(job_handler handler, job_reference job, bool on, kube::call_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    job = placed(std::move(job));
    shared_deadline const time(client_, std::move(options));
    auto decide = [on](prepared_job const& now) { return now.suspended(on); };
    await_readiness ready = [client = client_, time, on](prepared_job const& now) {
        auto const state = now.suspending();
        bool const pods_first = !on && state.suspended && state.refused.empty() && now.rules().facts().counts_old_pods;
        return pods_first ? run_shared(std::make_shared<pod_absence>(client, now, time)) : nothing_to_await();
    };
    auto what = (on ? "suspension of " : "resumption of ") + job.to_string();
    auto change = change_job(client_, std::move(job), std::move(decide), time, std::move(ready));
    start_change(std::move(handler), client_, std::move(what), time, std::move(change));
}

result<any_job> training_client::suspend(job_reference const& job, kube::call_options options) const {
    return kube::detail::blocking_form<any_job>(
        place(), std::move(options), [&](auto h, auto o) { suspend_(std::move(h), job, true, std::move(o)); });
}

result<any_job> training_client::resume(job_reference const& job, kube::call_options options) const {
    return kube::detail::blocking_form<any_job>(
        place(), std::move(options), [&](auto h, auto o) { suspend_(std::move(h), job, false, std::move(o)); });
}

} // namespace kftrain
