#include "facade/follow/job_board.hpp"
#include "facade/job_references.hpp"
#include "facade/logs/log_members.hpp"
#include "facade/logs/log_retry.hpp"
#include "facade/read_jobs.hpp"
#include "kube/async/operation.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/job/observed_types.hpp>
#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/wait.hpp>

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

/// Follows every container of every member, each by a coroutine of its own, until the job is finished.
class follower : public std::enable_shared_from_this<follower> {
public:
    follower(std::shared_ptr<log_session> s, std::shared_ptr<detail::job_board> b, job_reference j)
        : job_(std::move(j)),
          session_(std::move(s)),
          board_(std::move(b)),
          end_(executor()),
          deadline_(executor()),
          members_(session_, [this](asio::awaitable<void> task) { spawn(std::move(task)); }) {}
    follower(follower const&) = delete;
    follower& operator=(follower const&) = delete;
    ~follower() { end_pods(); }

    asio::any_io_executor executor() const { return session_->client.get_executor(); }

    void start() {
        if (session_->stopped) return session_->end(session_->reason, session_->details);
        if (auto const fit = check_log_options(session_->options); !fit)
            return session_->end(fit.error().code, fit.error().detail);
        if (session_->options.timeout.count() != 0) {
            deadline_.expires_after(session_->options.timeout);
            deadline_.async_wait([weak = weak_from_this()](error_code cancelled) {
                auto const self = weak.lock();
                if (self && !cancelled) self->run_out_of_time();
            });
        }
        // Only kinds with companions, such as runtimes, refer to objects that their members depend on.
        if (!kind().form().companions.empty()) return read_references();
        look();
    }

private:
    bool follows() const { return session_->options.follow && !session_->options.previous; }
    rules::job_rules const& kind() const { return *job_.kind; }

    void look() {
        if (follows())
            follow_job();
        else
            look_once();
    }

    /// Reads the job and the objects to which it refers before anything else; the job cannot refer to others later.
    void read_references() {
        auto const stops = std::make_shared<log_session::interruption>(session_);
        ++running_;
        auto on_objects = [self = shared_from_this(), stops](error_code, job_references found) {
            self->references_ = std::move(found);
            for (auto const& why : self->references_.unread()) self->session_->lose("the replicas are unknown: " + why);
            if (!self->session_->stopped) self->look();
            self->part_ended();
        };
        auto on_job = [self = shared_from_this(), stops, then = std::move(on_objects)](error_code ec,
                                                                                       any_job const& job) {
            if (ec) return then(error_code(), job_references()); // the next request finds out more
            kftrain::read_references(
                asio::bind_cancellation_slot(stops->slot(), asio::bind_executor(self->executor(), then)),
                self->session_->client, job.references(), kube::call_options(), absent_reference::is_unknown);
        };
        read_job(asio::bind_cancellation_slot(stops->slot(), asio::bind_executor(executor(), std::move(on_job))),
                 session_->client, job_, kube::call_options());
    }

    void follow_job() {
        kube::wait_options until_finished;
        until_finished.detail = &about_job_;
        until_finished.uid = job_.uid;
        auto const stops = std::make_shared<log_session::interruption>(session_);
        ++running_;
        kube::detail::start_wait(
            asio::bind_cancellation_slot(
                stops->slot(),
                asio::bind_executor(executor(), [self = shared_from_this(),
                                                 stops](error_code ec, erased_object const&) { self->job_ended(ec); })),
            session_->client, job_.namespace_, job_.name, kind().primary(),
            [weak = weak_from_this()](erased_object const& job) {
                auto const self = weak.lock();
                return self && job != nullptr && self->look_at(job.get());
            },
            until_finished);
    }

    /// Reads the existing output without waiting for more, as after the end of the job.
    void look_once() {
        auto const stops = std::make_shared<log_session::interruption>(session_);
        ++running_;
        auto on_read = [self = shared_from_this(), stops](error_code ec, any_job const& job) {
            if (!ec) self->look_at(job.get());
            self->job_ended(ec);
        };
        read_job(asio::bind_cancellation_slot(stops->slot(), asio::bind_executor(executor(), std::move(on_read))),
                 session_->client, job_, kube::call_options().with_detail(about_job_));
    }

    void run_out_of_time() {
        diagnostics about;
        about.message = kube::detail::with_last_failure("logs of " + job_.to_string() + ": not complete after " +
                                                            std::to_string(session_->options.timeout.count()) + " ms",
                                                        session_->last_failure());
        session_->stop(errc::timeout, std::move(about));
    }

    void spawn(asio::awaitable<void> task) {
        auto const stops = std::make_shared<log_session::interruption>(session_);
        auto const ended = [self = shared_from_this(), stops](std::exception_ptr failed) {
            if (failed) self->session_->lose("a replica could not be followed"); // nothing, if it was stopped
            self->part_ended();
        };
        ++running_;
        asio::co_spawn(executor(), std::move(task),
                       asio::bind_cancellation_slot(stops->slot(), asio::bind_executor(executor(), ended)));
    }

    /// Lays out what the job is like by now; true when it is finished. An object that is not the job does not count.
    bool look_at(void const* job) {
        auto const& m = kind().primary().metadata(job);
        bool const another = m.name != job_.name || (!m.namespace_.empty() && m.namespace_ != job_.namespace_);
        if (another || (!job_.uid.empty() && m.uid != job_.uid)) return false;
        auto const generation = m.generation;
        bool const finished = is_finished(kind().phase(job));
        bool const first = !members_.layout();
        if (first) session_->late = finished;
        if (first || generation != generation_) {
            any_job now(kind(), job);
            references_.supply(now);
            auto const fit = members_.lay_out(now);
            if (!fit) refuse(fit.error());
            if (fit && first && follows() && !finished) begin_pods(); // for a finished job a list is enough
        }
        generation_ = generation;
        return finished;
    }

    /// The wait for the job, whose question this is, must not end within it.
    void refuse(failure wrong) {
        refused_ = true;
        ++running_;
        asio::post(executor(), [self = shared_from_this(), wrong = std::move(wrong)] {
            self->session_->stop(wrong.code, wrong.detail);
            self->part_ended();
        });
    }

    void begin_pods() {
        auto const weak = weak_from_this();
        informer_ = board_->pods(kind(), session_->namespace_);
        session_->informer_failure = informer_->last_failure();
        informer_->add_handler([weak](kube::any_event const& e) {
            if (auto const self = weak.lock()) self->members_.take(e);
        });
        informer_->on_failure([weak](error_code ec, diagnostics const& why) {
            if (auto const self = weak.lock()) self->take_failure(ec, why);
        });
        informer_->wait_for_sync({}, [weak](error_code ec) {
            if (auto const self = weak.lock(); self && !ec) self->begin();
        });
        informer_->run([](error_code) {});
    }
    void end_pods() {
        if (auto const informer = std::exchange(informer_, nullptr)) informer->close();
    }

    /// An informer reports a failure from within its own work. What was read before may be read again.
    void take_failure(error_code ec, diagnostics const& why) {
        if (members_.has_begun() || !is_final_failure(ec)) return;
        asio::post(executor(), [weak = weak_from_this(), ec, why] {
            if (auto const self = weak.lock(); self && !self->members_.has_begun()) self->stop_for_pods(ec, why);
        });
    }
    void stop_for_pods(error_code ec, diagnostics why) {
        why.message.insert(0, "pods of " + job_.to_string() + ": ");
        session_->stop(ec, std::move(why));
    }

    /// All existing pods were reported for the first time.
    void begin() {
        if (members_.has_begun() || session_->stopped) return;
        if (auto const fit = members_.begin(); !fit) session_->stop(fit.error().code, fit.error().detail);
    }

    void job_ended(error_code ec) {
        if (ec)
            session_->stop(ec, about_job_); // nothing, if it was stopped
        else if (members_.layout() && !refused_ && !session_->stopped)
            spawn(take_stock());
        part_ended();
    }

    /// The pods of all members, as lists report them.
    struct listed_pods {
        listed_pods() = default;

        std::vector<job_pods::object> there;
        std::string version; ///< of the first list
        error_code failed;
        diagnostics why;
    };

    asio::awaitable<listed_pods> list_pods() {
        kube::any_api const all(session_->client, observed_pod_type(), session_->namespace_);
        listed_pods found;
        session_->pods.begin_list();
        for (auto const& selector : pod_selectors(members_.layout()->members())) {
            kube::page_options only;
            only.label_selector = selector;
            only.detail = &found.why;
            auto answer = co_await kube::async_list_all(all, only, detail::awaiting);
            found.failed = std::get<0>(answer);
            if (found.failed) break;
            auto const& list = std::get<1>(answer);
            if (found.version.empty()) found.version = list.metadata.resource_version;
            for (auto const& p : list.items) found.there.push_back(std::static_pointer_cast<pod const>(p.erased()));
        }
        co_return found;
    }

    /// The same; a follower waits for a server that is away, however long that takes.
    asio::awaitable<listed_pods> list_pods_with_retry() {
        log_retry retry;
        for (;;) {
            auto found = co_await list_pods();
            bool const again = found.failed && is_outage(found.failed, found.why) && follows();
            session_->list_failure.clear();
            if (session_->stopped || !again) co_return found;
            double const jitter = (1 + kube::detail::state_of(session_->client).jitter()) / 2;
            auto const time =
                retry.next(log_fault::server_away, true, kube::detail::time_of(session_->client).now(), jitter);
            session_->list_failure = failure(found.failed, found.why).to_string();
            kube::detail::timer timer(executor(), *time);
            co_await timer.async_wait(detail::awaiting);
        }
    }

    /// The job may have finished together with the creation of a pod: looks once more at all of them.
    asio::awaitable<void> take_stock() {
        auto const self = shared_from_this();
        auto listed = co_await list_pods_with_retry();
        auto const failed = listed.failed;
        auto const& why = listed.why;
        if (session_->stopped) co_return;
        if (failed && !members_.has_begun()) {
            stop_for_pods(failed, why);
            co_return;
        }
        if (failed)
            session_->lose("pods: the pods could not be listed (" + failure(failed, why).to_string() + ")");
        else
            session_->pods.replace(listed.there, std::move(listed.version));
        if (members_.has_begun())
            members_.see_all(false);
        else
            begin();
        if (session_->late) members_.note_absences();
        session_->finish();
        if (!follows()) co_return;
        end_.expires_after(linger);
        end_.async_wait([weak = weak_from_this()](error_code cancelled) {
            auto const self_then = weak.lock();
            if (self_then && !cancelled) leave_running(*self_then->session_);
        });
    }

    void part_ended() {
        if (--running_ != 0) return;
        end_pods();
        end_.cancel();
        deadline_.cancel();
        session_->pods.clear();
        if (session_->stopped) return session_->end(session_->reason, session_->details);
        if (session_->losses == 0) return session_->end(asio::error::eof);
        diagnostics about;
        about.message = session_->lost;
        if (session_->losses > 1) about.message += "; and " + std::to_string(session_->losses - 1) + " more";
        session_->end(errc::incomplete, std::move(about));
    }

    job_reference job_;
    std::shared_ptr<log_session> session_;
    std::shared_ptr<detail::job_board> board_;
    std::shared_ptr<kube::detail::informer_core> informer_; ///< of pods, while the job is followed
    kube::detail::timer end_;
    kube::detail::timer deadline_;
    diagnostics about_job_;
    log_members members_;
    job_references references_;   ///< to which the job refers
    std::int64_t generation_ = 0; ///< of the job that was looked at last
    std::size_t running_ = 0;     ///< what is waited for
    bool refused_ = false;        ///< the job, or what is wanted of it
};

} // namespace

void start_following(std::shared_ptr<log_session> session, std::shared_ptr<detail::job_board> board,
                     job_reference job) {
    std::make_shared<follower>(std::move(session), std::move(board), std::move(job))->start();
}

} // namespace kftrain
