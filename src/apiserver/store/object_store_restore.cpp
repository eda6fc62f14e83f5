#include "apiserver/definitions/crd.hpp"
#include "apiserver/store/store_impl.hpp"

#include <algorithm>

// What a journal needs.
namespace kftrain::apiserver {

/// Of a kind that stores objects. Versions of a definition share their objects, and the version that stores them may
/// change.
std::string object_store::impl::version_of(kind_id kind) const {
    auto const& k = *kinds_[kind];
    return k.crd.empty() ? k.definition.version : std::string();
}

void object_store::impl::report(place const& at, std::uint64_t version, std::string_view text) const {
    if (!options_.on_change) return;
    auto const& d = kinds_[at.kind]->definition;
    auto const slash = at.key.find('/');
    store_change c;
    c.group = d.group;
    c.api_version = version_of(at.kind);
    c.plural = d.plural;
    c.namespace_ = at.key.substr(0, slash);
    c.name = at.key.substr(slash + 1);
    c.version = version;
    c.text = text;
    options_.on_change(c);
}

store_change object_store::impl::change_of(kind_id kind, stored_object const& o) const {
    auto const& d = kinds_[kind]->definition;
    store_change c;
    c.group = d.group;
    c.api_version = version_of(kind);
    c.plural = d.plural;
    c.namespace_ = o.namespace_();
    c.name = o.name();
    c.version = o.version();
    c.text = o.text();
    return c;
}

void object_store::snapshot(std::function<void(store_change const&)> const& take) const {
    auto const give = [&](kind_id k) {
        for (auto const& [name, object] : impl_->kinds_[k]->objects) take(impl_->change_of(k, *object));
    };
    if (impl_->crds_) give(*impl_->crds_);
    for (kind_id k = 0; k < impl_->kinds_.size(); ++k)
        if (k != impl_->crds_) give(k);
    for (auto const& [change, text] : impl_->unclaimed_) {
        auto c = change;
        c.text = text;
        take(c);
    }
}

answer<void> object_store::restore(std::vector<store_change> const& objects, std::uint64_t version, time_point now) {
    auto& s = *impl_;
    auto const kind_of = [&](store_change const& c) {
        std::optional<kind_id> found;
        for (kind_id k = 0; k < s.kinds_.size() && !found; ++k) {
            auto const& kind = *s.kinds_[k];
            bool const stores = !kind.removed && !kind.objects_of;
            if (stores && kind.definition.group == c.group && kind.definition.plural == c.plural &&
                s.version_of(k) == c.api_version)
                found = k;
        }
        return found;
    };
    // The kinds of the other objects come with the definitions.
    for (bool const definitions : {true, false})
        for (auto const& c : objects) {
            auto const kind = kind_of(c);
            if ((kind && kind == s.crds_) != definitions) continue;
            if (!kind) {
                if (auto const value = parse_object(c.text); !value) return value.error();
                s.unclaimed_.emplace_back(c, c.text);
                continue;
            }
            if (auto ok = s.restore(*kind, c, now); !ok) return ok;
        }
    s.version_ = std::max(s.version_, version);
    for (auto const& kind : s.kinds_) {
        while (!kind->log.empty()) s.drop_oldest(*kind);
        kind->trimmed = kind->last = s.version_;
    }
    return {};
}

answer<void> object_store::impl::restore(kind_id kind, store_change const& c, time_point now) {
    auto value = parse_object(c.text);
    if (!value) return value.error();
    auto& state = *kinds_[kind];
    auto const object = std::make_shared<stored_object const>(*value, c.version, state.selectable);
    place const at{kind, key_of(*object)};
    auto& slot = state.objects[at.key];
    auto const before = std::exchange(slot, object);
    if (before) {
        object_bytes_ -= before->bytes();
        unindex(at, *before);
    }
    object_bytes_ += object->bytes();
    index(at, *object);
    if (!quotas_.empty() || at.kind == quota_kind_) count_in_quotas(at, before.get(), object.get());
    if (object->facts().deleting) garbage_.insert(at);
    if (state.expires) state.written.touch(at.key, now);
    version_ = std::max(version_, c.version);
    if (kind == crds_) return restore_definition(at, now);
    return {};
}

answer<void> object_store::impl::restore_definition(place const& at, time_point now) {
    auto crd = find(at.kind, at.key)->parsed();
    std::vector<std::string> ignored;
    auto made = define(crd, true, ignored, now);
    if (!made) return made.error();
    serve(at, std::move(*made));
    if (is_deleting(crd)) clean_for(crd);
    return {};
}

void object_store::impl::claim(kind_id kind) {
    auto const& d = kinds_[kind]->definition;
    auto const waits = [&](auto const& u) {
        return u.first.group == d.group && u.first.plural == d.plural && u.first.api_version == version_of(kind);
    };
    for (auto& u : unclaimed_)
        if (waits(u)) {
            u.first.text = u.second;
            // Its text was parsed before.
            [[maybe_unused]] auto const restored = restore(kind, u.first, time_point());
        }
    std::erase_if(unclaimed_, waits);
}

} // namespace kftrain::apiserver
