#include <kftrain/training_client.hpp>

#include "facade/follow/job_board.hpp"
#include "facade/job_handlers.hpp"
#include "facade/logs/job_log_stream.hpp"
#include "facade/read_jobs.hpp"
#include "facade/remove_job.hpp"
#include "facade/scale_job.hpp"
#include "facade/submit_job.hpp"
#include "facade/suspend_job.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/request.hpp>

namespace kftrain {
namespace {

namespace request = kube::request;

/// The options with a place for the details, if the caller gave none.
template <class Options> Options with_own(Options options, diagnostics& own) {
    if (options.detail == nullptr) options.detail = &own;
    return options;
}

} // namespace

void training_client_needs_the_target::kftrain_kftrain() noexcept {}

std::shared_ptr<job_board> training_client::make_board(kube::client const& client) {
    return std::make_shared<job_board>(client);
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
    submit_job(std::move(handler), client_, placed(std::move(job)), std::move(options));
}

void training_client::get_(job_handler handler, job_reference job, kube::call_options options) const {
    read_job(std::move(handler), client_, placed(std::move(job)), std::move(options));
}

void training_client::list_(handler_of<job_page> handler, job_list_options options) const {
    if (options.namespace_.empty()) options.namespace_ = namespace_;
    list_jobs(std::move(handler), client_, std::move(options));
}

void training_client::logs_(plain_handler handler, job_reference job, std::function<void(log_line const&)> sink,
                            job_log_options options) const {
    push_job_logs(std::move(handler), board_, placed(std::move(job)), std::move(sink), std::move(options));
}

job_log_stream training_client::open_logs(job_reference job, job_log_options options) const {
    return open_job_logs(board_, placed(std::move(job)), std::move(options));
}

void training_client::remove_(plain_handler handler, job_reference job, job_remove_options options) const {
    remove_job(std::move(handler), client_, placed(std::move(job)), std::move(options));
}

void training_client::scale_(job_handler handler, job_reference job, std::string role, std::int32_t members,
                             kube::call_options options) const {
    scale_job(std::move(handler), client_, placed(std::move(job)), std::move(role), members, std::move(options));
}

void training_client::suspend_(job_handler handler, job_reference job, bool on, kube::call_options options) const {
    suspend_job(std::move(handler), client_, placed(std::move(job)), on, std::move(options));
}

result<any_job> training_client::submit(any_job job, submit_options options) {
    diagnostics own;
    options = with_own(std::move(options), own);
    return kube::run_blocking<any_job>(get_executor(), *options.detail,
                                       [&](job_handler h) { submit_(std::move(h), std::move(job), options); });
}

result<any_job> training_client::get(job_reference const& job, kube::call_options options) {
    diagnostics own;
    options = with_own(std::move(options), own);
    return kube::run_blocking<any_job>(get_executor(), *options.detail,
                                       [&](job_handler h) { get_(std::move(h), job, options); });
}

result<job_page> training_client::list(job_list_options options) {
    diagnostics own;
    options = with_own(std::move(options), own);
    return kube::run_blocking<job_page>(get_executor(), *options.detail,
                                        [&](handler_of<job_page> h) { list_(std::move(h), options); });
}

result<void> training_client::logs(job_reference const& job, std::function<void(log_line const&)> sink,
                                   job_log_options options) {
    diagnostics own;
    options = with_own(std::move(options), own);
    return kube::run_blocking(get_executor(), *options.detail,
                              [&](plain_handler h) { logs_(std::move(h), job, std::move(sink), options); });
}

result<any_job> training_client::scale(job_reference const& job, std::string role, std::int32_t members,
                                       kube::call_options options) {
    diagnostics own;
    options = with_own(std::move(options), own);
    return kube::run_blocking<any_job>(get_executor(), *options.detail, [&](job_handler h) {
        scale_(std::move(h), job, std::move(role), members, options);
    });
}

result<any_job> training_client::suspend(job_reference const& job, kube::call_options options) {
    diagnostics own;
    options = with_own(std::move(options), own);
    return kube::run_blocking<any_job>(get_executor(), *options.detail,
                                       [&](job_handler h) { suspend_(std::move(h), job, true, options); });
}

result<any_job> training_client::resume(job_reference const& job, kube::call_options options) {
    diagnostics own;
    options = with_own(std::move(options), own);
    return kube::run_blocking<any_job>(get_executor(), *options.detail,
                                       [&](job_handler h) { suspend_(std::move(h), job, false, options); });
}

result<void> training_client::remove(job_reference const& job, job_remove_options options) {
    diagnostics own;
    options = with_own(std::move(options), own);
    return kube::run_blocking(get_executor(), *options.detail,
                              [&](plain_handler h) { remove_(std::move(h), job, options); });
}

} // namespace kftrain
