#ifndef KFTRAIN_SRC_MODEL_JSON_JSON_EVENTS_HPP
#define KFTRAIN_SRC_MODEL_JSON_JSON_EVENTS_HPP

#include <boost/json/basic_parser_impl.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace kftrain::detail {

/** Handler for `boost::json::basic_parser` that passes whole events on to `Sink`: begin_object, end_object,
    begin_array, end_array, key, string, integer, number, boolean, null. Each returns false to stop. The text must be
    given in one piece, so that only strings come in parts. */
template <class Sink> class json_events {
public:
    static constexpr std::size_t max_object_size = -1;
    static constexpr std::size_t max_array_size = -1;
    static constexpr std::size_t max_key_size = -1;
    static constexpr std::size_t max_string_size = -1;

    explicit json_events(Sink& sink) : sink_(&sink) {}

    /// Keys, scalars and opening brackets so far; where the sink stops, the number of the refused one.
    std::uint64_t tokens() const noexcept { return tokens_; }

    using view = boost::json::string_view;
    using code = boost::system::error_code;

    bool on_document_begin(code&) { return true; }
    bool on_document_end(code&) { return true; }
    bool on_object_begin(code& ec) { return token(sink_->begin_object(), ec); }
    bool on_object_end(std::size_t, code& ec) { return check(sink_->end_object(), ec); }
    bool on_array_begin(code& ec) { return token(sink_->begin_array(), ec); }
    bool on_array_end(std::size_t, code& ec) { return check(sink_->end_array(), ec); }
    bool on_key_part(view s, std::size_t, code&) { return keep(s); }
    bool on_key(view s, std::size_t, code& ec) {
        bool const ok = sink_->key(whole(s));
        part_.clear();
        return token(ok, ec);
    }
    bool on_string_part(view s, std::size_t, code&) { return keep(s); }
    bool on_string(view s, std::size_t, code& ec) {
        bool const ok = sink_->string(whole(s));
        part_.clear();
        return token(ok, ec);
    }
    bool on_number_part(view, code&) { return true; }
    bool on_int64(std::int64_t v, view s, code& ec) { return token(sink_->integer(v, {s.data(), s.size()}), ec); }
    bool on_uint64(std::uint64_t v, view s, code& ec) {
        return token(sink_->number(static_cast<double>(v), {s.data(), s.size()}), ec);
    }
    bool on_double(double v, view s, code& ec) { return token(sink_->number(v, {s.data(), s.size()}), ec); }
    bool on_bool(bool v, code& ec) { return token(sink_->boolean(v), ec); }
    bool on_null(code& ec) { return token(sink_->null(), ec); }
    bool on_comment_part(view, code&) { return true; }
    bool on_comment(view, code&) { return true; }

private:
    bool check(bool ok, code& ec) {
        if (!ok) ec = boost::system::errc::make_error_code(boost::system::errc::operation_canceled);
        return ok;
    }
    bool token(bool ok, code& ec) {
        ++tokens_;
        return check(ok, ec);
    }
    bool keep(view s) {
        part_.append(s.data(), s.size());
        return true;
    }
    std::string_view whole(view s) {
        if (part_.empty()) return {s.data(), s.size()};
        part_.append(s.data(), s.size());
        return part_;
    }

    Sink* sink_;
    std::uint64_t tokens_ = 0;
    std::string part_;
};

} // namespace kftrain::detail

#endif
