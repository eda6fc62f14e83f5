#include "apiserver/store/object_facts.hpp"

#include "apiserver/store/object_memory.hpp"
#include "apiserver/store/store_impl.hpp"

#include <algorithm>

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
    : text_(text), paths_(std::move(selectable)) {
    auto const& meta = metadata_of(object);
    name = keep(text_in(meta, "name"));
    namespace_ = keep(text_in(meta, "namespace"));
    uid = keep(text_in(meta, "uid"));
    deleting = is_deleting(object);
    finalizers = has_finalizers(object);
    foreground_deletion = holds_finalizer(object, foreground_finalizer);
    if (auto const* list = array_in(meta, "ownerReferences")) {
        owners.reserve(list->size());
        for (auto const& item : *list) {
            auto const& reference = item.get_object();
            owners.push_back({keep(text_in(reference, "uid")), keep(text_in(reference, "apiVersion")),
                              keep(text_in(reference, "kind")), true_in(reference, "blockOwnerDeletion")});
        }
    }
    if (auto const* labels = object_in(meta, "labels")) {
        labels_.reserve(labels->size());
        for (auto const& [key, value] : *labels)
            labels_.emplace_back(keep(detail::to_std(key)), keep(view(value.get_string())));
    }
    if (!paths_) return;
    fields_.reserve(paths_->size());
    for (auto const& path : *paths_) fields_.push_back(keep(field_text(object, path)));
}

std::optional<std::string_view> object_facts::label(std::string_view wanted) const noexcept {
    auto const at = std::ranges::find(labels_, wanted, [](auto const& l) { return l.first; });
    return at != labels_.end() ? std::optional(at->second) : std::nullopt;
}

std::optional<std::string_view> object_facts::field(std::string_view path) const noexcept {
    if (path == "metadata.name") return name;
    if (path == "metadata.namespace") return namespace_;
    if (!paths_) return std::nullopt;
    auto const at = std::ranges::find(*paths_, path);
    return at != paths_->end() ? std::optional(fields_[static_cast<std::size_t>(at - paths_->begin())]) : std::nullopt;
}

std::string_view object_facts::keep(std::string_view characters) {
    if (characters.empty()) return {};
    if (searched_ < longest_search) {
        auto const at = text_.find(characters);
        searched_ += std::min(at, text_.size());
        if (at != text_.npos) return text_.substr(at, characters.size());
    }
    return others_.emplace_front(characters);
}

std::size_t object_facts::bytes() const noexcept {
    auto sum = memory_of_piece(sizeof *this) + memory_of_piece(owners.capacity() * sizeof(owner)) +
               memory_of_piece(labels_.capacity() * sizeof labels_[0]) +
               memory_of_piece(fields_.capacity() * sizeof(std::string_view));
    for (auto const& text : others_)
        sum += memory_of_piece(sizeof(std::string) + sizeof(void*)) + memory_of_piece(text.size() + 1);
    return sum;
}

} // namespace kftrain::apiserver
