#include "facade/follow/job_board.hpp"
#include "facade/job_arguments.hpp"
#include "facade/read_jobs.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/async/operation.hpp"
#include "kube/async/timer.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/kube/request.hpp>
#include <kftrain/kube/resource_version.hpp>
#include <kftrain/kube/then_complete.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <chrono>
#include <optional>

namespace kftrain {
namespace {

namespace asio = boost::asio;
namespace request = kube::request;

constexpr std::chrono::steady_clock::duration least_patience = std::chrono::milliseconds(500);
constexpr std::chrono::steady_clock::duration most_patience = std::chrono::seconds(30);

diagnostics with_message(std::string text) {
    diagnostics d;
    d.message = std::move(text);
    return d;
}

/// Errors of one request that a feed would get as well, and that retries do not end.
bool is_final_answer(error_code ec) {
    return is_unauthorized(ec) || ec == reason::bad_request || ec == errc::invalid_argument ||
           ec == errc::helper_failed;
}

/// All listeners of a feed share the states: one may have thousands of ranks.
using shared_state = std::shared_ptr<job_state const>;

shared_state state_in(job_news const& news) { return {news.change, &news.change->state}; }

/** One wait: the last report of the feed, and its outcome. A feed may be behind, so the wait reads the job itself when
    it begins, and ignores reports that are older. */
class job_waiter final : public job_listener, public std::enable_shared_from_this<job_waiter> {
public:
    job_waiter(std::shared_ptr<detail::job_board> b, job_reference j, wait_condition c)
        : board_(std::move(b)),
          job_(std::move(j)),
          condition_(std::move(c)),
          key_(job_.namespace_ + "/" + job_.name),
          wake_(board_->client.get_executor(), kube::detail::timer::time_point::max()),
          existed_(!job_.uid.empty()) {}
    ~job_waiter() override {
        if (feed_) feed_->leave(key_);
    }

    static asio::awaitable<erased_object> run(std::shared_ptr<job_waiter> w) {
        co_await w->read_once();
        if (!w->over_) co_await w->listen();
        if (!w->over_) co_await w->watch_alone();
        if (w->outcome_) kube::detail::fail(w->outcome_);
        co_return w->result_;
    }
    error_code outcome() const noexcept { return outcome_; }
    diagnostics const& why() const noexcept { return why_; }
    /// `; last state: Running, Worker 1/2 ready`
    std::string last_state_text() const {
        if (absent_) return "; the job does not exist";
        if (last_) return "; last state: " + last_->to_string();
        return "; the job was not read" + (last_failure_.empty() ? "" : ": " + last_failure_);
    }

    void take(job_feed const& from, job_news const& news) override {
        auto const& m = job_.kind->primary().metadata(news.job.get());
        if (over_) return;
        if (is_stale(from, news.is_gone() ? nullptr : &m)) return mark_stale();
        if (news.is_gone()) {
            // The deletion of another job with the name does not concern this wait.
            if (!job_.uid.empty() && m.uid != job_.uid) return;
            if (!dead_uid_.empty() && m.uid == dead_uid_) return;
            existed_ = true;
            last_ = state_in(news);
            // A job may end and go at once.
            if (condition_(last_.get())) return finish(news.job);
            return look(nullptr, nullptr, true);
        }
        has_report_ = true;
        behind_ = false;
        look(news.job, state_in(news), true);
    }
    /// Without a report the job does not exist.
    void synced(job_feed const& from) override {
        if (over_ || has_report_) return;
        if (is_stale(from, nullptr)) return mark_stale();
        look(nullptr, nullptr, true);
    }
    void unserved(job_feed const&, diagnostics const& why) override {
        if (over_) return;
        // The server's own answer counts for more than what a feed remembers.
        if (read_ && feed_ && !std::exchange(doubted_, true)) return feed_->recheck(weak_from_this(), key_);
        if (condition_(nullptr)) return finish(nullptr);
        give_up(reason::not_found, why);
    }
    /// As the answer to a question about this job alone.
    void undecodable(job_feed const&, kube::detail::undecodable_object const& object, bool pods) override {
        if (!pods) give_up(object.why.code, object.named().detail);
    }
    void failed(job_feed const&, error_code ec, diagnostics const& why, bool) override {
        if (over_) return;
        if (is_forbidden(ec) && !condition_.of_pods()) {
            denied_ = true;
            wake_.cancel();
            return;
        }
        give_up(ec, why);
    }

private:
    /// Reads the job. Most waits then end: the condition holds already, or the job does not exist.
    asio::awaitable<void> read_once() {
        auto const& type = job_.kind->primary();
        kube::detail::call_report report;
        auto r = request::get(*type.info, job_.namespace_, job_.name);
        // The state of the feed before the request; the answer may contradict it.
        if (auto const known = board_->find(wanted_feed())) known_uid_ = known->uid_of(key_);
        auto answer = co_await kube::detail::call(board_->client, std::move(r), kube::call_options(), report);
        auto const ec = std::get<0>(answer);
        if (is_not_found(ec)) {
            take_answer(nullptr);
        } else if (ec) {
            take_no_answer(ec, report.detail);
        } else {
            auto const object = type.decode(std::get<1>(answer));
            if (object)
                take_answer(*object);
            else
                give_up(object.error().code, object.error().detail);
        }
    }

    /// If the feed was behind in its last report, it may not report again, as after a list: checks the feed again, and
    /// the server, too.
    asio::awaitable<void> listen() {
        feed_ = board_->feed(wanted_feed());
        feed_->join(weak_from_this(), key_);
        auto patience = least_patience;
        while (!over_ && !denied_) {
            if (behind_)
                wake_.expires_after(patience);
            else
                wake_.expires_at(kube::detail::timer::time_point::max());
            error_code woken; // cancelled when there is something to see
            co_await wake_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
            if (woken || !behind_) continue;
            patience = std::min<std::chrono::steady_clock::duration>(2 * patience, most_patience);
            co_await read_once();
            if (over_) continue;
            behind_ = false;
            feed_->join(weak_from_this(), key_);
        }
    }

    /// A caller without permission to list all jobs may be allowed to watch this one.
    asio::awaitable<void> watch_alone() {
        auto why = std::make_shared<diagnostics>();
        kube::wait_options options;
        options.detail = why.get();
        auto done = [self = shared_from_this()](erased_object const& job) {
            self->look(job, job ? self->state_without_pods(job) : nullptr, true);
            return self->over_;
        };
        auto begin = [this, done, options](kube::any_handler<void(error_code, erased_object)> h) {
            kube::detail::start_wait(std::move(h), board_->client, job_.namespace_, job_.name, job_.kind->primary(),
                                     done, options);
        };
        auto const executor = board_->client.get_executor();
        auto outcome = co_await kube::detail::initiate<void(error_code, erased_object)>(
            executor, asio::as_tuple(asio::use_awaitable), std::move(begin));
        auto const ec = std::get<0>(outcome);
        if (ec) give_up(ec, *why);
    }

    feed_options wanted_feed() const {
        feed_options wanted;
        wanted.kind = job_.kind;
        wanted.namespace_ = job_.namespace_;
        wanted.pods = condition_.of_pods();
        return wanted;
    }
    shared_state state_without_pods(erased_object const& job) const {
        return std::make_shared<job_state const>(state_of_job(prepared_job::stored(*job_.kind, job), nullptr, {}));
    }
    void take_answer(erased_object const& job) {
        restorations_ = kube::detail::state_of(board_->client).restorations;
        if (!job) {
            absent_ = true;
            dead_uid_ = known_uid_;
            return look(nullptr, nullptr, true);
        }
        read_ = true;
        auto state = state_without_pods(job);
        if (job_.uid.empty() || state->job.uid == job_.uid) version_ = state->resource_version;
        look(job, std::move(state), !condition_.of_pods());
    }
    void take_no_answer(error_code ec, diagnostics const& why) {
        if (is_final_answer(ec)) return give_up(ec, why);
        last_failure_ = failure(ec, why).to_string();
        board_->client.options().logger(log_level::info, "reading a job that is waited for failed, retrying",
                                        {{"job", job_.to_string()}, {"error", failure(ec, why).to_string()}});
    }
    void mark_stale() {
        if (std::exchange(behind_, true)) return;
        wake_.cancel();
    }
    bool is_stale(job_feed const& from, object_meta const* job) const {
        if (job != nullptr && !dead_uid_.empty() && job->uid == dead_uid_) return true;
        if (version_.empty() || restorations_ != kube::detail::state_of(board_->client).restorations) return false;
        auto const is_older = [this](std::string_view v) {
            return kube::compare_resource_versions(v, version_) == std::partial_ordering::less;
        };
        return (job == nullptr || is_older(job->resource_version)) && is_older(from.version());
    }
    /// Nothing is known of the roles of a job that breaks the rules of its kind.
    std::optional<failure> fault_of_roles(erased_object const& job, job_state const& state) const {
        if (condition_.roles().empty() || state.roles.empty()) return std::nullopt;
        membership with_roles;
        for (auto const& r : state.roles) with_roles.roles.emplace_back().name = r.role;
        auto const known = roles_of(prepared_job::stored(*job_.kind, job), with_roles);
        for (auto const& wanted : condition_.roles())
            if (auto fault = fault_of_role("role", wanted, known)) return fault;
        return std::nullopt;
    }
    /// `whole`: the state contains all that the condition may read.
    void look(erased_object const& job, shared_state state, bool whole) {
        if (over_) return;
        bool const another = state != nullptr && !job_.uid.empty() && state->job.uid != job_.uid;
        if (another) state = nullptr;
        if (state != nullptr) {
            existed_ = true;
            absent_ = false;
            last_ = state;
            job_.uid = state->job.uid; // a later job of the same name is another job
            if (!whole) return;
            if (auto const fault = fault_of_roles(job, *state)) return give_up(fault->code, fault->detail);
            if (condition_(state.get())) return finish(job);
            if (is_finished(state->phase) && condition_.settled(*state) == false && !condition_.holds_for_absence())
                give_up(errc::incomplete, with_message(job_.to_string() + ": waiting for \"" + condition_.what() +
                                                       "\" cannot succeed any more: " + state->to_string()));
            return;
        }
        if (condition_(nullptr)) return finish(nullptr);
        if (!existed_) return;
        give_up(errc::deleted,
                with_message(job_.to_string() +
                             (another ? " was replaced by another job of the same name" : " was deleted") +
                             (last_ ? last_state_text() : std::string())));
    }
    void finish(erased_object job) {
        result_ = std::move(job);
        end();
    }
    void give_up(error_code ec, diagnostics why) {
        if (over_) return;
        outcome_ = ec;
        why_ = std::move(why);
        end();
    }
    void end() {
        over_ = true;
        wake_.cancel();
    }

    std::shared_ptr<detail::job_board> board_;
    job_reference job_;
    wait_condition condition_;
    std::string key_;
    std::shared_ptr<job_feed> feed_;
    kube::detail::timer wake_;
    shared_state last_;
    std::string last_failure_;         ///< of reading the job
    std::string version_;              ///< that the job had in the answer
    std::uint64_t restorations_ = 0;   ///< of the server, by then
    std::string known_uid_, dead_uid_; ///< of a job that others knew, and that was gone by then
    error_code outcome_;
    diagnostics why_;
    erased_object result_;
    bool has_report_ = false; ///< the feed has reported a job
    bool existed_ = false;    ///< the job was there
    bool read_ = false;       ///< and the server has returned it
    bool absent_ = false;     ///< as the server answered
    bool doubted_ = false;    ///< that the kind is not served
    bool behind_ = false;
    bool over_ = false;
    bool denied_ = false;
};

} // namespace

void training_client::wait_(job_handler handler, job_reference job, wait_condition condition,
                            kube::wait_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    job = placed(std::move(job));
    auto* const detail = options.detail;
    if (detail != nullptr) *detail = diagnostics();
    if (job.uid.empty()) job.uid = std::move(options.uid);
    auto what = "wait for " + job.to_string() + " (" + condition.what() + "): not complete after " +
                std::to_string(options.timeout.count()) + " ms";
    auto const& kind = *job.kind;
    auto w = std::make_shared<job_waiter>(board_, std::move(job), std::move(condition));
    auto deliver = [w, &kind, detail, what = std::move(what)](job_handler h, error_code ec,
                                                              erased_object const& object) {
        if (detail != nullptr && ec == errc::timeout) detail->message = what + w->last_state_text();
        if (detail != nullptr && ec && ec == w->outcome()) *detail = w->why();
        std::move(h)(ec, object ? any_job(kind, object.get()) : any_job());
    };
    auto then = kube::detail::then_complete(std::move(handler), std::move(deliver));
    kube::detail::deadline const limit(options.timeout, nullptr, {});
    kube::detail::spawn(get_executor(), job_waiter::run(std::move(w)), limit,
                        kube::any_handler<void(error_code, erased_object)>(std::move(then)));
}

result<any_job> training_client::wait(job_reference const& job, wait_condition condition,
                                      kube::wait_options options) const {
    return kube::detail::blocking_form<any_job>(place(), std::move(options), [&](auto h, auto o) {
        wait_(std::move(h), job, std::move(condition), std::move(o));
    });
}

result<any_job> training_client::wait(job_reference const& job, kube::wait_options options) const {
    return wait(job, until::finished(), std::move(options));
}

} // namespace kftrain
