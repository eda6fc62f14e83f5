#include "controllers/stateful_set/set_pods.hpp"

#include "base/whole_number.hpp"
#include "model/rules/condition_of.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/ownership.hpp>

#include <algorithm>

namespace kftrain::controllers::stateful_sets {
namespace {

std::string name_of(apps::stateful_set const& set, std::int32_t ordinal) {
    return set.metadata.name + "-" + std::to_string(ordinal);
}

/// Letters and digits that make no words. @par Upstream apimachinery `pkg/util/rand/rand.go`, `SafeEncodeString`
std::string safe_text(std::string text) {
    constexpr std::string_view alphabet = "bcdfghjklmnpqrstvwxz2456789";
    for (char& c : text) c = alphabet[static_cast<unsigned char>(c) % alphabet.size()];
    return text;
}

} // namespace

std::optional<std::int32_t> ordinal_of(apps::stateful_set const& set, pod const& p) {
    std::string_view const name = p.metadata.name;
    auto const dash = name.rfind('-');
    if (dash == name.npos || name.substr(0, dash) != set.metadata.name) return std::nullopt;
    auto const ordinal = read_whole_number<std::int32_t>(name.substr(dash + 1));
    return ordinal && *ordinal >= 0 && name_of(set, *ordinal) == name ? ordinal : std::nullopt;
}

std::string revision_of(apps::stateful_set const& set) {
    std::uint32_t h = 2166136261U; // FNV-1a
    for (char const c : to_json(set.spec.template_)) h = (h ^ static_cast<unsigned char>(c)) * 16777619U;
    return set.metadata.name + "-" + safe_text(std::to_string(h));
}

pod new_pod(apps::stateful_set const& set, std::int32_t ordinal, std::string const& revision) {
    auto const& from = set.spec.template_;
    pod p;
    p.metadata.name = name_of(set, ordinal);
    p.metadata.namespace_ = set.metadata.namespace_;
    p.metadata.labels = from.metadata.labels;
    p.metadata.labels["statefulset.kubernetes.io/pod-name"] = p.metadata.name;
    p.metadata.labels["apps.kubernetes.io/pod-index"] = std::to_string(ordinal);
    p.metadata.labels[std::string(revision_key)] = revision;
    p.metadata.annotations = from.metadata.annotations;
    p.metadata.finalizers = from.metadata.finalizers;
    p.metadata.owner_references.push_back(controller_reference(set));
    p.spec = from.spec;
    p.spec.hostname = p.metadata.name;
    p.spec.subdomain = set.spec.service_name;
    return p;
}

bool is_ready(pod const& p) noexcept { return p.status.phase == "Running" && is_true(p.status.conditions, "Ready"); }
bool is_terminating(pod const& p) noexcept { return p.metadata.deletion_timestamp.has_value(); }

} // namespace kftrain::controllers::stateful_sets
