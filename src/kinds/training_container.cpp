#include "kinds/training_container.hpp"

#include "kinds/chainer_job/names.hpp"
#include "kinds/jax_job/kind.hpp"
#include "kinds/mx_job/kind.hpp"
#include "kinds/paddle_job/kind.hpp"
#include "kinds/pytorch_job/kind.hpp"
#include "kinds/pytorch_job_v1alpha1/names.hpp"
#include "kinds/tf_job/kind.hpp"
#include "kinds/xgboost_job/kind.hpp"

#include <kftrain/kinds/all.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace kftrain {
namespace {

using named_container = std::pair<resource_info, std::string_view>;

template <class Kind> constexpr named_container container_of{Kind::object::resource, Kind::constants.container};

constexpr std::array named_containers{
    container_of<kubeflow_v1::jax_kind>, container_of<kubeflow_v1::mx_kind>, container_of<kubeflow_v1::paddle_kind>,
    container_of<kubeflow_v1::pytorch_kind>, container_of<kubeflow_v1::tf_kind>,
    container_of<kubeflow_v1::xgboost_kind>,
    named_container(kubeflow_v1alpha1::chainer_job::resource, kubeflow_v1alpha1::chainer::main_container),
    named_container(kubeflow_v1alpha1::pytorch_job::resource, kubeflow_v1alpha1::pytorch::main_container),
    // The operators prepare the first container for mpirun.
    named_container(kubeflow_v1::mpi_job::resource, std::string_view()),
    named_container(kubeflow_v2beta1::mpi_job::resource, std::string_view())};

} // namespace

std::optional<std::string_view> training_container(resource_info const& kind) noexcept {
    auto const found = std::ranges::find_if(named_containers, [&](named_container const& n) {
        return n.first.kind == kind.kind && n.first.group == kind.group && n.first.version == kind.version;
    });
    if (found == named_containers.end()) return std::nullopt;
    return found->second;
}

} // namespace kftrain
