#include <kftrain/training_client.hpp>

#include "facade/delete_job.hpp"
#include "facade/follow/job_board.hpp"
#include "facade/job_handlers.hpp"
#include "facade/logs/job_log_stream.hpp"
#include "facade/read_jobs.hpp"
#include "facade/refuse_job.hpp"
#include "facade/scale_job.hpp"
#include "facade/submit_job.hpp"
#include "facade/suspend_job.hpp"
#include "facade/write_job.hpp"
#include "kube/async/blocking_form.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/request.hpp>

namespace kftrain {
void training_client_needs_the_target::kftrain_training() noexcept {}

std::shared_ptr<detail::job_board> training_client::make_board(kube::client const& client) {
    return std::make_shared<detail::job_board>(client);
}

any_job training_client::placed(any_job job) const {
    if (job.metadata().namespace_.empty()) job.metadata().namespace_ = namespace_;
    return job;
}

job_reference training_client::placed(job_reference job) const {
    if (job.namespace_.empty()) job.namespace_ = namespace_;
    return job;
}

void training_client::submit_(job_handler handler, any_job job, submit_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    submit_job(std::move(handler), client_, placed(std::move(job)), std::move(options));
}

void training_client::get_(job_handler handler, job_reference job, kube::call_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    read_job(std::move(handler), client_, placed(std::move(job)), std::move(options));
}

void training_client::list_(handler_of<job_page> handler, job_list_options options) const {
    if (options.namespace_.empty()) options.namespace_ = namespace_;
    list_jobs(std::move(handler), client_, std::move(options));
}

void training_client::logs_(plain_handler handler, job_reference job, std::function<void(log_line const&)> sink,
                            job_log_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    if (!sink) {
        if (options.detail != nullptr) *options.detail = rules::cannot("sink", "expected a function, got none").detail;
        return kube::complete_later(get_executor(), std::move(handler), make_error_code(errc::invalid_argument));
    }
    push_job_logs(std::move(handler), board_, placed(std::move(job)), std::move(sink), std::move(options));
}

job_log_stream training_client::open_logs(job_reference job, job_log_options options) const {
    return open_job_logs(board_, placed(std::move(job)), std::move(options));
}

void training_client::delete_(plain_handler handler, job_reference job, job_delete_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    delete_stored_job(std::move(handler), client_, placed(std::move(job)), std::move(options));
}

void training_client::scale_(job_handler handler, job_reference job, std::string role, std::int32_t members,
                             kube::call_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    scale_job(std::move(handler), client_, placed(std::move(job)), std::move(role), members, std::move(options));
}

void training_client::suspend_(job_handler handler, job_reference job, bool on, kube::call_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    suspend_job(std::move(handler), client_, placed(std::move(job)), on, std::move(options));
}

void training_client::update_(job_handler handler, any_job job, kube::write_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    update_job(std::move(handler), client_, placed(std::move(job)), std::move(options));
}

void training_client::patch_(job_handler handler, job_reference job, kube::patch_body patch,
                             kube::write_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    patch_job(std::move(handler), client_, placed(std::move(job)), std::move(patch), std::move(options));
}

void training_client::apply_(job_handler handler, any_job job, kube::apply_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    apply_job(std::move(handler), client_, placed(std::move(job)), std::move(options));
}

result<any_job> training_client::submit(any_job job, submit_options options) const {
    return kube::detail::blocking_form<any_job>(
        place(), std::move(options), [&](auto h, auto o) { submit_(std::move(h), std::move(job), std::move(o)); });
}

result<any_job> training_client::get(job_reference const& job, kube::call_options options) const {
    return kube::detail::blocking_form<any_job>(place(), std::move(options),
                                                [&](auto h, auto o) { get_(std::move(h), job, std::move(o)); });
}

result<job_page> training_client::list(job_list_options options) const {
    return kube::detail::blocking_form<job_page>(place(), std::move(options),
                                                 [&](auto h, auto o) { list_(std::move(h), std::move(o)); });
}

result<void> training_client::logs(job_reference const& job, std::function<void(log_line const&)> sink,
                                   job_log_options options) const {
    return kube::detail::blocking_form<void>(
        place(), std::move(options), [&](auto h, auto o) { logs_(std::move(h), job, std::move(sink), std::move(o)); });
}

result<any_job> training_client::scale(job_reference const& job, std::string role, std::int32_t members,
                                       kube::call_options options) const {
    return kube::detail::blocking_form<any_job>(place(), std::move(options), [&](auto h, auto o) {
        scale_(std::move(h), job, std::move(role), members, std::move(o));
    });
}

result<any_job> training_client::suspend(job_reference const& job, kube::call_options options) const {
    return kube::detail::blocking_form<any_job>(
        place(), std::move(options), [&](auto h, auto o) { suspend_(std::move(h), job, true, std::move(o)); });
}

result<any_job> training_client::resume(job_reference const& job, kube::call_options options) const {
    return kube::detail::blocking_form<any_job>(
        place(), std::move(options), [&](auto h, auto o) { suspend_(std::move(h), job, false, std::move(o)); });
}

result<any_job> training_client::update(any_job job, kube::write_options options) const {
    return kube::detail::blocking_form<any_job>(
        place(), std::move(options), [&](auto h, auto o) { update_(std::move(h), std::move(job), std::move(o)); });
}

result<any_job> training_client::patch(job_reference const& job, kube::patch_body patch,
                                       kube::write_options options) const {
    return kube::detail::blocking_form<any_job>(place(), std::move(options), [&](auto h, auto o) {
        patch_(std::move(h), job, std::move(patch), std::move(o));
    });
}

result<any_job> training_client::apply(any_job job, kube::apply_options options) const {
    return kube::detail::blocking_form<any_job>(
        place(), std::move(options), [&](auto h, auto o) { apply_(std::move(h), std::move(job), std::move(o)); });
}

result<void> training_client::delete_job(job_reference const& job, job_delete_options options) const {
    return kube::detail::blocking_form<void>(place(), std::move(options),
                                             [&](auto h, auto o) { delete_(std::move(h), job, std::move(o)); });
}

} // namespace kftrain
