#ifndef KFTRAIN_SRC_KUBE_EXEC_STREAM_GUARD_HPP
#define KFTRAIN_SRC_KUBE_EXEC_STREAM_GUARD_HPP

#include <boost/asio/error.hpp>

namespace kftrain::kube::detail {

/// Ends the connection of a stream unless the step that it guards is done: nothing can follow a part of a step.
template <class Stream> class stream_guard {
public:
    explicit stream_guard(Stream& s) : of_(s) {}
    stream_guard(stream_guard const&) = delete;
    stream_guard& operator=(stream_guard const&) = delete;
    ~stream_guard() {
        if (!done_) of_.end(boost::asio::error::operation_aborted);
    }
    void done() noexcept { done_ = true; }

private:
    Stream& of_;
    bool done_ = false;
};

} // namespace kftrain::kube::detail

#endif
