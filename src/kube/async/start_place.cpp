#include <kftrain/kube/owned_state.hpp>

#include "kube/async/thread_check.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

#include <chrono>
#include <condition_variable>
#include <optional>

namespace kftrain::kube::detail {
namespace {

using context_executor = asio::io_context::executor_type;
using pool_executor = asio::thread_pool::executor_type;

/// Nothing if this executor has another type.
template <class Executor> std::optional<bool> is_inside(asio::any_io_executor const& executor) noexcept {
    auto const* e = executor.target<Executor>();
    return e != nullptr ? std::optional(e->running_in_this_thread()) : std::nullopt;
}

/// Nothing if that cannot be known.
std::optional<bool> is_inside(asio::any_io_executor const& executor) noexcept {
    if (auto const here = is_inside<context_executor>(executor)) return here;
    if (auto const here = is_inside<asio::strand<context_executor>>(executor)) return here;
    if (auto const here = is_inside<asio::strand<pool_executor>>(executor)) return here;
    return is_inside<asio::strand<asio::any_io_executor>>(executor);
}

/// Whether the io_context of this executor has ended its run.
bool has_stopped(asio::any_io_executor const& executor) {
    if (auto const* e = executor.target<context_executor>()) return e->context().stopped();
    if (auto const* s = executor.target<asio::strand<context_executor>>())
        return s->get_inner_executor().context().stopped();
    return false;
}

constexpr std::chrono::seconds most_wait{1};

/// Waits for a function that another thread may run.
struct sign_of_life {
    void show() {
        std::lock_guard const lock(mutex);
        shown = true;
        changed.notify_all();
    }
    bool wait() {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, most_wait, [this] { return shown; });
    }

    std::mutex mutex;
    std::condition_variable changed;
    bool shown = false;
};

std::shared_ptr<void> life_of_this_thread() {
    thread_local auto const life = std::make_shared<char>();
    return life;
}

} // namespace

bool runs_here(asio::any_io_executor const& executor) noexcept { return is_inside(executor).value_or(false); }

bool start_place::needs_handover() const noexcept { return any_thread_ && !runs_here(executor_); }

void close_at(start_place const& place, std::shared_ptr<void> state, void (*close)(void*)) {
    run_at(place, [s = std::move(state), close] { close(s.get()); });
}

void run_at(start_place const& place, any_handler<void()> work) {
    if (place.needs_handover())
        asio::dispatch(place.executor(), [work = std::move(work)]() mutable { std::move(work)(); });
    else
        std::move(work)();
}

error_code start_place::fault() const { return check_ && !any_thread_ ? check_->find_fault() : error_code(); }

void thread_check::note_work() {
    auto const life = life_of_this_thread();
    std::lock_guard const lock(mutex_);
    worker_ = std::this_thread::get_id();
    worker_life_ = life;
}

bool thread_check::may_run_elsewhere() {
    std::lock_guard const lock(mutex_);
    return !gave_up_ && worker_ != std::thread::id() && worker_ != std::this_thread::get_id() &&
           !worker_life_.expired();
}

error_code thread_check::find_fault() {
    if (is_inside(executor_).value_or(true) || !may_run_elsewhere() || has_stopped(executor_)) return {};
    auto const sign = std::make_shared<sign_of_life>();
    asio::post(executor_, [sign] { sign->show(); });
    if (sign->wait()) return errc::wrong_thread;
    std::lock_guard const lock(mutex_);
    gave_up_ = true; // the thread waits for this one, or runs the executor from time to time
    return {};
}

std::shared_ptr<thread_check> make_thread_check(asio::any_io_executor const& executor) {
#ifdef KFTRAIN_CHECK_THREADS
    return std::make_shared<thread_check>(executor);
#else
    static_cast<void>(executor);
    return nullptr;
#endif
}

handover::handover(asio::any_io_executor own, asio::any_completion_executor const& caller)
    : own_(std::move(own)), caller_(asio::prefer(caller, asio::execution::outstanding_work.tracked)) {}

void handover::start(std::shared_ptr<handover> way, asio::cancellation_slot caller, any_handler<void(bool)> begin) {
    if (caller.is_connected())
        caller.assign([weak = std::weak_ptr(way)](asio::cancellation_type type) {
            if (auto const self = weak.lock()) self->cancel(type);
        });
    auto const own = way->own_;
    asio::dispatch(
        own, [way = std::move(way), begin = std::move(begin)]() mutable { std::move(begin)(way->cancelled_.load()); });
}

void handover::cancel(asio::cancellation_type type) {
    cancelled_ = true;
    // Before the start nothing listens to the signal. The caller's executor may end before this one.
    asio::dispatch(own_, [weak = weak_from_this(), type] {
        if (auto const self = weak.lock()) self->signal_.emit(type);
    });
}

void handover::complete(any_handler<void()> work) {
    asio::dispatch(caller_, [work = std::move(work)]() mutable { std::move(work)(); });
}

} // namespace kftrain::kube::detail
