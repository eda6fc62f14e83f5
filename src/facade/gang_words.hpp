#ifndef KFTRAIN_SRC_FACADE_GANG_WORDS_HPP
#define KFTRAIN_SRC_FACADE_GANG_WORDS_HPP

#include <kftrain/job/any_job.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace kftrain {

/// The gang settings of a job of any kind, if its API has some.
struct gang_words {
    gang_words() = default;

    std::string queue;
    std::string priority_class;
    std::optional<std::int32_t> min_available; ///< of all members together
    /// The path of the settings, for example `spec.runPolicy.schedulingPolicy`.
    std::string path;
    bool needs_queue = false; ///< admission refuses the job whose queue is not there, or closed
};

gang_words gang_words_of(any_job const&);

} // namespace kftrain

#endif
