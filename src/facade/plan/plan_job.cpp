#include "facade/job_arguments.hpp"
#include "facade/job_references.hpp"
#include "facade/plan/plan_update.hpp"
#include "job/contract/field_error.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/async/waiting_caller.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/then_complete.hpp>
#include <kftrain/training_client.hpp>

namespace kftrain {
namespace {

using plan_handler = kube::any_handler<void(error_code, update_plan)>;

/// `references` has the objects to which the job refers.
void plan_with(plan_handler handler, kube::client client, any_job job, job_references const& references,
               kube::call_options options) {
    references.supply(job);
    auto const executor = client.get_executor();
    auto* const detail = options.detail;
    if (auto const checked = prepared_job::admitted(job); !checked.is_valid()) {
        auto invalid = invalid_job(checked.faults(), "\n");
        if (detail != nullptr) *detail = std::move(invalid.detail);
        return kube::complete_later(executor, std::move(handler), invalid.code, update_plan());
    }
    // One without a name gets one that no job has.
    if (is_name_drawn(job))
        return kube::complete_later(executor, std::move(handler), error_code(), plan_update(job, nullptr));
    auto r = kube::request::get(job.resource(), job.metadata().namespace_, job.metadata().name);
    using body_handler = kube::any_handler<void(error_code, std::string)>;
    body_handler then = kube::detail::then_complete(
        std::move(handler),
        [job = std::move(job), references, detail](plan_handler h, error_code ec, std::string const& body) {
            if (is_not_found(ec)) {
                if (detail != nullptr) *detail = diagnostics();
                return std::move(h)(error_code(), plan_update(job, nullptr));
            }
            if (ec) return std::move(h)(ec, update_plan());
            any_job stored(job.rules());
            if (auto const read = stored.read_json(body); !read) {
                if (detail != nullptr) *detail = read.error().detail;
                return std::move(h)(read.error().code, update_plan());
            }
            references.supply(stored);
            std::move(h)(error_code(), plan_update(job, &stored));
        });
    kube::detail::client_access::start(client, std::move(then), std::move(r), std::move(options));
}

} // namespace

void training_client::plan_(plan_handler handler, any_job job, kube::call_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    job = placed(std::move(job));
    auto wanted = job.references();
    if (wanted.empty())
        return plan_with(std::move(handler), client_, std::move(job), job_references(), std::move(options));
    auto const read = options;
    references_handler then = kube::detail::then_complete(
        std::move(handler), [client = client_, job = std::move(job),
                             options = std::move(options)](plan_handler h, error_code ec, job_references const& found) {
            if (ec) return std::move(h)(ec, update_plan());
            plan_with(std::move(h), client, job, found, options);
        });
    read_references(std::move(then), client_, std::move(wanted), read, absent_reference::is_missing);
}

result<update_plan> training_client::plan(any_job const& job, kube::call_options options) const {
    return kube::detail::blocking_form<update_plan>(place(), std::move(options),
                                                    [&](auto h, auto o) { plan_(std::move(h), job, std::move(o)); });
}

} // namespace kftrain
