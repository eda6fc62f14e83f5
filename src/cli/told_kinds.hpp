#ifndef KFTRAIN_SRC_CLI_TOLD_KINDS_HPP
#define KFTRAIN_SRC_CLI_TOLD_KINDS_HPP

#include <kftrain/job/job_rules.hpp>

#include <map>
#include <memory>

namespace kftrain::cli {

/// Keeps the rules of kinds whose operators were told something; whoever asks one of these tells it the same each time.
class told_kinds {
public:
    rules::job_rules const& rules_of(rules::job_rules const& kind, operator_options const& told) {
        auto& kept = all_[&kind];
        if (kept == nullptr) kept = kind.with(told);
        return *kept;
    }

private:
    std::map<rules::job_rules const*, std::shared_ptr<rules::job_rules const>> all_;
};

} // namespace kftrain::cli

#endif
