#include "local/kubelet/containers/container_prober.hpp"

#include "base/ascii.hpp"
#include "base/in_quotes.hpp"
#include "kube/transport/tls_session.hpp"
#include "local/kubelet/containers/container_command.hpp"
#include "local/sandbox/system.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

namespace kftrain::local {
namespace {

using asio::ip::tcp;
namespace streams = kube::detail;

constexpr auto as_values = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t longest_answer = 10'240;

/// As Go writes it.
std::string error_text(error_code ec) {
    if (ec == asio::error::eof) return "EOF";
    auto text = ec.message();
    if (!text.empty()) text[0] = to_lower(text[0]);
    return text;
}

constexpr std::size_t longest_output = 10'240; ///< in a report. @par Upstream `pkg/probe/exec`
constexpr off_t all_output = 1'048'576;

/// Takes the output of a command, up to a bound; the command fails to write more.
sandbox::unique_fd output_file() {
    sandbox::unique_fd file(::memfd_create("probe", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file || ::ftruncate(file.get(), all_output) != 0 ||
        ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) != 0)
        return {};
    return file;
}

std::string written_to(sandbox::unique_fd const& file) {
    auto const size = ::lseek(file.get(), 0, SEEK_CUR); // shared with the command
    std::string text(std::min(static_cast<std::size_t>(std::max<off_t>(size, 0)), longest_output), '\0');
    auto const got = ::pread(file.get(), text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
}

/// The time that an attempt has. The timer may fire when the attempt is over and its frame gone.
struct time_limit {
    bool passed = false;
    bool over = false;
};

/// Whatever ends an attempt, its limit ends with it.
class ending {
public:
    explicit ending(time_limit& limit) : limit_(limit) {}
    ending(ending const&) = delete;
    ending& operator=(ending const&) = delete;
    ~ending() { limit_.over = true; }

private:
    time_limit& limit_;
};

/// Puts something in a set while it is in scope.
template <class Set> class entered {
public:
    entered(Set& set, typename Set::value_type value) : set_(set), value_(std::move(value)) { set_.insert(value_); }
    entered(entered const&) = delete;
    entered& operator=(entered const&) = delete;
    ~entered() { set_.erase(value_); }

private:
    Set& set_;
    typename Set::value_type value_;
};

} // namespace

result<kube::detail::stream_factory const*> probe_streams::find(bool tls) {
    if (!tls && !plain_) plain_ = streams::make_tcp_factory();
    if (!tls) return plain_.get();
    if (!encrypted_) {
        kube::config any;
        any.insecure_skip_tls_verify = true;
        auto made = streams::make_tls_factory(any, "127.0.0.1");
        if (!made) return made.error();
        encrypted_ = std::move(*made);
    }
    return encrypted_.get();
}

network_attempt::network_attempt(local::node& owner, probe_streams& streams, std::chrono::seconds limit)
    : owner_(owner),
      streams_(streams),
      timer_(owner.get_executor(), limit),
      self_(std::make_shared<network_attempt*>(this)) {
    timer_.async_wait([weak = std::weak_ptr(self_)](error_code ec) {
        auto const alive = weak.lock();
        if (ec || !alive) return;
        (*alive)->timed_out_ = true;
        (*alive)->cancel_.emit(asio::cancellation_type::terminal);
    });
}

void network_attempt::stop() {
    stopped_ = true;
    cancel_.emit(asio::cancellation_type::terminal);
}

/// The signal reaches only an operation that is under way.
error_code network_attempt::cancelled() const noexcept {
    return timed_out_ || stopped_ ? asio::error::operation_aborted : error_code();
}

asio::awaitable<error_code> network_attempt::open(std::string address, std::uint16_t port, bool tls) {
    stream_.reset();
    auto const factory = streams_.find(tls);
    if (!factory) {
        step_ = "tls: ";
        co_return factory.error().code;
    }
    step_ = "dial tcp " + address + ":" + std::to_string(port) + ": ";
    auto [ec, descriptor] =
        co_await owner_.async_connect(address, port, nullptr, asio::bind_cancellation_slot(cancel_.slot(), as_values));
    if (ec) {
        if (!is_cancelled(ec)) step_ += "connect: ";
        co_return ec;
    }
    stream_.emplace((*factory)->wrap(tcp::socket(owner_.get_executor(), tcp::v4(), descriptor)));
    step_.clear();
    if (!tls || cancelled()) co_return cancelled();
    auto [failed] = co_await stream_->async_handshake(asio::bind_cancellation_slot(cancel_.slot(), as_values));
    if (failed && !is_cancelled(failed)) step_ = "tls: ";
    co_return failed;
}

asio::awaitable<error_code> network_attempt::send(std::string text) {
    for (std::size_t done = 0; done < text.size();) {
        if (cancelled()) co_return cancelled();
        auto [ec, size] = co_await stream_->async_write_some(asio::buffer(text) + done,
                                                             asio::bind_cancellation_slot(cancel_.slot(), as_values));
        if (ec) co_return ec;
        done += size;
    }
    co_return cancelled();
}

asio::awaitable<error_code> network_attempt::receive(std::string& into) {
    if (cancelled()) co_return cancelled();
    std::array<char, 2048> piece{};
    auto [ec, size] =
        co_await stream_->async_read_some(asio::buffer(piece), asio::bind_cancellation_slot(cancel_.slot(), as_values));
    into.append(piece.data(), size);
    co_return cancelled() ? cancelled() : ec;
}

asio::awaitable<probe_result> network_attempt::connect(std::string address, std::uint16_t port) {
    error_code const ec = co_await open(std::move(address), port, false);
    if (!ec) co_return probe_result(true, {});
    co_return probe_result(false, step_ + (is_cancelled(ec) ? "i/o timeout" : error_text(ec)));
}

/// Succeeds with a whole answer, or with the first part of a long one.
asio::awaitable<error_code> network_attempt::exchange(probe_url url, std::string text, std::string& answer) {
    error_code ec = co_await open(url.host, url.port, url.tls);
    if (!ec) ec = co_await send(std::move(text));
    while (!ec && answer.size() < longest_answer && !is_whole(answer)) {
        ec = co_await receive(answer);
        drop_informational(answer);
    }
    bool const ends = is_whole(answer) || answer.size() >= longest_answer || (!is_cancelled(ec) && !has_length(answer));
    if (has_head(answer) && ends) co_return error_code();
    co_return ec ? ec : error_code(asio::error::message_size);
}

asio::awaitable<probe_result> network_attempt::request(probe_url url, core::http_get_action get, bool is_hook) {
    constexpr int most_redirects = 10;
    for (int count = 0;; ++count) {
        auto const before = "Get \"" + url.text() + "\": ";
        if (auto const fault = header_fault(get); !fault.empty()) co_return probe_result(false, before + fault);
        auto text = request_of(url, get, is_hook ? "kube-lifecycle/1.31" : "kube-probe/1.31");
        std::string answer;
        error_code ec = co_await exchange(url, std::move(text), answer);
        if (is_hook && has_head(answer)) ec = {};
        if (ec && url.tls && streams::is_answer_without_tls(ec) && is_hook) {
            url.tls = false;
            std::erase_if(get.http_headers, [](auto const& h) { return to_lower(h.name) == "authorization"; });
            continue;
        }
        if (ec && is_cancelled(ec))
            co_return probe_result(false, before + step_ +
                                              (step_.empty() ? "context deadline exceeded" : "i/o timeout") +
                                              " (Client.Timeout exceeded while awaiting headers)");
        if (ec && url.tls && streams::is_answer_without_tls(ec))
            co_return probe_result(false, before + "http: server gave HTTP response to HTTPS client");
        if (ec) co_return probe_result(false, before + step_ + error_text(ec));
        auto next = redirect_of(answer, url);
        if (next && next->host == url.host) {
            if (count == most_redirects)
                co_return probe_result(false, "Get \"" + next->text() + "\": stopped after 10 redirects");
            url = *std::move(next);
            continue;
        }
        probe_result result = judge_answer(answer);
        if (is_hook && has_head(answer)) result.success = true;
        co_return result;
    }
}

container_prober::container_prober(kubelet::state& owner, container_process like, core::container spec,
                                   std::string address, callbacks handlers)
    : owner_(owner),
      like_(std::move(like)),
      spec_(std::move(spec)),
      address_(std::move(address)),
      handlers_(std::move(handlers)),
      started_(!spec_.startup_probe) {}

void container_prober::start() {
    watch(probe_kind::startup, spec_.startup_probe);
    watch(probe_kind::liveness, spec_.liveness_probe);
    watch(probe_kind::readiness, spec_.readiness_probe);
}

void container_prober::watch(probe_kind kind, boxed<core::probe> const& what) {
    if (!what) return;
    // The handler keeps both from before the first step on. What is thrown in there ends this probe only.
    auto ended = [self = shared_from_this(), kept = owner_.shared_from_this()](std::exception_ptr) {};
    asio::co_spawn(owner_.client.get_executor(), repeat(kind, *what), std::move(ended));
}

void container_prober::stop() {
    if (std::exchange(stopped_, true)) return;
    handlers_ = callbacks();
    for (auto* timer : sleepers_) timer->cancel();
    for (auto* attempt : attempts_) attempt->stop();
    for (auto const& name : commands_) owner_.node.async_signal(like_.pod, name, SIGKILL, nullptr, asio::detached);
}

asio::awaitable<void> container_prober::repeat(probe_kind kind, core::probe what) {
    probe_judge judge(what);
    co_await sleep(initial_delay(what));
    while (!stopped_ && !ending_) {
        if (kind == probe_kind::startup || started_) {
            probe_result const result = co_await attempt(kind, what);
            if (stopped_ || ending_) co_return;
            if ((!result.success || result.warns) && handlers_.noted) handlers_.noted(kind, result);
            auto const verdict = judge.count(result.success);
            if (verdict && kind == probe_kind::startup) started_ = *verdict;
            if (verdict && handlers_.judged) handlers_.judged(kind, *verdict);
            if (verdict && kind == probe_kind::startup) co_return;
        }
        co_await sleep(period(what));
    }
}

asio::awaitable<probe_result> container_prober::attempt(probe_kind kind, core::probe const& what) {
    if (what.exec) {
        probe_result result = co_await run_command(std::string(name_of(kind)), what);
        co_return result;
    }
    probe_result result = co_await open_connection(what);
    co_return result;
}

asio::awaitable<probe_result> container_prober::run_hook(std::string name, core::lifecycle_handler what) {
    is_hook_ = true;
    core::probe hook;
    hook.exec = std::move(what.exec);
    hook.http_get = std::move(what.http_get);
    hook.timeout_seconds = std::numeric_limits<std::int32_t>::max();
    if (hook.exec) {
        probe_result result = co_await run_command(std::move(name), hook);
        co_return result;
    }
    probe_result result = co_await open_connection(hook);
    co_return result;
}

asio::awaitable<probe_result> container_prober::run_command(std::string name, core::probe const& what) {
    auto const self = shared_from_this(); // what is on the stack here refers to it
    auto const output = output_file();
    auto process = command_in(like_, like_.container + "!" + name, what.exec->command);
    process.output_fd = output.get();
    name = process.container;
    diagnostics why;
    if (!output) co_return probe_result(false, "not enough memory for the output of the command");
    auto [started] = co_await owner_.node.async_start_container(std::move(process), &why, await);
    if (started) co_return probe_result(false, why.message.empty() ? started.message() : why.message);
    if (stopped_) owner_.node.async_signal(like_.pod, name, SIGKILL, nullptr, asio::detached);
    entered const busy(commands_, name);
    auto const limit = std::make_shared<time_limit>();
    ending const done(*limit);
    asio::steady_timer timer(owner_.client.get_executor(), timeout(what));
    timer.async_wait([weak = weak_from_this(), limit, name](error_code ec) {
        auto const alive = weak.lock();
        if (ec || limit->over || !alive || alive->stopped_) return;
        limit->passed = true;
        alive->owner_.node.async_signal(alive->like_.pod, name, SIGKILL, nullptr, asio::detached);
    });
    auto [ec, status] = co_await owner_.node.async_wait(like_.pod, name, &why, await);
    if (limit->passed)
        co_return probe_result(false, "command timed out after " + std::to_string(timeout(what).count()) + "s");
    if (ec) co_return probe_result(false, why.message.empty() ? ec.message() : why.message);
    co_return probe_result(status.code == 0 && status.signal == 0, written_to(output));
}

asio::awaitable<probe_result> container_prober::open_connection(core::probe const& what) {
    auto const self = shared_from_this(); // what is on the stack here refers to it
    network_attempt attempt(owner_.node, streams_, timeout(what));
    entered const busy(attempts_, &attempt);
    auto const& host = what.tcp_socket ? what.tcp_socket->host : what.http_get->host;
    auto const& wanted = what.tcp_socket ? what.tcp_socket->port : what.http_get->port;
    auto const port = port_of(wanted, spec_);
    auto const address = host.empty() ? address_ : host;
    if (port == 0)
        co_return probe_result(false,
                               std::string(what.tcp_socket ? "tcpSocket" : "httpGet") +
                                   ".port: expected the name of a port of the container or a number from 1 to 65535, "
                                   "got " +
                                   (wanted.is_string() ? in_quotes(wanted.text()) : std::to_string(wanted.number())));
    if (what.tcp_socket) {
        probe_result result = co_await attempt.connect(address, port);
        co_return result;
    }
    probe_result result = co_await attempt.request(url_of(*what.http_get, address, port), *what.http_get, is_hook_);
    co_return result;
}

asio::awaitable<void> container_prober::sleep(std::chrono::seconds t) {
    if (stopped_) co_return;
    auto const self = shared_from_this(); // what is on the stack here refers to it
    asio::steady_timer timer(owner_.client.get_executor(), t);
    entered const resting(sleepers_, &timer);
    co_await timer.async_wait(await);
}

} // namespace kftrain::local
