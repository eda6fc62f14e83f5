#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_TRANSPORT_EXCHANGE_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_TRANSPORT_EXCHANGE_HPP

#include "kube/transport/connection_pool.hpp"

#include <kftrain/kube/message.hpp>
#include <kftrain/kube/transport.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/version.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace kftrain::kube::detail {

/// Returns whether an exchange ended early without a cancellation. All system errors of an established connection
/// count, such as a lost route and an expired time.
bool is_lost(error_code ec);
/// The error that the caller of a transport gets.
error_code public_code(error_code ec);

/// The result of reading a body: a piece, or why there is none.
struct body_news {
    body_news() = default;
    explicit body_news(error_code e) : ec(e) {}

    error_code ec;
    std::string piece;
};

/** Parses a response: the head as a whole, the body in pieces. Beast's own container of fields throws for a field of
    more than 64 KiB, from inside the event loop; here the limit of the head is the only one. */
class response_parser final : public boost::beast::http::basic_parser<false> {
public:
    response_parser() = default;

    http_response_head& head() noexcept { return head_; }
    /// Reserves room for the bytes to be parsed next.
    void expect(std::size_t bytes) { piece_.reserve(bytes); }
    bool has_piece() const noexcept { return !piece_.empty(); }
    /// Returns the part of the body that was parsed since the last call.
    std::string take_piece() { return std::exchange(piece_, {}); }

private:
    using field = boost::beast::http::field;
    using verb = boost::beast::http::verb;
    using string_view = boost::beast::string_view;
    using error_code = boost::beast::error_code;

    void on_request_impl(verb, string_view, string_view, int, error_code&) override {}
    void on_response_impl(int status, string_view, int, error_code&) override {
        head_.status = static_cast<unsigned>(status);
    }
    void on_field_impl(field, string_view name, string_view value, error_code&) override {
        if (complete_) return; // a trailer: ignored
        head_.fields.add(std::string(name.data(), name.size()), std::string(value.data(), value.size()));
    }
#if BOOST_BEAST_VERSION >= 359 // Boost 1.90; before it, on_field_impl() receives trailers, too
    void on_trailer_field_impl(field, string_view, string_view, error_code&) override {}
#endif
    void on_header_impl(error_code&) override { complete_ = true; }
    void on_body_init_impl(boost::optional<std::uint64_t> const&, error_code&) override {}
    std::size_t on_body_impl(string_view part, error_code&) override {
        piece_.append(part.data(), part.size());
        return part.size();
    }
    void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, string_view part, error_code& ec) override {
        return on_body_impl(part, ec);
    }
    void on_finish_impl(error_code&) override {}

    http_response_head head_;
    std::string piece_;
    bool complete_ = false;
};

/// A connection during a response.
class exchange : public std::enable_shared_from_this<exchange> {
public:
    /// `bodiless`: the answer has no body, being one to HEAD; `upgrade`: the server may switch to another protocol.
    exchange(std::shared_ptr<connection_pool> p, std::unique_ptr<connection> c, std::size_t limit, bool bodiless,
             bool upgrade);

    /** Looks for the head of the answer in the received bytes; `ec` is the outcome of receiving them. Returns nothing
        if more is needed. Ignores interim answers. */
    std::optional<error_code> look_for_head(error_code ec);
    /// Returns whether no byte of the answer has arrived.
    bool is_unanswered() const noexcept { return !head->got_some() && buffer.size() == 0; }

    /// The answer is complete: the connection may serve again, if both sides and the rules of HTTP agree.
    void finish();

    /// The body, if nothing of it is missing and no read was begun.
    std::optional<std::string> whole();
    /// The result for the body without receiving more.
    std::optional<body_news> news();
    /// Nothing can: what was received was handed out.
    bool needs_more() const noexcept;
    /// Where to receive more of it.
    asio::mutable_buffer room();
    void received(error_code ec, std::size_t bytes);
    /// Of the body that cannot be read on.
    void break_off(error_code ec);

    /// Ends the read of this number if it is still going on.
    void cancel(std::uint64_t read);

    std::shared_ptr<connection_pool> pool;
    std::unique_ptr<connection> link;
    std::size_t header_limit;
    boost::beast::flat_buffer buffer;
    std::optional<response_parser> head;
    asio::cancellation_signal stop; // of the read that goes on
    std::uint64_t reads = 0;
    bool reading = false;
    bool cancelled = false;

private:
    void expect_head();
    void parse();

    std::size_t room_;
    bool bodiless_; // an answer to HEAD
    bool upgrade_;
    bool done_ = false;
    error_code broken_; // delivered after the bytes that came before it
};

/// The body of the answer whose head was read.
std::unique_ptr<body_stream> body_of(std::shared_ptr<exchange> x);
/// The @ref upgraded_stream after a head with status 101 and these fields. Takes the connection.
std::unique_ptr<body_stream> upgraded_body_of(exchange& x, http_fields fields);

} // namespace kftrain::kube::detail

#endif
