#include "local/kubelet/containers/network_attempt.hpp"

#include "base/ascii.hpp"
#include "kube/transport/tls_session.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>

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

} // namespace kftrain::local
