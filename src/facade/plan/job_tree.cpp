#include "facade/plan/job_tree.hpp"

#include "model/json/json_members.hpp"

#include <kftrain/facade/submit_options.hpp>
#include <kftrain/job/job_rules.hpp>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>

namespace kftrain::job_tree {
namespace {

using kftrain::detail::to_boost;
using kftrain::detail::to_std;

class comparison {
public:
    explicit comparison(std::vector<leaf>& found) : found_(found) {}

    void objects(json::object const& before, json::object const& after) {
        for (auto const& member : before) {
            std::string const key(to_std(member.key()));
            auto const* const next = after.if_contains(member.key());
            path_.path.emplace_back(key);
            if (next == nullptr)
                note(nullptr);
            else
                values(member.value(), *next);
            path_.path.pop_back();
        }
        for (auto const& member : after) {
            if (before.contains(member.key())) continue;
            path_.path.emplace_back(std::string(to_std(member.key())));
            note(&member.value());
            path_.path.pop_back();
        }
    }

private:
    void values(json::value const& before, json::value const& after) {
        if (before.is_object() && after.is_object()) return objects(before.get_object(), after.get_object());
        auto const* const a = before.if_array();
        auto const* const b = after.if_array();
        if (a == nullptr || b == nullptr || a->size() != b->size()) {
            if (before != after) note(&after);
            return;
        }
        for (std::size_t i = 0; i < a->size(); ++i) {
            path_.path.emplace_back(i);
            values((*a)[i], (*b)[i]);
            path_.path.pop_back();
        }
    }

    void note(json::value const* after) {
        found_.push_back(path_);
        found_.back().after = after;
    }

    std::vector<leaf>& found_;
    leaf path_;
};

json::object& metadata_in(json::object& job) {
    auto& m = job["metadata"];
    return m.is_object() ? m.get_object() : m.emplace_object();
}

/// Notes of the author, which do not affect how the job runs.
void drop_notes(json::object& metadata) {
    auto* const found = metadata.if_contains("annotations");
    auto* const annotations = found != nullptr ? found->if_object() : nullptr;
    if (annotations == nullptr) return;
    annotations->erase(to_boost(submission_annotation));
    annotations->erase("kubectl.kubernetes.io/last-applied-configuration");
    if (annotations->empty()) metadata.erase("annotations");
}

} // namespace

json::object tree_of(any_job const& job) {
    json::parse_options deep;
    deep.max_depth = 1024; // what decoding takes is less
    auto value = json::parse(job.to_json(), {}, deep);
    return std::move(value.get_object());
}

std::optional<any_job> job_of(rules::job_rules const& kind, json::object const& tree) {
    any_job job(kind);
    if (!job.read_json(json::serialize(tree))) return std::nullopt;
    return job;
}

std::optional<any_job> served_job_of(rules::job_rules const& kind, json::object const& tree) {
    any_job job(kind);
    auto const text = set_schema_defaults(kind.schema(), json::serialize(tree));
    if (!text || !job.read_json(*text)) return job_of(kind, tree);
    return job;
}

std::vector<leaf> leaves(json::object const& before, json::object const& after) {
    std::vector<leaf> found;
    comparison(found).objects(before, after);
    return found;
}

json::object with(json::object tree, leaf const& change) {
    json::value whole(std::move(tree));
    json::value* at = &whole;
    for (std::size_t i = 0; i + 1 < change.path.size(); ++i) {
        auto const& step = change.path[i];
        if (auto const* const key = std::get_if<std::string>(&step))
            at = &at->get_object()[*key];
        else
            at = &at->get_array()[std::get<std::size_t>(step)];
    }
    auto const& last = change.path.back();
    if (auto const* const index = std::get_if<std::size_t>(&last))
        at->get_array()[*index] = *change.after;
    else if (change.after != nullptr)
        at->get_object()[std::get<std::string>(last)] = *change.after;
    else
        at->get_object().erase(std::get<std::string>(last));
    return std::move(whole.get_object());
}

void carry_over(json::object& wanted, json::object& stored) {
    auto& to = metadata_in(wanted);
    auto& from = metadata_in(stored);
    drop_notes(to);
    drop_notes(from);
    static constexpr std::array<std::string_view, 2> of_author{"labels", "annotations"};
    json::object merged;
    for (auto const& member : from)
        if (std::ranges::find(of_author, to_std(member.key())) == of_author.end())
            merged[member.key()] = member.value();
    for (auto const name : of_author)
        if (auto const* const given = to.if_contains(to_boost(name))) merged[to_boost(name)] = *given;
    to = std::move(merged);
    if (auto const* const status = stored.if_contains("status"))
        wanted["status"] = *status;
    else
        wanted.erase("status");
}

} // namespace kftrain::job_tree
