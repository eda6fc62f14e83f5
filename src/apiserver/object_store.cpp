#include <kftrain/apiserver/object_store.hpp>

#include "refusals.hpp"
#include "store_impl.hpp"

#include <algorithm>

namespace kftrain::apiserver {

stored_object::stored_object(json::object&& value, std::uint64_t version)
    : value_(std::make_unique<json::object>(std::move(value))), version_(version) {
    auto const& meta = metadata_of(*value_);
    name_ = text_in(meta, "name");
    ns_ = text_in(meta, "namespace");
    uid_ = text_in(meta, "uid");
}

stored_object::~stored_object() = default;

std::string_view stored_object::text() const {
    if (text_.empty()) text_ = json::serialize(*value_);
    return text_;
}

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

object_ptr object_store::impl::put(place const& at, json::object&& value) {
    auto& state = *kinds_[at.kind];
    metadata_of(value)["resourceVersion"] = std::to_string(++version_);
    auto now = std::make_shared<stored_object const>(std::move(value), version_);
    auto& slot = state.objects[at.key];
    auto before = std::exchange(slot, now);
    if (before) unindex(at, *before);
    index(at, *now);
    auto const type = before ? event_type::modified : event_type::added;
    record(state, type, now, std::move(before));
    return now;
}

object_ptr object_store::impl::erase(place const& at, json::object&& last) {
    auto& state = *kinds_[at.kind];
    metadata_of(last)["resourceVersion"] = std::to_string(++version_);
    auto gone = std::make_shared<stored_object const>(std::move(last), version_);
    auto const found = state.objects.find(at.key);
    auto before = std::move(found->second);
    state.objects.erase(found);
    unindex(at, *before);
    std::string const uid(before->uid());
    if (auto const list = dependents_.find(uid); list != dependents_.end())
        garbage_.insert(list->second.begin(), list->second.end());
    // Who waits for this one: owners in foreground deletion, a namespace that ends.
    if (auto const* owners = array_in(metadata_of(before->value()), "ownerReferences"))
        for (auto const& o : *owners)
            if (auto const owner = by_uid_.find(std::string(text_in(o.get_object(), "uid"))); owner != by_uid_.end())
                if (is_deleting(find(owner->second.kind, owner->second.key)->value())) garbage_.insert(owner->second);
    if (auto ns = namespace_place(before->namespace_())) garbage_.insert(std::move(*ns));
    record(state, event_type::deleted, gone, std::move(before));
    return gone;
}

std::optional<object_store::impl::place> object_store::impl::namespace_place(std::string_view ending) const {
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        if (!is_namespace(kinds_[k]->definition)) continue;
        place at{k, key_of("", ending)};
        if (auto const found = find(at.kind, at.key); found && is_deleting(found->value())) return at;
    }
    return std::nullopt;
}

void object_store::impl::record(kind_state& state, event_type type, object_ptr object, object_ptr previous) {
    watch_event e;
    e.type = type;
    e.version = version_;
    e.object = std::move(object);
    e.previous = std::move(previous);
    state.last = version_;
    state.log.push_back(std::move(e));
    while (state.log.size() > options_.watch_log_limit) {
        state.trimmed = state.log.front().version;
        state.log.pop_front();
    }
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

answer<std::vector<watch_event>> object_store::events(kind_id kind, std::uint64_t since, std::size_t limit) const {
    auto const& state = *impl_->kinds_[kind];
    if (since < state.trimmed)
        return expired("too old resource version: " + std::to_string(since) + " (" + std::to_string(state.trimmed) +
                       ")");
    auto const first = std::ranges::upper_bound(state.log, since, {}, &watch_event::version);
    auto const count = std::min(limit, static_cast<std::size_t>(state.log.end() - first));
    return std::vector<watch_event>(first, first + static_cast<std::ptrdiff_t>(count));
}

bool object_store::has_garbage() const noexcept { return !impl_->garbage_.empty(); }

void object_store::collect_garbage(time_point now) {
    while (!impl_->garbage_.empty()) {
        auto const next = impl_->garbage_.extract(impl_->garbage_.begin());
        impl_->examine(next.value(), now);
    }
}

} // namespace kftrain::apiserver
