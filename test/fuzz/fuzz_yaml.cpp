#include "fuzz/documents.hpp"

#include <kftrain/kinds/all.hpp>
#include <kftrain/model/document.hpp>
#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core.hpp>

#include <algorithm>

namespace fuzz {

using namespace kftrain;

namespace {

template <class T> T read_back(std::string const& written) {
    auto const again = from_yaml<T>(written);
    require(again.has_value(), "what was written is refused:\n" + written);
    require(split_yaml(written).size() == 1, "what was written is not one document:\n" + written);
    return *again;
}

template <class T> void written_reads_back(T const& value) {
    std::string const written = to_yaml(value);
    auto const again = read_back<T>(written);
    std::string const json = to_json(value);
    std::string const json_again = to_json(again);
    if (json == json_again) return;
    // Reading YAML spells the numbers of unknown fields as Kubernetes does: another spelling, once.
    auto const before = parse(json);
    auto const after = parse(json_again);
    require(before && after, "what was written is no JSON:\n" + written);
    auto const difference = lost(descriptor_of<T>(), *before, *after);
    require(difference.empty(), "what was written reads back as something else:\n" + written + difference);
    require(to_json(read_back<T>(to_yaml(again))) == json_again,
            "numbers are spelled differently each time:\n" + written);
}

template <class T> void decodes(std::string_view text) {
    decode_options strict;
    strict.strict = true;
    auto const value = from_yaml<T>(text);
    if (value)
        written_reads_back(*value);
    else
        require(!from_yaml<T>(text, strict).has_value(), "taken only where more is refused");
}

template <class T> std::string reported(result<T> const& r) { return r ? to_json(*r) : r.error().to_string(); }

/// A document that is written and read again keeps its meaning, also after several rounds.
void is_kept(std::string_view text) {
    document kept(yaml_document(text, 1));
    for (int i = 0; i < 2; ++i) {
        require(reported(kept.decode<pod>()) == reported(from_yaml<pod>(text)), "kept, a pod reads otherwise");
        require(reported(kept.decode<raw_json>()) == reported(from_yaml<raw_json>(text)),
                "kept, a text reads otherwise");
    }
}

void splits(std::string_view text) {
    std::size_t done = 0;
    for (auto const& document : split_yaml(text)) {
        require(document.text.data() >= text.data() + done, "documents overlap");
        auto const begin = static_cast<std::size_t>(document.text.data() - text.data());
        done = begin + document.text.size();
        require(done <= text.size(), "a document goes beyond the text");
        auto const lines = std::ranges::count(text.substr(0, begin), '\n');
        require(static_cast<std::size_t>(lines) + 1 == document.first_line, "a document begins at another line");
        require(split_yaml(document.text).size() == 1, "a document consists of several");
    }
}

} // namespace

void try_yaml(std::string_view text) {
    splits(text);
    is_kept(text);
    decodes<raw_json>(text);
    decodes<pod>(text);
    decodes<pytorch_job>(text);
    // Any JSON can be written as YAML.
    if (auto const value = from_json<raw_json>(text)) written_reads_back(*value);
    if (auto const value = from_json<pod>(text)) written_reads_back(*value);
    (void)from_yaml_all<core::config_map>(text);
}

} // namespace fuzz
