#include "kinds/pytorch_job/processes.hpp"

#include <charconv>

namespace kftrain::pytorch {

std::optional<std::int64_t> process_count(std::string_view text) noexcept {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-')) return std::nullopt;
    }
    std::int64_t n = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (ec != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return n;
}

std::optional<std::int64_t> stated_processes(pytorch_job const& job) noexcept {
    return job.spec.nproc_per_node ? process_count(*job.spec.nproc_per_node) : std::nullopt;
}

} // namespace kftrain::pytorch
