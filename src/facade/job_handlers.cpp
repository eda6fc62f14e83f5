#include "facade/job_handlers.hpp"

#include "kube/handler_place.hpp"

namespace kftrain {

kube::any_handler<void(error_code, std::string)> decode_job_then(job_handler handler, job_kind const& kind,
                                                                 boost::asio::any_io_executor const& executor,
                                                                 diagnostics* detail) {
    auto const place = kube::place_of(handler, executor);
    return kube::in_place_of<void(error_code, std::string)>(
        place, [h = std::move(handler), &kind, detail](error_code ec, std::string const& body) mutable {
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

kube::any_handler<void(error_code, erased_object)> share_job_then(job_handler handler, job_kind const& kind,
                                                                  boost::asio::any_io_executor const& executor) {
    auto const place = kube::place_of(handler, executor);
    return kube::in_place_of<void(error_code, erased_object)>(
        place, [h = std::move(handler), &kind](error_code ec, erased_object const& object) mutable {
            std::move(h)(ec, object ? any_job(kind, object.get()) : any_job());
        });
}

} // namespace kftrain
