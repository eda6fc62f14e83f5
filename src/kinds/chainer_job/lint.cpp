#include "kinds/chainer_job/kind.hpp"

#include "job/contract/field_error.hpp"
#include "model/rules/name_syntax.hpp"
#include "objects/pod_validation.hpp"

#include <kftrain/job/lint.hpp>

#include <algorithm>
#include <array>

namespace kftrain::kubeflow_v1alpha1 {
namespace {

using namespace chainer;

/// Rules of ChainerJobs alone.
namespace of {

using enum issue::severity;

constexpr lint_rule container{"lint.chainer.main-container", error,
                              "mpiexec starts processes in the container named chainer of each worker, and the "
                              "operator counts slots by its GPUs."};
constexpr lint_rule master_restart{"lint.chainer.master-restart-policy", error,
                                   "The operator creates a Job for the master. The server rejects a Job with any other "
                                   "policy, and the operator retries forever."};
constexpr lint_rule worker_restart{"lint.chainer.worker-restart-policy", error,
                                   "The operator creates StatefulSets for the workers. The server rejects a "
                                   "StatefulSet with any other policy, and the master waits for the workers forever."};
constexpr lint_rule name{"lint.chainer.name", error,
                         "The server rejects children whose names are too long or not DNS labels. Names of StatefulSet "
                         "pods have eleven more characters. The operator retries forever."};
constexpr lint_rule no_workers{"lint.chainer.no-workers", warning,
                               "An RBAC rule without resource names applies to all of them: without workers the master "
                               "may exec into every pod of the namespace."};
constexpr lint_rule slots{"lint.chainer.slots", warning, "mpiexec starts no process on a host without slots."};
constexpr lint_rule command{"lint.chainer.worker-command", warning,
                            "The master starts processes in running workers. A worker without a command runs the entry "
                            "point of the image, and restarts when it ends."};
constexpr lint_rule proposal{
    "lint.chainer.proposal-field", warning,
    "The field exists only in the proposal. The operator does not read it, and a job without workerSets is one pod."};
constexpr lint_rule ignored{"lint.chainer.ignored-field", info,
                            "The operator ignores the field if the job has no workerSets."};
constexpr lint_rule environment{
    "lint.chainer.reserved-environment", warning,
    "The operator appends its own variables after those of the template, and the last of equal names wins."};
constexpr lint_rule labels{"lint.chainer.reserved-label", warning,
                           "The operator overwrites its own labels on pods and their owners."};
constexpr lint_rule account{
    "lint.chainer.service-account", warning,
    "All pods run as the service account that the operator creates. This account may exec into the workers."};
constexpr lint_rule pod{"lint.chainer.pod", error,
                        "The server rejects pods that violate its validation rules, but it accepts the job. The "
                        "operator then retries forever."};

constexpr std::array all{container, master_restart, worker_restart, name,   no_workers, slots, command,
                         proposal,  ignored,        environment,    labels, account,    pod};

} // namespace of

void lint_names(chainer_job const& job, issues& found) {
    std::string const path = "metadata.name";
    auto const check = [&](std::string const& made, std::size_t longest, std::string const& at) {
        auto faults = dns_label_faults(made);
        if (made.size() > longest)
            faults = {"must be no more than " + std::to_string(longest) + " characters, is " +
                      std::to_string(made.size())};
        if (!faults.empty()) report(found, of::name, at, "creates the name " + in_quotes(made) + ": " + faults.front());
        return faults.empty();
    };
    // Dots do for a Job, whose name becomes a label.
    if (master_name(job).size() > 63) check(master_name(job), 63, path);
    for (auto const& [set, spec] : job.spec.worker_sets)
        if (!check(set_name(job, set), 52, "spec.workerSets[" + set + "]")) return;
}

void lint_hosts(chainer_job const& job, chainer_job const& submitted, issues& found) {
    if (submitted.spec.unknown.find("worker") != nullptr)
        report(found, of::proposal, "spec.worker", "has no effect, expected workerSets");
    if (submitted.spec.master.unknown.find("replicas") != nullptr)
        report(found, of::proposal, "spec.master.replicas", "has no effect, because a job always has one master");
    if (!is_distributed(job)) {
        if (!submitted.spec.backend.empty()) report(found, of::ignored, "spec.backend", "has no effect");
        if (submitted.spec.master.mpi_config) report(found, of::ignored, "spec.master.mpiConfig", "has no effect");
        return;
    }
    if (lay_out(job).members.size() == 1)
        report(found, of::no_workers, "spec.workerSets", "has no replicas, expected at least one");
    auto const check = [&](boxed<mpi_config> const& config, std::string const& path) {
        if (slots_of(config) < 1)
            report(found, of::slots, path + ".mpiConfig.slots",
                   std::to_string(slots_of(config)) + ", expected at least 1");
    };
    check(job.spec.master.mpi_config, "spec.master");
    for (auto const& [name, set] : job.spec.worker_sets) check(set.mpi_config, "spec.workerSets[" + name + "]");
}

void lint_environment(core::container const& written, core::container const& made, std::string const& path,
                      issues& found) {
    for (std::size_t v = 0; v < written.env.size(); ++v)
        for (std::size_t own = written.env.size(); own < made.env.size(); ++own)
            if (made.env[own].name == written.env[v].name)
                report(found, of::environment, path + ".env[" + std::to_string(v) + "]",
                       written.env[v].name + " has no effect: the operator sets it to " +
                           in_quotes(made.env[own].value));
}

void lint_template(chainer_job const& job, core::pod_template_spec const& given, member const& m,
                   std::string const& path, issues& found) {
    bool const is_master = m.role == master_role;
    auto const& policy = given.spec.restart_policy;
    if (is_master && policy != "Never" && policy != "OnFailure")
        report(found, of::master_restart, path + ".spec.restartPolicy",
               in_quotes(policy) + ", expected Never or OnFailure");
    if (!is_master && !policy.empty() && policy != "Always")
        report(found, of::worker_restart, path + ".spec.restartPolicy",
               in_quotes(policy) + ", expected no value or Always");
    auto const& containers = given.spec.containers;
    auto const trains = std::ranges::find(containers, main_container, &core::container::name);
    if (is_distributed(job) && trains == containers.end())
        report(found, of::container, path + ".spec.containers", "has no container named chainer");
    if (!is_master && trains != containers.end() && trains->command.empty() && trains->args.empty())
        report(found, of::command, path + ".spec.containers", "the container chainer has neither command nor args");
    for (auto const& [key, value] : pod_labels(job, is_master ? std::string_view() : m.role))
        if (auto const own = given.metadata.labels.find(key);
            own != given.metadata.labels.end() && own->second != value)
            report(found, of::labels, path + ".metadata.labels[" + key + "]",
                   in_quotes(own->second) + " is overwritten by " + in_quotes(value));
    if (auto const& name = given.spec.service_account_name; !name.empty())
        report(found, of::account, path + ".spec.serviceAccountName", in_quotes(name) + " is overwritten");
    auto made = render_pod(job, m);
    for (std::size_t i = 0; i < containers.size(); ++i)
        lint_environment(containers[i], made.spec.containers[i], path + ".spec.containers[" + std::to_string(i) + "]",
                         found);
    if (made.metadata.name.empty()) made.metadata.name = made.metadata.generate_name + "00000";
    auto const is_reported_above = [](std::string_view field) {
        return field == "spec.restartPolicy" || field == "spec.hostname" || field == "spec.subdomain";
    };
    for (auto const& f : created_pod_faults(made))
        if (!is_reported_above(f.field)) report(found, of::pod, path + "." + f.field, f.message);
}

} // namespace

std::span<lint_rule const> chainer_lint_rules() noexcept { return of::all; }

void lint(chainer_job const& written, chainer_job const& job, issues& found) {
    if (!validate(job).empty()) return; // its operator creates nothing
    lint_names(job, found);
    lint_hosts(job, written, found);
    member m;
    m.role = master_role;
    lint_template(job, job.spec.master.template_, m, "spec.master.template", found);
    for (auto const& [name, set] : job.spec.worker_sets) {
        m.role = name;
        m.pod_name = worker_name(job, name, 0);
        lint_template(job, set.template_, m, "spec.workerSets[" + name + "].template", found);
    }
}

} // namespace kftrain::kubeflow_v1alpha1
