#include "base/whole_number.hpp"
#include "model/rules/condition_of.hpp"
#include "model/rules/label_of.hpp"
#include "objects/pod_resources.hpp"

#include <kftrain/controllers/stateful_set.hpp>
#include <kftrain/job/observed_types.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/ownership.hpp>
#include <kftrain/objects/apps/stateful_set.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace kftrain::controllers {
namespace stateful_sets {
namespace {

inline constexpr std::string_view revision_key = "controller-revision-hash";

std::string name_of(apps::stateful_set const& set, std::int32_t ordinal) {
    return set.metadata.name + "-" + std::to_string(ordinal);
}

/// Letters and digits that make no words. @par Upstream apimachinery `pkg/util/rand/rand.go`, `SafeEncodeString`
std::string safe_text(std::string text) {
    constexpr std::string_view alphabet = "bcdfghjklmnpqrstvwxz2456789";
    for (char& c : text) c = alphabet[static_cast<unsigned char>(c) % alphabet.size()];
    return text;
}

/// The ordinal in the name of a pod; absent if it has none of this set.
std::optional<std::int32_t> ordinal_of(apps::stateful_set const& set, pod const& p) {
    std::string_view const name = p.metadata.name;
    auto const dash = name.rfind('-');
    if (dash == name.npos || name.substr(0, dash) != set.metadata.name) return std::nullopt;
    auto const ordinal = read_whole_number<std::int32_t>(name.substr(dash + 1));
    return ordinal && *ordinal >= 0 && name_of(set, *ordinal) == name ? ordinal : std::nullopt;
}

/// `<set>-<hash>`: equal for equal templates. Upstream hashes another text, so that the hashes differ.
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

/// So many pods are made or deleted by one plan at most.
constexpr std::size_t most_per_plan = 500;

/// One look at a StatefulSet, and what follows from it.
class pass {
public:
    explicit pass(rules::look<apps::stateful_set> const& look) : set_(look.object), revision_(revision_of(set_)) {
        for (auto const& p : look.world.of<pod>("pods"))
            if (auto const ordinal = ordinal_of(set_, p)) pods_.emplace(*ordinal, &p);
        auto const& ordinals = set_.spec.ordinals;
        first_ = ordinals ? ordinals->start : 0;
        end_ = std::int64_t{first_} + std::max(set_.spec.replicas.value_or(1), 0);
        one_by_one_ = set_.spec.pod_management_policy != "Parallel";
    }

    rules::plan make() {
        writes_.side_by_side = true;
        if (make_wanted() && remove_surplus()) update();
        rules::plan plan;
        for (auto* step : {&writes_, &events_})
            if (!step->actions.empty()) plan.steps.push_back(std::move(*step));
        write_status(plan);
        return plan;
    }

private:
    bool is_wanted(std::int32_t ordinal) const { return ordinal >= first_ && ordinal < end_; }

    void remove(pod const& p) {
        writes_.actions.emplace_back(rules::remove(rules::target(pod::resource, p.metadata)));
        emit("delete", p.metadata.name);
    }
    void create(std::int32_t ordinal) {
        auto made = new_pod(set_, ordinal, revision_);
        auto const name = made.metadata.name;
        constexpr rules::event_messages failure("", "", "FailedCreate", "create Pod failed error: {}");
        writes_.actions.emplace_back(rules::create(std::move(made), failure));
        emit("create", name);
    }
    void emit(std::string const& verb, std::string const& name) {
        events_.actions.emplace_back(
            rules::emit_event("Normal", verb == "create" ? "SuccessfulCreate" : "SuccessfulDelete",
                              verb + " Pod " + name + " in StatefulSet " + set_.metadata.name + " successful"));
    }
    bool is_full() const { return writes_.actions.size() >= most_per_plan; }

    /// False: something is to be waited for.
    bool make_wanted() {
        for (std::int64_t i = first_; i < end_ && !is_full(); ++i) {
            auto const ordinal = static_cast<std::int32_t>(i);
            auto const at = pods_.find(ordinal);
            if (at == pods_.end())
                create(ordinal);
            else if (has_ended(*at->second) && !is_terminating(*at->second))
                remove(*at->second); // created again once it is deleted
            else if (!is_terminating(*at->second) && is_ready(*at->second))
                continue;
            if (one_by_one_) return false;
        }
        return !is_full();
    }

    bool remove_surplus() {
        bool none = true;
        for (auto it = pods_.rbegin(); it != pods_.rend() && !is_full(); ++it) {
            if (is_wanted(it->first)) continue;
            none = false;
            if (!is_terminating(*it->second)) remove(*it->second);
            if (one_by_one_) return false;
        }
        return none;
    }

    void update() {
        auto const& strategy = set_.spec.update_strategy;
        if (strategy.type == "OnDelete" || !writes_.actions.empty()) return;
        std::int32_t const least = strategy.rolling_update ? strategy.rolling_update->partition.value_or(0) : 0;
        for (auto it = pods_.rbegin(); it != pods_.rend(); ++it) {
            if (!is_wanted(it->first) || it->first < least) continue;
            if (is_terminating(*it->second)) return;
            if (!is_updated(*it->second)) return remove(*it->second);
            if (!is_ready(*it->second)) return;
        }
    }

    bool is_updated(pod const& p) const { return label_of(p.metadata, revision_key) == revision_; }

    void write_status(rules::plan& plan) const {
        auto next = set_;
        auto& s = next.status;
        std::string const current = s.current_revision.empty() ? revision_ : s.current_revision;
        s = apps::stateful_set_status();
        s.observed_generation = set_.metadata.generation;
        s.current_revision = current;
        s.update_revision = revision_;
        s.collision_count = 0;
        for (auto const& [ordinal, p] : pods_) {
            ++s.replicas;
            if (is_ready(*p)) ++s.ready_replicas;
            if (is_terminating(*p)) continue;
            if (is_updated(*p)) ++s.updated_replicas;
            if (label_of(p->metadata, revision_key) == current) ++s.current_replicas;
        }
        s.available_replicas = s.ready_replicas;
        if (s.updated_replicas == s.replicas && s.ready_replicas == s.replicas) {
            s.current_revision = revision_;
            s.current_replicas = s.updated_replicas;
        }
        if (!(next.status == set_.status))
            plan.steps.emplace_back().actions.emplace_back(rules::write_status(std::move(next)));
    }

    apps::stateful_set const& set_;
    std::string revision_;
    std::map<std::int32_t, pod const*> pods_;
    std::int32_t first_ = 0;
    std::int64_t end_ = 0;
    bool one_by_one_ = true;
    rules::step writes_;
    rules::step events_; ///< when all of them were done
};

} // namespace
} // namespace stateful_sets

stateful_set_rules::stateful_set_rules() { rows_.emplace_back("pods", observed_pod_type(), rules::by_controller()); }

rules::plan stateful_set_rules::make_plan(rules::look<apps::stateful_set> const& look) const {
    rules::plan plan;
    if (look.object.metadata.deletion_timestamp) return plan;
    if (look.object.spec.volume_claim_templates.empty()) return stateful_sets::pass(look).make();
    plan.steps.emplace_back().actions.emplace_back(
        rules::emit_event("Warning", "FailedCreate", "volumeClaimTemplates are not served by this controller"));
    return plan;
}

} // namespace kftrain::controllers
