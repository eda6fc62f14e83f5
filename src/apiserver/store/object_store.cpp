#include <kftrain/apiserver/object_store.hpp>

#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/store_impl.hpp"

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

stored_object::stored_object(json::object const& value, std::uint64_t version, field_paths selectable)
    : version_(version), text_(json::serialize(value)) {
    text_.shrink_to_fit();
    facts_ = std::make_unique<object_facts>(value, text_, std::move(selectable));
    constexpr std::size_t counters = 2 * sizeof(void*); // of what is shared
    bytes_ = memory_of_piece(sizeof(stored_object) + counters) + memory_of_piece(text_.size() + 1) + facts_->bytes();
}

stored_object::~stored_object() = default;

json::object stored_object::parsed() const { return read_stored(text_); }
std::string_view stored_object::name() const noexcept { return facts_->name(); }
std::string_view stored_object::namespace_() const noexcept { return facts_->namespace_(); }
std::string_view stored_object::uid() const noexcept { return facts_->uid(); }

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
    if (auto found = find(stored(kind), key_of(ns, name))) return found;
    return not_found(kinds_[kind]->definition, name);
}

object_ptr object_store::impl::next_state(kind_id kind, json::object&& value) const {
    metadata_of(value)["resourceVersion"] = std::to_string(version_ + 1);
    return std::make_shared<stored_object const>(value, version_ + 1, kinds_[kind]->selectable);
}

object_ptr object_store::impl::put(place const& at, json::object&& value) {
    return put(at, next_state(at.kind, std::move(value)));
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
    if (!quotas_.empty() || at.kind == quota_kind_) count_in_quotas(at, before.get(), now.get());
    auto const kind = before ? change_kind::modified : change_kind::added;
    record(state, kind, now, std::move(before));
    report(at, version_, now->text());
    return now;
}

object_ptr object_store::impl::erase(place const& at, json::object&& last) {
    auto& state = *kinds_[at.kind];
    auto gone = next_state(at.kind, std::move(last));
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
    if (!quotas_.empty()) count_in_quotas(at, before.get(), nullptr);
    garbage_.erase(at); // a caller that does not collect it keeps no more than there are objects
    if (!state.cleaned_for.empty()) garbage_.insert({*crds_, key_of("", state.cleaned_for)});
    record(state, change_kind::deleted, gone, std::move(before));
    report(at, version_, {});
    if (at.kind == crds_) drop_kinds(at);
    return gone;
}

/// Owners in foreground deletion, and a namespace that ends.
void object_store::impl::wake_waiters_for(stored_object const& gone) {
    for (auto const& o : gone.facts().owners)
        if (auto const owner = waiting_owner(o.uid); owner && !still_held(owner->uid()))
            garbage_.insert(by_uid_.at(owner->uid()).where());
    if (auto ns = namespace_place(gone.namespace_())) garbage_.insert(std::move(*ns));
}

std::optional<object_store::impl::place> object_store::impl::namespace_place(std::string_view ending) const {
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        if (!is_namespace(kinds_[k]->definition)) continue;
        place at{k, key_of("", ending)};
        if (auto const found = find(at.kind, at.key); found && found->facts().deleting) return at;
    }
    return std::nullopt;
}

void object_store::impl::index(place const& at, stored_object const& o) {
    by_uid_[o.uid()] = {at.kind, &o};
    for (auto const& owner : o.facts().owners) {
        dependents_[std::string(owner.uid)].insert(at);
        if (!owner_exists(o, owner)) garbage_.insert(at);
    }
}

void object_store::impl::unindex(place const& at, stored_object const& o) {
    by_uid_.erase(o.uid());
    for (auto const& owner : o.facts().owners) {
        auto const list = dependents_.find(std::string(owner.uid));
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
    auto const known = find(definition.group, definition.version, definition.plural);
    auto const kind = known ? *known : impl_->new_kind();
    if (is_crd(definition)) impl_->crds_ = kind;
    if (definition.group.empty() && definition.plural == "resourcequotas") impl_->quota_kind_ = kind;
    if (definition.group.empty() && definition.plural == "limitranges") impl_->limit_range_kind_ = kind;
    if (definition.group == "scheduling.k8s.io" && definition.plural == "priorityclasses") impl_->priority_kind_ = kind;
    auto& state = *impl_->kinds_[kind];
    state.definition = std::move(definition);
    state.crd.clear();
    state.expires = is_event(state.definition);
    state.selectable = std::make_shared<std::vector<std::string> const>(state.definition.selectable_fields);
    impl_->claim(kind);
    return kind;
}

std::size_t object_store::kinds() const noexcept { return impl_->kinds_.size(); }
resource_definition const& object_store::definition(kind_id k) const noexcept { return impl_->kinds_[k]->definition; }
bool object_store::serves(kind_id k) const noexcept { return impl_->kinds_[k]->served; }
std::uint64_t object_store::registration(kind_id k) const noexcept { return impl_->kinds_[k]->registration; }

std::optional<kind_id> object_store::impl::find_kind(std::string_view group, std::string_view version,
                                                     std::string_view plural) const {
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        auto const& d = kinds_[k]->definition;
        if (kinds_[k]->served && d.group == group && d.version == version && d.plural == plural) return k;
    }
    return std::nullopt;
}

std::optional<kind_id> object_store::find(std::string_view group, std::string_view version,
                                          std::string_view plural) const {
    return impl_->find_kind(group, version, plural);
}

std::uint64_t object_store::version() const noexcept { return impl_->version_; }
std::uint64_t object_store::version(kind_id k) const noexcept { return impl_->kinds_[impl_->stored(k)]->last; }

answer<object_ptr> object_store::get(kind_id kind, std::string_view ns, std::string_view name) const {
    auto found = impl_->get(kind, ns, name);
    if (found) *found = impl_->shown_as(kind, std::move(*found));
    return found;
}

bool object_store::has_garbage() const noexcept { return !impl_->garbage_.empty(); }

void object_store::collect_garbage(time_point now) {
    while (!impl_->garbage_.empty()) {
        auto const next = impl_->garbage_.extract(impl_->garbage_.begin());
        impl_->examine(next.value(), now);
    }
}

} // namespace kftrain::apiserver
