#ifndef KFTRAIN_JOB_ADMISSION_HPP
#define KFTRAIN_JOB_ADMISSION_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/error.hpp>
#include <kftrain/model/any_object.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kftrain {
class prepared_job;
}

namespace kftrain::rules {

/// An object besides the job that its rules read, such as its runtime or its queue. Unlike rules::target, which names
/// an object that a plan writes, it has the type for decoding.
struct reference {
    reference() = default;
    reference(object_type const& t, std::string ns, std::string n)
        : type(&t), namespace_(std::move(ns)), name(std::move(n)) {}

    object_type const* type = nullptr; ///< has static storage duration
    std::string namespace_;            ///< empty for cluster scope
    std::string name;                  ///< name of the object

    friend bool operator==(reference const&, reference const&) = default;
};

/// The input of the webhooks of a kind, in addition to the job as it would be stored.
struct admission_context {
    admission_context() = default;

    void const* before = nullptr; ///< the stored job, of the same struct; null for a creation
    /// The job of a creation, if the caller prepared it as admitted(): its faults are used again.
    prepared_job const* prepared = nullptr;
    /// Reads another object, such as the queue of the job; returns an empty object if there is none. Null: nothing can
    /// be read.
    std::function<any_object(reference const&)> look_up;
};

/// A job is rejected; servers put the name of the webhook before the text.
struct denial {
    denial() = default;
    explicit denial(std::string t, unsigned c = 403, kftrain::reason w = kftrain::reason::forbidden)
        : text(std::move(t)), code(c), why(w) {}

    std::string text;                                 ///< the message, without the name of the webhook
    unsigned code = 403;                              ///< HTTP status code
    kftrain::reason why = kftrain::reason::forbidden; ///< `reason` of the status object in the response
};

/// The answer of the webhooks of a kind.
struct admission_answer {
    admission_answer() = default;

    std::string patch;            ///< JSON patch (RFC 6902) of the submitted job; empty: the job is stored unchanged
    std::optional<denial> denied; ///< absent: the job is admitted
    std::vector<std::string> warnings; ///< shown to the client, even if the job is admitted
};

/** Returns the answer of a validating webhook of controller-runtime for these issues: a single error as it is,
    several in brackets; 403. Warnings stay warnings. */
admission_answer answer_of(issues const& found);

} // namespace kftrain::rules

#endif
