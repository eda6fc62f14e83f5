#include <kftrain/kinds/volcano_job.hpp>

#include <array>

namespace kftrain::volcano {
namespace {

result<void> read_scheduler(operator_options& options, std::string_view value) {
    auto own = options.get<volcano_operator_options>();
    own.scheduler_name = value;
    options.set(std::move(own));
    return {};
}

result<void> refused(std::string_view value, std::string_view expected) {
    failure f;
    f.code = errc::invalid_argument;
    f.detail.message = "\"" + std::string(value) + "\", expected " + std::string(expected);
    return f;
}

result<void> read_plugins(operator_options& options, std::string_view value) {
    if (value != "released" && value != "designed") return refused(value, "released or designed");
    auto own = options.get<volcano_operator_options>();
    own.plugins = value == "designed" ? framework_plugins::designed : framework_plugins::released;
    options.set(std::move(own));
    return {};
}

result<void> read_order(operator_options& options, std::string_view value) {
    if (value != "init-containers" && value != "depends-on") return refused(value, "init-containers or depends-on");
    auto own = options.get<volcano_operator_options>();
    own.order = value == "depends-on" ? launch_order::depends_on : launch_order::init_containers;
    options.set(std::move(own));
    return {};
}

/// Upstream: volcano v1.9.0 `cmd/webhook-manager/app/options/options.go`; its other flags do not affect the rules. The
/// last two flags are ours.
constexpr std::array<operator_flag, 3> known_flags{
    {{"scheduler-name", &read_scheduler}, {"volcano-plugins", &read_plugins}, {"volcano-launch-order", &read_order}}};

} // namespace

std::span<operator_flag const> operator_flags() noexcept { return known_flags; }

} // namespace kftrain::volcano
