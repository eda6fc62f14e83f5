#ifndef KFTRAIN_JOB_ADMISSION_HPP
#define KFTRAIN_JOB_ADMISSION_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/error.hpp>
#include <kftrain/job/plan.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::rules {

/// What the webhooks of a kind are asked of a job. The job itself, as it would be stored, stands beside it.
struct admission_question {
    admission_question() = default;

    void const* before = nullptr; ///< the stored job, of the same struct; null when it is being created
    /// Reads another object, such as the queue that the job names; empty if there is none. Null: nothing can be read.
    std::function<any_object(target const&)> look_up;
};

/// A job is turned down; servers put the name of the webhook before the text.
struct denial {
    denial() = default;
    explicit denial(std::string t, unsigned c = 403, kftrain::reason w = kftrain::reason::forbidden)
        : text(std::move(t)), code(c), why(w) {}

    std::string text;
    unsigned code = 403;
    kftrain::reason why = kftrain::reason::forbidden;
};

struct admission_answer {
    admission_answer() = default;

    std::string patch; ///< JSON patch (RFC 6902) of the job as it was submitted; empty: it is stored as it is
    std::optional<denial> denied;
    std::vector<std::string> warnings;
};

/** What found rules become in a validating webhook of controller-runtime: one error stands for itself, several stand in brackets; 403.
    Warnings are warnings. */
admission_answer answer_of(issues const& found);

} // namespace kftrain::rules

#endif
