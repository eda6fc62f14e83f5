#include "apiserver/tables/table.hpp"

#include <array>
#include <string>
#include <utility>

// The cells of volumes and claims.
namespace kftrain::apiserver {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> mode_texts{
    {{"ReadWriteOnce", "RWO"}, {"ReadOnlyMany", "ROX"}, {"ReadWriteMany", "RWX"}, {"ReadWriteOncePod", "RWOP"}}};

std::string short_modes(json::object const& o, std::string_view part) {
    auto const* const from = object_in(o, part);
    auto const* const list = from != nullptr ? array_in(*from, "accessModes") : nullptr;
    std::string out;
    if (list == nullptr) return out;
    for (auto const& [name, text] : mode_texts)
        for (auto const& each : *list)
            if (each.is_string() && view(each.get_string()) == name) {
                out.append(out.empty() ? "" : ",").append(text);
                break;
            }
    return out;
}

std::string shown_phase(json::object const& o) {
    return text_at(o, "metadata.deletionTimestamp").empty() ? text_at(o, "status.phase") : "Terminating";
}

std::string class_of(json::object const& o) {
    auto const* const meta = object_in(o, "metadata");
    auto const* const annotations = meta != nullptr ? object_in(*meta, "annotations") : nullptr;
    auto const old =
        annotations != nullptr ? text_in(*annotations, "volume.beta.kubernetes.io/storage-class") : std::string_view();
    return old.empty() ? text_at(o, "spec.storageClassName") : std::string(old);
}

} // namespace

json::array volume_cells(json::object const& volume, time_point now) {
    json::array out;
    out.emplace_back(text_at(volume, "metadata.name"));
    out.emplace_back(text_at(volume, "spec.capacity.storage"));
    out.emplace_back(short_modes(volume, "spec"));
    out.emplace_back(text_at(volume, "spec.persistentVolumeReclaimPolicy"));
    out.emplace_back(shown_phase(volume));
    auto const claim = text_at(volume, "spec.claimRef.name");
    out.emplace_back(claim.empty() ? claim : text_at(volume, "spec.claimRef.namespace") + "/" + claim);
    out.emplace_back(class_of(volume));
    out.emplace_back(or_unset(text_at(volume, "spec.volumeAttributesClassName")));
    out.emplace_back(text_at(volume, "status.reason"));
    out.emplace_back(age(text_at(volume, "metadata.creationTimestamp"), now));
    out.emplace_back(or_unset(text_at(volume, "spec.volumeMode")));
    return out;
}

json::array claim_cells(json::object const& claim, time_point now) {
    auto const volume = text_at(claim, "spec.volumeName");
    json::array out;
    out.emplace_back(text_at(claim, "metadata.name"));
    out.emplace_back(shown_phase(claim));
    out.emplace_back(volume);
    out.emplace_back(volume.empty() ? volume : text_at(claim, "status.capacity.storage"));
    out.emplace_back(volume.empty() ? volume : short_modes(claim, "status"));
    out.emplace_back(class_of(claim));
    out.emplace_back(or_unset(text_at(claim, "spec.volumeAttributesClassName")));
    out.emplace_back(age(text_at(claim, "metadata.creationTimestamp"), now));
    out.emplace_back(or_unset(text_at(claim, "spec.volumeMode")));
    return out;
}

} // namespace kftrain::apiserver
