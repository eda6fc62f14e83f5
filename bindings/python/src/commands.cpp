#include "api.hpp"
#include "errors.hpp"
#include "feed.hpp"
#include "options.hpp"

#include <kftrain/kube/described.hpp>
#include <kftrain/kube/exec.hpp>
#include <kftrain/kube/port_forwarder.hpp>

#include <boost/asio/steady_timer.hpp>

#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <list>
#include <optional>
#include <string>

namespace kftrain::python {
namespace {

/// (whether it is standard error, bytes).
py::object python_part(read_item<kube::exec_output> const& item) {
    bool const is_error = item.value.channel == kube::exec_channel::error_output;
    return py::make_tuple(is_error, py::bytes(item.value.text));
}

/** Calls that write to one command, in the order in which they began. A call that waits can be cancelled and has its
    time limit: nothing of it was sent then.
    @par Thread safety Unsafe: used and destroyed on the thread of the engine. */
class write_queue : public std::enable_shared_from_this<write_queue> {
public:
    using clock = std::chrono::steady_clock;
    /// Begins to write with the time that is left, and calls the function at the end.
    using write = std::function<void(std::shared_ptr<call> const&, time_limit, std::function<void()>)>;

    explicit write_queue(asio::io_context& context) : context_(context) {}
    write_queue(write_queue const&) = delete;
    write_queue& operator=(write_queue const&) = delete;
    ~write_queue() {
        for (auto const& w : waiting_) end(*w.caller, asio::error::operation_aborted, "the command was closed");
    }

    void enqueue(std::shared_ptr<call> const& c, time_limit limit, write begin) {
        waiting_.push_back({c, limit, clock::now() + limit, std::move(begin), asio::steady_timer(context_)});
        if (!busy_) return next();
        auto const leave = [weak = weak_from_this(), caller = std::weak_ptr(c)](error_code ec, std::string why) {
            auto const self = weak.lock();
            auto const left = caller.lock();
            if (!self || !left) return;
            // A call that next() took from the queue after its timer expired has ended or begun there.
            if (std::erase_if(self->waiting_, [&](auto const& w) { return w.caller == left; }) != 0)
                end(*left, ec, std::move(why));
        };
        c->signal.slot().assign([leave](asio::cancellation_type) { leave(asio::error::operation_aborted, {}); });
        if (limit.count() == 0) return;
        waiting_.back().timer.expires_after(limit);
        waiting_.back().timer.async_wait([leave, limit](error_code ec) {
            if (!ec) leave(errc::timeout, not_begun(limit));
        });
    }

private:
    struct waiter {
        std::shared_ptr<call> caller;
        time_limit limit;
        clock::time_point deadline;
        write begin;
        asio::steady_timer timer;
    };

    void next() {
        while (!waiting_.empty()) {
            auto const w = std::move(waiting_.front());
            waiting_.pop_front();
            w.caller->signal.slot().clear();
            auto const left = std::chrono::ceil<time_limit>(w.deadline - clock::now());
            if (w.limit.count() != 0 && left.count() <= 0) { // the timer has expired; its handler has yet to run
                end(*w.caller, errc::timeout, not_begun(w.limit));
                continue;
            }
            busy_ = true;
            w.begin(w.caller, w.limit.count() == 0 ? w.limit : left, [weak = weak_from_this()] {
                auto const self = weak.lock();
                if (!self) return;
                self->busy_ = false;
                self->next();
            });
            return;
        }
    }
    static std::string not_begun(time_limit limit) {
        return "input of a command: not begun after " + std::to_string(limit.count()) + " ms";
    }
    static void end(call& c, error_code ec, std::string why) {
        c.detail.message = std::move(why);
        c.finish(ec, {});
    }

    asio::io_context& context_;
    std::list<waiter> waiting_;
    bool busy_ = false;
};

/// A running command, and the calls that write to it.
class command_link {
public:
    /// Returns the message of a failure that has none.
    static std::string reason_of(error_code ec) {
        if (is_cancelled(ec))
            return "the command is closed: a write was cancelled or timed out, and a part of it may have been sent";
        if (ec == errc::connection_lost) return "the connection was lost before the command ended";
        if (ec == errc::invalid_argument) return "the standard input of the command is closed";
        if (ec == errc::not_supported) return "the server cannot end the input of a command";
        return {};
    }

    command_link() = default;
    command_link(kube::exec_stream s, asio::io_context& context)
        : stream_(std::move(s)), writes_(std::make_shared<write_queue>(context)) {}

    kube::exec_stream& stream() noexcept { return stream_; }
    write_queue& writes() noexcept { return *writes_; }
    std::optional<int> exit_code() const noexcept { return stream_.exit_code(); }
    template <class Handler> void async_read(kube::next_options const& o, Handler handler) {
        stream_.async_read(o, std::move(handler));
    }

private:
    kube::exec_stream stream_;
    std::shared_ptr<write_queue> writes_;
};

/// A command in a container, as Python uses it. Its output is read ahead, so that a reader that gives up loses none.
class command_stream : public python_stream<command_link, kube::exec_output> {
public:
    using python_stream::python_stream;

    std::shared_ptr<call> write(std::string text, py::kwargs const& given, bool vital = false) const {
        auto begin = [text = std::move(text)](auto& s, auto const& o, auto handler) mutable {
            s.async_write(std::move(text), o, std::move(handler));
        };
        return send(given, std::move(begin), vital);
    }
    std::shared_ptr<call> close_input(py::kwargs const& given, bool vital = false) const {
        auto begin = [](auto& s, auto const& o, auto handler) { s.async_close_input(o, std::move(handler)); };
        return send(given, begin, vital);
    }
    std::shared_ptr<call> resize(unsigned columns, unsigned rows, py::kwargs const& given) const {
        auto begin = [columns, rows](auto& s, auto const& o, auto handler) {
            s.async_resize(columns, rows, o, std::move(handler));
        };
        return send(given, begin);
    }
    /// Ends pending calls and closes the connection.
    void close() const { pump_.close(); }

    /// Sends the whole input and closes it. If that fails while the command runs, the output ends with the failure:
    /// the command would wait for the rest of its input, or work with a part of it.
    void send_all(std::string text) const {
        write(std::move(text), py::kwargs(), true);
        close_input(py::kwargs(), true);
    }

private:
    /// Begins what sends, after everything that began before. A failure of a vital operation ends the output.
    template <class F> std::shared_ptr<call> send(py::kwargs const& given, F f, bool vital = false) const {
        auto const o = options_of<kube::next_options>(given);
        return pump_.begin([o, f = std::move(f), vital](pump_type& p, std::shared_ptr<call> const& caller) mutable {
            auto begin = [weak = p.weak_from_this(), f = std::move(f),
                          vital](std::shared_ptr<call> const& c, time_limit limit, std::function<void()> sent) mutable {
                auto const self = weak.lock(); // which owns the queue that calls this
                auto finish = [weak, c, vital, sent = std::move(sent)](error_code ec) {
                    finish_write(weak.lock().get(), *c, ec, vital);
                    sent();
                };
                f(self->stream().stream(), kube::next_options().with_timeout(limit).with_detail(c->detail),
                  asio::bind_cancellation_slot(c->signal.slot(), std::move(finish)));
            };
            p.stream().writes().enqueue(caller, o.timeout, std::move(begin));
        });
    }

    static void finish_write(pump_type* p, call& c, error_code ec, bool vital) {
        auto& message = c.detail.message;
        if (p == nullptr) message = "the command was closed";
        if (ec == errc::connection_lost) message = "the command has ended, or its connection was lost";
        if (message.empty()) message = command_link::reason_of(ec);
        if (p != nullptr && (is_cancelled(ec) || is_timeout(ec))) { // a part may have been sent
            error_code const aborted = asio::error::operation_aborted;
            diagnostics why;
            why.message = command_link::reason_of(aborted);
            p->fail(aborted, std::move(why));
        } else if (p != nullptr && vital && ec && ec != errc::connection_lost) {
            // If the connection is lost, the rest of the output may be there; its end is the reason.
            p->fail(ec, c.detail);
        }
        c.finish(ec, [] { return py::object(py::none()); });
    }
};

/// A forwarder and the failure of its last connection.
struct forwarding {
    explicit forwarding(kube::port_forwarder f) : forwarder(std::move(f)) {}

    kube::port_forwarder forwarder;
    std::optional<failure> last;
};

/// Ports of this machine that lead to a pod, as Python uses them.
class core_forwarder {
public:
    core_forwarder(api_source const& from, std::string const& ns, std::string const& pod)
        : forwarding_(from.where, std::make_shared<forwarding>(kube::port_forwarder(from.link, ns, pod))) {}

    /// Completes with the local port.
    std::shared_ptr<call> listen(std::uint16_t port, std::uint16_t local) const {
        return forwarding_.begin([port, local](forwarding& f, std::shared_ptr<call> const& c) {
            f.forwarder.on_failure([&f](std::uint16_t port_of_pod, failure why) {
                if (why.detail.message.empty()) // the connection was lost
                    why.detail.message = "port " + std::to_string(port_of_pod) + " of the pod: " + why.code.message();
                f.last = std::move(why);
            });
            auto const made = f.forwarder.listen(port, local);
            if (!made) c->detail = made.error().detail;
            c->finish(made ? error_code() : made.error().code,
                      [number = made ? *made : 0] { return py::object(py::int_(number)); });
        });
    }
    void close() const { forwarding_.close(); }
    /// Completes with the failure of the last connection that failed, or None.
    std::shared_ptr<call> failure_of_connection() const {
        return forwarding_.begin([](forwarding& f, std::shared_ptr<call> const& c) {
            c->finish({}, [last = f.last] { return last ? exception_of(*last) : py::object(py::none()); });
        });
    }

private:
    remote<forwarding> forwarding_;
};

} // namespace

py::object make_command(api_source const& from, std::string const& ns, std::string const& pod,
                        std::optional<std::vector<std::string>> const& command, py::kwargs const& given) {
    auto open = [ns, pod, command, link = from.link, &context = from.where->context(),
                 o = options_of<kube::exec_options>(given)](std::shared_ptr<call> const& c, time_limit limit,
                                                            auto opened) {
        auto how = o;
        how.with_detail(c->detail);
        if (limit.count() != 0) how.with_timeout(limit);
        auto wrap = [opened = std::move(opened), &context](error_code ec, kube::exec_stream s) {
            opened(ec, ec ? command_link() : command_link(std::move(s), context));
        };
        auto handler = asio::bind_cancellation_slot(c->signal.slot(), std::move(wrap));
        if (command) return kube::async_exec(link, ns, pod, *command, how, std::move(handler));
        kube::async_attach(link, ns, pod, how, std::move(handler));
    };
    return py::cast(std::make_unique<command_stream>(from.where, std::move(open), read_mode::ahead, &python_part));
}

py::object make_forwarder(api_source const& from, std::string const& ns, std::string const& pod) {
    from.where->expect_open();
    return py::cast(std::make_unique<core_forwarder>(from, ns, pod));
}

void bind_commands(py::module_& m) {
    command_stream::bind<command_stream>(m, "CommandStream")
        .def("write", [](command_stream const& s, py::bytes const& text,
                         py::kwargs const& given) { return s.write(text, given); })
        .def("close_input", [](command_stream const& s, py::kwargs const& given) { return s.close_input(given); })
        .def("resize", &command_stream::resize)
        .def("close", &command_stream::close)
        .def("send_all", [](command_stream const& s, py::bytes const& text) { s.send_all(text); });
    py::class_<core_forwarder>(m, "Forwarder")
        .def("listen", &core_forwarder::listen)
        .def("close", &core_forwarder::close)
        .def("failure", &core_forwarder::failure_of_connection);
}

} // namespace kftrain::python
