#include "model/collected_faults.hpp"
#include "model/struct_sink.hpp"
#include "model/yaml_events.hpp"
#include "model/yaml_flow.hpp"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <new>
#include <optional>
#include <streambuf>

namespace kftrain {
namespace {

using namespace detail;

/// Reads a text in place.
class view_buffer final : public std::streambuf {
public:
    explicit view_buffer(std::string_view s) {
        auto* p = const_cast<char*>(s.data()); // only read
        setg(p, p, p + s.size());
    }
};

/// Asked for one more document, tells where it starts and stops.
class next_document final : public YAML::EventHandler {
public:
    struct found {
        YAML::Mark mark;
    };
    void OnDocumentStart(YAML::Mark const& mark) override { throw found{mark}; }
    void OnDocumentEnd() override {}
    void OnNull(YAML::Mark const&, YAML::anchor_t) override {}
    void OnAlias(YAML::Mark const&, YAML::anchor_t) override {}
    void OnScalar(YAML::Mark const&, std::string const&, YAML::anchor_t, std::string const&) override {}
    void OnSequenceStart(YAML::Mark const&, std::string const&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(YAML::Mark const&, std::string const&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}
};

failure at(errc code, std::string message, std::size_t line, std::size_t column) {
    failure f(code, {});
    f.detail.message = std::move(message);
    f.detail.line = line;
    f.detail.column = column;
    return f;
}

failure at(errc code, std::string message, YAML::Mark const& mark) {
    if (mark.is_null()) return at(code, std::move(message), 0, 0);
    return at(code, std::move(message), static_cast<std::size_t>(mark.line) + 1,
              static_cast<std::size_t>(mark.column) + 1);
}

failure at_offset(errc code, std::string message, std::string_view text, std::size_t offset) {
    auto const position = position_of(text, offset);
    return at(code, std::move(message), position.line, position.column);
}

/// YAML allows printable characters only; the parser does not look, and takes some of the others for its own marks.
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

/// The parser takes any text after a finished value for a further document, even where `---` is missing.
void refuse_leftover(YAML::Parser& parser, std::string_view text, YAML::Mark const& last) {
    try {
        next_document handler;
        parser.HandleNextDocument(handler);
    } catch (next_document::found const& next) {
        auto const begin = static_cast<std::size_t>(std::max(next.mark.pos, 0));
        if (begin >= text.size() || text.substr(begin).starts_with("---")) return;
        auto const between = text.substr(static_cast<std::size_t>(std::max(last.pos, 0)), begin);
        if (between.find("\n...") != std::string_view::npos) return;
        throw YAML::ParserException(next.mark, "more text after the value");
    }
}

result<void> decode_document(std::string_view text, struct_sink& sink, std::size_t max_depth) {
    view_buffer buffer(text);
    std::istream in(&buffer);
    yaml_events events(sink, text, max_depth);
    sink.locate_by([&](diagnostics& d) {
        d.line = static_cast<std::size_t>(events.mark().line) + 1;
        d.column = static_cast<std::size_t>(events.mark().column) + 1;
    });
    try {
        YAML::Parser parser(in);
        while (!events.has_content()) {
            if (parser.HandleNextDocument(events)) continue;
            if (sink.may_be_empty()) return {}; // it is null
            return at(errc::syntax, "expected YAML, got an empty text", 1, 1);
        }
        refuse_leftover(parser, text, events.mark());
    } catch (yaml_events::stop const&) {
        auto f = at(errc::syntax, {}, events.mark());
        f.code = sink.why().code;
        f.detail.path = std::move(sink.why().detail.path);
        f.detail.message = std::move(sink.why().detail.message);
        return f;
    } catch (YAML::DeepRecursion const& e) {
        return at(errc::too_deep, "nested deeper than the YAML parser allows", e.mark);
    } catch (YAML::Exception const& e) {
        return at(errc::syntax, "invalid YAML: " + e.msg, e.mark);
    } catch (std::bad_alloc const&) {
        throw;
    } catch (std::exception const& e) { // whatever else the parser meets in a broken text
        return at(errc::syntax, std::string("invalid YAML: ") + e.what(), events.mark());
    }
    return {};
}

bool is_before(failure const& a, failure const& b) {
    return a.detail.line != b.detail.line ? a.detail.line < b.detail.line : a.detail.column < b.detail.column;
}

result<void> read(std::string_view text, descriptor const& type, void* target, decode_options const& options) {
    if (auto bad = find_bad_byte(text)) return *std::move(bad);
    struct_sink sink(type, target, options, decode_budget(text.size(), options));
    auto const flow = find_flow_fault(text, options.max_depth);
    if (flow && flow->too_deep)
        return at_offset(errc::too_deep, "nested deeper than " + std::to_string(options.max_depth) + " levels", text,
                         flow->offset);
    if (auto r = decode_document(text, sink, options.max_depth); !r) {
        if (!flow || r.error().code != errc::syntax) return r;
        std::string const what = text[flow->offset] == '[' ? "list" : "map";
        return at_offset(errc::syntax, "invalid YAML: the " + what + " that begins here never ends", text,
                         flow->offset);
    }
    auto const documents = split_yaml(text);
    if (documents.size() < 2) return {};
    return at(errc::syntax, "expected one document, got a further one", documents[1].first_line, 1);
}

} // namespace

result<void> decode_yaml(std::string_view text, descriptor const& type, void* target, decode_options const& options) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
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
    auto r = faults.finish(read(text, type, target, options));
    // The reading that got further is the one that was meant.
    if (!as_json || r || r.error().code != errc::syntax || is_before(*as_json, r.error())) return r;
    faults.put_back(found_as_json);
    return *std::move(as_json);
}

} // namespace kftrain
