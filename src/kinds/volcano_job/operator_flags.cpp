#include <kftrain/kinds/volcano_job.hpp>

#include <array>

namespace kftrain::volcano {
namespace {

result<void> read_scheduler(operator_options& told, std::string_view value) {
    auto own = told.get<job_operator_options>();
    own.scheduler_name = value;
    told.set(std::move(own));
    return {};
}

/// Upstream: volcano v1.9.0 `cmd/webhook-manager/app/options/options.go`; the others tell the rules nothing.
constexpr std::array<operator_flag, 1> known_flags{{{"scheduler-name", &read_scheduler}}};

} // namespace

std::span<operator_flag const> operator_flags() noexcept { return known_flags; }

} // namespace kftrain::volcano
