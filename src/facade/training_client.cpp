#include <kftrain/training_client.hpp>

#include "facade/change_job.hpp"
#include "facade/job_handlers.hpp"
#include "facade/job_logs.hpp"
#include "kube/waiting_caller.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/wait.hpp>

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

any_job training_client::placed(any_job job) const {
    if (job.metadata().namespace_.empty()) job.metadata().namespace_ = namespace_;
    return job;
}

void training_client::submit(job_handler handler, any_job job, kube::call_options options) const {
    job = placed(std::move(job));
    if (auto const found = job.validate(); has_errors(found)) {
        if (options.detail != nullptr) {
            *options.detail = diagnostics();
            options.detail->message = join_errors(found, "\n");
        }
        kube::complete_later(get_executor(), std::move(handler), make_error_code(errc::invalid_job), any_job());
        return;
    }
    auto r = request::create(job.resource(), job.metadata().namespace_, job.to_json());
    auto then = decode_job_then(std::move(handler), job.rules(), options.detail);
    kube::client(client_).start(std::move(then), std::move(r), std::move(options));
}

void training_client::get(job_handler handler, any_job job, kube::call_options options) const {
    job = placed(std::move(job));
    auto r = request::get(job.resource(), job.metadata().namespace_, job.metadata().name);
    auto then = decode_job_then(std::move(handler), job.rules(), options.detail);
    kube::client(client_).start(std::move(then), std::move(r), std::move(options));
}

void training_client::wait(job_handler handler, any_job job, kube::wait_options options) const {
    job = placed(std::move(job));
    rules::job_rules const& kind = job.rules();
    if (options.uid.empty()) options.uid = job.metadata().uid;
    auto const finished = [&kind](erased_object const& object) {
        return object != nullptr && is_finished(kind.phase(object.get()));
    };
    kube::detail::start_wait(share_job_then(std::move(handler), kind), client_, job.metadata().namespace_,
                             job.metadata().name, kind.primary(), finished, std::move(options));
}

void training_client::logs(plain_handler handler, any_job job, std::function<void(log_line const&)> sink,
                           job_log_options options) const {
    follow_job_logs(std::move(handler), *this, placed(std::move(job)), std::move(sink), options);
}

void training_client::remove(plain_handler handler, any_job job, kube::call_options options) const {
    job = placed(std::move(job));
    kube::remove_options params;
    params.propagation_policy = kube::propagation::background;
    params.precondition_uid = job.metadata().uid;
    auto r = request::remove(job.resource(), job.metadata().namespace_, job.metadata().name, params);
    kube::detail::then_complete then(std::move(handler), kube::detail::drop_body());
    kube::client(client_).start(kube::any_handler<void(error_code, std::string)>(std::move(then)), std::move(r),
                                std::move(options));
}

void training_client::scale(job_handler handler, any_job job, std::string role, std::int32_t members,
                            kube::call_options options) const {
    auto decide = [role = std::move(role), members](any_job const& now) {
        return now.rules().scaled(now.get(), role, members);
    };
    change_job(std::move(handler), client_, placed(std::move(job)), std::move(decide), std::move(options));
}

void training_client::suspend(job_handler handler, any_job job, bool on, kube::call_options options) const {
    auto decide = [on](any_job const& now) { return now.rules().suspended(now.get(), on); };
    change_job(std::move(handler), client_, placed(std::move(job)), std::move(decide), std::move(options));
}

result<any_job> training_client::submit(any_job job, kube::call_options options) {
    diagnostics own;
    options = with_own(options, own);
    return kube::run_blocking<any_job>(get_executor(), *options.detail,
                                       [&](job_handler h) { submit(std::move(h), std::move(job), options); });
}

result<any_job> training_client::get(any_job const& job, kube::call_options options) {
    diagnostics own;
    options = with_own(options, own);
    return kube::run_blocking<any_job>(get_executor(), *options.detail,
                                       [&](job_handler h) { get(std::move(h), job, options); });
}

result<any_job> training_client::wait(any_job const& job, kube::wait_options options) {
    diagnostics own;
    options = with_own(options, own);
    return kube::run_blocking<any_job>(get_executor(), *options.detail,
                                       [&](job_handler h) { wait(std::move(h), job, options); });
}

result<void> training_client::logs(any_job const& job, std::function<void(log_line const&)> sink,
                                   job_log_options options) {
    diagnostics own;
    options = with_own(options, own);
    return kube::run_blocking(get_executor(), *options.detail,
                              [&](plain_handler h) { logs(std::move(h), job, std::move(sink), options); });
}

result<any_job> training_client::scale(any_job const& job, std::string role, std::int32_t members,
                                       kube::call_options options) {
    diagnostics own;
    options = with_own(options, own);
    return kube::run_blocking<any_job>(get_executor(), *options.detail, [&](job_handler h) {
        scale(std::move(h), job, std::move(role), members, options);
    });
}

result<any_job> training_client::suspend(any_job const& job, kube::call_options options) {
    diagnostics own;
    options = with_own(options, own);
    return kube::run_blocking<any_job>(get_executor(), *options.detail,
                                       [&](job_handler h) { suspend(std::move(h), job, true, options); });
}

result<any_job> training_client::resume(any_job const& job, kube::call_options options) {
    diagnostics own;
    options = with_own(options, own);
    return kube::run_blocking<any_job>(get_executor(), *options.detail,
                                       [&](job_handler h) { suspend(std::move(h), job, false, options); });
}

result<void> training_client::remove(any_job const& job, kube::call_options options) {
    diagnostics own;
    options = with_own(options, own);
    return kube::run_blocking(get_executor(), *options.detail,
                              [&](plain_handler h) { remove(std::move(h), job, options); });
}

} // namespace kftrain
