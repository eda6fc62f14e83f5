#ifndef KFTRAIN_PYTHON_ENGINE_HPP
#define KFTRAIN_PYTHON_ENGINE_HPP

#include "value.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/facade/job_timeline.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace kftrain {

struct job_page;

namespace python {

namespace asio = boost::asio;

/// The time limit of an operation; 0: none.
using time_limit = std::chrono::milliseconds;

class engine;

/// Hands finished calls over to an event loop of Python: their numbers wait in a queue, and a descriptor becomes
/// readable. @par Thread safety Safe.
class completion_queue {
public:
    completion_queue();
    completion_queue(completion_queue const&) = delete;
    completion_queue& operator=(completion_queue const&) = delete;
    ~completion_queue();

    int descriptor() const noexcept { return descriptor_; }
    void push(std::uint64_t number);
    std::vector<std::uint64_t> take();

private:
    int descriptor_;
    std::mutex mutex_;
    std::vector<std::uint64_t> finished_;
};

/** An operation that runs on the thread of an engine, and its result. The thread never takes the GIL: the result
    becomes an object of Python when Python fetches it.
    @par Thread safety Safe. */
class call : public std::enable_shared_from_this<call> {
public:
    using make_result = std::function<py::object()>;

    explicit call(std::weak_ptr<engine> e) : engine_(std::move(e)) {}

    /// Waits with the GIL released, and returns the result. Signal handlers of Python run meanwhile; if one raises an
    /// exception, the operation is cancelled.
    py::object wait();
    bool done();
    /// Returns the result of a call that is done, or raises its failure. The result can be fetched once.
    py::object result();
    void cancel();
    /// Puts `number` into the queue as soon as the call is done.
    void notify(std::shared_ptr<completion_queue> queue, std::uint64_t number);

    void finish(error_code ec, make_result make);

    diagnostics detail; ///< filled by the operation before it completes
    asio::cancellation_signal signal;

private:
    std::weak_ptr<engine> engine_; // handlers own calls, and must not own the io_context that owns them
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    error_code ec_;
    make_result make_;
    std::shared_ptr<completion_queue> queue_;
    std::uint64_t number_ = 0;
};

/** One io_context and the thread that runs it.
    @par Thread safety Safe. */
class engine : public std::enable_shared_from_this<engine> {
public:
    engine();
    ~engine();

    asio::io_context& context() noexcept { return *context_; }
    /// Whether this is a child process of the one that made the engine. Nothing may be destroyed there that refers to
    /// the io_context: both processes share its descriptors.
    bool forked() const noexcept;

    /// Starts an operation on the thread: `start(call)` begins it with a handler that calls `call->finish()`. Raises as
    /// expect_open().
    template <class Start> std::shared_ptr<call> begin(Start start) {
        auto made = add_call();
        asio::post(*context_, [made, start = std::move(start)]() mutable { start(made); });
        return made;
    }
    /// Runs `f` on the thread, or here if the thread has ended. If it ends before, close() runs it.
    void run(std::function<void()> f);

    /// Ends the thread; calls that are not done fail with `operation_aborted`.
    void close();
    /// Closes the engine after the server has ended: pending and later calls fail with `why`.
    void fail(failure why);
    /// Throws the failure of fail(), or RuntimeError, if the engine is closed or belongs to another process.
    void expect_open();

private:
    std::shared_ptr<call> add_call();
    void run_tasks();
    void end(std::optional<failure> why);

    int const process_;
    std::unique_ptr<asio::io_context> context_;
    asio::executor_work_guard<asio::io_context::executor_type> work_;
    std::mutex closing_; ///< so that each close() returns after the thread has ended
    std::mutex mutex_;
    bool closed_ = false;
    std::optional<failure> why_; ///< why the server has ended
    std::vector<std::weak_ptr<call>> calls_;
    std::vector<std::function<void()>> tasks_; ///< of run(), which have not run
    std::thread thread_;
};

/// Destroys an object of Python that waits for a thread when it is destroyed; other threads of Python run meanwhile.
template <class T> void destroy_without_gil(T* object) {
    std::unique_ptr<T> owned(object);
    std::optional<py::gil_scoped_release> released;
    if (PyGILState_Check() != 0) released.emplace();
    owned.reset();
}

/// Conversions of results; they are called once, when Python fetches the result.
/// A page of jobs: (jobs, token of the next page, unread).
call::make_result later(job_page page);
/// A timeline: (JSON, text, SVG, HTML).
call::make_result later(job_timeline timeline);
inline call::make_result later(any_job job) {
    if (job.empty()) return [] { return py::object(py::none()); };
    // Shared because a std::function can be copied, which would copy the job.
    return [job = std::make_shared<any_job>(std::move(job))] { return py::cast(value_of(std::move(*job))); };
}
inline call::make_result later(std::string text) {
    return [text = std::move(text)] { return py::object(python_str(text)); };
}
/// Other results are passed on as the JSON that they offer.
template <class T>
requires requires(T const& t) { t.to_json(); }
call::make_result later(T const& result) {
    return later(result.to_json());
}

/// Returns a handler that ends the call with its arguments and can be cancelled by it.
inline auto handler_of(std::shared_ptr<call> const& c) {
    return asio::bind_cancellation_slot(c->signal.slot(), [c](error_code ec, auto&&... result) {
        if constexpr (sizeof...(result) == 0)
            c->finish(ec, [] { return py::object(py::none()); });
        else if (ec)
            c->finish(ec, {});
        else
            c->finish(ec, later(std::move(result)...));
    });
}

/// A pointer to an object that uses the io_context of an engine; leaks it in a forked process.
template <class T> class in_engine {
public:
    in_engine(std::shared_ptr<engine> e, std::unique_ptr<T> object)
        : engine_(std::move(e)), object_(std::move(object)) {}
    in_engine(in_engine const&) = delete;
    in_engine& operator=(in_engine const&) = delete;
    ~in_engine() {
        if (engine_->forked()) (void)object_.release();
    }

    std::shared_ptr<engine> const& get_engine() const noexcept { return engine_; }
    T& operator*() const noexcept { return *object_; }
    T* operator->() const noexcept { return object_.get(); }

private:
    std::shared_ptr<engine> engine_; ///< destroyed after the object
    std::unique_ptr<T> object_;
};

void bind_engine(py::module_& m);

} // namespace python
} // namespace kftrain

#endif
