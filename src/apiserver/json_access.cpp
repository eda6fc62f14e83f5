#include "json_access.hpp"

#include "refusals.hpp"

namespace kftrain::apiserver {
namespace {

// Objects of Kubernetes stay far below; destroying, comparing and merging recurse once per level.
constexpr std::size_t max_depth = 512;

std::string position(std::string_view text, std::size_t at) {
    std::size_t line = 1, start = 0;
    for (std::size_t i = 0; i < at && i < text.size(); ++i)
        if (text[i] == '\n') ++line, start = i + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(at - start + 1);
}

} // namespace

json::value const* at_path(json::object const& o, std::string_view dotted) noexcept {
    auto const* here = &o;
    for (;;) {
        auto const dot = dotted.find('.');
        auto const* v = here->if_contains(key(dotted.substr(0, dot)));
        if (v == nullptr || dot == std::string_view::npos) return v;
        here = v->if_object();
        if (here == nullptr) return nullptr;
        dotted.remove_prefix(dot + 1);
    }
}

answer<json::value> parse_value(std::string_view text) {
    json::parse_options options;
    options.max_depth = max_depth;
    json::parser p({}, options);
    error_code ec;
    auto const read = p.write_some(text.data(), text.size(), ec);
    if (!ec && text.find_first_not_of(" \t\r\n", read) != std::string_view::npos) ec = json::error::extra_data;
    if (ec == json::error::too_deep)
        return bad_request("the body is nested deeper than " + std::to_string(max_depth) + " levels");
    if (ec) return bad_request("the body is not valid JSON: " + ec.message() + " at " + position(text, read));
    return p.release();
}

answer<json::object> parse_object(std::string_view text) {
    auto v = parse_value(text);
    if (!v) return v.error();
    if (!v->is_object()) return bad_request("the body is not a JSON object");
    return std::move(v->get_object());
}

} // namespace kftrain::apiserver
