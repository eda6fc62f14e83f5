#ifndef KFTRAIN_SRC_CLI_MANIFESTS_KINDS_WITH_FLAGS_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_KINDS_WITH_FLAGS_HPP

#include <kftrain/job/job_rules.hpp>

#include <map>
#include <memory>

namespace kftrain::cli {

/// Caches the rules of kinds for one set of operator flags. Callers pass the same flags each time.
class kinds_with_flags {
public:
    rules::job_rules const& rules_of(rules::job_rules const& kind, operator_options const& flags) {
        auto& kept = all_[&kind];
        if (kept == nullptr) kept = kind.with(flags);
        return *kept;
    }

private:
    std::map<rules::job_rules const*, std::shared_ptr<rules::job_rules const>> all_;
};

} // namespace kftrain::cli

#endif
