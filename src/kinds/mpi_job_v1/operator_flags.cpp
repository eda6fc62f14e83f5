#include "kinds/mpi_job_v1/kind.hpp"

#include <array>

namespace kftrain::kubeflow_v1 {
namespace {

result<void> read_image(operator_options& options, std::string_view value) {
    auto own = options.get<mpi_operator_options>();
    own.kubectl_delivery_image = value;
    options.set(std::move(own));
    return {};
}

constexpr std::array<operator_flag, 1> own_flags{{{"mpi-kubectl-delivery-image", &read_image}}};

} // namespace

std::span<operator_flag const> mpi_kind::flags() noexcept { return own_flags; }

} // namespace kftrain::kubeflow_v1
