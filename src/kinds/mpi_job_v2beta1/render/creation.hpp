#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_RENDER_CREATION_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_RENDER_CREATION_HPP

#include "kinds/mpi_job_v2beta1/render/render.hpp"

#include <kftrain/job/recipe.hpp>

namespace kftrain::kubeflow_v2beta1 {

/// A pair of keys for a secret as render_secret() makes it.
rules::recipe ssh_recipe();

/// An object, and what is still to be made of it.
struct rendered_object {
    rendered_object() = default;
    rendered_object(any_object o) : object(std::move(o)) {}

    any_object object;
    std::vector<rules::recipe> made;
};

/// All of them in the order of their creation, for a job of which nothing runs yet.
std::vector<rendered_object> render(mpi_job const&, priority_map const&, mpi_operator_options const&);

} // namespace kftrain::kubeflow_v2beta1

#endif
