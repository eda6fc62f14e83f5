#ifndef KFTRAIN_SRC_FACADE_PROGRESS_RECORD_HPP
#define KFTRAIN_SRC_FACADE_PROGRESS_RECORD_HPP

#include <kftrain/facade/job_logs.hpp>
#include <kftrain/facade/job_progress.hpp>

#include <compare>
#include <optional>

namespace kftrain {

/// Selects the log of the primary replica, as training_client::async_progress() documents it.
job_log_options primary_log(membership const& all);

/// The latest progress of one job, found in its output.
class progress_record {
public:
    progress_record() = default;

    /// Returns whether the line is a report of the primary replica, which is now the latest. `now` applies to lines
    /// without a time.
    bool see(log_line const& line, time_point now);
    job_progress const& latest() const noexcept { return latest_; }

private:
    /// The member of the lowest rating decides.
    struct rating {
        rating() = default;

        int by_rank = 0;
        std::string role;
        std::int32_t index = 0;
        friend std::strong_ordering operator<=>(rating const&, rating const&) = default;
    };

    void estimate_rest();

    std::optional<rating> decides_;
    job_progress latest_;
    std::optional<job_progress> first_; ///< since the step was set back the last time
};

} // namespace kftrain

#endif
