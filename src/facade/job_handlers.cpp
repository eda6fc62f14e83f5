#include "facade/job_handlers.hpp"

#include "kube/answers/expected_place.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/then_complete.hpp>

namespace kftrain {
namespace {

failure nameless(rules::job_rules const& kind) {
    return kube::detail::protocol_failure("metadata.name", "expected a " + std::string(kind.primary().info->kind) +
                                                               ", got an object without a name");
}

} // namespace

kube::any_handler<void(error_code, std::string)> decode_job_then(job_handler handler, rules::job_rules const& kind,
                                                                 diagnostics* detail) {
    return kube::detail::then_complete(std::move(handler),
                                       [&kind, detail](job_handler h, error_code ec, std::string const& body) {
                                           any_job job;
                                           if (!ec) {
                                               job = any_job(kind);
                                               auto r = job.read_json(body);
                                               if (r && job.metadata().name.empty()) r = nameless(kind);
                                               if (!r) {
                                                   ec = r.error().code;
                                                   if (detail != nullptr) *detail = r.error().detail;
                                               }
                                           }
                                           std::move(h)(ec, ec ? any_job() : std::move(job));
                                       });
}

} // namespace kftrain
