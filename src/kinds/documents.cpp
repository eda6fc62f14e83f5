#include <kftrain/kinds/documents.hpp>

#include "base/joined.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/nearest_name.hpp>

#include <algorithm>
#include <array>

namespace kftrain {
namespace {

/** Kinds of `kubeflow.org` that are not jobs.
    @par Upstream the custom resource definitions of Katib, the notebook and profile controllers, the admission webhook,
    the viewer controller and Kubeflow Pipelines */
constexpr std::array<std::string_view, 10> other_kubeflow_kinds{
    "Experiment", "Notebook",   "PodDefault", "Profile", "ScheduledWorkflow",
    "StudyJob",   "Suggestion", "Trial",      "Viewer",  "Workflow"};

/// A kind of an API group that only operators of the past served, and the kind that took its place.
struct old_kind {
    std::string_view group;
    std::string_view kind;
    std::string_view todays;
    std::string_view difference; ///< what to write in another way, as the end of a sentence; may be empty
};

/** @par Upstream paddle-operator v0.3.5 `api/v1/paddlejob_types.go`; PaddlePaddle/cloud, March 2018,
    `go/apis/paddlepaddle/v1/types.go`; xgboost-operator `pkg/apis/xgboostjob/v1/xgboostjob_types.go` */
constexpr std::array old_kinds{old_kind{"batch.paddlepaddle.org", "PaddleJob", "PaddleJob", ""},
                               old_kind{"paddlepaddle.org", "TrainingJob", "PaddleJob",
                                        "where Masters serve the parameters and Workers run trainer.entrypoint"},
                               old_kind{"xgboostjob.kubeflow.org", "XGBoostJob", "XGBoostJob", ""}};

old_kind const* find_old_kind(std::string_view group, std::string_view kind) {
    auto const found =
        std::ranges::find_if(old_kinds, [&](auto const& k) { return k.group == group && k.kind == kind; });
    return found == old_kinds.end() ? nullptr : &*found;
}

std::string_view group_of(std::string_view api_version) {
    auto const slash = api_version.find('/');
    return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

resource_info const& info_of(rules::job_rules const* kind) { return *kind->primary().info; }

bool is_job_group(std::string_view group, job_kinds kinds) {
    return std::ranges::any_of(kinds, [&](auto const* k) { return info_of(k).group == group; });
}

std::string_view without_list(std::string_view kind) {
    if (kind.ends_with("List") && kind.size() > 4) kind.remove_suffix(4);
    return kind;
}

/// Whether it is installed with a job kind, such as its runtimes.
bool is_companion(std::string_view group, std::string_view kind, job_kinds kinds) {
    return std::ranges::any_of(kinds, [&](auto const* k) {
        return std::ranges::any_of(k->form().companions, [&](rules::companion const& c) {
            return c.type->info->group == group && c.type->info->kind == without_list(kind);
        });
    });
}

bool is_neighbour(std::string_view group, std::string_view kind, job_kinds kinds) {
    if (is_companion(group, kind, kinds)) return true;
    return group == "kubeflow.org" &&
           std::ranges::find(other_kubeflow_kinds, without_list(kind)) != other_kubeflow_kinds.end();
}

bool is_list(document_type const& type, job_kinds kinds) {
    return (type.api_version == "v1" && type.kind == "List") ||
           (type.kind.ends_with("List") && find_job_rules(type.api_version, without_list(type.kind), kinds) != nullptr);
}

bool is_alpha(resource_info const& info) { return info.version.find("alpha") != std::string_view::npos; }

/// The kinds of this name, without the alpha versions of those that have others.
std::vector<rules::job_rules const*> current_kinds(std::string_view name, job_kinds kinds) {
    std::vector<rules::job_rules const*> found;
    for (auto const* k : kinds)
        if (info_of(k).kind == name) found.push_back(k);
    auto const stable = [](auto const* k) { return !is_alpha(info_of(k)); };
    if (std::ranges::any_of(found, stable)) std::erase_if(found, [&](auto const* k) { return !stable(k); });
    return found;
}

std::string api_versions_of(std::vector<rules::job_rules const*> const& kinds) {
    return joined(kinds, " or ", [](auto const* k) { return info_of(k).api_version(); });
}

/// Whether the group is likely to be a job group that is misspelt, or an old one. `v1` alone has none.
bool is_misspelt_group(std::string_view group, std::string_view kind, job_kinds kinds) {
    if (find_old_kind(group, kind) != nullptr) return true;
    if (current_kinds(kind, kinds).empty()) return false;
    if (group.empty()) return kind != "Job"; // others have kinds of this name
    std::vector<std::string_view> groups;
    for (auto const* k : kinds) {
        groups.push_back(info_of(k).group);
        if (group.ends_with("." + std::string(info_of(k).group))) return true; // as single operators had once
    }
    return !nearest_name(groups, group).empty();
}

/// The kind that is meant by a misspelt name, of the same API group.
rules::job_rules const* nearest_kind(std::string_view group, std::string_view name, job_kinds kinds) {
    std::vector<std::string_view> names;
    for (auto const* k : kinds)
        if (info_of(k).group == group) names.push_back(info_of(k).kind);
    auto const nearest = nearest_name(names, name);
    auto const found = std::ranges::find_if(
        kinds, [&](auto const* k) { return info_of(k).group == group && info_of(k).kind == nearest; });
    return found == kinds.end() ? nullptr : *found;
}

std::string suggestion_for(document_type const& found, job_kinds kinds) {
    auto const group = group_of(found.api_version);
    std::string_view const kind = without_list(found.kind);
    if (auto const* const old = find_old_kind(group, kind); old != nullptr && !old->difference.empty())
        return "; expected " + std::string(old->todays) + " of " + api_versions_of(current_kinds(old->todays, kinds)) +
               ", " + std::string(old->difference);
    if (auto const todays = current_kinds(kind, kinds);
        !todays.empty() && is_job_group(group, kinds) && info_of(todays.front()).group == group)
        return "; the current apiVersion is " + api_versions_of(todays);
    else if (!todays.empty() && is_misspelt_group(group, kind, kinds))
        return "; expected apiVersion " + api_versions_of(todays);
    if (auto const* near = is_job_group(group, kinds) ? nearest_kind(group, kind, kinds) : nullptr) {
        std::string text = "; did you mean " + std::string(info_of(near).kind);
        if (find_job_rules(found.api_version, info_of(near).kind, kinds) == nullptr)
            text += " of " + api_versions_of(current_kinds(info_of(near).kind, kinds));
        return text + "?";
    }
    return "; known kinds are: " + joined(kinds, ", ", [](auto const* k) {
               return info_of(k).api_version() + " " + std::string(info_of(k).kind);
           });
}

} // namespace

document_role role_of(document_type const& type, job_kinds kinds) {
    if (type.api_version.empty() || type.kind.empty()) return document_role::mistaken;
    if (find_job_rules(type.api_version, type.kind, kinds) != nullptr) return document_role::job;
    if (is_list(type, kinds)) return document_role::list;
    auto const group = group_of(type.api_version);
    if (is_job_group(group, kinds))
        return is_neighbour(group, type.kind, kinds) ? document_role::other : document_role::mistaken;
    return is_misspelt_group(group, type.kind, kinds) ? document_role::mistaken : document_role::other;
}

failure unknown_job(document_type const& found, job_kinds kinds) {
    failure f;
    f.code = errc::unknown_kind;
    f.detail.path = found.kind.empty() ? "kind" : "";
    f.detail.message = found.kind.empty() && found.api_version.empty()
                           ? "expected apiVersion and kind of a job, got neither"
                           : "apiVersion \"" + found.api_version + "\" and kind \"" + found.kind +
                                 "\" are not a known job kind" + suggestion_for(found, kinds);
    return f;
}

result<std::vector<document>> objects_of(document whole, decode_options const& options, job_kinds kinds) {
    auto const type = whole.type(options);
    if (!type) return type.error();
    if (role_of(*type, kinds) == document_role::list) return whole.items(options);
    return std::vector<document>{std::move(whole)};
}

result<any_job> parse_job(document& object, decode_options const& options, job_kinds kinds) {
    auto const type = object.type(options);
    if (!type) return type.error();
    auto const* const kind = find_job_rules(type->api_version, type->kind, kinds);
    if (kind == nullptr) {
        failure f = unknown_job(*type, kinds);
        auto const at = object.find("kind");
        f.detail.line = at.line;
        f.detail.column = at.column;
        return f;
    }
    auto job = kind->primary().make();
    if (auto r = object.decode(*kind->primary().model, job.get(), options); !r) return r.error();
    return any_job(*kind, std::move(job));
}

} // namespace kftrain
