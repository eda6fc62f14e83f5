#include "facade/job_handlers.hpp"

#include <kftrain/kube/then_complete.hpp>

namespace kftrain {

kube::any_handler<void(error_code, std::string)> decode_job_then(job_handler handler, rules::job_rules const& kind,
                                                                 diagnostics* detail) {
    return kube::detail::then_complete(std::move(handler),
                                       [&kind, detail](job_handler h, error_code ec, std::string const& body) {
                                           any_job job;
                                           if (!ec) {
                                               job = any_job(kind);
                                               if (auto const r = job.read_json(body); !r) {
                                                   ec = r.error().code;
                                                   if (detail != nullptr) *detail = r.error().detail;
                                               }
                                           }
                                           std::move(h)(ec, ec ? any_job() : std::move(job));
                                       });
}

} // namespace kftrain
