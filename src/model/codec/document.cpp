#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/document.hpp>

#include "model/codec/yaml_events.hpp"
#include "model/json/json_text.hpp"
#include "model/yaml/yaml_places.hpp"
#include "model/yaml/yaml_recording.hpp"

#include <kftrain/model/raw_json.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace kftrain {

KFTRAIN_TABLE(document_type)
BOOST_DESCRIBE_STRUCT(object_names, (), (namespace_, name, generate_name))

namespace {

struct named_object {
    named_object() = default;

    object_names metadata;
};
BOOST_DESCRIBE_STRUCT(named_object, (), (metadata))

struct listed_texts {
    listed_texts() = default;

    std::vector<raw_json> items;
};
BOOST_DESCRIBE_STRUCT(listed_texts, (), (items))

std::string join_paths(std::string_view outer, std::string_view path) {
    std::string whole(outer);
    if (!whole.empty() && !path.empty() && path.front() != '[') whole += '.';
    return whole.append(path);
}

} // namespace

struct document::state {
    explicit state(yaml_document const& document)
        : text(detail::without_byte_order_mark(document.text)), first_line(document.first_line), recording(text) {}
    /// An item of a list.
    state(std::string json, std::shared_ptr<state> list, std::string place)
        : own(std::move(json)), text(own), root(std::move(list)), path(std::move(place)), recording(text) {}
    state(state const&) = delete;
    state& operator=(state const&) = delete;

    text_position find(std::string_view sought) {
        if (root != nullptr) return root->find(join_paths(path, sought));
        if (text.size() > detail::yaml_places::size_limit) return text_position();
        if (!places) places.emplace(recording.walk());
        return places->find(sought, first_line);
    }

    /// Lines and columns of an item are those of its JSON; see located().
    result<void> decode(model::descriptor const& type, void* target, decode_options options) {
        options.first_line = first_line;
        return detail::decode_recorded(text, recording, type, target, options);
    }

    /// The fault with the position in the whole text.
    failure located(failure f) {
        if (root == nullptr) return f;
        auto const at = find(f.detail.path);
        f.detail.line = at.line;
        f.detail.column = at.column;
        return f;
    }

    /// The same fault, or if apiVersion or kind is there twice, that.
    failure explained(failure f) {
        if (f.code != errc::wrong_kind) return f;
        document_type type;
        std::vector<failure> found;
        decode_options options;
        options.strict = true;
        options.found = &found;
        (void)decode(descriptor_of<document_type>(), &type, options);
        auto const is_twice = [](failure const& other) {
            return other.code == errc::duplicate_field &&
                   (other.detail.path == "apiVersion" || other.detail.path == "kind");
        };
        auto const twice = std::ranges::find_if(found, is_twice);
        return twice == found.end() ? f : *twice;
    }

    std::string own{};
    std::string_view text;
    std::size_t first_line = 1;
    std::shared_ptr<state> root{}; ///< of an item: the whole document
    std::string path{};
    document_type implied{}; ///< of an item: by the type of the list
    detail::yaml_recording recording;
    std::optional<detail::yaml_places> places{};
};

document::document(yaml_document const& text) : state_(std::make_shared<state>(text)) {}

std::string_view document::text() const noexcept { return state_->text; }

std::size_t document::first_line() const noexcept {
    return state_->root != nullptr ? state_->root->first_line : state_->first_line;
}

std::string const& document::path() const noexcept { return state_->path; }

std::string document::path_of(std::string_view path) const { return join_paths(state_->path, path); }

result<document_type> document::type(decode_options options) {
    if (state_->root != nullptr && state_->text == "null") {
        failure f(errc::type_mismatch, {});
        f.detail.message = "expected an object, got null";
        return state_->located(std::move(f));
    }
    options.strict = false;
    auto found = decode<document_type>(options);
    if (!found) return found;
    if (found->api_version.empty()) found->api_version = state_->implied.api_version;
    if (found->kind.empty()) found->kind = state_->implied.kind;
    return found;
}

object_names document::names() {
    auto found = decode<named_object>();
    return found ? std::move(found->metadata) : object_names();
}

result<std::vector<document>> document::items(decode_options options) {
    options.strict = false;
    auto list = decode<listed_texts>(options);
    if (!list) return list.error();
    document_type implied;
    constexpr std::string_view suffix = "List";
    if (auto const own = type(options); own && own->kind.ends_with(suffix) && own->kind != suffix) {
        implied = *own;
        implied.kind.resize(implied.kind.size() - suffix.size());
    }
    auto const& root = state_->root != nullptr ? state_->root : state_;
    std::vector<document> all;
    all.reserve(list->items.size());
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        auto& json = list->items[i].text;
        std::string place = path_of("items");
        detail::append_path_index(i, place);
        document& item = all.emplace_back(*this);
        item.state_ = std::make_shared<state>(json.empty() ? "null" : std::move(json), root, std::move(place));
        item.state_->implied = implied;
    }
    return all;
}

result<void> document::decode(model::descriptor const& type, void* target, decode_options options) {
    std::size_t const before = options.found != nullptr ? options.found->size() : 0;
    auto r = state_->decode(type, target, options);
    if (options.found != nullptr)
        for (auto& f : std::span(*options.found).subspan(before)) f = state_->located(std::move(f));
    if (r) return r;
    return state_->located(options.strict ? state_->explained(r.error()) : r.error());
}

result<void> document::decode_losslessly(model::descriptor const& type, void* target) {
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    auto r = state_->decode(type, target, options);
    for (auto const& f : found)
        if (f.code != errc::unknown_field) return state_->located(f);
    if (!r && r.error().code != errc::unknown_field) return state_->located(state_->explained(r.error()));
    return {};
}

text_position document::find(std::string_view path) { return state_->find(path); }

} // namespace kftrain
