#include "kinds/pytorch_job/processes.hpp"

#include <charconv>

namespace kftrain::pytorch {

std::optional<std::int64_t> stated_processes(pytorch_job const& job) noexcept {
    if (!job.spec.nproc_per_node) return std::nullopt;
    std::string_view text = *job.spec.nproc_per_node;
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-')) return std::nullopt;
    }
    std::int64_t n = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (ec != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return n;
}

} // namespace kftrain::pytorch
