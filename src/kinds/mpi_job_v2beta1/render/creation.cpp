#include "kinds/mpi_job_v2beta1/render/creation.hpp"

namespace kftrain::kubeflow_v2beta1 {

rules::recipe ssh_recipe() {
    return rules::recipe_for<core::secret>(rules::ssh_key(rules::ssh_key::algorithm::ecdsa_p521),
                                           [](core::secret& s, rules::key_texts const& keys, std::size_t) {
                                               s.data[std::string(private_key)] = bytes(keys.private_pem);
                                               s.data[std::string(public_key)] = bytes(keys.public_line);
                                           });
}

std::vector<rendered_object> render(mpi_job const& job, priority_map const& priorities,
                                    mpi_operator_options const& options) {
    std::vector<rendered_object> all;
    all.emplace_back(render_service(job, options));
    all.emplace_back(render_config_map(job, {}, options));
    all.emplace_back(render_secret(job)).made.push_back(ssh_recipe());
    if (!is_suspended(job)) {
        if (has_gang(options)) all.emplace_back(render_pod_group(job, priorities, options));
        for (std::int32_t i = 0; i < worker_count(job); ++i) all.emplace_back(render_worker(job, i, options));
    }
    all.emplace_back(render_launcher(job, options));
    return all;
}

} // namespace kftrain::kubeflow_v2beta1
