#include "apiserver/rest/protobuf_review.hpp"

#include "apiserver/text/json_access.hpp"

#include <cstdint>
#include <map>
#include <span>

namespace kftrain::apiserver {
namespace {

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
        auto const byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) return value;
    }
    return std::nullopt;
}

/// The texts and messages of a message by number of their field; nothing if it is malformed.
std::optional<std::map<std::uint64_t, std::string_view>> read_message(std::string_view bytes) {
    std::map<std::uint64_t, std::string_view> out;
    while (!bytes.empty()) {
        auto const tag = take_varint(bytes);
        auto const value = tag ? take_varint(bytes) : std::nullopt; // or the length of what follows
        if (!value || ((*tag & 7U) != 0 && (*tag & 7U) != 2)) return std::nullopt;
        if ((*tag & 7U) == 0) continue;
        if (*value > bytes.size()) return std::nullopt;
        out[*tag >> 3U] = bytes.substr(0, *value);
        bytes.remove_prefix(*value);
    }
    return out;
}

/// A message of texts as an object: the fields have the numbers 1, 2, ...
std::optional<json::object> read_texts(std::string_view bytes, std::span<std::string_view const> names) {
    auto const fields = read_message(bytes);
    if (!fields) return std::nullopt;
    json::object out;
    for (auto const& [number, text] : *fields)
        if (number >= 1 && number <= names.size() && !text.empty()) out[key(names[number - 1])] = key(text);
    return out;
}

constexpr std::string_view type_names[] = {"apiVersion", "kind"};
constexpr std::string_view resource_names[] = {"namespace", "verb",        "group", "version",
                                               "resource",  "subresource", "name"};
constexpr std::string_view namespace_names[] = {"namespace"};
constexpr std::string_view path_names[] = {"path", "verb"};

} // namespace

std::optional<std::string> read_protobuf_review(std::string_view bytes) {
    constexpr std::string_view magic("k8s\0", 4);
    if (!bytes.starts_with(magic)) return std::nullopt;
    auto envelope = read_message(bytes.substr(magic.size()));
    if (!envelope) return std::nullopt;
    auto out = read_texts((*envelope)[1], type_names);
    auto review = read_message((*envelope)[2]);
    if (!out || !review) return std::nullopt;
    auto const kind = text_in(*out, "kind");
    if (kind == "SelfSubjectReview") return json::serialize(*out);
    if (kind == "SelfSubjectRulesReview") {
        auto texts = read_texts((*review)[2], namespace_names);
        if (!texts) return std::nullopt;
        (*out)["spec"] = std::move(*texts);
        return json::serialize(*out);
    }
    if (kind != "SelfSubjectAccessReview") return std::nullopt;
    auto spec = read_message((*review)[2]);
    if (!spec) return std::nullopt;
    json::object attributes;
    if (auto const at = spec->find(1); at != spec->end())
        if (auto texts = read_texts(at->second, resource_names)) attributes["resourceAttributes"] = std::move(*texts);
    if (auto const at = spec->find(2); at != spec->end())
        if (auto texts = read_texts(at->second, path_names)) attributes["nonResourceAttributes"] = std::move(*texts);
    (*out)["spec"] = std::move(attributes);
    return json::serialize(*out);
}

} // namespace kftrain::apiserver
