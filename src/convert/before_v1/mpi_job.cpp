#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "convert/before_v1/early_job.hpp"
#include "convert/mpi/mpi_parts.hpp"

#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::convert {

/// The spec of an MPIJob of `kubeflow.org/v1alpha2`. @par Upstream mpi-operator `pkg/apis/kubeflow/v1alpha2/types.go`
struct mpi_spec_v1alpha2 {
    mpi_spec_v1alpha2() = default;

    std::optional<std::int32_t> slots_per_worker;
    std::optional<std::int32_t> backoff_limit; ///< used if the run policy has none, as the next
    std::optional<std::int64_t> active_deadline_seconds;
    std::optional<std::string> clean_pod_policy;
    kubeflow_v1::replica_spec_map mpi_replica_specs;
    std::string main_container;
    kubeflow_v1::run_policy run_policy;
    std::optional<std::string> mpi_distribution; ///< open_mpi, intel_mpi or mpich
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(mpi_spec_v1alpha2, (slots_per_worker, backoff_limit, active_deadline_seconds, clean_pod_policy,
                                     mpi_replica_specs, main_container, run_policy, mpi_distribution))

using mpi_job_v1alpha2 = early_job<mpi_spec_v1alpha2>;

/** The spec of an MPIJob of `kubeflow.org/v1alpha1`: one template for the launcher and the workers.
    @par Upstream mpi-operator v0.2.3 `pkg/apis/kubeflow/v1alpha1/types.go` */
struct mpi_spec_v1alpha1 {
    mpi_spec_v1alpha1() = default;

    std::optional<std::int32_t> gpus; ///< of all workers together; the older name of processing_units
    std::optional<std::int32_t> gpus_per_node;
    std::optional<std::int32_t> processing_units;
    std::optional<std::int32_t> processing_units_per_node;
    std::string processing_resource_type; ///< `cpu`; everything else means `nvidia.com/gpu`
    std::optional<std::int32_t> slots_per_worker;
    bool launcher_on_master = false;
    std::optional<std::int32_t> backoff_limit; ///< absent means 6
    std::optional<std::int64_t> active_deadline_seconds;
    std::optional<std::int32_t> replicas; ///< number of workers, if the template has their limits
    core::pod_template_spec template_;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(mpi_spec_v1alpha1,
                 (gpus, gpus_per_node, processing_units, processing_units_per_node, processing_resource_type,
                  slots_per_worker, launcher_on_master, backoff_limit, active_deadline_seconds, replicas, template_))

using mpi_job_v1alpha1 = early_job<mpi_spec_v1alpha1>;

KFTRAIN_TABLE(mpi_spec_v1alpha2)
KFTRAIN_TABLE(mpi_spec_v1alpha1)

namespace {

constexpr std::string_view unknown_in_mpi_v1alpha1 = "An MPIJob of v1alpha1 has no such field.";
constexpr std::string_view template_path = "spec.template";
/// The value of the flags `--gpus-per-node` and `--processing-units-per-node` in the deployment of the operator.
constexpr std::int32_t units_of_deployment = 8;

/** One conversion; refers to the source.
    @par Upstream mpi-operator v0.2.3 `pkg/controllers/v1alpha1/mpi_job_controller.go`; v0.1.0
    `deploy/3-mpi-operator.yaml` */
class mpi_pass_v1alpha1 : public early_pass<mpi_spec_v1alpha1, kubeflow_v1::mpi_job> {
public:
    explicit mpi_pass_v1alpha1(mpi_job_v1alpha1 const& job) : early_pass(job, unknown_in_mpi_v1alpha1) {}

    result<converted<kubeflow_v1::mpi_job>> run() {
        if (from_.template_.spec.containers.empty())
            return refused_field("spec.template.spec.containers", "is empty, expected a container");
        changes_.changed("apiVersion", json_text(job_.api_version), "apiVersion",
                         "The launcher and the workers now have templates of their own.");
        carry_head();
        if (auto fault = count_workers()) return *std::move(fault);
        make_launcher();
        make_workers();
        set_slots();
        convert_policy();
        if (from_.launcher_on_master)
            changes_.dropped("spec.launcherOnMaster", "true",
                             "Current clusters label these nodes node-role.kubernetes.io/control-plane: write the "
                             "affinity and the tolerations into the template of the launcher.");
        moved_.emplace_back(mpi::path_of(mpi::launcher) + ".template", std::string(template_path));
        moved_.emplace_back(mpi::path_of(mpi::worker) + ".template", std::string(template_path));
        return finish();
    }

private:
    static std::string replicas_path() { return mpi::path_of(mpi::worker) + ".replicas"; }
    std::string resource() const {
        return from_.processing_resource_type == "cpu" ? std::string("cpu") : std::string("nvidia.com/gpu");
    }
    std::string limit_path() const {
        return mpi::path_of(mpi::worker) + ".template.spec.containers[0].resources.limits[" + resource() + "]";
    }

    std::optional<failure> count_workers() {
        if (from_.gpus && from_.processing_units)
            return refused_field("spec.processingUnits",
                                 "is set besides gpus, expected one of them: the operator rejects both");
        if (from_.gpus) return divide("gpus", *from_.gpus, from_.gpus_per_node);
        if (from_.processing_units)
            return divide("processingUnits", *from_.processing_units, from_.processing_units_per_node);
        workers_ = from_.replicas.value_or(0);
        if (from_.replicas)
            changes_.changed("spec.replicas", std::to_string(workers_), replicas_path(),
                             "The field is now in the replica type.");
        auto const& limits = from_.template_.spec.containers.front().resources.limits;
        if (auto const at = limits.find(resource()); at != limits.end()) units_ = at->second.value();
        return std::nullopt;
    }

    /// All units of the job are those of so many nodes.
    std::optional<failure> divide(std::string const& field, std::int32_t all, std::optional<std::int32_t> given) {
        auto const per_node = given.value_or(units_of_deployment);
        if (all < 1 || per_node < 1 || (all > per_node && all % per_node != 0))
            return refused_field("spec." + field, "is " + std::to_string(all) + ", expected a multiple of the " +
                                                      std::to_string(per_node) + " of a node, or fewer");
        workers_ = all < per_node ? 1 : all / per_node;
        units_ = std::min(all, per_node);
        changes_.changed("spec." + field, std::to_string(all), replicas_path(),
                         "The operator divided this number among workers that use whole nodes.");
        auto const per = "spec." + field + "PerNode";
        if (given)
            changes_.changed(per, std::to_string(per_node), limit_path(), "The limit of each worker has this number.");
        else
            changes_.approximated(per, absent, limit_path(),
                                  "A flag of the operator decided, which is 8 in its deployment. Check the number of "
                                  "devices of a node, the replicas and slotsPerWorker.");
        return std::nullopt;
    }

    void make_launcher() {
        auto& spec = result_.spec.mpi_replica_specs[std::string(mpi::launcher)];
        spec.replicas = 1;
        spec.template_ = from_.template_;
        auto& pod = spec.template_.spec;
        spec.restart_policy = pod.restart_policy == "Never" ? "Never" : "OnFailure";
        changes_.changed("spec.template.spec.restartPolicy",
                         pod.restart_policy.empty() ? std::string(absent) : json_text(pod.restart_policy),
                         mpi::path_of(mpi::launcher) + ".restartPolicy",
                         "The operator treats every value but Never as OnFailure, and workers always restart.");
        pod.restart_policy.clear();
        auto& resources = pod.containers.front().resources;
        if (!(resources == core::resource_requirements()))
            changes_.changed("spec.template.spec.containers[0].resources", to_json(resources),
                             mpi::path_of(mpi::worker) + ".template.spec.containers[0].resources",
                             "Only workers have these resources.");
        resources = core::resource_requirements();
    }

    void make_workers() {
        auto& spec = result_.spec.mpi_replica_specs[std::string(mpi::worker)];
        spec.replicas = workers_;
        spec.template_ = from_.template_;
        spec.restart_policy = "Always";
        auto& pod = spec.template_.spec;
        pod.restart_policy.clear();
        auto& main = pod.containers.front();
        main.command.clear(); // only the launcher runs it; the operators let workers wait
        main.args.clear();
        if (units_ == 0) return;
        main.resources.limits.insert_or_assign(resource(), quantity(std::to_string(units_)));
        if (!from_.processing_resource_type.empty())
            changes_.changed("spec.processingResourceType", json_text(from_.processing_resource_type), limit_path(),
                             "The limit of the workers names the resource.");
    }

    void set_slots() {
        result_.spec.slots_per_worker = from_.slots_per_worker;
        if (from_.slots_per_worker || units_ < 2) return;
        result_.spec.slots_per_worker = static_cast<std::int32_t>(units_);
        changes_.changed("spec.slotsPerWorker", absent, "spec.slotsPerWorker",
                         "The default was the number of devices of a worker and is now 1.");
    }

    void convert_policy() {
        auto& policy = result_.spec.run_policy;
        policy.clean_pod_policy = "Running";
        changes_.changed("spec", absent, "spec.runPolicy.cleanPodPolicy",
                         "The operator deleted the workers when the launcher had ended.");
        move_to_policy("activeDeadlineSeconds", from_.active_deadline_seconds, policy.active_deadline_seconds);
        move_backoff_limit(from_.backoff_limit);
    }

    std::int32_t workers_ = 0;
    std::int64_t units_ = 0; ///< devices of a worker
};

constexpr std::string_view launcher = "Launcher";
constexpr std::string_view unknown_in_v1alpha2 = "An MPIJob of v1alpha2 has no such field.";

/** One conversion; refers to the source.
    @par Upstream mpi-operator v0.2.3 `pkg/apis/kubeflow/v1alpha2/{types,default}.go` */
class mpi_pass_v1alpha2 : public early_pass<mpi_spec_v1alpha2, kubeflow_v1::mpi_job> {
public:
    explicit mpi_pass_v1alpha2(mpi_job_v1alpha2 const& job) : early_pass(job, unknown_in_v1alpha2) {}

    result<converted<kubeflow_v1::mpi_job>> run() {
        changes_.changed("apiVersion", json_text("kubeflow.org/v1alpha2"), "apiVersion",
                         "The current version is different.");
        carry_head();
        result_.spec.slots_per_worker = from_.slots_per_worker;
        result_.spec.main_container = from_.main_container;
        result_.spec.run_policy = from_.run_policy;
        convert_policy();
        if (auto const& distribution = from_.mpi_distribution)
            changes_.dropped("spec.mpiDistribution", json_text(*distribution),
                             *distribution == "open_mpi"
                                 ? "The current operator supports Open MPI only, without a field."
                                 : "The current operator sets the variables of Open MPI only. MPIJob.v2beta1 has "
                                   "mpiImplementation.");
        for (auto const& [type, given] : from_.mpi_replica_specs) convert_replicas(type, given);
        return finish();
    }

private:
    void convert_policy() {
        auto& policy = result_.spec.run_policy;
        if (!policy.clean_pod_policy) move_to_policy("cleanPodPolicy", from_.clean_pod_policy, policy.clean_pod_policy);
        if (!policy.active_deadline_seconds)
            move_to_policy("activeDeadlineSeconds", from_.active_deadline_seconds, policy.active_deadline_seconds);
        if (!policy.backoff_limit) move_backoff_limit(from_.backoff_limit);
    }

    void convert_replicas(std::string const& type, kubeflow_v1::replica_spec const& given) {
        auto const path = "spec.mpiReplicaSpecs[" + type + "]";
        auto& made = result_.spec.mpi_replica_specs[type] = known_part(given, path);
        if (type == launcher && given.restart_policy != "Never" && given.restart_policy != "OnFailure") {
            made.restart_policy = "OnFailure";
            changes_.changed(path + ".restartPolicy",
                             given.restart_policy.empty() ? std::string(absent) : json_text(given.restart_policy),
                             path + ".restartPolicy",
                             "The operator of v1alpha2 treats every value but Never as OnFailure.");
        }
    }
};

} // namespace

result<converted<kubeflow_v1::mpi_job>> read_mpi_job_v1alpha1(document& text) {
    auto const job = read_source<mpi_job_v1alpha1>(text);
    if (!job) return job.error();
    return mpi_pass_v1alpha1(*job).run();
}

result<converted<kubeflow_v1::mpi_job>> read_mpi_job_v1alpha2(document& text) {
    auto const job = read_source<mpi_job_v1alpha2>(text);
    if (!job) return job.error();
    return mpi_pass_v1alpha2(*job).run();
}

} // namespace kftrain::convert
