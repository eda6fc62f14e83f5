#include "facade/follow/job_waiter.hpp"

#include "facade/job_roles.hpp"
#include "kube/calls/client_core.hpp"

#include <kftrain/kube/resource_version.hpp>

#include <utility>

namespace kftrain {
namespace {

diagnostics saying(std::string text) {
    diagnostics d;
    d.message = std::move(text);
    return d;
}

/// Errors of one request that a feed would meet as well and not mend.
bool is_final_answer(error_code ec) {
    return is_unauthorized(ec) || ec == reason::bad_request || ec == errc::invalid_argument ||
           ec == errc::helper_failed;
}

} // namespace

job_waiter::job_waiter(std::shared_ptr<detail::job_board> b, job_reference j, wait_condition c)
    : board_(std::move(b)),
      job_(std::move(j)),
      condition_(std::move(c)),
      key_(job_.namespace_ + "/" + job_.name),
      wake_(board_->client.get_executor(), kube::detail::timer::time_point::max()),
      existed_(!job_.uid.empty()) {}

job_waiter::~job_waiter() {
    if (feed_) feed_->leave(key_);
}

std::string job_waiter::last_state_text() const {
    if (absent_) return "; the job does not exist";
    if (last_) return "; seen last: " + last_->to_string();
    return "; the job was not read" + (last_failure_.empty() ? "" : ": " + last_failure_);
}

void job_waiter::note_known() {
    feed_options wanted;
    wanted.kind = job_.kind;
    wanted.namespace_ = job_.namespace_;
    wanted.pods = condition_.of_pods();
    if (auto const known = board_->find(wanted)) known_uid_ = known->uid_of(key_);
}

void job_waiter::take_answer(erased_object const& job) {
    restorations_ = kube::detail::state_of(client()).restorations;
    if (!job) {
        absent_ = true;
        dead_uid_ = known_uid_;
        return look(nullptr, nullptr, true);
    }
    read_ = true;
    auto const state = state_of_job(prepared_job::stored(*job_.kind, job), nullptr, {});
    if (job_.uid.empty() || state.job.uid == job_.uid) version_ = state.resource_version;
    look(job, &state, !condition_.of_pods());
}

void job_waiter::take_no_answer(error_code ec, diagnostics const& why) {
    if (is_final_answer(ec)) return give_up(ec, why);
    last_failure_ = failure(ec, why).to_string();
    client().options().logger(log_level::info, "reading a job that is waited for failed, retrying",
                              {{"job", job_.to_string()}, {"error", failure(ec, why).to_string()}});
}

void job_waiter::follow() {
    feed_options wanted;
    wanted.kind = job_.kind;
    wanted.namespace_ = job_.namespace_;
    wanted.pods = condition_.of_pods();
    feed_ = board_->feed(std::move(wanted));
    feed_->join(weak_from_this(), key_);
}

void job_waiter::listen_again() {
    behind_ = false;
    feed_->join(weak_from_this(), key_);
}

void job_waiter::be_behind() {
    if (std::exchange(behind_, true)) return;
    wake_.cancel();
}

bool job_waiter::see(erased_object const& job) {
    if (job) {
        auto const state = state_of_job(prepared_job::stored(*job_.kind, job), nullptr, {});
        look(job, &state, true);
    } else {
        look(nullptr, nullptr, true);
    }
    return over_;
}

/// Nothing is known of the roles of a job that breaks the rules of its kind.
std::optional<failure> job_waiter::fault_of_roles(erased_object const& job, job_state const& state) const {
    if (condition_.roles().empty() || state.roles.empty()) return std::nullopt;
    membership with_roles;
    for (auto const& r : state.roles) with_roles.roles.emplace_back().name = r.role;
    auto const known = roles_of(prepared_job::stored(*job_.kind, job), with_roles);
    for (auto const& wanted : condition_.roles())
        if (auto fault = fault_of_role("role", wanted, known)) return fault;
    return std::nullopt;
}

/// `whole`: the state contains all that the condition may read.
void job_waiter::look(erased_object const& job, job_state const* state, bool whole) {
    if (over_) return;
    bool const another = state != nullptr && !job_.uid.empty() && state->job.uid != job_.uid;
    if (another) state = nullptr;
    if (state != nullptr) {
        existed_ = true;
        absent_ = false;
        last_ = *state;
        job_.uid = state->job.uid; // another one of the name takes its place, and is not it
        if (!whole) return;
        if (auto const fault = fault_of_roles(job, *state)) return give_up(fault->code, fault->detail);
        if (condition_(state)) return finish(job);
        if (is_finished(state->phase) && condition_.settled(*state) == false && !condition_.holds_for_absence())
            give_up(errc::incomplete, saying(job_.to_string() + ": waiting for \"" + condition_.what() +
                                             "\" cannot succeed any more: " + state->to_string()));
        return;
    }
    if (condition_(nullptr)) return finish(nullptr);
    if (!existed_) return;
    give_up(errc::deleted,
            saying(job_.to_string() + (another ? " was replaced by another job of the same name" : " was deleted") +
                   (last_ ? last_state_text() : std::string())));
}

bool job_waiter::is_stale(job_feed const& from, object_meta const* job) const {
    if (job != nullptr && !dead_uid_.empty() && job->uid == dead_uid_) return true;
    if (version_.empty() || restorations_ != kube::detail::state_of(client()).restorations) return false;
    auto const is_older = [this](std::string_view v) {
        return kube::compare_resource_versions(v, version_) == std::partial_ordering::less;
    };
    return (job == nullptr || is_older(job->resource_version)) && is_older(from.version());
}

void job_waiter::take(job_feed const& from, job_news const& news) {
    auto const& m = job_.kind->primary().metadata(news.job.get());
    if (over_) return;
    if (is_stale(from, news.is_gone() ? nullptr : &m)) return be_behind();
    if (news.is_gone()) {
        // The deletion of another job with the name does not concern this wait.
        if (!job_.uid.empty() && m.uid != job_.uid) return;
        if (!dead_uid_.empty() && m.uid == dead_uid_) return;
        existed_ = true;
        last_ = news.change->state;
        // A job may end and go at once.
        if (condition_(&news.change->state)) return finish(news.job);
        return look(nullptr, nullptr, true);
    }
    has_report_ = true;
    behind_ = false;
    look(news.job, &news.change->state, true);
}

/// Without a report the job does not exist.
void job_waiter::synced(job_feed const& from) {
    if (over_ || has_report_) return;
    if (is_stale(from, nullptr)) return be_behind();
    look(nullptr, nullptr, true);
}

void job_waiter::unserved(job_feed const&, diagnostics const& why) {
    if (over_) return;
    // The server's own answer counts for more than what a feed remembers.
    if (read_ && feed_ && !std::exchange(doubted_, true)) return feed_->look_again(weak_from_this(), key_);
    if (condition_(nullptr)) return finish(nullptr);
    give_up(reason::not_found, why);
}

/// As the answer to a question about this job alone.
void job_waiter::unreadable(job_feed const&, kube::detail::misfit const& object, bool pods) {
    if (!pods) give_up(object.why.code, object.named().detail);
}

void job_waiter::failed(job_feed const&, error_code ec, diagnostics const& why, bool) {
    if (over_) return;
    if (is_forbidden(ec) && !condition_.of_pods()) {
        denied_ = true;
        wake_.cancel();
        return;
    }
    give_up(ec, why);
}

void job_waiter::finish(erased_object job) {
    result_ = std::move(job);
    end();
}

void job_waiter::give_up(error_code ec, diagnostics why) {
    if (over_) return;
    outcome_ = ec;
    why_ = std::move(why);
    end();
}

void job_waiter::end() {
    over_ = true;
    wake_.cancel();
}

} // namespace kftrain
