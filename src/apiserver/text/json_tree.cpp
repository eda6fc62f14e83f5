#include "apiserver/text/json_tree.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

#include <charconv>
#include <cmath>

namespace kftrain::apiserver {
namespace {

namespace json = boost::json;

/// Handler for `boost::json::basic_parser`.
struct tree_builder {
    static constexpr std::size_t max_object_size = json::object::max_size();
    static constexpr std::size_t max_array_size = json::array::max_size();
    static constexpr std::size_t max_key_size = json::string::max_size();
    static constexpr std::size_t max_string_size = json::string::max_size();

    using view = json::string_view;

    explicit tree_builder(json::storage_ptr memory) { stack.reset(std::move(memory)); }

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_object_begin(error_code&) { return true; }
    bool on_object_end(std::size_t n, error_code&) { return stack.push_object(n), true; }
    bool on_array_begin(error_code&) { return true; }
    bool on_array_end(std::size_t n, error_code&) { return stack.push_array(n), true; }
    bool on_key_part(view s, std::size_t, error_code&) { return stack.push_chars(s), true; }
    bool on_key(view s, std::size_t, error_code&) { return stack.push_key(s), true; }
    bool on_string_part(view s, std::size_t, error_code&) { return stack.push_chars(s), true; }
    bool on_string(view s, std::size_t, error_code&) { return stack.push_string(s), true; }
    bool on_number_part(view, error_code&) { return true; }
    bool on_int64(std::int64_t n, view, error_code&) { return stack.push_int64(n), true; }
    bool on_uint64(std::uint64_t n, view, error_code&) { return stack.push_uint64(n), true; }
    bool on_double(double near, view s, error_code& ec) {
        std::from_chars(s.data(), s.data() + s.size(), near); // leaves what is out of range
        if (!std::isfinite(near)) {                           // would be written as no JSON
            ec = json::error::exponent_overflow;
            return false;
        }
        return stack.push_double(near), true;
    }
    bool on_bool(bool b, error_code&) { return stack.push_bool(b), true; }
    bool on_null(error_code&) { return stack.push_null(), true; }
    bool on_comment_part(view, error_code&) { return true; }
    bool on_comment(view, error_code&) { return true; }

    json::value_stack stack;
};

} // namespace

json::value read_tree(std::string_view text, json::parse_options const& grammar, json::storage_ptr memory,
                      std::size_t& read, error_code& ec) {
    json::basic_parser<tree_builder> parser(grammar, std::move(memory));
    read = parser.write_some(false, text.data(), text.size(), ec);
    return ec ? json::value() : parser.handler().stack.release();
}

} // namespace kftrain::apiserver
