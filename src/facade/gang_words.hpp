#ifndef KFTRAIN_SRC_FACADE_GANG_WORDS_HPP
#define KFTRAIN_SRC_FACADE_GANG_WORDS_HPP

#include <kftrain/job/any_job.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace kftrain {

/// What jobs of any kind say of their gang, where their API has words for it.
struct gang_words {
    gang_words() = default;

    std::string queue;
    std::string priority_class;
    std::optional<std::int32_t> min_available; ///< of all members together
    /// Where they say it, as `spec.runPolicy.schedulingPolicy`.
    std::string path;
    bool needs_queue = false; ///< admission refuses the job whose queue is not there, or closed
};

gang_words gang_words_of(any_job const&);

} // namespace kftrain

#endif
