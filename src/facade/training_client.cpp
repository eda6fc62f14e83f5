#include <kftrain/training_client.hpp>

#include "facade/job_handlers.hpp"
#include "facade/job_logs.hpp"

#include <kftrain/kube/request.hpp>
#include <kftrain/kube/wait.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/post.hpp>

namespace kftrain {
namespace {

namespace request = kube::request;

kube::call_options options_with(diagnostics* detail) {
    kube::call_options options;
    options.detail = detail;
    return options;
}

} // namespace

any_job training_client::placed(any_job job) const {
    if (job.metadata().namespace_.empty()) job.metadata().namespace_ = namespace_;
    return job;
}

void training_client::submit(job_handler handler, any_job job, diagnostics* detail) const {
    job = placed(std::move(job));
    if (auto const found = job.validate(); has_errors(found)) {
        if (detail != nullptr) *detail = diagnostics{};
        if (detail != nullptr) detail->message = join_errors(found, "\n");
        boost::asio::post(get_executor(),
                          boost::asio::append(std::move(handler), make_error_code(errc::invalid_job), any_job()));
        return;
    }
    auto r = request::create(job.resource(), job.metadata().namespace_, job.to_json());
    auto const& kind = job.kind();
    kube::client(client_).start(decode_job_then(std::move(handler), kind, get_executor(), detail), std::move(r), options_with(detail));
}

void training_client::get(job_handler handler, any_job job, diagnostics* detail) const {
    job = placed(std::move(job));
    auto r = request::get(job.resource(), job.metadata().namespace_, job.metadata().name);
    kube::client(client_).start(decode_job_then(std::move(handler), job.kind(), get_executor(), detail), std::move(r),
                                options_with(detail));
}

void training_client::wait(job_handler handler, any_job job, job_wait_options options, diagnostics* detail) const {
    job = placed(std::move(job));
    job_kind const& kind = job.kind();
    kube::wait_options o;
    o.timeout = options.timeout;
    o.uid = job.metadata().uid;
    o.detail = detail;
    auto const finished = [&kind](void const* object) {
        return object != nullptr && is_finished(phase_of(kind.conditions(object)));
    };
    kube::detail::start_wait(share_job_then(std::move(handler), kind, get_executor()), client_, job.metadata().namespace_,
                             job.metadata().name, *kind.objects, finished, std::move(o));
}

void training_client::logs(plain_handler handler, any_job job, std::function<void(log_line const&)> sink) const {
    follow_job_logs(std::move(handler), *this, placed(std::move(job)), std::move(sink));
}

void training_client::remove(plain_handler handler, any_job job, diagnostics* detail) const {
    job = placed(std::move(job));
    kube::delete_params params;
    params.propagation_policy = kube::propagation::background;
    params.precondition_uid = job.metadata().uid;
    auto r = request::remove(job.resource(), job.metadata().namespace_, job.metadata().name, params);
    kube::client(client_).start(kube::any_handler<void(error_code, std::string)>(kube::detail::drop_then{std::move(handler)}),
                                std::move(r), options_with(detail));
}

result<any_job> training_client::submit(any_job job) {
    diagnostics detail;
    return kube::run_blocking<any_job>(get_executor(), detail,
                                       [&](job_handler h) { submit(std::move(h), std::move(job), &detail); });
}

result<any_job> training_client::get(any_job const& job) {
    diagnostics detail;
    return kube::run_blocking<any_job>(get_executor(), detail, [&](job_handler h) { get(std::move(h), job, &detail); });
}

result<any_job> training_client::wait(any_job const& job, job_wait_options options) {
    diagnostics detail;
    return kube::run_blocking<any_job>(get_executor(), detail,
                                       [&](job_handler h) { wait(std::move(h), job, options, &detail); });
}

result<void> training_client::logs(any_job const& job, std::function<void(log_line const&)> sink) {
    diagnostics const none;
    return kube::run_blocking(get_executor(), none,
                              [&](plain_handler h) { logs(std::move(h), job, std::move(sink)); });
}

result<void> training_client::remove(any_job const& job) {
    diagnostics detail;
    return kube::run_blocking(get_executor(), detail, [&](plain_handler h) { remove(std::move(h), job, &detail); });
}

} // namespace kftrain
