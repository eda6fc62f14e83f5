#include "apiserver/store/store_impl.hpp"
#include "model/schema/schema_value.hpp"

#include <algorithm>

// Several versions of a resource: its objects are stored once, in the version that was the first to be stored. A read
// sets the defaults of that version, and prunes by the schema of the version of the request. Upstream:
// apiextensions-apiserver `pkg/apiserver/{customresource_handler,conversion/nop_converter}.go`, v0.31.
namespace kftrain::apiserver {

json::object object_store::impl::read_as(kind_id kind, stored_object const& o, json::storage_ptr memory) const {
    auto object = read_stored(o.text(), std::move(memory));
    auto const& state = *kinds_[kind];
    if (state.objects_of) object["apiVersion"] = state.definition.api_version();
    if (!state.adapts) return object;
    set_schema_defaults(kinds_[stored(kind)]->definition.schema, object);
    prune(state.definition.schema, object);
    return object;
}

object_ptr object_store::impl::shown_as(kind_id kind, object_ptr o) const {
    auto const& state = *kinds_[kind];
    if (o == nullptr || (!state.objects_of && !state.adapts)) return o;
    return std::make_shared<stored_object const>(read_as(kind, *o), o->version(), state.selectable);
}

answer<written> object_store::impl::shown_as(kind_id kind, answer<written> done) const {
    if (done) done->object = shown_as(kind, std::move(done->object));
    return done;
}

void object_store::impl::store_as(kind_id kind, json::object& object) const {
    if (kinds_[kind]->objects_of) object["apiVersion"] = kinds_[stored(kind)]->definition.api_version();
}

kind_id object_store::impl::new_kind() {
    constexpr std::size_t most_removed = 64;
    auto next = std::make_unique<kind_state>();
    next->registration = ++registrations_;
    std::size_t removed = 0;
    std::optional<kind_id> oldest;
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        if (!kinds_[k]->removed) continue;
        ++removed;
        if (!oldest || kinds_[k]->last < kinds_[*oldest]->last) oldest = k;
    }
    if (removed < most_removed) {
        kinds_.push_back(std::move(next));
        return kinds_.size() - 1;
    }
    // A list or watch of the former kind must not mistake this one for it.
    auto& old = *kinds_[*oldest];
    while (!old.log.empty()) drop_oldest(old);
    next->trimmed = next->last = version_;
    kinds_[*oldest] = std::move(next);
    return *oldest;
}

/// Its last events stay for the watches that have not read them, until the place is needed.
void object_store::impl::remove_kind(kind_id kind) {
    auto& state = *kinds_[kind];
    state.removed = true;
    state.served = false;
    state.crd.clear();
    state.cleaned_for.clear();
    state.last = version_; // its watches end
}

} // namespace kftrain::apiserver
