#include "facade/plan/plan_update.hpp"

#include "base/code_points.hpp"
#include "facade/plan/change_judge.hpp"
#include "facade/plan/job_tree.hpp"

#include <kftrain/facade/update_plan.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/model/value_ref.hpp>

#include <algorithm>
#include <exception>
#include <set>

namespace kftrain {
namespace {

namespace json = boost::json;

/// The number of changes that are judged one by one; further ones are judged together.
constexpr std::size_t most_leaves = 64;
/// The same for large jobs, by the number of members that are laid out altogether.
constexpr std::size_t most_members = 100'000;
/// The size of jobs for which fields_that_differ() finds operator-written fields.
constexpr std::size_t most_members_to_complete = 500;

/// The job after its operator's first pass: some kinds get identifiers that stay in their spec.
any_job as_completed(any_job job) {
    json::object tree = job_tree::tree_of(job);
    auto const status = tree.contains("status") ? tree["status"] : json::value();
    tree.erase("status");
    auto const fresh = job_tree::job_of(job.rules(), tree);
    if (!fresh || !prepared_job::stored(*fresh).is_valid()) return job;
    try {
        auto const plan = job.rules().make_plan(fresh->get(), rules::world(), nullptr, time_point());
        for (auto const& step : plan.steps)
            for (auto const& action : step.actions)
                if (auto const* const self = std::get_if<rules::change_self>(&action))
                    tree = job_tree::tree_of(any_job(job.rules(), self->object.erased().get()));
    } catch (std::exception const&) {
        return job; // an operator logs it, and comes back
    }
    tree.erase("status");
    if (!status.is_null()) tree["status"] = status;
    auto completed = job_tree::job_of(job.rules(), tree);
    return completed ? *std::move(completed) : job;
}

/// The job with the defaults of the operator and of the schema, in turn, as operators apply them that write their
/// defaults back.
any_job filled_in(any_job job) {
    if (auto served = job_tree::served_job_of(job.rules(), job_tree::tree_of(job))) job = *std::move(served);
    job.set_defaults();
    if (auto served = job_tree::served_job_of(job.rules(), job_tree::tree_of(job))) job = *std::move(served);
    return job;
}

/// A value that only the operator can have generated: it exists, and the author does not set it.
bool is_generated(rules::job_rules const& kind, difference const& d) {
    auto const field = std::string_view(d.path).substr(d.path.rfind('.') + 1);
    auto const& generated = kind.facts().generated_fields;
    return d.after.empty() && std::ranges::find(generated, field) != generated.end();
}

bool is_large(prepared_job const& job) {
    return !job.is_valid() || job.layout().members.size() > most_members_to_complete;
}

class comparison_of_jobs {
public:
    /// `whole`: fields that the operator writes count in large jobs, too.
    comparison_of_jobs(any_job const& wanted, any_job const& stored, bool whole) {
        auto of_wanted = job_tree::tree_of(wanted);
        auto of_stored = job_tree::tree_of(stored);
        job_tree::carry_over(of_wanted, of_stored);
        any_job const persisted = job_tree::job_of(stored.rules(), of_stored).value_or(stored);
        any_job const written = job_tree::job_of(stored.rules(), of_wanted).value_or(wanted);
        before_ = prepared_job::stored(filled_in(persisted));
        after_ = prepared_job::admitted(filled_in(written));
        if (!differences_to(*after_).empty()) find_kept_defaults(persisted, written);
        if (!whole && (differences_to(*after_).empty() || is_large(after_))) return;
        any_job completed = filled_in(as_completed(written));
        if (differences_to(completed).size() < differences_to(*after_).size())
            after_ = prepared_job::admitted(std::move(completed));
    }

    std::vector<field_change> fields() const {
        std::vector<field_change> found;
        for (auto& d : differences_to(*after_)) {
            auto& field = found.emplace_back();
            field.path = std::move(d.path);
            field.before.text = std::move(d.before);
            field.after.text = std::move(d.after);
        }
        return found;
    }

    update_plan run() {
        update_plan plan;
        plan.exists = true;
        plan.fields = fields();
        if (plan.fields.empty()) return plan;
        change_judge const judge(before_, after_);
        judge_leaves(judge, plan.fields);
        mark_unknown_fields(plan.fields);
        for (auto const& f : plan.fields) plan.effect = std::max(plan.effect, f.effect);
        plan.refusals = judge.refusals();
        if (!plan.refusals.empty()) plan.effect = change_effect::recreation;
        plan.objects = judge.objects();
        return plan;
    }

private:
    std::vector<difference> differences_to(any_job const& job) const {
        auto all = diff(*before_->type().model, before_->get(), job.get());
        std::erase_if(all, [this](difference const& d) {
            return is_generated(before_.rules(), d) || kept_defaults_.contains(d.path);
        });
        return all;
    }

    /** A default that was stored when the job was created stays, whatever it would be for the job as it is written now:
        neither of the two manifests has it. A stored value that is not the default was written, so that leaving it out
        is a change.
        @par Upstream volcano v1.9.0 `pkg/webhooks/admission/jobs/mutate/mutate_job.go`, which fills in defaults on
        creation alone */
    void find_kept_defaults(any_job const& persisted, any_job const& written) {
        auto const from = job_tree::tree_of(persisted);
        auto const to = job_tree::tree_of(written);
        auto bare = from;
        for (auto const& left : job_tree::leaves(from, to))
            if (left.after == nullptr && !left.of_metadata()) bare = job_tree::with(std::move(bare), left);
        auto refilled = job_tree::job_of(before_.rules(), bare);
        if (!refilled) return;
        auto const& model = *before_->type().model;
        for (auto& d : diff(model, written.get(), persisted.get()))
            if (d.before.empty()) kept_defaults_.insert(std::move(d.path));
        any_job const filled = filled_in(*std::move(refilled));
        for (auto const& d : diff(model, before_->get(), filled.get())) kept_defaults_.erase(d.path);
    }

    /// Makes each change alone, and stores its effect in the fields that it changes.
    void judge_leaves(change_judge const& judge, std::vector<field_change>& fields) const {
        auto const from = job_tree::tree_of(*before_);
        auto const to = job_tree::tree_of(*after_);
        auto const all = job_tree::leaves(from, to);
        std::size_t const most = std::min(most_leaves, most_members / (before_.layout().members.size() + 1) + 1);
        for (std::size_t i = 0; i < all.size() && i < most; ++i) {
            auto const next = job_tree::job_of(before_.rules(), job_tree::with(from, all[i]));
            if (!next) continue;
            auto const found = judge.judge(prepared_job::admitted(*next), all[i].of_metadata());
            for (auto const& d : diff(*before_->type().model, before_->get(), next->get())) give(fields, d.path, found);
        }
        judgement rest;
        for (auto& f : fields) {
            if (!f.why.empty()) continue;
            bool const of_metadata = f.path.starts_with("metadata.");
            if (rest.why.empty() || of_metadata) rest = judge.judge(after_, of_metadata);
            f.effect = rest.effect;
            f.why = rest.why;
        }
    }

    /// A server drops fields that its schema does not have, and stores the rest.
    void mark_unknown_fields(std::vector<field_change>& fields) const {
        described_type const type(*before_->type().model);
        for (auto& f : fields) {
            if (type.has_path(f.path)) continue;
            f.effect = change_effect::none;
            f.why = "kftrain does not know the field; a server drops it unless its CustomResourceDefinition has it";
        }
    }

    static void give(std::vector<field_change>& fields, std::string const& path, judgement const& found) {
        auto const field = std::ranges::find(fields, path, &field_change::path);
        if (field == fields.end()) return;
        field->effect = found.effect;
        field->why = found.why;
    }

    prepared_job before_;
    prepared_job after_;
    std::set<std::string> kept_defaults_; ///< paths
};

/// Of a list that is printed.
constexpr std::size_t most_shown = 10;
/// Of a value, in bytes.
constexpr std::size_t longest_value = 80;

std::string shortened(std::string const& text) {
    if (text.size() <= longest_value) return text;
    return text.substr(0, at_character(text, longest_value)) + "...";
}

std::string change_of(field_change const& f) {
    std::string line = "  ";
    if (f.before.text.empty())
        line += "+ " + f.path + ": " + shortened(f.after.text);
    else if (f.after.text.empty())
        line += "- " + f.path + ": " + shortened(f.before.text);
    else
        line += "~ " + f.path + ": " + shortened(f.before.text) + " -> " + shortened(f.after.text);
    return line;
}

std::string line_of(field_change const& f) {
    auto const line = change_of(f) + "  [" + std::string(to_string(f.effect));
    return line + (f.why.empty() ? "]" : ": " + f.why + "]");
}

std::string how_many(std::vector<field_change> const& fields) {
    return fields.size() == 1 ? "1 field differs" : std::to_string(fields.size()) + " fields differ";
}

template <class Items, class Print> void append(std::string& out, Items const& items, Print print) {
    for (std::size_t i = 0; i < std::min(items.size(), most_shown); ++i) out += "\n" + print(items[i]);
    if (items.size() > most_shown) out += "\n  and " + std::to_string(items.size() - most_shown) + " more";
}

} // namespace

update_plan plan_creation(prepared_job const& wanted) {
    update_plan plan;
    for (auto const& o : wanted.render()) {
        auto& one = plan.objects.emplace_back();
        one.kind = o.type().kind();
        one.name = o.metadata().name.empty() ? o.metadata().generate_name : o.metadata().name;
        one.verb = "create";
    }
    return plan;
}

update_plan plan_update(any_job const& wanted, any_job const& stored) {
    return comparison_of_jobs(wanted, stored, true).run();
}

std::vector<field_change> fields_that_differ(any_job const& wanted, any_job const& stored) {
    return comparison_of_jobs(wanted, stored, false).fields();
}

std::string joined_paths(std::vector<field_change> const& fields) {
    std::string out = how_many(fields);
    append(out, fields, change_of);
    return out;
}

std::string_view to_string(change_effect e) noexcept {
    switch (e) {
    case change_effect::none: return "none";
    case change_effect::in_place: return "in place";
    case change_effect::later: return "later";
    case change_effect::recreation: return "recreation";
    }
    return "";
}

std::string update_plan::to_string() const {
    std::string out;
    if (empty())
        out = "nothing changes";
    else if (!exists)
        out = "the job does not exist: it would be created";
    else
        out = how_many(fields) + ", effect: " + std::string(kftrain::to_string(effect));
    append(out, fields, line_of);
    append(out, refusals, [](issue const& i) { return "  refused: " + i.message; });
    append(out, objects, [](object_change_plan const& o) { return "  " + o.verb + " " + o.kind + " " + o.name; });
    append(out, missing, [](std::string const& why) { return "  not read: " + why; });
    return out;
}

} // namespace kftrain
