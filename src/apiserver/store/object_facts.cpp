#include "apiserver/store/object_facts.hpp"

#include "apiserver/store/store_impl.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace kftrain::apiserver {

std::string field_text(json::object const& o, std::string_view path) {
    // Of batch Jobs; the field itself has another name, and is absent if it is 0.
    bool const successes = path == "status.successful";
    if (successes) path = "status.succeeded";
    auto const* v = at_path(o, path);
    if (v == nullptr || v->is_null()) return successes ? "0" : "";
    return v->is_string() ? std::string(view(v->get_string())) : json::serialize(*v);
}

object_facts::object_facts(json::object const& object, std::string_view text, field_paths selectable)
    : text_(text.data()), text_size_(static_cast<std::uint32_t>(text.size())), paths_(std::move(selectable)) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max() / 2) throw std::length_error("an object is too large");
    std::size_t searched = 0;
    auto const find_in = [&](json::object const& o, std::string_view key) { return find(text_in(o, key), searched); };
    auto const& meta = metadata_of(object);
    name_ = find_in(meta, "name");
    ns_ = find_in(meta, "namespace");
    uid_ = find_in(meta, "uid");
    deleting = is_deleting(object);
    finalizers = has_finalizers(object);
    foreground_deletion = holds_finalizer(object, foreground_finalizer);
    auto const* const labels = object_in(meta, "labels");
    if (labels != nullptr) labels_ = static_cast<std::uint32_t>(labels->size());
    places_.reserve(2 * labels_ + (paths_ ? paths_->size() : 0));
    if (labels != nullptr)
        for (auto const& [key, value] : *labels) {
            places_.push_back(find(detail::to_std(key), searched));
            places_.push_back(find(view(value.get_string()), searched));
        }
    if (paths_)
        for (auto const& path : *paths_) places_.push_back(find(field_text(object, path), searched));

    // Views, once nothing is added to others_ any more.
    std::vector<std::array<place, 3>> references;
    auto const* const list = array_in(meta, "ownerReferences");
    if (list != nullptr)
        for (auto const& item : *list) {
            auto const& r = item.get_object();
            references.push_back({find_in(r, "uid"), find_in(r, "apiVersion"), find_in(r, "kind")});
        }
    owners.reserve(references.size());
    for (std::size_t i = 0; i < references.size(); ++i) {
        auto const& [uid_at, version_at, kind_at] = references[i];
        owners.push_back(
            {at(uid_at), at(version_at), at(kind_at), true_in((*list)[i].get_object(), "blockOwnerDeletion")});
    }
}

std::optional<std::string_view> object_facts::label(std::string_view wanted) const noexcept {
    for (std::size_t i = 0; i < labels_; ++i)
        if (at(places_[2 * i]) == wanted) return at(places_[2 * i + 1]);
    return std::nullopt;
}

std::optional<std::string_view> object_facts::field(std::string_view path) const noexcept {
    if (path == "metadata.name") return name();
    if (path == "metadata.namespace") return namespace_();
    if (!paths_) return std::nullopt;
    auto const found = static_cast<std::size_t>(std::ranges::find(*paths_, path) - paths_->begin());
    return found < paths_->size() ? std::optional(at(places_[2 * labels_ + found])) : std::nullopt;
}

object_facts::place object_facts::find(std::string_view characters, std::size_t& searched) {
    if (characters.empty()) return {};
    auto const size = static_cast<std::uint32_t>(characters.size());
    if (searched < longest_search) {
        auto const begin = std::string_view(text_, text_size_).find(characters);
        searched += std::min<std::size_t>(begin, text_size_);
        if (begin != std::string_view::npos) return {static_cast<std::uint32_t>(begin), size};
    }
    if (!others_) others_ = std::make_unique<std::string>();
    place const behind{text_size_ + static_cast<std::uint32_t>(others_->size()), size};
    others_->append(characters);
    return behind;
}

std::string_view object_facts::at(place p) const noexcept {
    char const* const from = p.begin < text_size_ ? text_ + p.begin : others_->data() + (p.begin - text_size_);
    return {from, p.size};
}

std::size_t object_facts::bytes() const noexcept {
    auto const others = others_ ? memory_of_piece(sizeof(std::string)) + memory_of_piece(others_->capacity() + 1) : 0;
    return memory_of_piece(sizeof *this) + memory_of_piece(owners.capacity() * sizeof(owner)) +
           memory_of_piece(places_.capacity() * sizeof(place)) + others;
}

std::size_t memory_of_piece(std::size_t size) noexcept { return size == 0 ? 0 : (size + 8 + 15) / 16 * 16; }

} // namespace kftrain::apiserver
