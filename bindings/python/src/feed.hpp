#ifndef KFTRAIN_PYTHON_FEED_HPP
#define KFTRAIN_PYTHON_FEED_HPP

#include "engine.hpp"
#include "limits.hpp"

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
    /// Converts items to a list of Python, on a thread with the GIL.
    using convert = py::object (*)(std::vector<Item> const&);

    feed(asio::io_context& context, convert to_python) : timer_(context), convert_(to_python) {}

    /// Returns whether the items that were not fetched are so many, or so large, that no more should be read.
    bool is_full() const {
        std::lock_guard const lock(store_->mutex);
        return store_->items.size() >= max_items || store_->bytes >= max_bytes;
    }

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
            if constexpr (requires { item.text.size(); }) store_->bytes += item.text.size();
            store_->items.push_back(std::move(item));
        }
        serve();
    }
    /// No item follows: the reader gets the failure, or None for `eof`, after the last item.
    void end(error_code ec, diagnostics detail) {
        end_ = ec;
        detail_ = std::move(detail);
        serve();
    }
    bool ended() const noexcept { return end_.failed(); }

    /// Completes the call with a list of items, or with None at the end.
    void take(std::shared_ptr<call> c, limit const& timeout) {
        if (waiter_ && !waiter_->done()) return c->finish(errc::already_running, {});
        waiter_ = std::move(c);
        serve();
        if (!waiter_) return;
        auto weak = std::weak_ptr<call>(waiter_);
        waiter_->signal.slot().assign(
            [weak](asio::cancellation_type) { give_up(weak, asio::error::operation_aborted); });
        if (!timeout || *timeout >= longest_limit) return;
        timer_.expires_after(milliseconds_of(*timeout));
        timer_.async_wait([weak](error_code ec) {
            if (!ec) give_up(weak, errc::timeout);
        });
    }

    /// Ends the call that waits.
    ~feed() {
        if (waiter_) give_up(waiter_, asio::error::operation_aborted);
    }

private:
    static void give_up(std::weak_ptr<call> const& weak, error_code ec) {
        if (auto const c = weak.lock()) c->finish(ec, {});
    }

    bool is_empty() const {
        std::lock_guard const lock(store_->mutex);
        return store_->items.empty();
    }

    void serve() {
        bool const nothing = is_empty();
        if (!waiter_ || (nothing && !ended())) return;
        if (waiter_->done()) return waiter_.reset(); // it was cancelled
        timer_.cancel();
        auto const c = std::exchange(waiter_, nullptr);
        if (!nothing) return c->finish({}, [from = store_, make = convert_] { return make(from->take()); });
        if (end_ == asio::error::eof) return c->finish({}, [] { return py::object(py::none()); });
        c->detail = detail_;
        c->finish(end_, {});
    }

    static constexpr std::size_t max_items = 256;
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
    std::shared_ptr<store> store_ = std::make_shared<store>();
    std::shared_ptr<call> waiter_;
    error_code end_;
    diagnostics detail_;
};

/// Whether a stream goes on after this failure, which concerns one item.
inline bool concerns_one_item(error_code ec) {
    return ec == errc::type_mismatch || ec == errc::out_of_range || ec == errc::wrong_kind || ec == errc::too_deep;
}

/** Opens a stream, and reads it ahead into a feed until that is full.
    @par Thread safety Unsafe: used and destroyed on the thread of the engine. */
template <class Stream, class Item> class pump : public std::enable_shared_from_this<pump<Stream, Item>> {
public:
    using opener = std::function<void(std::shared_ptr<call>, limit const&, std::function<void(error_code, Stream)>)>;
    /// Reads the next item; the details of a failure are part of the item.
    using reader = void (*)(Stream&, std::function<void(error_code, Item)>);

    pump(asio::io_context& context, opener opens, reader reads, typename feed<Item>::convert to_python)
        : open_(std::move(opens)), read_(reads), feed_(context, to_python) {}

    void open(std::shared_ptr<call> c, limit const& timeout) {
        open_(c, timeout, [weak = this->weak_from_this(), c](error_code ec, Stream opened) {
            auto const self = weak.lock();
            if (self && !ec) self->stream_ = std::move(opened);
            c->finish(self || ec ? ec : error_code(asio::error::operation_aborted),
                      [] { return py::object(py::none()); });
        });
    }

    void take(std::shared_ptr<call> c, limit const& timeout) {
        feed_.take(std::move(c), timeout);
        read();
    }

private:
    void read() {
        if (reading_ || feed_.ended() || feed_.is_full()) return;
        reading_ = true;
        read_(stream_, [weak = this->weak_from_this()](error_code ec, Item item) {
            auto const self = weak.lock();
            if (!self) return;
            self->reading_ = false;
            if (ec && !concerns_one_item(ec)) return self->feed_.end(ec, item.detail);
            item.ec = ec;
            self->feed_.push(std::move(item));
            self->read();
        });
    }

    opener open_;
    reader read_;
    Stream stream_;
    feed<Item> feed_;
    bool reading_ = false;
};

/// An object that Python holds, and that is used and destroyed on the thread of its engine.
template <class T> class remote {
public:
    remote(std::shared_ptr<engine> const& e, std::shared_ptr<T> object)
        : held_(e, std::make_unique<place>(std::make_shared<std::shared_ptr<T>>(std::move(object)))) {}
    remote(remote const&) = delete;
    remote& operator=(remote const&) = delete;
    ~remote() {
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
template <class Stream, class Item> class python_stream {
public:
    using pump_type = pump<Stream, Item>;

    python_stream(std::shared_ptr<engine> const& e, typename pump_type::opener opens, typename pump_type::reader reads,
                  typename feed<Item>::convert to_python)
        : pump_(e, std::make_shared<pump_type>(e->context(), std::move(opens), reads, to_python)) {}

    std::shared_ptr<call> open(limit const& timeout) {
        return pump_.begin([timeout](pump_type& p, std::shared_ptr<call> const& c) { p.open(c, timeout); });
    }
    /// Completes with a list of items, or with None at the end.
    std::shared_ptr<call> take(limit const& timeout) {
        return pump_.begin([timeout](pump_type& p, std::shared_ptr<call> const& c) { p.take(c, timeout); });
    }

private:
    remote<pump_type> pump_;
};

} // namespace kftrain::python

#endif
