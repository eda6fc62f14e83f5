#ifndef KFTRAIN_FACADE_JOB_PROGRESS_HPP
#define KFTRAIN_FACADE_JOB_PROGRESS_HPP

#include <kftrain/model/scalars.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain {

/** The progress of a training job, as its program reports it in one line of its output. The Python module
    `kftrain.report` and the header `kftrain/report.hpp` write such lines; any program can print them:

        kftrain-progress/1 step=120 total=1000 epoch=2 loss=0.53 rate=812.5 unit=samples/s left=44

    The line may have a prefix, as mpirun and torchrun write it. The fields after the marker are separated by single
    spaces, in any order, each at most once; only `step` is required. Unknown fields are ignored. docs/guides/
    progress-and-timeline.md documents the format.

    The replica with rank 0 decides. If the operator passes no ranks to the pods, the first replica of each role may
    report, and of several that do the one without a rank in the role whose name sorts first. */
struct job_progress {
    job_progress() = default;

    std::optional<std::int64_t> step;  ///< completed steps; absent if nothing was reported
    std::optional<std::int64_t> total; ///< steps of the whole training
    std::optional<std::int64_t> epoch; ///< current epoch
    std::optional<double> loss;        ///< finite
    bool diverged = false;             ///< the reported loss is infinite or not a number
    std::optional<double> rate;        ///< throughput in `unit`; finite, at least 0
    std::string unit;                  ///< of the rate, for example `samples/s`; may be empty
    /// Seconds until the end, by the program or, if it does not report them, by the times of its reports.
    std::optional<std::int64_t> left;
    std::optional<time_point> time; ///< when the line was written, by the clock of the node
    std::string pod;                ///< pod that reported this

    /// Returns whether nothing was reported.
    bool empty() const noexcept { return !step; }
    /// Returns the completed part, 0 to 1, if `total` is known.
    std::optional<double> fraction() const noexcept;
    /// Returns for example `step 120/1000 (12%), epoch 2, loss 0.53, 812.5 samples/s, 44s left`; empty if empty().
    std::string to_string() const;
    /// Returns a compact JSON object in the format of job_state::to_json().
    std::string to_json() const;

    friend bool operator==(job_progress const&, job_progress const&) = default;
};

/** Reads the report in a line of output, without `time` and `pod`. Returns nothing for a line that is no report:
    without the marker in its first 256 bytes, of another version, longer than 1024 bytes, without `step`, or with a
    field that is repeated or has an invalid value. Integers are 0 to 2^53; `left` may have a fraction; `unit` has at
    most 16 letters, digits and `/`, `_`, `-`, `.`, `%`. `loss` may be `nan`, `inf` or `-inf`. Never throws, takes
    linear time. */
std::optional<job_progress> parse_progress(std::string_view line);

} // namespace kftrain

#endif
