#include <kftrain/job/operator_flag.hpp>
#include <kftrain/job/replica_job.hpp>

#include <array>
#include <charconv>

namespace kftrain {
namespace {

result<void> read_gang_scheduler(operator_options& told, std::string_view value) {
    auto family = told.get<training_operator_options>();
    family.gang_scheduler_name = value;
    told.set(std::move(family));
    return {};
}

constexpr std::array<operator_flag, 1> family{{{"gang-scheduler-name", &read_gang_scheduler}}};

} // namespace

std::span<operator_flag const> replica_operator_flags() noexcept { return family; }

result<std::int32_t> read_flag_number(std::string_view value) {
    std::int32_t number = 0;
    auto const [end, wrong] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (wrong == std::errc() && end == value.data() + value.size() && !value.empty()) return number;
    failure f;
    f.code = errc::invalid_argument;
    f.detail.message = "expected a whole number of 32 bits, got \"" + std::string(value) + "\"";
    return f;
}

} // namespace kftrain
