#ifndef KFTRAIN_FACADE_PROGRESS_RECORD_HPP
#define KFTRAIN_FACADE_PROGRESS_RECORD_HPP

#include <kftrain/facade/job_logs.hpp>
#include <kftrain/facade/job_progress.hpp>

#include <compare>
#include <optional>

namespace kftrain {

/// Returns options that select the log of the primary replica, as training_client::async_progress() documents it.
job_log_options primary_log(membership const& all);

/** Finds the latest progress of one job in its output, for programs that read the logs anyway. Other programs use
    training_client::async_progress().
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class progress_record {
public:
    progress_record() = default;

    /// Takes the next line of output of any replica. Returns true if it is a report of the primary replica, which is
    /// then the latest one. `now` applies to lines without a time.
    bool take(log_line const& line, time_point now);
    /// Returns the latest report; empty before the first one.
    job_progress const& latest() const noexcept { return latest_; }

private:
    /// The replica with the lowest rating is the primary one.
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
    std::optional<job_progress> first_; ///< first report after the step last decreased
};

} // namespace kftrain

#endif
