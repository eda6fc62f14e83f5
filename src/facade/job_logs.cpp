#include "facade/job_logs.hpp"

#include "kube/pending_handler.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/logs.hpp>
#include <kftrain/kube/wait.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <list>

namespace kftrain {
namespace {

namespace asio = boost::asio;

constexpr auto await = asio::as_tuple(asio::use_awaitable);
/// How long replicas may go on writing after the job is finished, e.g. workers that the clean pod policy keeps.
constexpr std::chrono::milliseconds linger{1000};

/// The container's status, or null.
container_status const* status_of(pod const& p, std::string_view container) {
    for (auto const& c : p.status.container_statuses)
        if (c.name == container) return &c;
    return nullptr;
}

/// How often the container has begun; its log can be read once that is not 0.
std::int32_t times_begun(pod const& p, std::string_view container) {
    auto const* c = status_of(p, container);
    if (c == nullptr) return 0;
    return c->restart_count + (c->state.running || c->state.terminated ? 1 : 0);
}

/// Follows every container of every replica, each by a coroutine of its own, until the job is finished.
class follower : public std::enable_shared_from_this<follower> {
public:
    follower(training_client c, any_job j, std::function<void(log_line const&)> s, job_log_options o)
        : client_(std::move(c)),
          job_(std::move(j)),
          sink_(std::move(s)),
          options_(o),
          end_(client_.get_executor()),
          deadline_(client_.get_executor()) {}

    asio::any_io_executor executor() const { return client_.get_executor(); }

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
        if (stopped_) return kube::complete(handler_.take(), outcome_);
        auto const layout = job_.lay_out();
        for (auto const& r : layout.replicas) spawn(follow_replica(r));
        if (options_.timeout.count() != 0) {
            deadline_.expires_after(options_.timeout);
            deadline_.async_wait([weak = weak_from_this()](error_code cancelled) {
                auto const self = weak.lock();
                if (self && !cancelled) self->stop(errc::timeout);
            });
        }
        kube::wait_options until_finished;
        until_finished.detail = options_.detail;
        client_.async_wait(
            job_, until_finished,
            asio::bind_cancellation_slot(
                add_signal().slot(),
                asio::bind_executor(client_.get_executor(), [self = shared_from_this()](error_code ec, any_job const&) {
                    self->job_ended(ec);
                })));
        ++running_;
    }

private:
    /// A log that is being read.
    struct reading {
        reading(std::string p, std::string c, asio::cancellation_signal& s)
            : pod(std::move(p)), container(std::move(c)), signal(s) {}

        std::string pod;
        std::string container;
        asio::cancellation_signal& signal;
        bool left = false;
    };

    asio::cancellation_signal& add_signal() { return signals_.emplace_back(); }

    void spawn(asio::awaitable<void> task) {
        ++running_;
        asio::co_spawn(client_.get_executor(), std::move(task),
                       asio::bind_cancellation_slot(
                           add_signal().slot(),
                           asio::bind_executor(client_.get_executor(), [self = shared_from_this()](std::exception_ptr) {
                               self->part_ended();
                           })));
    }

    void job_ended(error_code ec) {
        if (ec && !stopped_) {
            stop(ec);
        } else if (!stopped_) {
            finished_ = true;
            end_.expires_after(linger);
            end_.async_wait([weak = weak_from_this()](error_code cancelled) {
                auto const self = weak.lock();
                if (self && !cancelled && self->handler_) self->spawn(self->leave_running());
            });
            wake_idle();
        }
        part_ended();
    }

    /// Ends those that wait for a container which may never begin.
    void wake_idle() {
        for (auto* s : idle_) s->emit(asio::cancellation_type::terminal);
    }

    /// Leaves the containers that go on writing; what the others wrote is read to its end.
    asio::awaitable<void> leave_running() {
        auto const self = shared_from_this();
        over_ = true;
        kube::api<pod> pods(client_.get_client(), job_.metadata().namespace_);
        auto const open = reading_;
        for (auto const& r : open) {
            auto answer = co_await pods.async_get(r->pod, await);
            if (is_not_found(std::get<0>(answer))) continue;
            auto const* c = status_of(std::get<1>(answer), r->container);
            if (c != nullptr && c->state.terminated) continue;
            r->left = true;
            r->signal.emit(asio::cancellation_type::terminal);
        }
    }

    /// Keeps the first reason why lines may be missing; it becomes the outcome.
    void note(error_code ec) {
        // Refused as bad: the container began anew meanwhile; the next round reads that.
        bool const expected =
            ec == asio::error::eof || is_cancelled(ec) || is_not_found(ec) || ec == reason::bad_request;
        if (!expected && !outcome_) outcome_ = ec;
    }

    void stop(error_code ec) {
        if (stopped_) return;
        stopped_ = true;
        outcome_ = ec;
        for (auto& s : signals_) s.emit(asio::cancellation_type::terminal);
    }

    void part_ended() {
        if (--running_ != 0 || !handler_) return;
        end_.cancel();
        deadline_.cancel();
        kube::complete_later(client_.get_executor(), handler_.take(), outcome_);
    }

    asio::awaitable<void> follow_replica(replica r) {
        auto const self = shared_from_this();
        kube::api<pod> pods(client_.get_client(), job_.metadata().namespace_);
        auto const exists = [](pod const* p) { return p != nullptr && !p->spec.containers.empty(); };
        auto [ec, found] = co_await wait_idle(pods, r.name, exists);
        if (ec) co_return;
        // The first container needs no coroutine of its own.
        for (std::size_t i = 1; i < found.spec.containers.size(); ++i)
            spawn(follow_container(r, found.spec.containers[i].name));
        std::string const first = found.spec.containers.front().name;
        co_await follow_container(r, first);
    }

    asio::awaitable<void> follow_container(replica r, std::string container) {
        auto const self = shared_from_this();
        kube::api<pod> pods(client_.get_client(), job_.metadata().namespace_);
        std::string uid;
        std::int32_t read = 0; // how many runs of the container in this pod were read to their end
        while (!stopped_ && !over_) {
            auto const more = [&](pod const* p) {
                if (p == nullptr) return false;
                return times_begun(*p, container) > (p->metadata.uid == uid ? read : 0);
            };
            auto [ec, current] = co_await wait_idle(pods, r.name, more);
            if (ec) co_return;
            if (over_) co_return; // it began to wait before the end, and nobody would end it now
            if (current.metadata.uid != uid) read = 0;
            uid = current.metadata.uid;
            std::int32_t const run = times_begun(current, container);
            co_await read_log(r, container);
            read = run;
        }
    }

    /// Waits for a state of a pod; ends early when the job finishes first.
    template <class Predicate>
    asio::awaitable<std::tuple<error_code, pod>> wait_idle(kube::api<pod>& pods, std::string name, Predicate p) {
        asio::cancellation_signal& signal = add_signal();
        if (finished_) {
            auto answer = co_await pods.async_get(name, await);
            error_code ec = std::get<0>(answer);
            if (!ec && !p(&std::get<1>(answer))) ec = asio::error::eof;
            co_return std::make_tuple(ec, std::move(std::get<1>(answer)));
        }
        idle_.push_back(&signal);
        kube::wait_options options;
        auto answer =
            co_await kube::async_wait(pods, name, p, options, asio::bind_cancellation_slot(signal.slot(), await));
        std::erase(idle_, &signal);
        // The job may have finished together with the event that would have ended the wait: look once more.
        if (std::get<0>(answer) == asio::error::operation_aborted && finished_ && !stopped_) {
            auto last = co_await wait_idle(pods, name, p);
            co_return last;
        }
        co_return answer;
    }

    asio::awaitable<void> read_log(replica const& r, std::string const& container) {
        auto const mine = std::make_shared<reading>(r.name, container, add_signal());
        reading_.push_back(mine);
        co_await read_lines(r, *mine);
        std::erase(reading_, mine);
    }

    asio::awaitable<void> read_lines(replica const& r, reading& mine) {
        kube::log_params params;
        params.container = mine.container;
        params.follow = true;
        kube::call_options options;
        auto [opened, log] =
            co_await kube::async_logs(client_.get_client(), job_.metadata().namespace_, r.name, params, options, await);
        if (opened) {
            note(opened);
            co_return;
        }
        while (!mine.left) {
            auto [ec, text] = co_await log.async_read_line(asio::bind_cancellation_slot(mine.signal.slot(), await));
            if (ec) {
                note(ec);
                co_return;
            }
            log_line line;
            line.replica = r;
            line.container = mine.container;
            line.text = std::move(text);
            sink_(line);
        }
    }

    training_client client_;
    any_job job_;
    std::function<void(log_line const&)> sink_;
    job_log_options options_;
    asio::steady_timer end_;
    asio::steady_timer deadline_;
    kube::pending_handler<void(error_code)> handler_;
    std::list<asio::cancellation_signal> signals_;
    std::vector<asio::cancellation_signal*> idle_;
    std::vector<std::shared_ptr<reading>> reading_;
    error_code outcome_;
    std::size_t running_ = 0;
    bool finished_ = false;
    bool over_ = false; ///< the time after the job's end has passed
    bool stopped_ = false;
};

} // namespace

void follow_job_logs(kube::any_handler<void(error_code)> handler, training_client client, any_job job,
                     std::function<void(log_line const&)> sink, job_log_options options) {
    auto const f = std::make_shared<follower>(std::move(client), std::move(job), std::move(sink), options);
    auto const executor = f->executor();
    f->take(std::move(handler));
    asio::post(executor, [f] { f->start(); });
}

} // namespace kftrain
