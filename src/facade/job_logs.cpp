#include "facade/job_logs.hpp"

#include "facade/container_runs.hpp"
#include "facade/log_session.hpp"
#include "kube/pending_handler.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/wait.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

namespace kftrain {
namespace {

/// How long replicas may go on writing after the job is finished, e.g. workers that the clean pod policy keeps.
constexpr std::chrono::milliseconds linger{1000};

/// Follows every container of every replica, each by a coroutine of its own, until the job is finished.
class follower : public std::enable_shared_from_this<follower> {
public:
    follower(training_client const& c, any_job j, std::function<void(log_line const&)> s, job_log_options o)
        : job_(std::move(j)),
          options_(o),
          session_(std::make_shared<log_session>(c.get_client(), job_.metadata().namespace_, std::move(s))),
          end_(executor()),
          deadline_(executor()) {}

    asio::any_io_executor executor() const { return session_->client.get_executor(); }

    /// Takes the handler; the rest happens in start(), on the executor.
    void take(kube::any_handler<void(error_code)> handler) {
        auto slot = asio::get_associated_cancellation_slot(handler);
        handler_.put(std::move(handler));
        if (slot.is_connected())
            slot.assign([weak = weak_from_this()](asio::cancellation_type) {
                if (auto const self = weak.lock()) self->stop(asio::error::operation_aborted);
            });
    }

    void start() {
        if (session_->stopped) return kube::complete(handler_.take(), outcome_);
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
            session_->client, job_.metadata().namespace_, job_.metadata().name, *job_.kind().objects,
            [weak = weak_from_this()](void const* job) {
                auto const self = weak.lock();
                return self && job != nullptr && self->look_at(job);
            },
            until_finished);
    }

private:
    void spawn(asio::awaitable<void> task) {
        auto const stops = std::make_shared<log_session::interruption>(session_, &log_session::busy);
        auto const ended = [self = shared_from_this(), stops](std::exception_ptr failed) {
            if (failed) self->session_->lose("following a replica failed"); // nothing, if it was stopped
            self->part_ended();
        };
        ++running_;
        asio::co_spawn(executor(), std::move(task),
                       asio::bind_cancellation_slot(stops->slot(), asio::bind_executor(executor(), ended)));
    }

    /// Follows the replicas that the job has by now; true when it is finished.
    bool look_at(void const* job) {
        auto const& kind = job_.kind();
        auto const generation = kind.objects->metadata(job).generation;
        bool const finished = is_finished(kind.phase(job));
        if (!looked_) session_->late = finished;
        if (!looked_ || generation != generation_) {
            auto const layout = any_job(kind, job).lay_out();
            for (auto const& r : layout.replicas)
                if (followed_.insert(r.name).second) spawn(follow_replica(r));
        }
        looked_ = true;
        generation_ = generation;
        return finished;
    }

    void job_ended(error_code ec) {
        if (ec && !session_->stopped) {
            stop(ec);
        } else if (!session_->stopped) {
            session_->finish();
            end_.expires_after(linger);
            end_.async_wait([weak = weak_from_this()](error_code cancelled) {
                auto const self = weak.lock();
                if (self && !cancelled && self->handler_) self->spawn(self->leave_running());
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
        if (--running_ != 0 || !handler_) return;
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
        kube::complete_later(executor(), handler_.take(), outcome_);
    }

    asio::awaitable<void> follow_replica(replica r) {
        auto const self = shared_from_this();
        std::function<bool(pod const*)> const exists = [](pod const* p) {
            return p != nullptr && !p->spec.containers.empty();
        };
        auto [ec, found] = co_await wait_for_pod(session_, r.name, exists);
        if (ec) {
            note_absence(*session_, r.name, ec, true);
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
    kube::pending_handler<void(error_code)> handler_;
    std::set<std::string> followed_; ///< names of replicas
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
