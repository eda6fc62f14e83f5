#include "fuzz/documents.hpp"
#include "model/codec/json_reader.hpp"
#include "model/codec/struct_sink.hpp"
#include "model/json/json_events.hpp"

#include <kftrain/kinds/all.hpp>
#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core.hpp>

namespace fuzz {

using namespace kftrain;
using namespace kftrain::detail;

namespace {

/// Decodes as decode_json() does after its quick reader gives up.
template <class T> std::optional<T> read_by_parser(std::string_view text, decode_options const& options) {
    T value;
    struct_sink sink(descriptor_of<T>(), &value, options, decode_budget(text.size(), options));
    json::parse_options grammar;
    grammar.max_depth = options.max_depth + 1;
    json::basic_parser<json_events<struct_sink>> parser(grammar, sink);
    json::error_code ec;
    std::size_t const stopped = parser.write_some(false, text.data(), text.size(), ec);
    if (sink.failed() || ec || stopped != text.size()) return std::nullopt;
    return value;
}

template <class T> void readers_agree(std::string_view text, decode_options const& options) {
    T quick;
    bool const taken = json_reader(text, options).read(descriptor_of<T>(), &quick);
    auto const thorough = read_by_parser<T>(text, options);
    if (taken) {
        require(thorough.has_value(), "only the quick reader takes it");
        require(to_json(quick) == to_json(*thorough), "the two readers read different values");
        require(equal(descriptor_of<T>(), &quick, &*thorough), "the two readers read values that differ");
    }
    auto const both = from_json<T>(text, options);
    require(both.has_value() == thorough.has_value(), "decoding and its second reader take different texts");
    if (both) require(to_json(*both) == to_json(*thorough), "decoding and its second reader read different values");
    if (!both) require(!both.error().detail.message.empty(), "an error without a message");
}

/// Strict decoding that collects begins with what it would have stopped at, and ends as decoding that keeps all does.
template <class T> void collects_alike(std::string_view text) {
    std::vector<failure> found;
    decode_options options;
    auto const lenient = from_json<T>(text, options);
    options.strict = true;
    auto const stopped = from_json<T>(text, options);
    options.found = &found;
    auto const collected = from_json<T>(text, options);
    require(stopped.has_value() == collected.has_value(), "collecting faults takes other texts");
    require(found.size() <= max_found, "more faults than there may be");
    if (stopped) return;
    auto const& first = found.empty() ? collected.error() : found.front();
    require(stopped.error().to_string() == first.to_string(), "another first fault: " + first.to_string());
    auto const code = collected.error().code;
    if (code == errc::type_mismatch || code == errc::out_of_range)
        require(!lenient && lenient.error().to_string() == collected.error().to_string(),
                "another error of the result");
}

template <class T> void keeps_all(std::string_view text, std::optional<json::value> const& document) {
    auto const value = from_json<T>(text);
    if (!value) return;
    require(document.has_value(), "taken, though it is no JSON");
    std::string const encoded = to_json(*value);
    auto const again = parse(encoded);
    require(again.has_value(), "encoded as something that is no JSON");
    require(lost(descriptor_of<T>(), *document, *again).empty(), lost(descriptor_of<T>(), *document, *again));
    auto const read = from_json<T>(encoded);
    require(read.has_value(), "what was encoded is refused");
    require(to_json(*read) == encoded, "what was encoded reads back as something else");
    require(equal(descriptor_of<T>(), &*value, &*read), "what was encoded reads back as a different value");
}

} // namespace

void try_json(std::string_view text) {
    auto const document = parse(text);
    require(from_json<raw_json>(text).has_value() == document.has_value(), "taken by one of two parsers only");
    keeps_all<raw_json>(text, document);
    keeps_all<pytorch_job>(text, document);
    keeps_all<object_list<pod>>(text, document);

    collects_alike<raw_json>(text);
    collects_alike<pytorch_job>(text);
    collects_alike<object_list<pod>>(text);

    decode_options strict;
    strict.strict = true;
    decode_options sparing;
    sparing.keep_managed_fields = false;
    sparing.max_depth = 5;
    for (auto const& options : {decode_options(), strict, sparing}) {
        readers_agree<raw_json>(text, options);
        readers_agree<pytorch_job>(text, options);
        readers_agree<object_list<pod>>(text, options);
    }
}

} // namespace fuzz
