#ifndef KFTRAIN_PYTHON_FEED_HPP
#define KFTRAIN_PYTHON_FEED_HPP

#include "engine.hpp"
#include "options.hpp"

#include <kftrain/kube/described.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace kftrain::python {

/** Items that wait for their reader, who takes all of them at once. They stay here until the reader has fetched the
    result of a call, so that a call that is cancelled or abandoned loses none. One call waits at a time.
    @par Thread safety Unsafe: used on the thread of the engine. Results are fetched on any thread with the GIL. */
template <class Item> class feed {
public:
    /// Converts an item to an object of Python, on a thread with the GIL.
    using convert = py::object (*)(Item const&);

    /// is_full() returns true at `bound` items.
    feed(asio::io_context& context, convert to_python, std::size_t bound)
        : timer_(context), convert_(to_python), bound_(bound) {}

    /// Returns whether the items that were not fetched are so many, or so large, that no more should be read.
    bool is_full() const {
        std::lock_guard const lock(store_->mutex);
        return store_->items.size() >= bound_ || store_->bytes >= max_bytes;
    }
    /// Returns whether all items were fetched.
    bool is_empty() const {
        std::lock_guard const lock(store_->mutex);
        return store_->items.empty();
    }
    /// Returns the call that waits; null if there is none.
    std::shared_ptr<call> waiter() const { return waiter_ && !waiter_->done() ? waiter_ : nullptr; }
    /// Calls `f` when a call that waits is cancelled.
    void on_cancel(std::function<void()> f) { on_cancel_ = std::move(f); }

    /// Calls `change` with the items that were not fetched.
    template <class F> void edit(F change) {
        {
            std::lock_guard const lock(store_->mutex);
            change(store_->items);
        }
        serve();
    }
    void push(Item item) {
        {
            std::lock_guard const lock(store_->mutex);
            if constexpr (requires { item.value.size(); }) store_->bytes += item.value.size();
            if constexpr (requires { item.value.text.size(); }) store_->bytes += item.value.text.size();
            store_->items.push_back(std::move(item));
        }
        serve();
    }
    /// No item follows: after the last one, the reader gets the failure, or for `eof` what `last` makes, which is no
    /// list.
    void end(error_code ec, diagnostics detail, call::make_result last = [] { return py::object(py::none()); }) {
        end_ = ec;
        detail_ = std::move(detail);
        last_ = std::move(last);
        serve();
    }
    bool ended() const noexcept { return end_.failed(); }
    /// Ends the call that waits with a failure that does not end the items.
    void fail_call(error_code ec, diagnostics detail) {
        auto const c = std::exchange(waiter_, nullptr);
        c->detail = std::move(detail);
        c->finish(ec, {});
    }

    /// Completes the call with a list of items, or at the end as end() describes.
    void take(std::shared_ptr<call> c, time_limit limit) {
        if (waiter_ && !waiter_->done()) {
            c->detail.message = "expected one reader at a time, got a second one";
            return c->finish(errc::already_running, {});
        }
        waiter_ = std::move(c);
        serve();
        if (!waiter_) return;
        auto weak = std::weak_ptr<call>(waiter_);
        waiter_->signal.slot().assign([weak, then = on_cancel_](asio::cancellation_type) {
            give_up(weak, asio::error::operation_aborted);
            if (then) then();
        });
        if (limit.count() == 0) return;
        timer_.expires_after(limit);
        timer_.async_wait([weak](error_code ec) {
            if (!ec) give_up(weak, errc::timeout);
        });
    }

    /// Ends the call that waits.
    ~feed() {
        if (!waiter_ || waiter_->done()) return;
        waiter_->detail.message = "the stream was closed";
        waiter_->finish(asio::error::operation_aborted, {});
    }

private:
    static void give_up(std::weak_ptr<call> const& weak, error_code ec) {
        if (auto const c = weak.lock()) c->finish(ec, {});
    }

    void serve() {
        bool const nothing = is_empty();
        if (!waiter_ || (nothing && !ended())) return;
        if (waiter_->done()) return waiter_.reset(); // it was cancelled
        timer_.cancel();
        auto const c = std::exchange(waiter_, nullptr);
        if (!nothing) return c->finish({}, [from = store_, make = convert_] { return to_list(from->take(), make); });
        if (end_ == asio::error::eof) return c->finish({}, last_);
        c->detail = detail_;
        c->finish(end_, {});
    }

    static py::object to_list(std::vector<Item> const& items, convert make) {
        py::list all;
        for (auto const& item : items) all.append(make(item));
        return all;
    }

    static constexpr std::size_t max_bytes = std::size_t{4} * 1024 * 1024; ///< of texts

    struct store {
        std::vector<Item> take() {
            std::lock_guard const lock(mutex);
            bytes = 0;
            return std::exchange(items, {});
        }

        std::mutex mutex;
        std::vector<Item> items;
        std::size_t bytes = 0;
    };

    asio::steady_timer timer_;
    convert convert_;
    std::size_t bound_;
    std::function<void()> on_cancel_;
    std::shared_ptr<store> store_ = std::make_shared<store>();
    std::shared_ptr<call> waiter_;
    error_code end_;
    diagnostics detail_;
    call::make_result last_;
};

/// How many items are read before a call fetches them.
constexpr std::size_t items_ahead = 256;

/// The result of one read of a stream.
template <class T> struct read_item {
    error_code ec;
    diagnostics detail;
    T value;
};

/// How a pump reads its stream.
enum class read_mode {
    /// Reads many items ahead. Only failures that concern one item do not end the stream.
    ahead,
    /// One item for each call. A read has the time limit and the cancellation of its call, and the stream keeps the
    /// item of a read that ends by them. Each failure is an item.
    on_demand,
};

/** Opens a stream, and reads its items into a feed.
    @par Thread safety Unsafe: used and destroyed on the thread of the engine. */
template <class Stream, class T> class pump : public std::enable_shared_from_this<pump<Stream, T>> {
public:
    using item = read_item<T>;
    using opener = std::function<void(std::shared_ptr<call>, time_limit, std::function<void(error_code, Stream)>)>;

    pump(asio::io_context& context, opener opens, read_mode mode, typename feed<item>::convert to_python)
        : open_(std::move(opens)), mode_(mode), feed_(context, to_python, mode == read_mode::ahead ? items_ahead : 1) {
        if (mode == read_mode::on_demand)
            feed_.on_cancel([stop = stop_] { stop->emit(asio::cancellation_type::total); });
    }

    void open(std::shared_ptr<call> c, time_limit limit) {
        open_(c, limit, [weak = this->weak_from_this(), c](error_code ec, Stream opened) {
            auto const self = weak.lock();
            if (self && !ec) {
                self->stream_ = std::move(opened);
                // A connection is found to be lost while it is read.
                if (self->mode_ == read_mode::ahead) self->read();
            }
            c->finish(self || ec ? ec : error_code(asio::error::operation_aborted),
                      [] { return py::object(py::none()); });
        });
    }

    void take(std::shared_ptr<call> c, time_limit limit) {
        bool const on_demand = mode_ == read_mode::on_demand;
        // The stream has a more precise reason than the feed for a missing item.
        feed_.take(std::move(c), on_demand ? time_limit(0) : limit);
        options_.timeout = on_demand ? limit : time_limit(0);
        read();
    }

    Stream& stream() noexcept { return stream_; }
    /// Ends the items with a failure, unless they have ended.
    void fail(error_code ec, diagnostics detail) {
        if (!feed_.ended()) feed_.end(ec, std::move(detail));
    }

    /// Returns the position after the last item that was fetched, for a stream that is read on demand.
    std::string position() const { return feed_.is_empty() ? stream_.position().to_string() : position_; }

private:
    void read() {
        auto const reader = feed_.waiter();
        if (reading_ || feed_.ended() || feed_.is_full() || (mode_ == read_mode::on_demand && !reader)) return;
        reading_ = true;
        if constexpr (requires { stream_.position(); }) position_ = stream_.position().to_string();
        auto const detail = std::make_shared<diagnostics>();
        // The handler keeps the signal, which has to live longer than the operation.
        auto done = [weak = this->weak_from_this(), reader, detail, signal = stop_](error_code ec, T value) {
            if (auto const self = weak.lock())
                self->finish_read(reader, item{ec, std::move(*detail), std::move(value)});
        };
        auto const options = kube::next_options(options_).with_detail(*detail);
        auto handler = asio::bind_cancellation_slot(stop_->slot(), std::move(done));
        if constexpr (requires { stream_.async_next(options, std::move(handler)); })
            stream_.async_next(options, std::move(handler));
        else if constexpr (requires { stream_.async_read_line(options, std::move(handler)); })
            stream_.async_read_line(options, std::move(handler));
        else
            stream_.async_read(options, std::move(handler));
    }

    /// `reader` is the call that waited when the read began.
    void finish_read(std::shared_ptr<call> const& reader, item got) {
        reading_ = false;
        if (feed_.ended()) return;
        if constexpr (requires { Stream::reason_of(got.ec); })
            if (got.ec && got.detail.message.empty()) got.detail.message = Stream::reason_of(got.ec);
        if constexpr (requires { stream_.exit_code(); })
            if (auto const code = stream_.exit_code(); got.ec == asio::error::eof && code)
                return feed_.end(got.ec, {}, [number = *code] { return py::object(py::int_(number)); });
        if (got.ec == asio::error::eof || (got.ec && mode_ == read_mode::ahead && !concerns_one_item(got.ec)))
            return feed_.end(got.ec, std::move(got.detail));
        if (mode_ == read_mode::on_demand && (is_timeout(got.ec) || is_cancelled(got.ec))) {
            auto const waiter = feed_.waiter();
            // Another call than the one that waits now was cancelled.
            return waiter == reader && waiter ? feed_.fail_call(got.ec, std::move(got.detail)) : read();
        }
        feed_.push(std::move(got));
        read();
    }

    static bool concerns_one_item(error_code ec) {
        return ec == errc::type_mismatch || ec == errc::out_of_range || ec == errc::wrong_kind || ec == errc::too_deep;
    }

    opener open_;
    read_mode mode_;
    Stream stream_;
    feed<item> feed_;
    kube::next_options options_;
    std::shared_ptr<asio::cancellation_signal> stop_ = std::make_shared<asio::cancellation_signal>();
    bool reading_ = false;
    std::string position_; ///< before the last read
};

/// An object that Python holds, and that is used and destroyed on the thread of its engine.
template <class T> class remote {
public:
    remote(std::shared_ptr<engine> const& e, std::shared_ptr<T> object)
        : held_(e, std::make_unique<place>(std::make_shared<std::shared_ptr<T>>(std::move(object)))) {}
    remote(remote const&) = delete;
    remote& operator=(remote const&) = delete;
    ~remote() { close(); }

    /// Destroys the object before Python releases this one: an exception may refer to it for long.
    void close() const {
        auto const& e = held_.get_engine();
        if (!e->forked()) e->run([p = *held_] { p->reset(); });
    }

    /// Starts `f(object, call)` on the thread.
    template <class F> std::shared_ptr<call> begin(F f) const {
        return held_.get_engine()->begin([p = *held_, f = std::move(f)](std::shared_ptr<call> const& c) mutable {
            if (*p == nullptr) return c->finish(asio::error::operation_aborted, {});
            f(**p, c);
        });
    }

private:
    using place = std::shared_ptr<std::shared_ptr<T>>;
    in_engine<place> held_;
};

/// A pump as Python uses it.
template <class Stream, class T> class python_stream {
public:
    using pump_type = pump<Stream, T>;

    python_stream(std::shared_ptr<engine> const& e, typename pump_type::opener opens, read_mode mode,
                  typename feed<read_item<T>>::convert to_python)
        : pump_(e, std::make_shared<pump_type>(e->context(), std::move(opens), mode, to_python)) {}

    std::shared_ptr<call> open(py::kwargs const& given) {
        auto const o = options_of<kube::next_options>(given);
        return pump_.begin([o](pump_type& p, std::shared_ptr<call> const& c) { p.open(c, o.timeout); });
    }
    /// Completes with a list of items, or at the end with None or the exit code of a command. The list is empty if a
    /// former call had the items.
    std::shared_ptr<call> take(py::kwargs const& given) {
        auto const o = options_of<kube::next_options>(given);
        return pump_.begin([o](pump_type& p, std::shared_ptr<call> const& c) { p.take(c, o.timeout); });
    }
    /// Completes with the position of a stream that has one.
    std::shared_ptr<call> position() {
        return pump_.begin([](pump_type& p, std::shared_ptr<call> const& c) { c->finish({}, later(p.position())); });
    }

    template <class Bound = python_stream> static py::class_<Bound> bind(py::module_& m, char const* name) {
        py::class_<Bound> bound(m, name);
        bound.def("open", &Bound::open).def("take", &Bound::take);
        return bound;
    }

protected:
    remote<pump_type> pump_;
};

} // namespace kftrain::python

#endif
