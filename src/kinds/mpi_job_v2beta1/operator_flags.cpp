#include <kftrain/kinds/mpi_job_v2beta1.hpp>

#include <array>

namespace kftrain::kubeflow_v2beta1 {
namespace {

template <std::string mpi_operator_options::* Member>
result<void> read_text(operator_options& options, std::string_view value) {
    auto own = options.get<mpi_operator_options>();
    own.*Member = value;
    options.set(std::move(own));
    return {};
}

/// Upstream: mpi-operator v0.8.0 `cmd/mpi-operator/app/options/options.go`; the other flags do not affect the rules.
constexpr std::array<operator_flag, 2> flags{{{"gang-scheduling", &read_text<&mpi_operator_options::gang_scheduling>},
                                              {"cluster-domain", &read_text<&mpi_operator_options::cluster_domain>}}};

} // namespace

std::span<operator_flag const> operator_flags() noexcept { return flags; }

} // namespace kftrain::kubeflow_v2beta1
