#include "golden/kinds/flags.hpp"
#include "golden/kinds/recorded_kind.hpp"
#include "golden/kinds/secret_description.hpp"
#include "kinds/mpi_job_v2beta1/kind.hpp"
#include "local/cluster/job_resources.hpp"
#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/training_job.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>

#include <kftrain/control/content_maker.hpp>

#include <stdexcept>

namespace golden {
namespace {

using namespace kftrain;
using namespace kftrain::kubeflow_v2beta1;

mpi_operator_release release_of(std::string const& version) {
    static std::map<std::string, mpi_operator_release, std::less<>> const known{
        {"v0.6.0", mpi_operator_release::v0_6_0},
        {"v0.8.0", mpi_operator_release::v0_8_0},
        {"v0.8.2", mpi_operator_release::v0_8_2}};
    auto const it = known.find(version);
    if (it == known.end()) throw std::runtime_error("no such release of mpi-operator: " + version);
    return it->second;
}

mpi_operator_options read_options(recorded_case const& c, allowances const& allowed) {
    auto options = read_flags(c.about, job_rules_for<mpi_job>().flags()).get<mpi_operator_options>();
    options.release = release_of(text(c.about, "version"));
    options.shifted_scale_down = allowed.contains("shifted-scale-down");
    return options;
}

/// Of the classes that were there before the job.
priority_map priorities_of(recorded_case const& c) {
    priority_map values;
    for (auto const& event : list_of(c.about, "before")) {
        auto const& object = child_of(event.as_object(), "object");
        if (text(object, "kind") == "PriorityClass")
            values.emplace(text(child_of(object, "metadata"), "name"), object.at("value").to_number<std::int32_t>());
    }
    return values;
}

/// As far as it is looked at: jobs of others, and bad ones, get nothing.
std::vector<rendered_body> render_job(json::object const& stored, priority_map const& priorities,
                                      mpi_operator_options const& options) {
    auto job = from_json<mpi_job>(json::serialize(stored)).value();
    set_defaults(job);
    auto const& manager = job.spec.run_policy.managed_by;
    if ((manager && *manager != own_manager) || !validate_stored(job).empty()) return {};
    std::vector<rendered_body> bodies;
    auto const maker = control::make_content_maker();
    for (auto const& [object, made] : kubeflow_v2beta1::render(job, priorities, options)) {
        auto filled = object;
        for (auto const& recipe : made)
            filled = recipe.filled(filled, maker->make(std::get<rules::ssh_key>(recipe.what)).value(), recipe.slot);
        json::value body = json::parse(filled.to_json());
        describe_secret(body);
        bodies.emplace_back(collection_path(object.resource()), std::move(body));
    }
    return bodies;
}

} // namespace

recorded_kind mpi_job_v2beta1(recorded_case const& c, allowances const& allowed) {
    auto const options = read_options(c, allowed);
    recorded_kind k;
    k.rules = job_rules_for<mpi_job>().with(operator_options().set(options));
    k.served = local::resource_for(job_rules_for<mpi_job>());
    auto& classes = k.others.emplace_back(scheduling::priority_class::resource);
    classes.has_status = false;
    if (has_gang(options)) {
        auto& groups = k.others.emplace_back(*pod_group_type(options).info);
        groups.has_status = !is_volcano(options); // to Volcano the status is a field like others
    }
    k.render = [options, priorities = priorities_of(c)](json::object const& stored) {
        return render_job(stored, priorities, options);
    };
    return k;
}

} // namespace golden
