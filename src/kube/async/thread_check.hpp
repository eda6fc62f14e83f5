#ifndef KFTRAIN_SRC_KUBE_ASYNC_THREAD_CHECK_HPP
#define KFTRAIN_SRC_KUBE_ASYNC_THREAD_CHECK_HPP

#include <kftrain/kube/start_place.hpp>

#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace kftrain::kube::detail {

/** Finds operations that are started on one thread while another one runs the executor of the client. It never reports
    a correct program: the thread that starts has to be elsewhere while a function that it posted runs.
    @par Thread safety Safe */
class thread_check {
public:
    explicit thread_check(asio::any_io_executor executor) : executor_(std::move(executor)) {}

    /// The client works on this thread. To be called on the executor.
    void note_work();
    /// Returns `errc::wrong_thread` if another thread runs the executor. Takes up to a second, once, if the client has
    /// worked on another thread that still exists but does not run the executor any more.
    error_code find_fault();

private:
    bool may_run_elsewhere();

    asio::any_io_executor executor_;
    std::mutex mutex_;
    std::thread::id worker_;          ///< on which the client worked last
    std::weak_ptr<void> worker_life_; ///< ends with that thread
    bool gave_up_ = false;
};

/// Returns null if the library does not check threads.
std::shared_ptr<thread_check> make_thread_check(asio::any_io_executor const& executor);

/// Returns whether the calling thread is inside of this executor. False if that cannot be known.
bool runs_here(asio::any_io_executor const& executor) noexcept;

} // namespace kftrain::kube::detail

#endif
