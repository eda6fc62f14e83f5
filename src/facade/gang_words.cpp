#include "facade/gang_words.hpp"

#include <kftrain/model/value_ref.hpp>

namespace kftrain {

gang_words gang_words_of(any_job const& job) {
    auto const complete = job.with_defaults();
    const_value_ref const all(*complete.type().model, complete.get());
    auto const text = [&](std::string const& path) {
        auto const found = all.find(path);
        auto const value = found ? found->text() : std::string();
        return value ? *value : std::string();
    };
    gang_words words;
    words.path = "spec.runPolicy.schedulingPolicy";
    if (auto const policy = all.find(words.path); policy && !policy->is_absent()) {
        words.queue = text(words.path + ".queue");
        words.priority_class = text(words.path + ".priorityClass");
        auto const least = policy->at("minAvailable");
        if (auto const n = least ? least->integer() : result<std::int64_t>(least.error()))
            words.min_available = static_cast<std::int32_t>(*n);
        return words;
    }
    words.path = "spec";
    words.queue = text("spec.queue");
    words.priority_class = text("spec.priorityClassName");
    words.needs_queue = job.resource().group == "batch.volcano.sh";
    return words;
}

} // namespace kftrain
