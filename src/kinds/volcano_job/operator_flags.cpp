#include <kftrain/kinds/volcano_job.hpp>

#include <array>
#include <utility>

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

constexpr std::array<std::pair<std::string_view, volcano_release>, 5> releases{{{"v1.9.0", volcano_release::v1_9_0},
                                                                                {"v1.10.0", volcano_release::v1_10_0},
                                                                                {"v1.11.0", volcano_release::v1_11_0},
                                                                                {"v1.12.3", volcano_release::v1_12_3},
                                                                                {"v1.13.0", volcano_release::v1_13_0}}};

result<void> read_release(operator_options& options, std::string_view value) {
    for (auto const& [name, release] : releases) {
        if (name != value) continue;
        auto own = options.get<volcano_operator_options>();
        own.release = release;
        options.set(std::move(own));
        return {};
    }
    return refused(value, "v1.9.0, v1.10.0, v1.11.0, v1.12.3 or v1.13.0");
}

/// Upstream: volcano v1.9.0 `cmd/webhook-manager/app/options/options.go`; its other flags do not affect the rules. The last
/// three are ours.
constexpr std::array<operator_flag, 4> known_flags{{{"scheduler-name", &read_scheduler},
                                                    {"volcano-plugins", &read_plugins},
                                                    {"volcano-launch-order", &read_order},
                                                    {"volcano-release", &read_release}}};

} // namespace

std::span<operator_flag const> operator_flags() noexcept { return known_flags; }

} // namespace kftrain::volcano
