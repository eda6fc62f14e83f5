#include <kftrain/job/prepared_job.hpp>

#include "model/rules/object_meta.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>
#include <mutex>

namespace kftrain {
namespace {

std::string const empty_job_message = "expected a job, got an empty one";

} // namespace

rules::plan rules::job_rules::make_plan(void const* job, world const& related, std::shared_ptr<memory const> remembered,
                                        time_point now) const {
    // Job and rules outlive the call, and nothing keeps the prepared job beyond it: no copy is needed.
    auto const prepared = prepared_job::stored(*this, erased_object(erased_object(), job));
    return plan_for(job, prepared, related, std::move(remembered), now);
}

rules::admission_answer rules::job_rules::admit(void const* job, admission_context const& context) const {
    bool const known = context.prepared != nullptr && context.before == nullptr;
    return answer_of(known ? context.prepared->faults() : validate(job, context.before));
}

bool has_generated_name(any_job const& job) {
    return job.metadata().name.empty() && !job.metadata().generate_name.empty();
}

/// The parts that several functions need are computed once, when the first of them needs them.
struct prepared_job::parts {
    any_job written;
    any_job named; ///< as webhooks see it, with the completed name; empty: it has a name
    std::shared_ptr<rules::job_rules const> rules; ///< with the options of an operator; null: those of the job
    bool is_stored = false;

    std::once_flag checked, completed, laid_out;
    issues faults;
    any_job complete;
    membership layout;
};

prepared_job::prepared_job(any_job job, std::shared_ptr<rules::job_rules const> rules, bool is_stored)
    : parts_(std::make_shared<parts>()) {
    parts_->written = std::move(job);
    if (has_generated_name(written())) {
        auto& metadata = (parts_->named = written()).metadata();
        metadata.name = sample_of_generated_name(metadata.generate_name);
    }
    parts_->rules = std::move(rules);
    parts_->is_stored = is_stored;
}

prepared_job prepared_job::admitted(any_job job, operator_options const& options) {
    auto rules = job.empty() ? nullptr : job.rules().with(options);
    return {std::move(job), std::move(rules), false};
}

prepared_job prepared_job::by_origin(any_job job, operator_options const* options) {
    bool const is_stored = !job.empty() && !job.metadata().uid.empty();
    auto rules = options == nullptr || job.empty() ? nullptr : job.rules().with(*options);
    return {std::move(job), std::move(rules), is_stored};
}

prepared_job prepared_job::stored(rules::job_rules const& kind, erased_object job) {
    // The job is const from here on, and copies of it are independent.
    return stored(any_job(kind, std::const_pointer_cast<void>(std::move(job))));
}

any_job const& prepared_job::written() const noexcept { return parts_->written; }

any_job const& prepared_job::named() const noexcept { return parts_->named.empty() ? written() : parts_->named; }

rules::job_rules const& prepared_job::rules() const { return parts_->rules ? *parts_->rules : written().rules(); }

any_job const& prepared_job::complete() const {
    std::call_once(parts_->completed, [this] {
        if (empty()) return;
        auto const& job = named();
        auto object = job.type().copy(job.get());
        rules().set_defaults(object.get());
        parts_->complete = any_job(job.rules(), std::move(object));
    });
    return parts_->complete;
}

issues const& prepared_job::faults() const {
    std::call_once(parts_->checked, [this] {
        auto& found = parts_->faults;
        found = empty() ? written().validate() : rules().validate(named().get(), nullptr);
        if (empty() || !parts_->is_stored) return;
        auto const of_new = rules().facts().creation_rules;
        std::erase_if(found, [&](issue const& i) { return std::ranges::find(of_new, i.rule) != of_new.end(); });
    });
    return parts_->faults;
}

bool prepared_job::is_valid() const { return !has_errors(faults()); }

membership const& prepared_job::layout() const {
    std::call_once(parts_->laid_out, [this] {
        if (is_valid()) parts_->layout = rules().lay_out(complete().get());
    });
    return parts_->layout;
}

std::vector<any_object> prepared_job::render() const {
    return is_valid() ? rules().render(complete().get()) : std::vector<any_object>();
}

core::pod prepared_job::pod_of(member const& m) const {
    return is_valid() ? rules().render_pod(complete().get(), layout(), m) : core::pod();
}

std::vector<injected_file> prepared_job::written_files(member const& m) const {
    return is_valid() ? rules().written_files(complete().get(), layout(), m) : std::vector<injected_file>();
}

rules::scaling prepared_job::scaling() const {
    if (!empty()) return rules().scaling(complete().get());
    rules::scaling none;
    none.refused = empty_job_message;
    return none;
}

rules::suspending prepared_job::suspending() const {
    if (!empty()) return rules().suspending(complete().get());
    rules::suspending none;
    none.refused = empty_job_message;
    return none;
}

std::optional<rules::gang_settings> prepared_job::gang() const {
    return empty() ? std::nullopt : rules().gang(complete().get());
}

rules::job_policies prepared_job::policies() const {
    return empty() ? rules::job_policies() : rules().policies(complete().get());
}

result<rules::job_write> prepared_job::scaled(std::string_view role, std::int32_t members) const {
    if (empty()) return rules::cannot("job", empty_job_message);
    return rules().scaled(written().get(), complete().get(), role, members);
}

result<rules::job_write> prepared_job::suspended(bool on) const {
    if (empty()) return rules::cannot("job", empty_job_message);
    return rules().suspended(written().get(), on);
}

} // namespace kftrain
