#include "api.hpp"
#include "errors.hpp"
#include "feed.hpp"
#include "options.hpp"

#include <kftrain/kube/described.hpp>
#include <kftrain/kube/exec.hpp>
#include <kftrain/kube/port_forwarder.hpp>

#include <pybind11/stl.h>

#include <optional>

namespace kftrain::python {
namespace {

/// (whether it is standard error, bytes).
py::object python_part(read_item<kube::exec_output> const& item) {
    bool const is_error = item.value.channel == kube::exec_channel::error_output;
    return py::make_tuple(is_error, py::bytes(item.value.text));
}

/// A command in a container, as Python uses it. Its output is read ahead, so that a reader that gives up loses none.
class command_stream : public python_stream<kube::exec_stream, kube::exec_output> {
public:
    using python_stream::python_stream;

    std::shared_ptr<call> write(std::string text, py::kwargs const& given) const {
        return send(given, [text = std::move(text)](auto& p, auto const& o, auto handler) mutable {
            p.stream().async_write(std::move(text), o, std::move(handler));
        });
    }
    std::shared_ptr<call> close_input(py::kwargs const& given) const {
        return send(given,
                    [](auto& p, auto const& o, auto handler) { p.stream().async_close_input(o, std::move(handler)); });
    }
    std::shared_ptr<call> resize(unsigned columns, unsigned rows, py::kwargs const& given) const {
        return send(given, [columns, rows](auto& p, auto const& o, auto handler) {
            p.stream().async_resize(columns, rows, o, std::move(handler));
        });
    }
    /// Ends pending calls and closes the connection.
    void close() const { pump_.close(); }

    /// Sends the whole input and closes it. If that fails while the command runs, the output ends with the failure:
    /// the command would wait for the rest of its input, or work with a part of it.
    std::shared_ptr<call> send_all(std::string text) const {
        auto whole = [text = std::move(text)](pump_type& p, auto const& o, auto handler) mutable {
            auto close = [weak = p.weak_from_this(), o, handler = std::move(handler)](error_code ec) mutable {
                auto const self = weak.lock();
                if (ec || !self) return handler(ec);
                self->stream().async_close_input(o, [o, handler = std::move(handler)](error_code why) mutable {
                    if (why == errc::not_supported) o.detail->message = "the server cannot end the input of a command";
                    handler(why);
                });
            };
            p.stream().async_write(std::move(text), o, std::move(close));
        };
        return send(py::kwargs(), std::move(whole), true);
    }

private:
    /// Begins what sends: one operation at a time. A failure of a vital operation ends the output.
    template <class F> std::shared_ptr<call> send(py::kwargs const& given, F f, bool vital = false) const {
        auto const o = options_of<kube::next_options>(given);
        return pump_.begin(
            [o, f = std::move(f), busy = busy_, vital](pump_type& p, std::shared_ptr<call> const& c) mutable {
                auto finish = [c, vital, weak = p.weak_from_this()](error_code ec) {
                    // If the connection is lost, the rest of the output may be there; its end is the reason.
                    bool const matters = vital && ec && ec != errc::connection_lost && !is_cancelled(ec);
                    if (auto const self = weak.lock(); self && matters) self->fail(ec, c->detail);
                    c->finish(ec, [] { return py::object(py::none()); });
                };
                if (*busy) return finish(errc::already_running);
                *busy = true;
                auto sent = [finish = std::move(finish), busy](error_code ec) {
                    *busy = false;
                    finish(ec);
                };
                f(p, kube::next_options(o).with_detail(c->detail),
                  asio::bind_cancellation_slot(c->signal.slot(), std::move(sent)));
            });
    }

    std::shared_ptr<bool> busy_ = std::make_shared<bool>(false);
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
            f.forwarder.on_failure([&f](std::uint16_t, failure const& why) { f.last = why; });
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
    auto open = [ns, pod, command, link = from.link, o = options_of<kube::exec_options>(given)](
                    std::shared_ptr<call> const& c, time_limit limit, auto opened) {
        auto how = o;
        how.with_detail(c->detail);
        if (limit.count() != 0) how.with_timeout(limit);
        auto handler = asio::bind_cancellation_slot(c->signal.slot(), std::move(opened));
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
        .def("close_input", &command_stream::close_input)
        .def("resize", &command_stream::resize)
        .def("close", &command_stream::close)
        .def("send_all", [](command_stream const& s, py::bytes const& text) { return s.send_all(text); });
    py::class_<core_forwarder>(m, "Forwarder")
        .def("listen", &core_forwarder::listen)
        .def("close", &core_forwarder::close)
        .def("failure", &core_forwarder::failure_of_connection);
}

} // namespace kftrain::python
