#include "engine.hpp"

#include <pybind11/stl.h>

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <system_error>

namespace kftrain::python {
namespace {

/// How often a waiting call lets handlers of signals run.
constexpr std::chrono::milliseconds signal_interval{50};

/// The number of threads that wait without the GIL.
std::atomic<int> waiting_threads{0};

/// Python runs handlers of signals in its main thread alone.
bool in_main_thread() {
    auto const threading = py::module_::import("threading");
    return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

/** Stops the threads of all engines while the process forks. A child process has the locks and the half-initialised
    static variables of a thread that was interrupted, but not the thread, and would wait for it without end. A thread
    that is busy for longer than `longest_task` is not waited for, and neither are Asio's threads that look up names.
    @par Thread safety Safe. */
class fork_gate {
public:
    void add(engine& e) {
        std::lock_guard const lock(mutex_);
        threads_.push_back({&e});
    }
    void remove(engine& e) {
        std::lock_guard const lock(mutex_);
        std::erase_if(threads_, [&](auto const& t) { return t.runs == &e; });
        changed_.notify_all();
    }

    /// Returns when all threads wait.
    void close() {
        std::unique_lock lock(mutex_);
        ++forks_;
        for (auto const& t : threads_)
            if (!t.waits) asio::post(t.runs->context(), [this, e = t.runs] { wait(e); });
        changed_.wait_for(lock, longest_task, [this] { return std::ranges::all_of(threads_, &thread::waits); });
    }
    void open() {
        std::lock_guard const lock(mutex_);
        if (--forks_ == 0) changed_.notify_all();
    }

private:
    static constexpr std::chrono::seconds longest_task{2};
    static constexpr std::chrono::seconds longest_fork{5};

    struct thread {
        engine* runs;
        bool waits = false;
    };

    void wait(engine const* e) {
        std::unique_lock lock(mutex_);
        set_waits(e, true);
        // Bounded: a thread that holds the GIL may be waiting for this one to end.
        changed_.wait_for(lock, longest_fork, [this] { return forks_ == 0; });
        set_waits(e, false);
    }
    void set_waits(engine const* e, bool waits) {
        for (auto& t : threads_)
            if (t.runs == e) t.waits = waits;
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<thread> threads_;
    int forks_ = 0;
};

fork_gate* gate = new fork_gate; // a child process gets one of its own

} // namespace

completion_queue::completion_queue() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

completion_queue::~completion_queue() { ::close(descriptor_); }

void completion_queue::push(std::uint64_t number) {
    std::lock_guard const lock(mutex_);
    finished_.push_back(number);
    if (finished_.size() == 1) ::eventfd_write(descriptor_, 1);
}

std::vector<std::uint64_t> completion_queue::take() {
    std::lock_guard const lock(mutex_);
    eventfd_t ignored = 0;
    ::eventfd_read(descriptor_, &ignored);
    return std::exchange(finished_, {});
}

py::object call::wait() {
    bool const signals = in_main_thread();
    for (;;) {
        struct count {
            count() { ++waiting_threads; }
            ~count() { --waiting_threads; }
        };
        {
            count const counted; // ends when the thread has the GIL again
            py::gil_scoped_release const released;
            std::unique_lock lock(mutex_);
            auto const is_done = [this] { return done_; };
            if (signals)
                changed_.wait_for(lock, signal_interval, is_done);
            else
                changed_.wait(lock, is_done);
        }
        if (done()) return result();
        if (PyErr_CheckSignals() != 0) {
            cancel();
            throw py::error_already_set();
        }
    }
}

bool call::done() {
    std::lock_guard const lock(mutex_);
    return done_;
}

py::object call::result() {
    if (!done()) throw std::logic_error("the call is not done");
    if (ec_) raise(failure(ec_, detail));
    auto const make = std::exchange(make_, {}); // with the GIL, so that only one thread has it
    if (!make) throw std::logic_error("the result was fetched before");
    return make();
}

void call::cancel() {
    if (auto const e = engine_.lock())
        e->run([self = shared_from_this()] {
            if (!self->done()) self->signal.emit(asio::cancellation_type::terminal);
        });
}

void call::notify(std::shared_ptr<completion_queue> queue, std::uint64_t number) {
    std::lock_guard const lock(mutex_);
    if (done_) return queue->push(number);
    queue_ = std::move(queue);
    number_ = number;
}

void call::finish(error_code ec, make_result make) {
    std::lock_guard const lock(mutex_);
    if (done_) return;
    done_ = true;
    ec_ = ec;
    make_ = std::move(make);
    if (queue_) queue_->push(number_);
    queue_.reset();
    changed_.notify_all();
}

engine::engine()
    : process_(::getpid()),
      context_(std::make_unique<asio::io_context>(1)),
      work_(context_->get_executor()),
      thread_([this] { context_->run(); }) {
    gate->add(*this);
}

engine::~engine() {
    if (!forked()) {
        close();
        return;
    }
    thread_.detach(); // it exists in the other process only
    (void)context_.release();
}

bool engine::forked() const noexcept { return ::getpid() != process_; }

std::shared_ptr<call> engine::add_call() {
    expect_open();
    auto made = std::make_shared<call>(weak_from_this());
    std::lock_guard const lock(mutex_);
    if (closed_) throw std::runtime_error("the client is closed");
    // Calls that have ended make room, so that the list is as long as twice the number of pending calls.
    if (calls_.size() >= 32 && calls_.size() == calls_.capacity())
        std::erase_if(calls_, [](auto const& c) {
            auto const pending = c.lock();
            return pending == nullptr || pending->done();
        });
    calls_.push_back(made);
    return made;
}

void engine::run(std::function<void()> f) {
    if (forked()) return;
    {
        std::lock_guard const lock(mutex_);
        if (!closed_) {
            tasks_.push_back(std::move(f));
            return asio::post(*context_, [this] { run_tasks(); });
        }
    }
    f();
}

void engine::run_tasks() {
    std::vector<std::function<void()>> tasks;
    {
        std::lock_guard const lock(mutex_);
        tasks.swap(tasks_);
    }
    for (auto const& f : tasks) f();
}

void engine::expect_open() {
    if (forked()) throw std::runtime_error("a client cannot be used after a fork: create one in each process");
    std::optional<failure> why;
    {
        std::lock_guard const lock(mutex_);
        if (!closed_) return;
        why = why_;
    }
    if (why) raise(*std::move(why)); // which may wait for the GIL
    throw std::runtime_error("the client is closed");
}

void engine::close() { end(std::nullopt); }

void engine::fail(failure why) { end(std::move(why)); }

void engine::end(std::optional<failure> why) {
    if (forked()) return;
    std::lock_guard const one_at_a_time(closing_);
    std::vector<std::weak_ptr<call>> pending;
    {
        std::lock_guard const lock(mutex_);
        if (closed_) return;
        closed_ = true;
        why_ = why;
        pending.swap(calls_);
    }
    gate->remove(*this);
    context_->stop();
    thread_.join();
    run_tasks(); // streams that were closed just before: their connections end now
    for (auto const& weak : pending)
        if (auto const c = weak.lock()) {
            if (c->done()) continue;
            if (why)
                c->detail = why->detail;
            else
                c->detail.message = "the client was closed";
            c->finish(why ? why->code : error_code(asio::error::operation_aborted), {});
        }
}

void bind_engine(py::module_& m) {
    py::class_<completion_queue, std::shared_ptr<completion_queue>>(m, "CompletionQueue")
        .def(py::init<>())
        .def("fileno", &completion_queue::descriptor)
        .def("take", &completion_queue::take);
    m.def("waiting_threads", [] { return waiting_threads.load(); });
    py::module_::import("os").attr("register_at_fork")(
        py::arg("before") = py::cpp_function([] {
            py::gil_scoped_release const released;
            gate->close();
        }),
        py::arg("after_in_parent") = py::cpp_function([] { gate->open(); }),
        py::arg("after_in_child") = py::cpp_function([] { gate = new fork_gate; }));
    py::class_<engine, std::shared_ptr<engine>>(m, "Engine", "The thread and the connections of a client.");
    py::class_<call, std::shared_ptr<call>>(m, "Call", "An operation that runs, and its result.")
        .def("wait", &call::wait)
        .def("done", &call::done)
        .def("result", &call::result)
        .def("cancel", &call::cancel)
        .def("notify", &call::notify);
}

} // namespace kftrain::python
