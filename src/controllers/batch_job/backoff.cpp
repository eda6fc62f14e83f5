#include "controllers/batch_job/backoff.hpp"

#include <algorithm>

namespace kftrain::controllers::batch_jobs {

failure_record::failure_record(failure_record const& before, pod_list const& succeeded, pod_list const& failed)
    : failures_(before.failures_), last_(before.last_) {
    auto later_than = time_point::min();
    if (!succeeded.empty()) {
        failures_ = 0;
        last_ = {};
        for (auto const* p : succeeded) later_than = std::max(later_than, finished_at(*p));
    }
    bool first = true;
    for (auto const* p : failed) {
        auto const at = finished_at(*p);
        if (!succeeded.empty() && at <= later_than) continue;
        ++failures_;
        last_ = first ? at : std::max(last_, at);
        first = false;
    }
}

time_point failure_record::ready_after(std::int32_t failures, time_point last) noexcept {
    constexpr std::chrono::seconds initial{10}, longest{360};
    if (failures == 0) return time_point::min();
    auto wait = initial;
    for (std::int32_t i = 1; i < failures && wait < longest; ++i) wait = std::min(wait * 2, longest);
    return last + wait;
}

} // namespace kftrain::controllers::batch_jobs
