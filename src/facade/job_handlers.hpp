#ifndef KFTRAIN_SRC_FACADE_JOB_HANDLERS_HPP
#define KFTRAIN_SRC_FACADE_JOB_HANDLERS_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/kube/api.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>

namespace kftrain {

using job_handler = kube::any_handler<void(error_code, any_job)>;

/// Where a handler wants to run and how it is cancelled. Taken before the handler is moved into another one.
struct handler_place {
    handler_place() = default;
    handler_place(boost::asio::any_completion_executor e, boost::asio::cancellation_slot s)
        : executor(std::move(e)), slot(s) {}

    boost::asio::any_completion_executor executor;
    boost::asio::cancellation_slot slot;
};

template <class Handler> handler_place place_of(Handler const& handler, boost::asio::any_io_executor const& fallback) {
    return {boost::asio::get_associated_executor(handler, boost::asio::any_completion_executor(fallback)),
            boost::asio::get_associated_cancellation_slot(handler)};
}

/// `next`, standing in for a handler at its place.
template <class Signature, class Next> kube::any_handler<Signature> in_place_of(handler_place const& place, Next next) {
    return boost::asio::bind_cancellation_slot(place.slot, boost::asio::bind_executor(place.executor, std::move(next)));
}

/// Decodes the body of an answer into a job of `kind`.
kube::any_handler<void(error_code, std::string)> decode_job_then(job_handler handler, job_kind const& kind,
                                                                 boost::asio::any_io_executor const& executor,
                                                                 diagnostics* detail);
/// Copies the object that a wait ended with.
kube::any_handler<void(error_code, erased_object)> share_job_then(job_handler handler, job_kind const& kind,
                                                                  boost::asio::any_io_executor const& executor);

} // namespace kftrain

#endif
