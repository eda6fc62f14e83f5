#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_TRANSPORT_RESPONSE_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_TRANSPORT_RESPONSE_HPP

#include <kftrain/kube/message.hpp>

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/version.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace kftrain::kube::detail {

/** Parses a response: the head whole, the body in pieces. Beast's own container of fields throws from inside the event
    loop if a field has more than 64 KiB; here the limit of the head is the only one. */
class response_parser final : public boost::beast::http::basic_parser<false> {
public:
    response_parser() = default;

    http_response_head& head() noexcept { return head_; }
    /// So much is about to be parsed, which may be all of it body.
    void expect(std::size_t bytes) { piece_.reserve(bytes); }
    bool has_piece() const noexcept { return !piece_.empty(); }
    /// What of the body has been parsed since the last call.
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

} // namespace kftrain::kube::detail

#endif
