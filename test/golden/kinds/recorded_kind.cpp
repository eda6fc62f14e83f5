#include "golden/kinds/recorded_kind.hpp"

#include "golden/checks/operator_pass.hpp"
#include "golden/kinds/flags.hpp"
#include "local/cluster/job_resources.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <stdexcept>

namespace golden {
namespace {

using namespace kftrain;

recorded_kind registered(rules::job_rules const& kind, recorded_case const& c) {
    auto const reported = read_flags(c.about);
    recorded_kind k;
    auto const rules = kind.with(reported);
    k.rules = rules;
    k.served = local::resource_for(kind);
    k.others = local::child_resources_for(*rules);
    k.render = [reported](json::object const& stored) {
        std::vector<rendered_body> bodies;
        for (auto const& child : decode_job(stored).render(reported))
            bodies.emplace_back(collection_path(child.resource()), json::parse(child.to_json()));
        return bodies;
    };
    return k;
}

} // namespace

std::string collection_path(resource_info const& type) {
    return (type.group.empty() ? "/api/" : "/apis/" + std::string(type.group) + "/") + std::string(type.version) +
           "/namespaces/corpus/" + std::string(type.plural);
}

recorded_kind kind_of(recorded_case const& c, allowances const& allowed) {
    auto const version = text(c.job, "apiVersion"), kind = text(c.job, "kind");
    if (version == "kubeflow.org/v2beta1" && kind == "MPIJob") return mpi_job_v2beta1(c, allowed);
    if (auto k = kind_of_v1alpha1(c)) return *std::move(k);
    if (version == "trainer.kubeflow.org/v1alpha1") return train_job_kind(c);
    if (version == "batch.volcano.sh/v1alpha1" && kind == "Job") return volcano_job(c, allowed);
    auto const* known = find_job_rules(version, kind);
    if (known == nullptr) throw std::runtime_error("no such job kind: " + version + " " + kind);
    return registered(*known, c);
}

bool has_kubernetes(recorded_case const& c) { return c.about.contains("controllerManager"); }

} // namespace golden
