#include "facade/follow/job_board.hpp"
#include "facade/job_arguments.hpp"
#include "facade/job_events.hpp"
#include "facade/job_references.hpp"
#include "facade/logs/log_session.hpp"
#include "facade/read_jobs.hpp"
#include "facade/timeline/timeline_record.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/async/operation.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/observed_types.hpp>
#include <kftrain/kube/any_informer.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/then_complete.hpp>
#include <kftrain/kube/wait.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <exception>
#include <iterator>
#include <set>
#include <vector>

namespace kftrain {
namespace {

namespace asio = boost::asio;

constexpr std::size_t most_timeline_events = 20'000;
constexpr std::int64_t lines_to_search = 1000;
/// How long a recording waits for the last lines of a finished job.
constexpr std::chrono::seconds log_patience{3};
/// How long the output may take that a timeline without a time limit of its own needs.
constexpr std::chrono::seconds search_patience{10};

time_point current_time() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

asio::awaitable<void> search_log(job_log_stream& stream, std::function<void(log_line const&)> take) {
    for (;;) {
        auto [ec, line] = co_await stream.async_next(detail::awaiting);
        if (ec == asio::error::operation_aborted) kube::detail::fail(ec);
        if (ec) co_return; // the end, or output that cannot be read
        take(line);
    }
}

job_log_options search_of(membership const& all, std::chrono::milliseconds timeout) {
    auto how = primary_log(all);
    how.follow = false;
    how.tail = lines_to_search;
    how.timeout = timeout;
    return how;
}

/// One reading or recording of a timeline.
class timeline_reading : public std::enable_shared_from_this<timeline_reading> {
public:
    timeline_reading(std::shared_ptr<detail::job_board> board, job_reference job, timeline_options options)
        : board_(std::move(board)),
          job_(std::move(job)),
          options_(std::move(options)),
          record_(options_.most_pods),
          logs_over_(board_->client.get_executor()) {}

    asio::awaitable<void> run() {
        auto const how = call_options();
        auto job = co_await await_job(board_->client, job_, how);
        references_ = co_await await_references(board_->client, job.references(), how, absent_reference::is_unknown);
        references_.supply(job);
        for (auto const& why : references_.unread()) record_.lacks(why);
        job_.uid = job.metadata().uid;
        record_.see(job, current_time());
        bool const follows = options_.follow && !is_finished(job.phase());
        co_await read_pods_and_events(!follows);
        if (follows) {
            co_await follow();
            co_await read_pods_and_events(true);
        } else if (options_.progress && record_.layout() != nullptr) {
            auto const time =
                options_.timeout.count() == 0 ? std::chrono::milliseconds(search_patience) : options_.timeout;
            logs_ = open_job_logs(board_, job_, search_of(record_.layout()->members(), time));
            std::function<void(log_line const&)> const take = [this](log_line const& line) {
                record_.see(line, current_time());
            };
            co_await search_log(logs_, take);
        }
    }

    /// Ends what follows, on the executor. The result may be taken on any thread afterwards.
    void end() {
        logs_ = job_log_stream();
        informers_.clear();
        if (!record_.empty()) result_ = record_.result(current_time());
    }
    job_timeline take() { return std::move(result_); }

private:
    kube::call_options call_options() const {
        kube::call_options how;
        if (options_.timeout.count() != 0 && !options_.follow) how.timeout = options_.timeout;
        how.detail = options_.detail;
        return how;
    }

    /// `last`: reports what cannot be read.
    asio::awaitable<void> read_pods_and_events(bool last) {
        event_collection events(event_subjects(record_.job(), true));
        auto queries = events.queries();
        listed_.clear();
        bool complete = record_.layout() != nullptr;
        if (record_.layout() != nullptr)
            std::ranges::move(pod_queries(
                                  job_.namespace_, record_.layout()->members(),
                                  [this](core::pod const& p) {
                                      record_.see(p, current_time());
                                      listed_.insert(p.metadata.uid);
                                  },
                                  [this, last, &complete](error_code, std::string const& why) {
                                      complete = false;
                                      record_.set_pods_unknown();
                                      if (last) record_.lacks("Pods: " + why);
                                  }),
                              std::back_inserter(queries));
        auto how = call_options();
        how.detail = nullptr;
        co_await run_queries(board_->client, std::move(queries), how);
        if (complete) record_.see_all(listed_, current_time());
        auto const list = events.list(most_timeline_events);
        record_.see_events(list.items);
        if (last)
            for (auto const& why : list.unread) record_.lacks("Some " + why);
    }

    asio::awaitable<void> follow() {
        record_.set_recorded();
        follow_pods();
        if (options_.progress && record_.layout() != nullptr) {
            logs_ = open_job_logs(board_, job_, primary_log(record_.layout()->members()));
            reading_logs_ = true;
            read_next_line();
        }
        kube::wait_options until_finished;
        until_finished.detail = options_.detail;
        until_finished.uid = job_.uid;
        until_finished.timeout = options_.timeout;
        auto done = [weak = weak_from_this()](erased_object const& job) {
            auto const self = weak.lock();
            return self && job != nullptr && self->see_job(job.get());
        };
        auto begin = [this, done, until_finished](kube::any_handler<void(error_code, erased_object)> h) {
            kube::detail::start_wait(std::move(h), board_->client, job_.namespace_, job_.name, job_.kind->primary(),
                                     done, until_finished);
        };
        auto const executor = board_->client.get_executor();
        auto outcome = co_await kube::detail::initiate<void(error_code, erased_object)>(executor, detail::awaiting,
                                                                                        std::move(begin));
        auto const ec = std::get<0>(outcome);
        if (!ec && reading_logs_) {
            logs_over_.expires_after(log_patience);
            co_await logs_over_.async_wait(detail::awaiting);
        }
        if (ec && ec != errc::timeout) kube::detail::fail(ec);
        if (options_.detail != nullptr) *options_.detail = diagnostics();
    }

    bool see_job(void const* job) {
        any_job state(*job_.kind, job);
        references_.supply(state);
        record_.see(state, current_time());
        return is_finished(state.phase());
    }

    void follow_pods() {
        if (record_.layout() == nullptr) return;
        kube::any_api const pods(board_->client, observed_pod_type(), job_.namespace_);
        for (auto& selector : pod_selectors(record_.layout()->members())) {
            auto& informer =
                informers_.emplace_back(pods, kube::informer_options().with_label_selector(std::move(selector)));
            informer.on_event([this](kube::any_event const& e) {
                record_.see(*static_cast<core::pod const*>(e.object.erased().get()), current_time());
                if (e.kind == change_kind::deleted) record_.see_deleted(e.object.metadata(), current_time());
            });
            informer.async_run(asio::detached);
        }
    }

    void read_next_line() {
        logs_.async_next([weak = weak_from_this()](error_code ec, log_line const& line) {
            auto const self = weak.lock();
            if (!self) return;
            if (ec) {
                self->reading_logs_ = false;
                self->logs_over_.cancel();
                return;
            }
            self->record_.see(line, current_time());
            self->read_next_line();
        });
    }

    std::shared_ptr<detail::job_board> board_;
    job_reference job_;
    timeline_options options_;
    timeline_record record_;
    job_references references_;    ///< to which the job refers
    asio::steady_timer logs_over_; ///< cancelled at the end of logs_
    bool reading_logs_ = false;
    std::set<std::string, std::less<>> listed_; ///< uids of the pods of the latest list
    job_timeline result_;
    job_log_stream logs_;
    std::vector<kube::any_informer> informers_;
};

asio::awaitable<void> run_timeline_reading(std::shared_ptr<timeline_reading> r) {
    std::exception_ptr failed;
    try {
        co_await r->run();
    } catch (...) {
        failed = std::current_exception();
    }
    r->end();
    if (failed) std::rethrow_exception(failed);
}

asio::awaitable<job_progress> read_progress(std::shared_ptr<detail::job_board> board, job_reference reference,
                                            kube::call_options options) {
    auto const job = co_await await_stored_job(board->client, reference, options, nullptr);
    reference.uid = job->metadata().uid;
    progress_record record;
    auto const layout = lay_out_job(job);
    if (layout) {
        auto stream = open_job_logs(board, reference, search_of(layout->members(), search_patience));
        std::function<void(log_line const&)> const take = [&record](log_line const& line) {
            record.take(line, current_time());
        };
        co_await search_log(stream, take);
    }
    co_return record.latest();
}

} // namespace

void training_client::timeline_(handler_of<job_timeline> handler, job_reference job, timeline_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    kube::detail::deadline limit;
    if (!options.follow)
        limit = kube::detail::deadline(options.timeout, options.detail, "timeline of " + job.to_string());
    auto r = std::make_shared<timeline_reading>(board_, placed(std::move(job)), std::move(options));
    auto deliver = [r](handler_of<job_timeline> h, error_code ec) { std::move(h)(ec, r->take()); };
    auto then = kube::detail::then_complete(std::move(handler), std::move(deliver));
    kube::detail::spawn(get_executor(), run_timeline_reading(std::move(r)), std::move(limit),
                        kube::any_handler<void(error_code)>(std::move(then)));
}

result<job_timeline> training_client::timeline(job_reference const& job, timeline_options options) const {
    return kube::detail::blocking_form<job_timeline>(
        place(), std::move(options), [&](auto h, auto o) { timeline_(std::move(h), job, std::move(o)); });
}

void training_client::progress_(handler_of<job_progress> handler, job_reference job, kube::call_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    kube::detail::deadline limit(options.timeout, options.detail, "progress of " + job.to_string());
    kube::detail::spawn(get_executor(), read_progress(board_, placed(std::move(job)), options), std::move(limit),
                        std::move(handler));
}

result<job_progress> training_client::progress(job_reference const& job, kube::call_options options) const {
    return kube::detail::blocking_form<job_progress>(
        place(), std::move(options), [&](auto h, auto o) { progress_(std::move(h), job, std::move(o)); });
}

} // namespace kftrain
