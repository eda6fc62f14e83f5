#include "facade/job_arguments.hpp"
#include "facade/read_jobs.hpp"
#include "kube/async/blocking_form.hpp"
#include "model/json/json_document.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/scaling.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/then_complete.hpp>
#include <kftrain/training_client.hpp>

#include <boost/json.hpp>

#include <algorithm>
#include <memory>

namespace kftrain {
namespace {

namespace json = boost::json;
namespace request = kube::request;

constexpr std::string_view path_of_uid = "metadata.uid";

/// Makes the patch fail for a job of another uid. @par Errors `errc::invalid_argument`
result<kube::patch_body> bound_to(kube::patch_body patch, std::string const& uid) {
    if (uid.empty()) return patch;
    error_code ec;
    auto document = detail::parse_json(patch.text, ec);
    if (ec) return rules::cannot("patch", "expected JSON: " + ec.message());
    if (patch.type == patch_type::json) {
        auto* const operations = document.if_array();
        if (operations == nullptr) return rules::cannot("patch", "expected a list of operations");
        operations->insert(operations->begin(),
                           json::object{{"op", "test"}, {"path", "/metadata/uid"}, {"value", uid}});
    } else {
        auto* const fields = document.if_object();
        if (fields == nullptr) return rules::cannot("patch", "expected an object");
        auto& metadata = fields->emplace("metadata", json::object()).first->value();
        if (!metadata.is_object()) return rules::cannot("patch.metadata", "expected an object");
        metadata.get_object()["uid"] = uid;
    }
    patch.text = json::serialize(document);
    return patch;
}

/// A server names the uid among the fields at fault if the patch was meant for a former job of the name. Sets `detail`
/// to diagnostics that live as long as the handler if it is null.
job_handler with_deletion_reported(job_handler handler, job_reference const& job, diagnostics*& detail) {
    if (job.uid.empty()) return handler;
    auto own = std::make_shared<diagnostics>();
    if (detail == nullptr) detail = own.get();
    return kube::detail::then_complete(
        std::move(handler), [what = job.to_string(), detail, own](job_handler h, error_code ec, any_job written) {
            bool const other = is_invalid(ec) && std::ranges::any_of(detail->causes, [](auto const& cause) {
                                   return cause.field == path_of_uid;
                               });
            if (other) {
                ec = errc::deleted;
                *detail = diagnostics();
                detail->message = was_replaced(what);
            }
            std::move(h)(ec, std::move(written));
        });
}

} // namespace

void training_client::update_(job_handler handler, any_job job, kube::write_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    job = placed(std::move(job));
    auto const& m = job.metadata();
    auto r = m.resource_version.empty()
                 ? rules::cannot("metadata.resourceVersion",
                                 "expected the resourceVersion of the job as read, found none; read the job with get()")
                 : request::with(request::replace(job.resource(), m.namespace_, m.name, job.to_json()), options);
    auto then = decode_job_then(std::move(handler), job.rules(), options.detail);
    kube::detail::client_access::start(client_, std::move(then), std::move(r), std::move(options));
}

result<any_job> training_client::update(any_job job, kube::write_options options) const {
    return kube::detail::blocking_form<any_job>(
        place(), std::move(options), [&](auto h, auto o) { update_(std::move(h), std::move(job), std::move(o)); });
}

void training_client::patch_(job_handler handler, job_reference job, kube::patch_body patch,
                             kube::write_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    job = placed(std::move(job));
    auto bound = bound_to(std::move(patch), job.uid);
    auto r = bound ? request::patch(*job.kind->primary().info, job.namespace_, job.name, *std::move(bound))
                   : result<kube::http_request>(bound.error());
    r = request::with(std::move(r), options);
    auto reported = with_deletion_reported(std::move(handler), job, options.detail);
    auto then = decode_job_then(std::move(reported), *job.kind, options.detail);
    kube::detail::client_access::start(client_, std::move(then), std::move(r), std::move(options));
}

result<any_job> training_client::patch(job_reference const& job, kube::patch_body patch,
                                       kube::write_options options) const {
    return kube::detail::blocking_form<any_job>(place(), std::move(options), [&](auto h, auto o) {
        patch_(std::move(h), job, std::move(patch), std::move(o));
    });
}

void training_client::apply_(job_handler handler, any_job job, kube::apply_options options) const {
    if (refuse_job(job, get_executor(), handler, options.detail)) return;
    job = placed(std::move(job));
    auto& m = job.metadata();
    m.resource_version.clear();
    m.managed_fields.clear();
    auto r = request::apply(job.resource(), m.namespace_, m.name, job.to_json(), options);
    auto then = decode_job_then(std::move(handler), job.rules(), options.detail);
    kube::detail::client_access::start(client_, std::move(then), std::move(r), std::move(options));
}

result<any_job> training_client::apply(any_job job, kube::apply_options options) const {
    return kube::detail::blocking_form<any_job>(
        place(), std::move(options), [&](auto h, auto o) { apply_(std::move(h), std::move(job), std::move(o)); });
}

} // namespace kftrain
