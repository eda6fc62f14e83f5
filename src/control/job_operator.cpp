#include <kftrain/control/job_operator.hpp>

#include <kftrain/job/job_rules.hpp>

#include <utility>

namespace kftrain::control {

any_job_operator::any_job_operator(rules::job_rules const& kind, kube::client client, job_operator_options options)
    : controller_operator(kind.with(options.rules), std::move(client),
                          static_cast<controller_operator_options const&>(options)) {}

} // namespace kftrain::control
