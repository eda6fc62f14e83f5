#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_TRANSPORT_EXCHANGE_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_TRANSPORT_EXCHANGE_HPP

#include "kube/transport/transport_connection.hpp"
#include "kube/transport/transport_response.hpp"

#include <kftrain/kube/transport.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace kftrain::kube::detail {

/// Whether an exchange ended early without a cancellation. All that the system says of an established connection is
/// of this kind, a lost route as well as an expired time.
bool is_lost(error_code ec);
/// What the caller of a transport gets.
error_code public_code(error_code ec);

/// The result of reading a body: a piece, or why there is none.
struct body_news {
    body_news() = default;
    explicit body_news(error_code e) : ec(e) {}

    error_code ec;
    std::string piece;
};

/// A connection in the middle of an answer.
class exchange : public std::enable_shared_from_this<exchange> {
public:
    /// `bodiless`: the answer has no body, being one to HEAD; `upgrade`: the server may switch to another protocol.
    exchange(std::shared_ptr<connection_pool> p, std::unique_ptr<connection> c, std::size_t limit, bool bodiless,
             bool upgrade);

    /** Looks for the head of the answer in what was received; `ec` is how receiving went. Nothing: more is needed.
        Interim answers are passed over. */
    std::optional<error_code> look_for_head(error_code ec);
    /// Not a byte of the answer has come.
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
