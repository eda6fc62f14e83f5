#include "facade/logs/log_follower.hpp"

#include "facade/read_jobs.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/wait.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>

namespace kftrain {
namespace {

/// How long replicas may go on writing after the job is finished, e.g. workers that the clean pod policy keeps.
constexpr std::chrono::milliseconds linger{1000};

/// Follows every container of every member, each by a coroutine of its own, until the job is finished.
class follower : public std::enable_shared_from_this<follower> {
public:
    follower(std::shared_ptr<log_session> s, job_reference j)
        : job_(std::move(j)), session_(std::move(s)), end_(executor()), deadline_(executor()) {}

    asio::any_io_executor executor() const { return session_->client.get_executor(); }

    void start() {
        if (session_->stopped) return session_->end(session_->reason, session_->said);
        if (auto const fit = check_log_options(session_->options); !fit)
            return session_->end(fit.error().code, fit.error().detail);
        if (session_->options.timeout.count() != 0) {
            deadline_.expires_after(session_->options.timeout);
            deadline_.async_wait([weak = weak_from_this()](error_code cancelled) {
                auto const self = weak.lock();
                if (self && !cancelled) self->run_out_of_time();
            });
        }
        if (session_->options.follow && !session_->options.previous)
            follow_job();
        else
            look_once();
    }

private:
    void follow_job() {
        kube::wait_options until_finished;
        until_finished.detail = &about_job_;
        until_finished.uid = job_.uid;
        auto const stops = std::make_shared<log_session::interruption>(session_, &log_session::busy);
        ++running_;
        kube::detail::start_wait(
            asio::bind_cancellation_slot(
                stops->slot(),
                asio::bind_executor(executor(), [self = shared_from_this(),
                                                 stops](error_code ec, erased_object const&) { self->job_ended(ec); })),
            session_->client, job_.namespace_, job_.name, job_.kind->primary(),
            [weak = weak_from_this()](erased_object const& job) {
                auto const self = weak.lock();
                return self && job != nullptr && self->look_at(job.get());
            },
            until_finished);
    }

    /// At what there is now: as after the end of the job, nobody waits for anything.
    void look_once() {
        session_->finished = true;
        auto const stops = std::make_shared<log_session::interruption>(session_, &log_session::busy);
        ++running_;
        auto seen = [self = shared_from_this(), stops](error_code ec, any_job const& job) {
            if (ec)
                self->session_->stop(ec, self->about_job_);
            else
                self->look_at(job.get());
            self->part_ended();
        };
        read_job(asio::bind_cancellation_slot(stops->slot(), asio::bind_executor(executor(), std::move(seen))),
                 session_->client, job_, kube::call_options().with_detail(about_job_));
    }

    void run_out_of_time() {
        diagnostics about;
        about.message = "logs of " + job_.to_string() + ": not complete after " +
                        std::to_string(session_->options.timeout.count()) + " ms";
        session_->stop(errc::timeout, std::move(about));
    }

    void spawn(asio::awaitable<void> task) {
        auto const stops = std::make_shared<log_session::interruption>(session_, &log_session::busy);
        auto const ended = [self = shared_from_this(), stops](std::exception_ptr failed) {
            if (failed) self->session_->lose("following a member failed"); // nothing, if it was stopped
            self->part_ended();
        };
        ++running_;
        asio::co_spawn(executor(), std::move(task),
                       asio::bind_cancellation_slot(stops->slot(), asio::bind_executor(executor(), ended)));
    }

    /// Follows the wanted replicas that the job has by now; true when it is finished.
    bool look_at(void const* job) {
        auto const& kind = *job_.kind;
        auto const& wanted = session_->options;
        auto const generation = kind.primary().metadata(job).generation;
        bool const finished = is_finished(kind.phase(job));
        if (!looked_) session_->late = finished;
        if ((!looked_ || generation != generation_) && lay_out(any_job(kind, job))) {
            for (auto const& m : layout_.members)
                if (!m.pod_name.empty() && wants_member(wanted, m) && followed_.insert(m.pod_name).second)
                    ++unseen_, spawn(follow_member(m, pod()));
            for (auto const& r : layout_.roles)
                if (has_unknown_names(r) && !leaves_out_role(wanted, r.name)) {
                    by_role_ = true;
                    spawn(followed_.insert("role " + r.name).second ? follow_role(r) : see_all(r));
                }
        }
        looked_ = true;
        generation_ = generation;
        return finished;
    }

    /// False if a server without a webhook keeps a job that is not valid: laid out, one of too many members would take all memory.
    bool lay_out(any_job const& job) {
        failure wrong;
        auto const found = job.validate();
        if (has_errors(found)) {
            wrong.code = errc::invalid_job;
            wrong.detail.message = join_errors(found, "; ");
        } else {
            layout_ = job.lay_out();
            if (looked_) return true;
            auto const fit = check_log_members(session_->options, layout_);
            if (fit) return true;
            wrong = fit.error();
        }
        // The wait, whose question this is, must not end within it.
        ++running_;
        asio::post(executor(), [self = shared_from_this(), wrong] {
            self->session_->stop(wrong.code, wrong.detail);
            self->part_ended();
        });
        return false;
    }

    void job_ended(error_code ec) {
        if (ec && !session_->stopped) {
            session_->stop(ec, about_job_);
        } else if (!session_->stopped) {
            session_->finish();
            end_.expires_after(linger);
            end_.async_wait([weak = weak_from_this()](error_code cancelled) {
                auto const self = weak.lock();
                if (self && !cancelled && self->running_ != 0) self->spawn(leave_running(self->session_));
            });
        }
        part_ended();
    }

    void part_ended() {
        if (--running_ != 0) return;
        end_.cancel();
        deadline_.cancel();
        if (session_->stopped) return session_->end(session_->reason, session_->said);
        if (auto const fit = session_->containers.check(session_->options); !fit)
            return session_->end(fit.error().code, fit.error().detail);
        if (session_->losses == 0) return session_->end(asio::error::eof);
        diagnostics about;
        about.message = session_->lost;
        if (session_->losses > 1) about.message += "; and " + std::to_string(session_->losses - 1) + " more";
        session_->end(errc::incomplete, std::move(about));
    }

    bool has_unknown_names(role const& r) const {
        return std::ranges::any_of(layout_.of_role(r.name), [](member const& m) { return m.pod_name.empty(); });
    }

    /// Follows the pods of a role whose names nobody knows beforehand, each from the time when it is seen.
    asio::awaitable<void> follow_role(role r) {
        auto const self = shared_from_this();
        if (!session_->finished) {
            log_session::interruption waits(session_, &log_session::waiting);
            kube::informer_options options;
            options.label_selector = r.label_selector();
            kube::informer<pod> seen(kube::api<pod>(session_->client, session_->namespace_), options);
            seen.on_event([weak = weak_from_this()](kube::object_event<pod> const& e) {
                if (auto const follower_of = weak.lock()) follower_of->see(*e.object);
            });
            co_await seen.async_run(asio::bind_cancellation_slot(waits.slot(), detail::awaiting));
        }
        // The job may have finished together with the creation of a pod: look once more.
        if (!session_->stopped) co_await see_all(r);
    }

    /// Follows those of its pods that are there now.
    asio::awaitable<void> see_all(role r) {
        auto const self = shared_from_this();
        kube::api<pod> pods(session_->client, session_->namespace_);
        kube::list_options only;
        only.label_selector = r.label_selector();
        auto [ec, last] = co_await pods.async_list(only, detail::awaiting);
        if (ec && !is_cancelled(ec))
            session_->lose("pods of role " + r.name + ": they could not be listed (" + ec.message() + ")");
        bool found = false;
        for (auto const& p : last.items) found = see(p) || found;
        if (!ec && !found && session_->late)
            session_->lose("pods of role " + r.name + ": they were gone before their output was asked for");
    }

    /// Follows a wanted pod of such a role, once; false if it is none.
    bool see(pod const& p) {
        auto const* const known = layout_.of(p.metadata);
        if (known == nullptr || session_->stopped || !wants_member(session_->options, *known)) return known != nullptr;
        member m = *known;
        m.pod_name = p.metadata.name;
        if (!followed_.insert(m.pod_name).second) return true;
        session_->containers.add(p);
        spawn(follow_member(std::move(m), p));
        return true;
    }

    /// `known` was seen last; without a name, if none was.
    asio::awaitable<void> follow_member(member r, pod known) {
        auto const self = shared_from_this();
        bool early = true;
        std::function<bool(pod const*)> const exists = [&early](pod const* p) {
            bool const there = p != nullptr && !p->spec.containers.empty();
            early = early && there;
            return there;
        };
        bool const by_role = !known.metadata.name.empty();
        found_pod answer(error_code(), std::move(known));
        if (!by_role) answer = co_await wait_for_pod(session_, r.pod_name, exists);
        auto const& [ec, found] = answer;
        if (!by_role) one_seen(ec ? nullptr : &found);
        if (ec) {
            note_absence(*session_, r.pod_name, ec, true);
            co_return;
        }
        // The first container needs no coroutine of its own.
        std::vector<std::string> const names = wanted_containers(session_->options, found);
        for (std::size_t i = 1; i < names.size(); ++i) spawn(follow_container(session_, r, names[i], found, early));
        if (!names.empty()) co_await follow_container(session_, r, names.front(), found, early);
    }

    /// A member whose name is known was looked at for the first time, or is none that can be.
    void one_seen(pod const* p) {
        if (p != nullptr) session_->containers.add(*p);
        if (--unseen_ != 0 || by_role_ || session_->stopped) return;
        // Those who follow the last one note which of the position's places they go on from, before this looks.
        asio::post(executor(), [self = shared_from_this()] {
            self->session_->forget_unseen();
            auto const fit = self->session_->containers.check(self->session_->options);
            if (!fit) self->session_->stop(fit.error().code, fit.error().detail);
        });
    }

    job_reference job_;
    std::shared_ptr<log_session> session_;
    asio::steady_timer end_;
    asio::steady_timer deadline_;
    diagnostics about_job_;
    membership layout_;              ///< of the job that was looked at last
    std::set<std::string> followed_; ///< names of pods, and roles
    std::int64_t generation_ = 0;    ///< of the job that was looked at last
    std::size_t unseen_ = 0;         ///< members of known names that were not looked at yet
    std::size_t running_ = 0;
    bool by_role_ = false; ///< there are members whose names nobody knows
    bool looked_ = false;
};

} // namespace

void start_following(std::shared_ptr<log_session> session, job_reference job) {
    std::make_shared<follower>(std::move(session), std::move(job))->start();
}

} // namespace kftrain
