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

asio::awaitable<update_plan> plan_job(kube::client client, any_job job, kube::call_options options) {
    auto wanted = job.references();
    auto const references = co_await await_references(client, std::move(wanted), options, absent_reference::is_missing);
    references.supply(job);
    auto const executor = client.get_executor();
    auto* const detail = options.detail;
    auto const checked = prepared_job::admitted(std::move(job));
    if (!checked.is_valid()) {
        auto invalid = invalid_job(checked.faults(), "\n");
        if (detail != nullptr) *detail = std::move(invalid.detail);
        return kube::complete_later(executor, std::move(handler), invalid.code, update_plan());
    }
    // A generated name is one that no job has.
    if (is_name_drawn(*checked))
        return kube::complete_later(executor, std::move(handler), error_code(), plan_creation(checked));
    auto r = kube::request::get(checked->resource(), checked->metadata().namespace_, checked->metadata().name);
    using body_handler = kube::any_handler<void(error_code, std::string)>;
    body_handler then = kube::detail::then_complete(
        std::move(handler), [checked, references, detail](plan_handler h, error_code ec, std::string const& body) {
            if (is_not_found(ec)) {
                if (detail != nullptr) *detail = diagnostics();
                return std::move(h)(error_code(), plan_creation(checked));
            }
            if (ec) return std::move(h)(ec, update_plan());
            any_job stored(checked->rules());
            if (auto const read = stored.read_json(body); !read) {
                if (detail != nullptr) *detail = read.error().detail;
                return std::move(h)(read.error().code, update_plan());
            }
            references.supply(stored);
            std::move(h)(error_code(), plan_update(*checked, stored));
        });
    kube::detail::client_access::start(client, std::move(then), std::move(r), std::move(options));
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
