#include "property/recorded_jobs.hpp"
#include "property/unreported_fields.hpp"

#include <kftrain/convert/volcano_job.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <map>

BOOST_AUTO_TEST_SUITE(property_conversions_to_volcano)

using namespace kftrain;

namespace {

using variables = std::map<std::string, std::string>;

/// Names of pods of roles that have ranks in both; of an MPIJob only those of the workers stay. The first replica of a
/// PaddleJob is a task of its own, and the index of the others counts from the second.
std::vector<std::string> pod_names(any_job const& job) {
    std::vector<std::string> names;
    for (auto const& m : job.with_defaults().members().members)
        if (m.role.ends_with("-others"))
            names.push_back(job.metadata().name + "-" + m.role.substr(0, m.role.find('-')) + "-" +
                            std::to_string(m.index + 1));
        else if (m.role != "Launcher" && m.role != "launcher")
            names.push_back(m.pod_name);
    std::ranges::sort(names);
    return names;
}

/// Refusals of jobs that only Volcano or its plugins reject: names of pods that are too long, values that a server of
/// kubeflow.org would have rejected before, no pods, and workers of PyTorch without a master.
constexpr std::array<std::string_view, 9> refusals{"name part must be no more than 63 characters",
                                                   "Unsupported value: \"Sometimes\"",
                                                   "name: Required value",
                                                   "'replicas' < 0",
                                                   "'minAvailable' must be >= 0",
                                                   "No task specified in job spec",
                                                   "expected one: the plugin pytorch sets no variables without it",
                                                   "expected the name of a service",
                                                   "'minAvailable' should not be greater than total replicas"};

template <class Job> void results_are_jobs_of_volcano(std::string const& folder) {
    property::check_conversions<Job, volcano_job>(
        folder, refusals, 10, [](Job const& job) { return convert::to_volcano(job); },
        [](std::string const& name, any_job const& from, any_job const& result) {
            BOOST_TEST(result.with_defaults().members().members.size() == from.with_defaults().members().members.size(),
                       name);
            BOOST_TEST((pod_names(result) == pod_names(from)), name);
        });
}

/// Without what stands behind the host in its names: `.<job>`, or `.<namespace>.svc`.
std::string without_domains(std::string text, std::string const& job, std::string const& job_namespace) {
    for (auto const& end : {"." + job, "." + job_namespace + ".svc"})
        for (std::size_t at = 0; (at = text.find(end, at)) != std::string::npos;) {
            auto const next = at + end.size();
            if (next < text.size() && text.find_first_of(",:\"", next) != next)
                at = next;
            else
                text.erase(at, end.size());
        }
    return text;
}

/// The environment of the process in a container, with references to other variables and to labels of the pod.
variables variables_in(core::pod const& pod, std::string const& container, any_job const& job) {
    variables all;
    for (auto const& c : pod.spec.containers) {
        if (c.name != container) continue;
        for (auto const& v : c.env) {
            std::string value = v.value;
            if (v.value_from && v.value_from->field_ref) {
                auto const& path = v.value_from->field_ref->field_path;
                constexpr std::string_view start = "metadata.labels['";
                if (path.starts_with(start))
                    value = pod.metadata.labels.at(path.substr(start.size(), path.size() - start.size() - 2));
            }
            for (auto const& [name, known] : all)
                if (auto const at = value.find("$(" + name + ")"); at != std::string::npos)
                    value.replace(at, name.size() + 3, known);
            all[v.name] = without_domains(value, job.metadata().name, job.metadata().namespace_);
        }
    }
    return all;
}

/// By pod.
std::map<std::string, variables> container_variables(any_job const& job, std::string const& container) {
    std::map<std::string, variables> all;
    for (auto const& object : job.with_defaults().render())
        if (auto const* const pod = object.get_if<core::pod>())
            all[pod->metadata.name] = variables_in(*pod, container, job);
    return all;
}

bool is_dropped(std::vector<convert::change> const& changes, std::string const& path) {
    return std::ranges::any_of(changes, [&](auto const& c) { return c.path == path; });
}

/// Reads the value of each variable in each pod of each job.
template <class Job>
void variables_are_the_same(std::string const& folder, std::string const& container,
                            std::vector<std::string> const& names, std::string const& but_where = "none") {
    std::size_t compared = 0;
    for (auto const& [name, given] : property::recorded_jobs<Job>(folder)) {
        auto job = given;
        if (job.metadata.namespace_.empty()) job.metadata.namespace_ = "default";
        auto const made = convert::to_volcano(job);
        if (!made || is_dropped(made->changes, but_where)) continue;
        auto const was = container_variables(any_job(job), container),
                   is = container_variables(any_job(made->job), container);
        for (auto const& [pod, reported] : was)
            for (auto const& variable : names) {
                bool const known = reported.contains(variable);
                BOOST_TEST_REQUIRE(is.contains(pod), name << ": " << pod);
                BOOST_TEST(is.at(pod).contains(variable) == known, name << ": " << pod << " " << variable);
                if (!known || !is.at(pod).contains(variable)) continue;
                ++compared;
                BOOST_TEST(is.at(pod).at(variable) == reported.at(variable), name << ": " << pod << " " << variable);
            }
    }
    BOOST_TEST(compared > 30U);
}

/// Hosts by role without ports, and the own role and index.
std::map<std::string, std::string> tf_cluster_of(std::string const& config) {
    std::map<std::string, std::string> all;
    auto const whole = boost::json::parse(config);
    for (auto const& [role, hosts] : whole.at("cluster").as_object()) {
        auto& text = all[std::string(role)];
        for (auto const& host : hosts.as_array()) {
            std::string const name(host.as_string());
            text += name.substr(0, name.find_first_of(".:")) + " ";
        }
        if (text.empty()) all.erase(std::string(role)); // which a type without replicas has in one of the two
    }
    auto const& task = whole.at("task");
    all["task"] = std::string(task.at("type").as_string()) + " " + std::to_string(task.at("index").as_int64());
    return all;
}

/// Of workers by plugin mpi, in the order of the file of hosts.
std::vector<std::string> hosts_by_plugin(volcano_job const& job) {
    std::vector<std::string> hosts;
    std::string text = container_variables(
        any_job(job),
        job.spec.tasks.at(0).template_.spec.containers.at(0).name)[job.metadata.name + "-launcher-0"]["MPI_HOST"];
    for (std::size_t at = 0; at < text.size();) {
        auto const end = std::min(text.find(',', at), text.size());
        hosts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return hosts;
}

template <class Job> void hosts_keep_their_order(std::string const& folder) {
    std::size_t compared = 0;
    for (auto const& [name, job] : property::recorded_jobs<Job>(folder)) {
        auto const made = convert::to_volcano(job);
        if (!made || made->job.spec.plugins.find("mpi") == made->job.spec.plugins.end()) continue;
        std::vector<std::pair<std::int64_t, std::string>> ranked;
        for (auto const& m : any_job(job).with_defaults().members().members)
            if (m.role == "Worker" && m.rank) ranked.emplace_back(*m.rank, m.pod_name);
        std::ranges::sort(ranked);
        std::vector<std::string> expected;
        for (auto const& [rank, pod] : ranked) expected.push_back(pod);
        BOOST_TEST((hosts_by_plugin(made->job) == expected), name);
        compared += expected.size();
    }
    BOOST_TEST(compared > 30U);
}

/// Whether the types are TensorFlow's; for others the conversion reports that TF_CONFIG differs.
bool is_plain(tf_job const& job) {
    static constexpr std::array<std::string_view, 5> known{"Chief", "Evaluator", "Master", "PS", "Worker"};
    return std::ranges::all_of(job.spec.tf_replica_specs,
                               [](auto const& entry) { return std::ranges::find(known, entry.first) != known.end(); });
}

} // namespace

BOOST_AUTO_TEST_CASE(recorded_pytorch_jobs_become_jobs_of_volcano) {
    results_are_jobs_of_volcano<pytorch_job>("pytorchjob");
}
BOOST_AUTO_TEST_CASE(recorded_tf_jobs_become_jobs_of_volcano) { results_are_jobs_of_volcano<tf_job>("tfjob"); }
BOOST_AUTO_TEST_CASE(recorded_xgboost_jobs_become_jobs_of_volcano) {
    results_are_jobs_of_volcano<xgboost_job>("xgboostjob");
}
BOOST_AUTO_TEST_CASE(recorded_paddle_jobs_become_jobs_of_volcano) {
    results_are_jobs_of_volcano<paddle_job>("paddlejob");
}
BOOST_AUTO_TEST_CASE(recorded_jax_jobs_become_jobs_of_volcano) { results_are_jobs_of_volcano<jax_job>("jaxjob"); }
BOOST_AUTO_TEST_CASE(recorded_mx_jobs_become_jobs_of_volcano) { results_are_jobs_of_volcano<mx_job>("mxjob"); }
BOOST_AUTO_TEST_CASE(recorded_mpi_jobs_become_jobs_of_volcano) {
    results_are_jobs_of_volcano<kubeflow_v1::mpi_job>("mpijob");
    results_are_jobs_of_volcano<kubeflow_v2beta1::mpi_job>("mpi-operator");
}

/// With several processes in each pod, the change list reports their number as dropped.
BOOST_AUTO_TEST_CASE(pods_of_converted_jobs_keep_their_ranks) {
    variables_are_the_same<pytorch_job>("pytorchjob", "pytorch",
                                        {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "PYTHONUNBUFFERED"},
                                        "spec.nprocPerNode");
    variables_are_the_same<xgboost_job>(
        "xgboostjob", "xgboost",
        {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "WORKER_ADDRS", "WORKER_PORT", "PYTHONUNBUFFERED"});
    variables_are_the_same<jax_job>("jaxjob", "jax",
                                    {"COORDINATOR_ADDRESS", "COORDINATOR_PORT", "NUM_PROCESSES", "PROCESS_ID"});
}

BOOST_AUTO_TEST_CASE(pods_of_converted_mx_jobs_keep_their_variables) {
    variables_are_the_same<mx_job>("mxjob", "mxnet",
                                   {"MX_CONFIG", "DMLC_PS_ROOT_URI", "DMLC_PS_ROOT_PORT", "DMLC_NUM_SERVER",
                                    "DMLC_NUM_WORKER", "DMLC_ROLE", "DMLC_USE_KUBERNETES", "DMLC_WORKER_ID"});
}

/// A master is called chief.
BOOST_AUTO_TEST_CASE(pods_of_converted_tf_jobs_keep_their_hosts) {
    std::size_t compared = 0;
    for (auto const& [name, job] : property::recorded_jobs<tf_job>("tfjob")) {
        auto const made = convert::to_volcano(job);
        if (!made || job.spec.enable_dynamic_worker || !is_plain(job)) continue;
        auto const was = container_variables(any_job(job), "tensorflow"),
                   is = container_variables(any_job(made->job), "tensorflow");
        for (auto const& [pod, reported] : was) {
            auto const config = reported.find("TF_CONFIG");
            BOOST_TEST((config != reported.end()) == is.at(pod).contains("TF_CONFIG"), name << ": " << pod);
            if (config == reported.end() || !is.at(pod).contains("TF_CONFIG")) continue;
            auto expected = tf_cluster_of(config->second);
            if (expected.contains("master") && !expected.contains("chief")) {
                expected["chief"] = expected["master"];
                expected.erase("master");
                if (expected["task"].starts_with("master")) expected["task"].replace(0, 6, "chief");
            }
            BOOST_TEST((tf_cluster_of(is.at(pod).at("TF_CONFIG")) == expected), name << ": " << pod);
            ++compared;
        }
    }
    BOOST_TEST(compared > 30U);
}

BOOST_AUTO_TEST_CASE(hosts_of_converted_mpi_jobs_keep_their_order) {
    hosts_keep_their_order<kubeflow_v1::mpi_job>("mpijob");
    hosts_keep_their_order<kubeflow_v2beta1::mpi_job>("mpi-operator");
}

BOOST_AUTO_TEST_SUITE_END()
