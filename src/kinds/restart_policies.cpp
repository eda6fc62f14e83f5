#include "kinds/restart_policies.hpp"

#include "kinds/jax_job/kind.hpp"
#include "kinds/mpi_job_v1/kind.hpp"
#include "kinds/mx_job/kind.hpp"
#include "kinds/paddle_job/kind.hpp"
#include "kinds/pytorch_job/kind.hpp"
#include "kinds/tf_job/kind.hpp"
#include "kinds/xgboost_job/kind.hpp"

#include <kftrain/kinds/volcano_job.hpp>

#include <algorithm>

namespace kftrain {
namespace {

template <class Kind> bool restarts_by_exit_code(any_job const& job, std::string_view role) {
    auto const* const own = job.get_if<typename Kind::object>();
    if (own == nullptr) return false;
    typename Kind::options const options{};
    Kind const kind(*own, options);
    auto const* const spec = kind.spec_of(role);
    return spec != nullptr && spec->restart_policy == "ExitCode";
}

template <class... Kinds> bool restarts_by_exit_code_in_one_of(any_job const& job, std::string_view role) {
    return (restarts_by_exit_code<Kinds>(job, role) || ...);
}

} // namespace

std::vector<std::string> policy_events(any_job const& job, std::string_view action) {
    std::vector<std::string> events;
    auto const add = [&](std::string name) {
        if (!name.empty() && std::ranges::find(events, name) == events.end()) events.push_back(std::move(name));
    };
    auto const add_all = [&](std::vector<volcano::lifecycle_policy> const& policies) {
        for (auto const& p : policies) {
            if (p.action != action) continue;
            add(p.event);
            for (auto const& name : p.events) add(name);
            if (p.exit_code) add("exit code " + std::to_string(*p.exit_code));
        }
    };
    auto const* const own = job.get_if<volcano::job>();
    if (own == nullptr) return events;
    for (auto const& t : own->spec.tasks) add_all(t.policies);
    add_all(own->spec.policies);
    return events;
}

bool replaces_pods_without_limit(any_job const& job, std::string_view role) {
    using namespace kubeflow_v1;
    return restarts_by_exit_code_in_one_of<jax_kind, mpi_kind, mx_kind, paddle_kind, pytorch_kind, tf_kind,
                                           xgboost_kind>(job, role);
}

} // namespace kftrain
