#include "local/sandbox/images/image_config.hpp"

#include "base/joined.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <stdexcept>

namespace kftrain::local::sandbox {
namespace {

namespace json = boost::json;

/// The member, or null if it is missing or null.
json::value const* member_of(json::object const& object, std::string_view name) {
    auto const* const found = object.if_contains(name);
    return found == nullptr || found->is_null() ? nullptr : found;
}

[[noreturn]] void refuse(std::string_view name, std::string_view expected) {
    throw std::runtime_error("\"" + std::string(name) + "\" of the image: expected " + std::string(expected));
}

std::string text_in(json::value const& value, std::string_view name) {
    if (!value.is_string()) refuse(name, "a string");
    std::string text(value.get_string());
    if (text.find('\0') != text.npos) refuse(name, "a text without NUL bytes");
    return text;
}

std::string optional_text(json::object const& object, std::string_view name) {
    auto const* const found = member_of(object, name);
    return found == nullptr ? std::string() : text_in(*found, name);
}

std::vector<std::string> optional_texts(json::object const& object, std::string_view name) {
    std::vector<std::string> all;
    auto const* const found = member_of(object, name);
    if (found == nullptr) return all;
    if (!found->is_array()) refuse(name, "an array of strings");
    for (auto const& item : found->get_array()) all.push_back(text_in(item, name));
    return all;
}

/// Of a descriptor in `index.json`.
std::string tag_of(json::object const& descriptor) {
    auto const* const annotations = member_of(descriptor, "annotations");
    if (annotations == nullptr || !annotations->is_object()) return {};
    return optional_text(annotations->get_object(), "org.opencontainers.image.ref.name");
}

std::string tags_of(std::vector<image_reference> const& all) {
    if (all.empty()) return "none";
    return joined(all, ", ", [](image_reference const& one) { return one.tag.empty() ? one.digest : one.tag; });
}

} // namespace

json::object to_json(image_config const& config) {
    json::object inner{{"Entrypoint", json::array(config.entrypoint.begin(), config.entrypoint.end())},
                       {"Cmd", json::array(config.cmd.begin(), config.cmd.end())},
                       {"Env", json::array(config.env.begin(), config.env.end())},
                       {"WorkingDir", config.working_dir},
                       {"User", config.user}};
    return json::object{{"config", std::move(inner)}};
}

image_config config_of(json::object const& document) {
    image_config config;
    auto const* const found = member_of(document, "config");
    if (found == nullptr) return config;
    if (!found->is_object()) refuse("config", "an object");
    auto const& inner = found->get_object();
    config.entrypoint = optional_texts(inner, "Entrypoint");
    config.cmd = optional_texts(inner, "Cmd");
    config.env = optional_texts(inner, "Env");
    config.working_dir = optional_text(inner, "WorkingDir");
    config.user = optional_text(inner, "User");
    if (!config.working_dir.empty() && config.working_dir.front() != '/') refuse("WorkingDir", "an absolute path");
    std::erase_if(config.env, [](std::string const& v) { return v.find('=') == v.npos || v.front() == '='; });
    return config;
}

std::string hex_of(std::string_view digest) {
    constexpr std::string_view algorithm = "sha256:";
    constexpr std::size_t digits = 64;
    auto const hex = digest.substr(std::min(digest.size(), algorithm.size()));
    if (!digest.starts_with(algorithm) || hex.size() != digits || hex.find_first_not_of("0123456789abcdef") != hex.npos)
        throw std::runtime_error("expected a SHA-256 digest, got \"" + std::string(digest) + "\"");
    return std::string(hex);
}

image_reference find_image(json::object const& index, std::string_view tag) {
    auto const* const manifests = member_of(index, "manifests");
    if (manifests == nullptr || !manifests->is_array()) refuse("manifests", "an array of descriptors");
    std::vector<image_reference> all;
    for (auto const& item : manifests->get_array()) {
        if (!item.is_object()) refuse("manifests", "an array of descriptors");
        auto const& descriptor = item.get_object();
        auto& one = all.emplace_back();
        one.digest = optional_text(descriptor, "digest");
        hex_of(one.digest);
        one.tag = tag_of(descriptor);
        auto const type = optional_text(descriptor, "mediaType");
        one.is_index = type == "application/vnd.oci.image.index.v1+json" ||
                       type == "application/vnd.docker.distribution.manifest.list.v2+json";
    }
    if (tag.empty() && all.size() == 1) return all.front();
    auto const wanted = tag.empty() ? std::string_view("latest") : tag;
    auto const found = std::ranges::find(all, wanted, &image_reference::tag);
    if (found != all.end()) return *found;
    throw std::runtime_error("expected an image with the tag \"" + std::string(wanted) +
                             "\", and the layout has these: " + tags_of(all));
}

} // namespace kftrain::local::sandbox
