#include "controllers/batch_job/failure_policy.hpp"
#include "controllers/batch_job/pass.hpp"

#include <kftrain/model/ownership.hpp>

#include <algorithm>

// The pods that a Job makes.
namespace kftrain::controllers::batch_jobs {
namespace {

constexpr rules::event_messages creation{"SuccessfulCreate", "Created pod: {}", "FailedCreate", "Error creating: {}"};

/// The beginning of a generated name; the server adds five characters.
std::string name_of_index(std::string const& job, std::int32_t index) {
    constexpr std::size_t longest = 58;
    auto const end = "-" + std::to_string(index) + "-";
    return job.substr(0, longest - end.size()) + end;
}

void add_index_variable(core::container& c) {
    constexpr std::string_view variable = "JOB_COMPLETION_INDEX";
    if (std::ranges::find(c.env, variable, &core::env_var::name) != c.env.end()) return;
    auto& added = c.env.emplace_back();
    added.name = variable;
    added.value_from.emplace().field_ref.emplace().field_path = "metadata.labels['" + std::string(index_key) + "']";
}

} // namespace

pod pass::new_pod(std::optional<std::int32_t> index) const {
    auto const& from = job_.spec.template_;
    pod p;
    p.metadata.namespace_ = job_.metadata.namespace_;
    p.metadata.generate_name = job_.metadata.name + "-";
    p.metadata.labels = from.metadata.labels;
    p.metadata.annotations = from.metadata.annotations;
    p.metadata.finalizers = from.metadata.finalizers;
    add_finalizer(p.metadata, tracking_finalizer);
    p.metadata.owner_references.push_back(controller_reference(job_));
    p.spec = from.spec;
    if (!index) return p;

    auto const number = std::to_string(*index);
    p.metadata.generate_name = name_of_index(job_.metadata.name, *index);
    p.metadata.annotations[std::string(index_key)] = number;
    p.metadata.labels[std::string(index_key)] = number;
    p.spec.hostname = job_.metadata.name + "-" + number;
    for (auto* list : {&p.spec.init_containers, &p.spec.containers})
        for (auto& c : *list) add_index_variable(c);
    if (!job_.spec.backoff_limit_per_index) return p;

    std::int32_t failures = 0, ignored = 0;
    if (auto const at = delayed_.find(*index); at != delayed_.end()) {
        failures = counted(*at->second, failure_count_key);
        ignored = counted(*at->second, ignored_failure_count_key);
        ++(judge_failed_pod(job_, *at->second).counts ? failures : ignored);
    }
    p.metadata.annotations[std::string(failure_count_key)] = std::to_string(failures);
    if (ignored > 0) p.metadata.annotations[std::string(ignored_failure_count_key)] = std::to_string(ignored);
    return p;
}

std::vector<rules::action> pass::new_pods(std::int64_t count) {
    std::vector<rules::action> made;
    bool const by_index = job_.spec.backoff_limit_per_index.has_value();
    if (!by_index && record_.ready_at() > look_.now) {
        requeue_by(record_.ready_at());
        return made;
    }
    count = std::min<std::int64_t>(count, most_per_plan);
    if (!is_indexed(job_)) {
        for (std::int64_t i = 0; i < count; ++i) made.emplace_back(rules::create(new_pod(std::nullopt), creation));
        return made;
    }
    index_set taken = succeeded_indexes_;
    taken.add(failed_indexes_);
    for (auto const* p : pods_)
        if (auto const index = index_of(*p);
            index && (is_active(*p) || (replaces_failed_only(job_) && is_terminating(*p))))
            taken.add(*index);
    auto const end = completions_of(job_).value_or(0);
    for (auto i = taken.next_absent(0); i < end && count > 0; i = taken.next_absent(i + 1), --count) {
        if (auto const at = delayed_.find(i); by_index && at != delayed_.end()) {
            auto const failures =
                counted(*at->second, failure_count_key) + 1 + counted(*at->second, ignored_failure_count_key);
            auto const ready = failure_record::ready_after(failures, finished_at(*at->second));
            if (ready > look_.now) {
                requeue_by(ready);
                continue;
            }
        }
        made.emplace_back(rules::create(new_pod(i), creation));
    }
    return made;
}

} // namespace kftrain::controllers::batch_jobs
