#include "cli/cluster/connection/job_pod.hpp"

#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/option_values.hpp"

#include <kftrain/facade/job_state.hpp>
#include <kftrain/job/admission.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>

#include <algorithm>
#include <limits>

namespace kftrain::cli {
namespace {

using stored_pods = std::vector<std::shared_ptr<core::pod const>>;

constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();

/// Calls the server for a T; `start` gets the options and the handler.
template <class T, class Options> result<T> call(connection& c, Options how, auto start) {
    diagnostics why;
    how = c.timed(std::move(how));
    how.detail = &why;
    return kube::run_blocking<T>(c.jobs().get_executor(), why, [&](auto h) { start(how, std::move(h)); });
}

/// Supplies the job with what its replicas depend on, such as the runtime of a TrainJob.
result<void> resolve(connection& c, any_job& job) {
    std::vector<any_object> found;
    for (auto const& t : job.references()) {
        kube::any_api const objects(c.jobs().get_client(), *t.type, t.namespace_);
        auto object = call<any_object>(c, kube::call_options(),
                                       [&](auto const& how, auto h) { objects.async_get(t.name, how, std::move(h)); });
        if (object)
            found.push_back(*std::move(object));
        else if (!is_not_found(object.error().code))
            return object.error();
    }
    return job.resolve_from(found);
}

/// The pods that may belong to the job.
result<stored_pods> pods_of(connection& c, any_job& job) {
    if (auto const resolved = resolve(c, job); !resolved) return resolved.error();
    stored_pods found;
    kube::api<core::pod> const pods(c.jobs().get_client(), job.metadata().namespace_);
    auto const stored = prepared_job::stored(job);
    for (auto const& r : stored.layout().roles) {
        auto const selected = kube::list_options().with_label_selector(r.label_selector());
        auto listed = call<object_list<core::pod>>(
            c, selected, [&](auto const& how, auto h) { pods.async_list(how, std::move(h)); });
        if (!listed) return listed.error();
        for (auto& p : listed->items) found.push_back(std::make_shared<core::pod const>(std::move(p)));
    }
    return found;
}

bool is_chosen(member const& m, pod_choice const& choice) {
    if (choice.rank) return m.rank == choice.rank;
    if (!choice.role.empty()) return m.role == choice.role && m.index == choice.index;
    return m.rank == 0;
}

std::string text_of(pod_choice const& choice) {
    if (choice.rank) return " with rank " + std::to_string(*choice.rank);
    return choice.role.empty() ? std::string() : " " + choice.role + " " + std::to_string(choice.index);
}

} // namespace

void add_replica_choice(CLI::App& command, pod_choice& choice) {
    auto const set_rank = [&choice](std::string const& text) {
        choice.rank = static_cast<std::int32_t>(read_number("--rank", text, {0, largest}));
    };
    auto* const rank =
        command.add_option_function<std::string>("--rank", set_rank, "Use the replica with rank N (default: 0)");
    rank->type_name("N");
    auto* const role =
        command.add_option("--role", choice.role, "Use a replica with this role, for example Worker")->excludes(rank);
    role->type_name("ROLE");
    add_number(command, "--index", choice.index, {0, largest},
               "With --role, use the replica with this index (default: 0)")
        ->needs(role);
}

void add_pod_choice(CLI::App& command, pod_choice& choice) {
    add_replica_choice(command, choice);
    command
        .add_option("-c,--container", choice.container,
                    "Use the container with this name (default: that of the annotation "
                    "kubectl.kubernetes.io/default-container, or the first)")
        ->type_name("NAME");
}

void add_job_of_pod(CLI::App& command, std::string& job) {
    auto const is_name = [](std::string const& text) {
        return text.find('/') == text.npos ? "expected KIND/NAME, got \"" + text + "\"" : std::string();
    };
    command.add_option("JOB", job, "Select the job by kind and name: KIND/NAME")->check(is_name)->required();
}

found<remote_command> find_pod(connection& c, std::string const& job_name, pod_choice const& choice) {
    job_naming which;
    which.names = {job_name};
    auto const named = find_job(c, which);
    if (!named) return reported(named.exit());
    auto job = c.jobs().get(*named, c.timed(kube::call_options()));
    if (!job) return reported(report_job_failure(c, job.error(), *named));
    auto const pods = pods_of(c, *job);
    if (!pods) return reported(report_failure(c.followed(pods.error())));
    auto const ranks = job_state_of(*job, *pods).ranks;
    auto at = std::ranges::find_if(ranks, [&](rank_state const& r) { return is_chosen(r.member, choice); });
    bool const chooses = choice.rank || !choice.role.empty();
    if (at == ranks.end() && !chooses) at = ranks.begin(); // a kind without ranks
    if (at == ranks.end()) {
        complain("the job has no replica" + text_of(choice) +
                 "; \"kftrain get -o yaml\" prints the job with its replicas");
        return reported(bad_usage);
    }
    auto const pod =
        std::ranges::find_if(*pods, [&](auto const& p) { return p->metadata.name == at->member.pod_name; });
    if (pod == pods->end()) {
        complain("the pod of " + at->member.role + " " + std::to_string(at->member.index) + " does not exist");
        return reported(job_failed);
    }
    remote_command what;
    what.namespace_ = job->metadata().namespace_;
    what.pod = at->member.pod_name;
    what.how = c.timed(kube::exec_options());
    what.how.container = choice.container.empty() ? default_container(**pod) : choice.container;
    return what;
}

} // namespace kftrain::cli
