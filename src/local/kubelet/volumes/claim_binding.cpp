#include "local/kubelet/volumes/claim_binding.hpp"

#include "base/make_failure.hpp"

#include <algorithm>
#include <string>

namespace kftrain::local {
namespace {

using core::persistent_volume;
using core::persistent_volume_claim;

constexpr std::string_view class_annotation = "volume.beta.kubernetes.io/storage-class";
constexpr std::string_view bound_annotation = "pv.kubernetes.io/bind-completed";
constexpr std::string_view found_annotation = "pv.kubernetes.io/bound-by-controller";

quantity size_of(resource_list const& all) {
    auto const it = all.find("storage");
    return it != all.end() ? it->second : quantity();
}

/// The annotation takes precedence over the field.
std::string class_of(object_meta const& meta, std::string const& field) {
    auto const it = meta.annotations.find(std::string(class_annotation));
    return it != meta.annotations.end() ? it->second : field;
}

bool is_kept_for(persistent_volume const& v, persistent_volume_claim const& c) {
    auto const& ref = v.spec.claim_ref;
    return ref && ref->name == c.metadata.name && ref->namespace_ == c.metadata.namespace_ &&
           (ref->uid.empty() || ref->uid == c.metadata.uid);
}

bool has_class_of(persistent_volume const& v, persistent_volume_claim const& c) {
    return class_of(v.metadata, v.spec.storage_class_name) ==
           class_of(c.metadata, c.spec.storage_class_name.value_or(""));
}

/// Returns why the volume does not suit the claim; empty: it does.
std::string why_unfit(persistent_volume const& v, persistent_volume_claim const& c, bool any_class = false) {
    if (size_of(v.spec.capacity) < size_of(c.spec.resources.requests)) return "requested PV is too small";
    if (!any_class && !has_class_of(v, c)) return "storageClassName does not match";
    if (v.spec.volume_mode.value_or("Filesystem") != c.spec.volume_mode.value_or("Filesystem"))
        return "incompatible volumeMode";
    auto const supports = [&](std::string const& mode) {
        return std::ranges::find(v.spec.access_modes, mode) != v.spec.access_modes.end();
    };
    return std::ranges::all_of(c.spec.access_modes, supports) ? "" : "incompatible accessMode";
}

bool is_selected(persistent_volume const& v, persistent_volume_claim const& c) {
    if (!c.spec.selector) return true;
    auto const query = label_query::from(*c.spec.selector);
    return query && query->matches(v.metadata.labels);
}

} // namespace

result<persistent_volume const*> find_volume(persistent_volume_claim const& claim,
                                             std::vector<persistent_volume> const& volumes) {
    auto const refuse = [](std::string text) { return make_failure(errc::invalid_argument, std::move(text)); };
    if (auto const& name = claim.spec.volume_name; !name.empty()) {
        auto const named = std::ranges::find_if(volumes, [&](auto const& v) { return v.metadata.name == name; });
        if (named == volumes.end()) return refuse("persistentvolume \"" + name + "\" not found");
        if (is_kept_for(*named, claim)) return &*named;
        if (named->spec.claim_ref) return refuse("volume \"" + name + "\" already bound to a different claim.");
        if (auto const why = why_unfit(*named, claim); !why.empty())
            return refuse("Cannot bind to requested volume \"" + name + "\": " + why);
        return &*named;
    }
    persistent_volume const* best = nullptr;
    for (auto const& v : volumes) {
        if (v.metadata.deletion_timestamp || !why_unfit(v, claim, true).empty()) continue;
        if (is_kept_for(v, claim)) return &v; // whatever its class
        if (!has_class_of(v, claim) || v.spec.claim_ref || v.status.phase != "Available" || !is_selected(v, claim))
            continue;
        if (best == nullptr || size_of(v.spec.capacity) < size_of(best->spec.capacity)) best = &v;
    }
    return best;
}

void bind(persistent_volume& volume, persistent_volume_claim& claim) {
    auto const& meta = claim.metadata;
    if (!volume.spec.claim_ref) {
        volume.spec.claim_ref.emplace();
        volume.metadata.annotations[std::string(found_annotation)] = "yes";
    }
    auto& ref = *volume.spec.claim_ref;
    ref.api_version = "v1";
    ref.kind = persistent_volume_claim::resource.kind;
    ref.namespace_ = meta.namespace_;
    ref.name = meta.name;
    ref.uid = meta.uid;
    volume.status.phase = "Bound";
    if (claim.spec.volume_name.empty()) {
        claim.spec.volume_name = volume.metadata.name;
        claim.metadata.annotations[std::string(found_annotation)] = "yes";
    }
    claim.metadata.annotations[std::string(bound_annotation)] = "yes";
    claim.status.phase = "Bound";
    claim.status.access_modes = volume.spec.access_modes;
    claim.status.capacity = volume.spec.capacity;
}

} // namespace kftrain::local
