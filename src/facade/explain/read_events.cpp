#include "facade/explain/read_events.hpp"

#include "facade/job_references.hpp"
#include "facade/read_jobs.hpp"
#include "facade/refuse_job.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/async/operation.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/training_client.hpp>

namespace kftrain {
namespace {

namespace asio = boost::asio;

class event_reading {
public:
    event_reading(kube::client c, job_reference j, job_event_options o)
        : client_(std::move(c)), job_(std::move(j)), options_(std::move(o)) {}

    asio::awaitable<job_event_list> run() {
        auto job = co_await await_job(client_, job_, options_.common());
        auto wanted = job.references();
        auto const how = options_.common();
        auto const found = co_await await_references(client_, std::move(wanted), how, absent_reference::is_unknown);
        found.supply(job);
        event_collection events(event_subjects(prepared_job::stored(std::move(job)), options_.children));
        auto queries = events.queries();
        co_await explaining::run_queries(client_, std::move(queries), options_.common());
        if (events.job_error) {
            if (options_.detail != nullptr) {
                *options_.detail = diagnostics();
                options_.detail->message = events.job_error_text;
            }
            kube::detail::fail(events.job_error);
        }
        auto list = events.list(options_.most);
        co_return list;
    }

private:
    kube::client client_;
    job_reference job_;
    job_event_options options_;
};

asio::awaitable<job_event_list> run_reading(std::shared_ptr<event_reading> r) {
    auto list = co_await r->run();
    co_return list;
}

} // namespace

void read_job_events(kube::any_handler<void(error_code, job_event_list)> handler, kube::client client,
                     job_reference job, job_event_options options) {
    auto const executor = client.get_executor();
    kube::detail::deadline limit(options.timeout, options.detail, "events of " + job.to_string());
    auto r = std::make_shared<event_reading>(std::move(client), std::move(job), std::move(options));
    kube::detail::spawn(executor, run_reading(std::move(r)), std::move(limit), std::move(handler));
}

void training_client::events_(handler_of<job_event_list> handler, job_reference job, job_event_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    read_job_events(std::move(handler), client_, placed(std::move(job)), std::move(options));
}

result<job_event_list> training_client::events(job_reference const& job, job_event_options options) const {
    return kube::detail::blocking_form<job_event_list>(
        place(), std::move(options), [&](auto h, auto o) { events_(std::move(h), job, std::move(o)); });
}

} // namespace kftrain
