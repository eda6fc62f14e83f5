#include "kinds/pytorch_job/kind.hpp"

#include <array>

namespace kftrain::kubeflow_v1 {
namespace {

result<void> read_image(operator_options& options, std::string_view value) {
    auto own = options.get<pytorch_operator_options>();
    own.init_container_image = value;
    options.set(std::move(own));
    return {};
}

result<void> read_tries(operator_options& options, std::string_view value) {
    auto const tries = read_flag_number(value);
    if (!tries) return tries.error();
    auto own = options.get<pytorch_operator_options>();
    own.init_container_max_tries = *tries;
    options.set(std::move(own));
    return {};
}

constexpr std::array<operator_flag, 2> own_flags{
    {{"pytorch-init-container-image", &read_image}, {"pytorch-init-container-max-tries", &read_tries}}};

} // namespace

std::span<operator_flag const> pytorch_kind::flags() noexcept { return own_flags; }

} // namespace kftrain::kubeflow_v1
