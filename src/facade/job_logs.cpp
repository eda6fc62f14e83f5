#include "facade/job_logs.hpp"

#include "facade/container_runs.hpp"
#include "facade/log_session.hpp"
#include "kube/run_scope.hpp"

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
    follower(training_client const& c, any_job j, std::function<void(log_line const&)> s, job_log_options o)
        : job_(std::move(j)),
          options_(o),
          session_(std::make_shared<log_session>(c.get_client(), job_.metadata().namespace_, std::move(s))),
          end_(executor()),
          deadline_(executor()),
          run_(executor()) {}

    asio::any_io_executor executor() const { return session_->client.get_executor(); }

    /// Takes the handler; the rest happens in start(), on the executor.
    void take(kube::any_handler<void(error_code)> handler) {
        run_.begin(std::move(handler), [weak = weak_from_this()] {
            if (auto const self = weak.lock()) self->stop(asio::error::operation_aborted);
        });
    }

    void start() {
        if (session_->stopped) return run_.end(outcome_);
        if (options_.timeout.count() != 0) {
            deadline_.expires_after(options_.timeout);
            deadline_.async_wait([weak = weak_from_this()](error_code cancelled) {
                auto const self = weak.lock();
                if (self && !cancelled) self->stop(errc::timeout);
            });
        }
        kube::wait_options until_finished;
        until_finished.detail = options_.detail;
        until_finished.uid = job_.metadata().uid;
        auto const stops = std::make_shared<log_session::interruption>(session_, &log_session::busy);
        ++running_;
        kube::detail::start_wait(
            asio::bind_cancellation_slot(
                stops->slot(),
                asio::bind_executor(executor(), [self = shared_from_this(),
                                                 stops](error_code ec, erased_object const&) { self->job_ended(ec); })),
            session_->client, job_.metadata().namespace_, job_.metadata().name, job_.type(),
            [weak = weak_from_this()](erased_object const& job) {
                auto const self = weak.lock();
                return self && job != nullptr && self->look_at(job.get());
            },
            until_finished);
    }

private:
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

    /// Follows the replicas that the job has by now; true when it is finished.
    bool look_at(void const* job) {
        auto const& kind = job_.rules();
        auto const generation = kind.primary().metadata(job).generation;
        bool const finished = is_finished(kind.phase(job));
        if (!looked_) session_->late = finished;
        if ((!looked_ || generation != generation_) && lay_out(any_job(kind, job))) {
            for (auto const& m : layout_.members)
                if (!m.pod_name.empty() && followed_.insert(m.pod_name).second) spawn(follow_member(m, pod()));
            for (auto const& r : layout_.roles)
                if (has_unknown_names(r))
                    spawn(followed_.insert("role " + r.name).second ? follow_role(r) : see_all(r));
        }
        looked_ = true;
        generation_ = generation;
        return finished;
    }

    /// False if a server without a webhook keeps a job that is not valid: laid out, one of too many members would take all memory.
    bool lay_out(any_job const& job) {
        auto const found = job.validate();
        if (!has_errors(found)) {
            layout_ = job.lay_out();
            return true;
        }
        if (options_.detail != nullptr) {
            *options_.detail = diagnostics();
            options_.detail->message = join_errors(found, "; ");
        }
        // The wait, whose question this is, must not end within it.
        asio::post(executor(), [self = shared_from_this()] { self->stop(errc::invalid_job); });
        return false;
    }

    void job_ended(error_code ec) {
        if (ec && !session_->stopped) {
            stop(ec);
        } else if (!session_->stopped) {
            session_->finish();
            end_.expires_after(linger);
            end_.async_wait([weak = weak_from_this()](error_code cancelled) {
                auto const self = weak.lock();
                if (self && !cancelled && self->run_.going()) self->spawn(self->leave_running());
            });
        }
        part_ended();
    }

    /// Leaves the containers that go on writing; what the others wrote is read to its end.
    asio::awaitable<void> leave_running() {
        auto const self = shared_from_this();
        session_->over = true;
        kube::api<pod> pods(session_->client, session_->namespace_);
        std::set<std::pair<std::string, std::string>> open;
        for (auto const* log : session_->reading) open.emplace(log->pod, log->container);
        for (auto const& [name, container] : open) {
            auto answer = co_await pods.async_get(name, detail::awaiting);
            error_code const ec = std::get<0>(answer);
            if (is_not_found(ec)) continue;
            if (ec) session_->lose("pod " + name + ": it could not be looked at (" + ec.message() + ")");
            auto const* c = status_of(std::get<1>(answer), container);
            if (c == nullptr || !c->state.terminated) leave(name, container);
        }
    }

    void leave(std::string const& name, std::string const& container) {
        auto const open = session_->reading;
        for (auto* log : open) {
            if (!session_->reading.contains(log) || log->previous || log->pod != name || log->container != container)
                continue;
            log->left = true;
            log->signal->emit(asio::cancellation_type::terminal);
        }
    }

    void stop(error_code ec) {
        if (session_->stopped) return;
        outcome_ = ec;
        session_->stop();
    }

    void part_ended() {
        if (--running_ != 0 || !run_.going()) return;
        end_.cancel();
        deadline_.cancel();
        if (!session_->stopped && session_->losses != 0) {
            outcome_ = errc::incomplete;
            if (options_.detail != nullptr) {
                *options_.detail = diagnostics();
                options_.detail->message = session_->lost;
                if (session_->losses > 1)
                    options_.detail->message += "; and " + std::to_string(session_->losses - 1) + " more";
            }
        }
        run_.end(outcome_);
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

    /// Follows a pod of such a role, once; false if it is none.
    bool see(pod const& p) {
        auto const* const known = layout_.of(p.metadata);
        if (known == nullptr || session_->stopped) return known != nullptr;
        member m = *known;
        m.pod_name = p.metadata.name;
        if (followed_.insert(m.pod_name).second) spawn(follow_member(std::move(m), p));
        return true;
    }

    /// `known` was seen last; without a name, if none was.
    asio::awaitable<void> follow_member(member r, pod known) {
        auto const self = shared_from_this();
        std::function<bool(pod const*)> const exists = [](pod const* p) {
            return p != nullptr && !p->spec.containers.empty();
        };
        found_pod answer(error_code(), std::move(known));
        if (!exists(&std::get<1>(answer))) answer = co_await wait_for_pod(session_, r.pod_name, exists);
        auto const& [ec, found] = answer;
        if (ec) {
            note_absence(*session_, r.pod_name, ec, true);
            co_return;
        }
        // The first container needs no coroutine of its own.
        for (std::size_t i = 1; i < found.spec.containers.size(); ++i)
            spawn(follow_container(session_, r, found.spec.containers[i].name, found));
        std::string const first = found.spec.containers.front().name;
        co_await follow_container(session_, r, first, found);
    }

    any_job job_;
    job_log_options options_;
    std::shared_ptr<log_session> session_;
    asio::steady_timer end_;
    asio::steady_timer deadline_;
    kube::run_scope run_;
    membership layout_;              ///< of the job that was looked at last
    std::set<std::string> followed_; ///< names of pods, and roles
    std::int64_t generation_ = 0;    ///< of the job that was looked at last
    error_code outcome_;
    std::size_t running_ = 0;
    bool looked_ = false;
};

} // namespace

void follow_job_logs(kube::any_handler<void(error_code)> handler, training_client client, any_job job,
                     std::function<void(log_line const&)> sink, job_log_options options) {
    auto const f = std::make_shared<follower>(client, std::move(job), std::move(sink), options);
    auto const executor = f->executor();
    f->take(std::move(handler));
    asio::post(executor, [f] { f->start(); });
}

} // namespace kftrain
