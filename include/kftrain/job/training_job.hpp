#ifndef KFTRAIN_JOB_TRAINING_JOB_HPP
#define KFTRAIN_JOB_TRAINING_JOB_HPP

#include <kftrain/model/descriptor.hpp>

#include <concepts>

namespace kftrain::rules {
class job_rules;
}

namespace kftrain {

/// A job type whose rules the library provides: see rules::job_rules_of (kftrain/job/job_rules.hpp).
template <class K>
concept training_job = resource<K> && requires {
    { kftrain_job_rules(type_tag<K>()) } -> std::same_as<rules::job_rules const&>;
};

/// Returns the rules of a kind with the default operator options. One object per kind, with static storage duration.
template <training_job K> rules::job_rules const& job_rules_for() noexcept { return kftrain_job_rules(type_tag<K>()); }

} // namespace kftrain

#endif
