#include "model/codec/collected_faults.hpp"
#include "model/codec/struct_sink.hpp"
#include "model/codec/yaml_events.hpp"

#include <optional>

namespace kftrain {
namespace {

using namespace detail;

failure at(errc code, std::string message, std::size_t line, std::size_t column) {
    failure f(code, {});
    f.detail.message = std::move(message);
    f.detail.line = line;
    f.detail.column = column;
    return f;
}

failure at(errc code, std::string message, yaml_mark const& mark) {
    return at(code, std::move(message), mark.line + 1, mark.column + 1);
}

failure at_offset(errc code, std::string message, std::string_view text, std::size_t offset) {
    auto const position = position_of(text, offset);
    return at(code, std::move(message), position.line, position.column);
}

/// The parser takes a NUL for the end, and reports other characters only after it has built much of the struct.
std::optional<failure> find_bad_byte(std::string_view text) {
    std::size_t bad = find_invalid_utf8(text);
    std::string message = "invalid YAML: not UTF-8";
    for (std::size_t i = 0; i < std::min(bad, text.size()); ++i) {
        auto const c = static_cast<unsigned char>(text[i]);
        if ((c >= 0x20 && c != 0x7F) || c == '\t' || c == '\n' || c == '\r') continue;
        bad = i;
        message = "invalid YAML: control character";
    }
    if (bad == std::string_view::npos) return std::nullopt;
    return at_offset(errc::syntax, std::move(message), text, bad);
}

/// Passes one document on; false if the text has no further one.
bool read_document(yaml_source const& next, yaml_events& events) {
    if (next().what == yaml_event::kind::end) return false;
    events.begin_document();
    for (auto e = next(); e.what != yaml_event::kind::document_end; e = next()) events.take(e);
    return true;
}

/// Refuses what is left after the value, which has a problem or not.
result<void> finish(std::string_view text, std::optional<yaml_problem> problem) {
    auto const documents = split_yaml(text);
    // The parser asks for `---` behind `...`, too.
    if (documents.size() > 1 && (!problem || documents[1].first_line <= problem->mark.line + 1))
        return at(errc::syntax, "expected one document, got several", documents[1].first_line, 1);
    if (problem) return at(errc::syntax, std::move(problem->message), problem->mark);
    return {};
}

std::optional<yaml_problem> next_problem(yaml_source const& next) {
    try {
        (void)next();
        return std::nullopt;
    } catch (yaml_problem& problem) {
        return std::move(problem);
    }
}

result<void> decode_document(std::string_view text, yaml_source const& next, struct_sink& sink, std::size_t max_depth) {
    yaml_events events(sink, text.size(), max_depth);
    sink.locate_by([&](diagnostics& d) {
        d.line = events.mark().line + 1;
        d.column = events.mark().column + 1;
    });
    try {
        while (!events.has_content()) {
            if (read_document(next, events)) continue;
            if (sink.may_be_empty()) return finish(text, std::nullopt); // it is null
            return at(errc::syntax, "expected YAML, got an empty text", 1, 1);
        }
        return finish(text, next_problem(next));
    } catch (yaml_events::stop const&) {
        auto f = at(errc::syntax, {}, events.mark());
        f.code = sink.why().code;
        f.detail.path = std::move(sink.why().detail.path);
        f.detail.message = std::move(sink.why().detail.message);
        return f;
    } catch (yaml_problem& problem) {
        return at(errc::syntax, std::move(problem.message), problem.mark);
    }
}

bool is_before(failure const& a, failure const& b) {
    return a.detail.line != b.detail.line ? a.detail.line < b.detail.line : a.detail.column < b.detail.column;
}

result<void> read(std::string_view text, yaml_source const& events, model::descriptor const& type, void* target,
                  decode_options const& options) {
    if (auto bad = find_bad_byte(text)) return *std::move(bad);
    struct_sink sink(type, target, options, decode_budget(text.size(), options));
    return decode_document(text, events, sink, options.max_depth);
}

/// `walk` makes the events of the text, from the first; it is called once at most.
template <class Walk>
result<void> decode(std::string_view text, Walk walk, model::descriptor const& type, void* target,
                    decode_options const& options) {
    auto const first = text.find_first_not_of(" \t\r\n");
    collected_faults faults(options);
    std::optional<failure> as_json;
    std::vector<failure> found_as_json;
    if (first != std::string_view::npos && text[first] == '{') {
        // Mostly JSON, of which YAML parsers do not take every escape.
        auto r = decode_json(text, type, target, options);
        if (r || r.error().code != errc::syntax) return r;
        as_json = r.error();
        type.reset(target);
        found_as_json = faults.take();
    }
    auto r = faults.finish(read(text, walk(), type, target, options));
    // The reading that got further is the one that was meant.
    if (!as_json || r || r.error().code != errc::syntax || is_before(*as_json, r.error())) return r;
    faults.put_back(found_as_json);
    return *std::move(as_json);
}

} // namespace

result<void> detail::decode_recorded(std::string_view text, yaml_recording& recording, model::descriptor const& type,
                                     void* target, decode_options const& options) {
    return decode(text, [&] { return recording.walk(); }, type, target, options);
}

result<void> decode_yaml(std::string_view text, model::descriptor const& type, void* target,
                         decode_options const& options) {
    std::optional<yaml_parser> parser;
    text = without_byte_order_mark(text);
    auto const walk = [&]() -> yaml_source {
        return [&] {
            if (!parser) parser.emplace(text);
            return parser->next();
        };
    };
    return decode(text, walk, type, target, options);
}

} // namespace kftrain
