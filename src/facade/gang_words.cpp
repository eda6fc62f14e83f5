#include "facade/gang_words.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/model/reflect.hpp>

#include <type_traits>

namespace kftrain {

// The fields of the kinds of Kubeflow and Volcano that configure a gang; other fields are ignored.
struct told_scheduling_policy {
    told_scheduling_policy() = default;

    std::string queue;
    std::string priority_class;
    std::optional<std::int32_t> min_available;
};
BOOST_DESCRIBE_STRUCT(told_scheduling_policy, (), (queue, priority_class, min_available))

struct told_run_policy {
    told_run_policy() = default;

    std::optional<told_scheduling_policy> scheduling_policy;
};
BOOST_DESCRIBE_STRUCT(told_run_policy, (), (scheduling_policy))

struct told_spec {
    told_spec() = default;

    std::string queue;
    std::string priority_class_name;
    told_run_policy run_policy;
};
BOOST_DESCRIBE_STRUCT(told_spec, (), (queue, priority_class_name, run_policy))

struct told_gang {
    told_gang() = default;

    told_spec spec;
};
BOOST_DESCRIBE_STRUCT(told_gang, (), (spec))

gang_words gang_words_of(any_job const& job) {
    gang_words words;
    auto const read = from_json<told_gang>(job.with_defaults().to_json());
    if (!read) return words; // a kind that means something else by these names
    auto const& spec = read->spec;
    if (auto const& policy = spec.run_policy.scheduling_policy) {
        words.queue = policy->queue;
        words.priority_class = policy->priority_class;
        words.min_available = policy->min_available;
        words.path = "spec.runPolicy.schedulingPolicy";
        return words;
    }
    words.queue = spec.queue;
    words.priority_class = spec.priority_class_name;
    words.path = "spec";
    words.needs_queue = job.resource().group == "batch.volcano.sh";
    return words;
}

} // namespace kftrain
