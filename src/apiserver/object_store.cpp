#include <kftrain/apiserver/object_store.hpp>

#include "object_memory.hpp"
#include "refusals.hpp"
#include "store_impl.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

/// A hash table keeps its buckets when the entries go.
template <class Table> void give_back_buckets(Table& table) {
    if (table.bucket_count() > 1024 && table.size() < table.bucket_count() / 8) table.rehash(0);
}

bool is_event(resource_definition const& d) noexcept {
    return d.plural == "events" && (d.group.empty() || d.group == "events.k8s.io");
}

} // namespace

stored_object::stored_object(json::object&& value, std::uint64_t version) : version_(version) {
    auto const size = packed_size(value);
    value_ = std::make_unique<json::object>(value, json::make_shared_resource<packed_memory>(size));
    auto const& meta = metadata_of(*value_);
    name_ = text_in(meta, "name");
    ns_ = text_in(meta, "namespace");
    uid_ = text_in(meta, "uid");
    text_ = json::serialize(*value_);
    text_.shrink_to_fit();
    constexpr std::size_t counters = 2 * sizeof(void*); // of what is shared
    bytes_ = memory_of_piece(sizeof(stored_object) + counters) + memory_of_piece(sizeof(json::object)) +
             memory_of_piece(sizeof(packed_memory) + counters) + memory_of_piece(size) +
             memory_of_piece(text_.size() + 1);
}

stored_object::~stored_object() = default;

std::string stored_object::text_in_list() const {
    auto const whole = text();
    return "{" + std::string(whole.substr(whole.find("\"metadata\":")));
}

std::string print_time(time_point t) {
    std::string out;
    print_scalar(t, out);
    return out;
}

bool is_deleting(json::object const& object) noexcept {
    return !text_in(metadata_of(object), "deletionTimestamp").empty();
}

bool holds_finalizer(json::object const& object, std::string_view finalizer) noexcept {
    auto const* list = array_in(metadata_of(object), "finalizers");
    return list != nullptr &&
           std::ranges::any_of(*list, [&](json::value const& f) { return view(f.get_string()) == finalizer; });
}

bool is_namespace(resource_definition const& d) noexcept { return d.group.empty() && d.plural == "namespaces"; }

bool has_finalizers(json::object const& object) noexcept {
    auto const* list = array_in(metadata_of(object), "finalizers");
    return list != nullptr && !list->empty();
}

object_store::impl::object_key object_store::impl::key_of(std::string_view ns, std::string_view name) {
    return std::string(ns).append("/").append(name);
}
object_store::impl::object_key object_store::impl::key_of(stored_object const& o) {
    return key_of(o.namespace_(), o.name());
}

object_ptr object_store::impl::find(kind_id kind, object_key const& k) const {
    auto const& objects = kinds_[kind]->objects;
    auto const at = objects.find(k);
    return at != objects.end() ? at->second : nullptr;
}

answer<object_ptr> object_store::impl::get(kind_id kind, std::string_view ns, std::string_view name) const {
    if (auto found = find(kind, key_of(ns, name))) return found;
    return not_found(kinds_[kind]->definition, name);
}

object_ptr object_store::impl::next_state(json::object&& value) const {
    metadata_of(value)["resourceVersion"] = std::to_string(version_ + 1);
    return std::make_shared<stored_object const>(std::move(value), version_ + 1);
}

object_ptr object_store::impl::put(place const& at, json::object&& value) {
    return put(at, next_state(std::move(value)));
}

object_ptr object_store::impl::put(place const& at, object_ptr now) {
    auto& state = *kinds_[at.kind];
    version_ = now->version();
    auto& slot = state.objects[at.key];
    auto before = std::exchange(slot, now);
    object_bytes_ += now->bytes();
    if (before) {
        object_bytes_ -= before->bytes();
        unindex(at, *before);
    }
    index(at, *now);
    if (before) wake_owners(*before, *now);
    auto const type = before ? event_type::modified : event_type::added;
    record(state, type, now, std::move(before));
    return now;
}

object_ptr object_store::impl::erase(place const& at, json::object&& last) {
    auto& state = *kinds_[at.kind];
    auto gone = next_state(std::move(last));
    version_ = gone->version();
    auto const found = state.objects.find(at.key);
    auto before = std::move(found->second);
    state.objects.erase(found);
    state.written.drop(at.key);
    object_bytes_ -= before->bytes();
    unindex(at, *before);
    give_back_buckets(by_uid_);
    give_back_buckets(dependents_);
    std::string const uid(before->uid());
    if (auto const list = dependents_.find(uid); list != dependents_.end())
        garbage_.insert(list->second.begin(), list->second.end());
    wake_waiters_for(*before);
    garbage_.erase(at); // whoever does not collect it keeps no more than there are objects
    record(state, event_type::deleted, gone, std::move(before));
    return gone;
}

/// Owners in foreground deletion, and a namespace that ends.
void object_store::impl::wake_waiters_for(stored_object const& gone) {
    if (auto const* owners = array_in(metadata_of(gone.value()), "ownerReferences"))
        for (auto const& o : *owners)
            if (auto const owner = waiting_owner(text_in(o.get_object(), "uid")); owner && !still_held(owner->uid()))
                garbage_.insert(by_uid_.at(std::string(owner->uid())));
    if (auto ns = namespace_place(gone.namespace_())) garbage_.insert(std::move(*ns));
}

std::optional<object_store::impl::place> object_store::impl::namespace_place(std::string_view ending) const {
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        if (!is_namespace(kinds_[k]->definition)) continue;
        place at{k, key_of("", ending)};
        if (auto const found = find(at.kind, at.key); found && is_deleting(found->value())) return at;
    }
    return std::nullopt;
}

void object_store::impl::index(place const& at, stored_object const& o) {
    by_uid_.insert_or_assign(std::string(o.uid()), at);
    if (auto const* owners = array_in(metadata_of(o.value()), "ownerReferences"))
        for (auto const& owner : *owners) {
            auto const& reference = owner.get_object();
            dependents_[std::string(text_in(reference, "uid"))].insert(at);
            if (!owner_exists(o, reference)) garbage_.insert(at);
        }
}

void object_store::impl::unindex(place const& at, stored_object const& o) {
    by_uid_.erase(std::string(o.uid()));
    auto const* owners = array_in(metadata_of(o.value()), "ownerReferences");
    if (owners == nullptr) return;
    for (auto const& owner : *owners) {
        auto const list = dependents_.find(std::string(text_in(owner.get_object(), "uid")));
        if (list == dependents_.end()) continue;
        list->second.erase(at);
        if (list->second.empty()) dependents_.erase(list);
    }
}

object_store::object_store(object_store_options options) : impl_(std::make_unique<impl>()) {
    impl_->options_ = std::move(options);
}
object_store::~object_store() = default;

kind_id object_store::add(resource_definition definition) {
    if (auto const known = find(definition.group, definition.version, definition.plural)) {
        impl_->kinds_[*known]->definition = std::move(definition);
        return *known;
    }
    auto state = std::make_unique<impl::kind_state>();
    state->definition = std::move(definition);
    state->expires = is_event(state->definition);
    impl_->kinds_.push_back(std::move(state));
    return impl_->kinds_.size() - 1;
}

std::size_t object_store::kinds() const noexcept { return impl_->kinds_.size(); }
resource_definition const& object_store::definition(kind_id k) const noexcept { return impl_->kinds_[k]->definition; }

std::optional<kind_id> object_store::find(std::string_view group, std::string_view version,
                                          std::string_view plural) const {
    for (kind_id k = 0; k < impl_->kinds_.size(); ++k) {
        auto const& d = impl_->kinds_[k]->definition;
        if (d.group == group && d.version == version && d.plural == plural) return k;
    }
    return std::nullopt;
}

std::uint64_t object_store::version() const noexcept { return impl_->version_; }
std::uint64_t object_store::version(kind_id k) const noexcept { return impl_->kinds_[k]->last; }

answer<object_ptr> object_store::get(kind_id kind, std::string_view ns, std::string_view name) const {
    return impl_->get(kind, ns, name);
}

bool object_store::has_garbage() const noexcept { return !impl_->garbage_.empty(); }

void object_store::collect_garbage(time_point now) {
    while (!impl_->garbage_.empty()) {
        auto const next = impl_->garbage_.extract(impl_->garbage_.begin());
        impl_->examine(next.value(), now);
    }
}

} // namespace kftrain::apiserver
