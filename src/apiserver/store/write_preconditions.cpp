#include "apiserver/store/write_preconditions.hpp"

#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/store_impl.hpp"

#include <algorithm>
#include <set>

namespace kftrain::apiserver {

answer<void> check_finalizers(resource_definition const& d, stored_object const& old, json::object const& next) {
    auto const* after = array_in(metadata_of(next), "finalizers");
    if (!old.facts().deleting || after == nullptr) return {};
    auto const was = old.parsed();
    auto const* before = array_in(metadata_of(was), "finalizers");
    std::set<std::string_view> known;
    if (before != nullptr)
        for (auto const& f : *before) known.insert(view(f.get_string()));
    std::string added;
    for (auto const& f : *after)
        if (!known.contains(view(f.get_string()))) added += (added.empty() ? "" : ", ") + json::serialize(f);
    if (added.empty()) return {};
    std::vector<refusal_cause> causes;
    causes.emplace_back("FieldValueForbidden",
                        "Forbidden: no new finalizers can be added if the object is being deleted, found new "
                        "finalizers []string{" +
                            added + "}",
                        "metadata.finalizers");
    return invalid(d, old.name(), std::move(causes));
}

answer<void> check_precondition(resource_definition const& d, stored_object const& old, json::object const& body) {
    auto const& meta = metadata_of(body);
    auto const version = text_in(meta, "resourceVersion");
    if ((version.empty() || version == "0") && d.custom) {
        std::vector<refusal_cause> causes;
        causes.emplace_back("FieldValueInvalid", "Invalid value: 0x0: must be specified for an update",
                            "metadata.resourceVersion");
        return invalid(d, old.name(), std::move(causes));
    }
    auto const uid = text_in(meta, "uid");
    if (!uid.empty() && uid != old.uid()) {
        auto const path = (d.group.empty() ? "" : "/" + d.group) + "/" + d.plural +
                          (old.namespace_().empty() ? "" : "/" + std::string(old.namespace_()));
        return conflict(d, old.name(),
                        "StorageError: invalid object, Code: 4, Key: /registry" + path + "/" + std::string(old.name()) +
                            ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: " +
                            std::string(uid) + ", UID in object meta: " + std::string(old.uid()));
    }
    if (!version.empty() && version != "0" && version != std::to_string(old.version()))
        return stale_version(d, old.name());
    return {};
}

answer<written> with_warnings(answer<written> done, std::vector<std::string> first) {
    if (first.empty()) return done;
    if (!done) {
        auto refused = done.error();
        std::ranges::move(refused.warnings, std::back_inserter(first));
        refused.warnings = std::move(first);
        return refused;
    }
    std::ranges::move(done->warnings, std::back_inserter(first));
    done->warnings = std::move(first);
    return done;
}

} // namespace kftrain::apiserver
