#include <kftrain/kube/exec.hpp>

#include "base/failure_at.hpp"
#include "kube/async/operation.hpp"
#include "kube/calls/client_state.hpp"
#include "kube/exec/exec_protocol.hpp"
#include "kube/exec/handshake.hpp"
#include "kube/exec/web_socket.hpp"

#include <kftrain/kube/then_complete.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/asio/error.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include <algorithm>
#include <array>

namespace kftrain::kube {

result<http_request> detail::pod_streams(std::string_view ns, std::string_view pod,
                                         std::vector<std::string> const* command, exec_options const& options) {
    if (command != nullptr && (command->empty() || command->front().empty()))
        return failure_at("command", "expected a command, got an empty one");
    if (!options.input && !options.output && (options.tty || !options.error_output))
        return failure_at("output", "expected at least one of input, output and error_output");
    auto made = request::get(core::pod::resource, ns, pod);
    if (!made) return made;
    auto& target = made->target;
    target += command != nullptr ? "/exec?" : "/attach?";
    auto const add = [&](std::string_view name, std::string_view value) {
        target.append(name).append("=").append(boost::urls::encode(value, boost::urls::unreserved_chars)).append("&");
    };
    if (command != nullptr)
        for (auto const& argument : *command) add("command", argument);
    if (!options.container.empty()) add("container", options.container);
    if (options.input) add("stdin", "true");
    if (options.output) add("stdout", "true");
    if (options.error_output && !options.tty) add("stderr", "true");
    if (options.tty) add("tty", "true");
    target.pop_back();
    return made;
}

result<http_request> request::pod_exec(std::string_view ns, std::string_view pod,
                                       std::vector<std::string> const& command, exec_options const& options) {
    return detail::pod_streams(ns, pod, &command, options);
}

result<http_request> request::pod_attach(std::string_view ns, std::string_view pod, exec_options const& options) {
    return detail::pod_streams(ns, pod, nullptr, options);
}

struct exec_stream::state {
    state(std::shared_ptr<detail::web_socket> s, asio::any_io_executor ex, bool input, bool closing)
        : socket(std::move(s)), executor(std::move(ex)), has_input(input), can_close(closing) {}

    void end(error_code ec) {
        if (!ended) ended = ec;
        socket->cut();
    }
    void close() {
        end(asio::error::operation_aborted);
        detail::cancel({reading, writing});
    }
    std::shared_ptr<detail::web_socket> socket;
    asio::any_io_executor executor;
    bool has_input;
    bool can_close; ///< the protocol can
    error_code ended;
    std::optional<int> exit_code;
    std::weak_ptr<detail::operation> reading, writing;

    static asio::awaitable<exec_output> read(std::shared_ptr<state> s, diagnostics* detail);
    static asio::awaitable<void> write(std::shared_ptr<state> s, detail::exec_byte channel, std::string text);
    static void begin_write(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler,
                            detail::exec_byte channel, std::string text, next_options options);
};

asio::awaitable<exec_output> exec_stream::state::read(std::shared_ptr<state> s, diagnostics* detail) {
    using detail::exec_byte;
    detail::stream_guard guard(*s);
    for (;;) {
        if (s->ended) kube::detail::fail(s->ended);
        auto [ec, message] = co_await detail::web_socket::read(s->socket);
        if (ec == asio::error::eof) ec = errc::connection_lost; // the command has no result
        if (ec) {
            s->end(ec);
            kube::detail::fail(ec);
        }
        if (message.size() < 2) continue; // servers open each channel with an empty message
        auto const channel = static_cast<exec_byte>(message.front());
        message.erase(0, 1);
        if (channel == exec_byte::output || channel == exec_byte::error_output) {
            exec_output part;
            part.channel = channel == exec_byte::output ? exec_channel::output : exec_channel::error_output;
            part.text = std::move(message);
            guard.done();
            co_return part;
        }
        if (channel != exec_byte::status) continue;
        auto end = detail::read_exec_end(message);
        if (end) s->exit_code = *end;
        s->end(end ? make_error_code(asio::error::eof) : end.error().code);
        if (!end && detail != nullptr) *detail = std::move(end.error().detail);
    }
}

asio::awaitable<void> exec_stream::state::write(std::shared_ptr<state> s, detail::exec_byte channel, std::string text) {
    detail::stream_guard guard(*s);
    std::string_view rest = text;
    error_code ec;
    do {
        if (s->ended) ec = s->ended == asio::error::operation_aborted ? s->ended : errc::connection_lost;
        if (ec) break;
        auto const piece = rest.substr(0, detail::exec_piece_size);
        rest.remove_prefix(piece.size());
        ec = co_await detail::web_socket::write(s->socket, detail::exec_message(channel, piece));
        // A read has found the end, and has closed the connection under this write.
        if (ec && s->ended && s->ended != asio::error::operation_aborted) ec = errc::connection_lost;
    } while (!rest.empty() && !ec);
    guard.done();
    if (ec) detail::fail(ec);
}

std::optional<int> exec_stream::exit_code() const noexcept { return state_ ? state_->exit_code : std::nullopt; }

void exec_stream::start_read(std::shared_ptr<state> const& s, any_handler<void(error_code, exec_output)> handler,
                             next_options options) {
    if (!s) return detail::abort_later(std::move(handler));
    s->reading =
        detail::spawn(s->executor, state::read(s, options.detail),
                      detail::deadline(options.timeout, options.detail, "output of a command"), std::move(handler));
}

void exec_stream::state::begin_write(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler,
                                     detail::exec_byte channel, std::string text, next_options options) {
    s->writing =
        detail::spawn(s->executor, write(s, channel, std::move(text)),
                      detail::deadline(options.timeout, options.detail, "input of a command"), std::move(handler));
}

void exec_stream::start_write(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler, std::string text,
                              next_options options) {
    if (!s) return detail::abort_later(std::move(handler));
    if (!s->has_input) return complete_later(s->executor, std::move(handler), make_error_code(errc::invalid_argument));
    if (text.empty()) return complete_later(s->executor, std::move(handler), error_code());
    state::begin_write(s, std::move(handler), detail::exec_byte::input, std::move(text), options);
}

void exec_stream::start_close(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler,
                              next_options options) {
    if (!s) return detail::abort_later(std::move(handler));
    if (!s->has_input) return complete_later(s->executor, std::move(handler), make_error_code(errc::invalid_argument));
    if (!s->can_close) return complete_later(s->executor, std::move(handler), make_error_code(errc::not_supported));
    s->has_input = false;
    state::begin_write(s, std::move(handler), detail::exec_byte::close, std::string(1, '\0'), options);
}

void exec_stream::start_resize(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler, unsigned columns,
                               unsigned rows, next_options options) {
    if (!s) return detail::abort_later(std::move(handler));
    auto text = R"({"Width":)" + std::to_string(columns) + R"(,"Height":)" + std::to_string(rows) + "}";
    state::begin_write(s, std::move(handler), detail::exec_byte::size, std::move(text), options);
}

namespace detail {
namespace {

constexpr std::array exec_protocols{exec_v5, exec_v4};

} // namespace

void start_exec(client const& c, any_handler<void(error_code, exec_stream)> handler, result<http_request> request,
                exec_options options) {
    auto const key = make_websocket_key();
    if (request) add_handshake(*request, key, exec_protocols);
    auto const place = client_access::place_of(c);
    auto const wrap = [place, key, input = options.input,
                       detail = options.detail](any_handler<void(error_code, exec_stream)> h, error_code ec,
                                                std::unique_ptr<body_stream> body) {
        if (ec) return std::move(h)(ec, exec_stream());
        std::string why;
        auto upgraded = take_upgraded(std::move(body), key, exec_protocols, why);
        if (!upgraded) {
            if (detail != nullptr) detail->message = std::move(why);
            return std::move(h)(errc::protocol, exec_stream());
        }
        bool const can_close = upgraded->fields().get("Sec-WebSocket-Protocol") == exec_v5;
        auto socket = std::make_shared<web_socket>(place.executor(), std::move(upgraded), connection_role::client,
                                                   exec_message_limit);
        auto made = std::make_shared<exec_stream::state>(std::move(socket), place.executor(), input, can_close);
        std::move(h)(error_code(), exec_stream({place, std::move(made)}));
    };
    then_complete then(std::move(handler), wrap);
    client_access::start(c, any_handler<void(error_code, std::unique_ptr<body_stream>)>(std::move(then)),
                         std::move(request), std::move(options));
}

} // namespace detail
} // namespace kftrain::kube
