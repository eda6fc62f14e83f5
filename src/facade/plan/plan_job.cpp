#include "facade/job_arguments.hpp"
#include "facade/job_operation.hpp"
#include "facade/job_references.hpp"
#include "facade/plan/plan_update.hpp"
#include "facade/read_jobs.hpp"
#include "job/contract/field_error.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/training_client.hpp>

namespace kftrain {
namespace {

namespace asio = boost::asio;

update_plan with_missing(update_plan plan, job_references const& references) {
    plan.missing = references.unread();
    return plan;
}

asio::awaitable<update_plan> plan_job(kube::client client, any_job job, kube::call_options options) {
    auto wanted = job.references();
    auto const references = co_await await_references(client, std::move(wanted), options, absent_reference::is_missing);
    references.supply(job);
    auto const checked = prepared_job::admitted(std::move(job));
    if (!checked.is_valid()) fail_with(invalid_job(checked.faults(), "\n"), options.detail);
    // A job whose name the server completes is always new.
    if (has_generated_name(*checked)) co_return with_missing(plan_creation(checked), references);
    kube::detail::call_report report;
    auto r = kube::request::get(checked->resource(), checked->metadata().namespace_, checked->metadata().name);
    auto const answer = co_await kube::detail::call(client, std::move(r), options, report);
    auto const ec = std::get<0>(answer);
    if (is_not_found(ec)) {
        if (options.detail != nullptr) *options.detail = diagnostics();
        co_return with_missing(plan_creation(checked), references);
    }
    if (ec) kube::detail::fail(ec);
    auto stored = decode_job(checked->rules(), std::get<1>(answer));
    if (!stored) fail_with(stored.error(), options.detail);
    references.supply(*stored);
    co_return with_missing(plan_update(*checked, *stored), references);
}

} // namespace

void training_client::plan_(handler_of<update_plan> handler, any_job job, kube::call_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    job = placed(std::move(job));
    kube::detail::deadline limit(options.timeout, options.detail, "plan of " + job_reference(job).to_string());
    kube::detail::spawn(get_executor(), plan_job(client_, std::move(job), std::move(options)), std::move(limit),
                        std::move(handler));
}

result<update_plan> training_client::plan(any_job const& job, kube::call_options options) const {
    return kube::detail::blocking_form<update_plan>(place(), std::move(options),
                                                    [&](auto h, auto o) { plan_(std::move(h), job, std::move(o)); });
}

} // namespace kftrain
