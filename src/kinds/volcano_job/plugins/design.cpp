#include "kinds/volcano_job/kind.hpp"

#include "base/is_one_of.hpp"
#include "base/joined.hpp"
#include "base/whole_number.hpp"

#include <algorithm>
#include <array>

namespace kftrain::volcano {
namespace {

constexpr std::string_view task_completed = "TaskCompleted";

framework of_mpi(job const& job) {
    auto const s = mpi_of(job, framework_plugins::designed);
    framework f;
    f.roles = {s.master, s.worker};
    f.waiting = {s.master};
    f.awaited = s.worker;
    f.deciding = s.master;
    f.wait = s.wait;
    return f;
}

framework of_mxnet(job const& job) {
    auto const s = mxnet_of(job);
    framework f;
    f.roles = {s.scheduler, s.server, s.worker};
    f.waiting = {s.server, s.worker};
    f.awaited = s.scheduler;
    f.deciding = s.worker;
    f.wait = s.wait;
    return f;
}

framework of_pytorch(job const& job) {
    auto const s = pytorch_of(job, framework_plugins::designed);
    framework f;
    f.roles = {s.master, s.worker};
    f.waiting = {s.worker};
    f.awaited = s.master;
    f.deciding = s.master;
    f.wait = s.wait;
    return f;
}

framework of_tensorflow(job const& job) {
    auto const s = tensorflow_of(job, framework_plugins::designed);
    framework f;
    f.roles = {s.ps, s.worker, s.chief, s.evaluator};
    f.waiting = {s.worker, s.chief};
    f.awaited = s.ps;
    f.deciding = find_task(job, s.chief) != nullptr ? s.chief : s.worker;
    f.wait = s.wait;
    return f;
}

bool is_about(lifecycle_policy const& p, std::string_view event) {
    return p.event == event || is_one_of(event, p.events);
}

bool has_completion_policy(std::vector<lifecycle_policy> const& policies, bool of_task) {
    // A list with `*` may have no other event. The policies of tasks take precedence over those of the job.
    return std::ranges::any_of(
        policies, [&](auto const& p) { return is_about(p, task_completed) || (of_task && is_about(p, "*")); });
}

bool has_own_order(job const& job) {
    return std::ranges::any_of(job.spec.tasks, [](auto const& t) { return t.depends_on.has_value(); });
}

/// Whether this task waits for that one, which exists and has pods.
bool is_later(framework const& f, job const& job, std::string_view task) {
    auto const* const awaited = find_task(job, f.awaited);
    return awaited != nullptr && replicas_of(*awaited) > 0 && task != f.awaited && is_one_of(task, f.waiting);
}

/// Pods of later tasks do not exist yet when the gang enters the queue.
void add_dependencies(job& job, framework const& f) {
    std::int64_t first = 0;
    for (auto& t : job.spec.tasks) {
        if (is_later(f, job, t.name))
            t.depends_on.emplace().name = {f.awaited};
        else
            first += min_available_of(t);
    }
    if (job.spec.min_available == 0 && has_own_order(job))
        job.spec.min_available = static_cast<std::int32_t>(std::clamp<std::int64_t>(first, 0, INT32_MAX));
}

constexpr std::string_view wait_container = "wait-for-tasks";

/** Probes one host after the other, and all of them again after a pause if one does not respond; fails after the first
    round that ends later than the limit. It uses `date`, because small shells such as busybox do not count seconds. */
constexpr std::string_view wait_script = R"(began=$(date +%s)
while :; do
  absent=
  for host in $IP_LIST; do
    ping -c 1 "$host" >/dev/null 2>&1 || { absent=$host; break; }
  done
  [ -n "$absent" ] || exit 0
  if [ $(($(date +%s) - began)) -gt "$WAIT_TIMEOUT" ]; then
    echo "$absent does not answer" >&2
    exit 1
  fi
  sleep 5
done
)";

} // namespace

std::vector<framework> frameworks_of(job const& job) {
    using maker = framework (*)(volcano::job const&);
    static constexpr std::array<std::pair<std::string_view, maker>, 4> makers{{{plugin::mpi, &of_mpi},
                                                                               {plugin::mxnet, &of_mxnet},
                                                                               {plugin::pytorch, &of_pytorch},
                                                                               {plugin::tensorflow, &of_tensorflow}}};
    std::vector<framework> all;
    for (auto const& [name, make] : makers) {
        if (!has_plugin(job, name)) continue;
        auto f = make(job);
        f.plugin = name;
        // Without this task mxnet and pytorch set nothing; the other frameworks depend on no single task.
        bool const leads = name == plugin::mxnet || name == plugin::pytorch;
        if (!leads || find_task(job, f.awaited) != nullptr) all.push_back(std::move(f));
    }
    return all;
}

void complete_as_designed(job& job, volcano_operator_options const& options) {
    auto const all = frameworks_of(job);
    if (all.empty()) return;
    for (auto const& f : all)
        for (auto& t : job.spec.tasks) {
            if (!is_one_of(t.name, f.roles)) continue;
            if (auto& when = t.template_.spec.restart_policy; when.empty()) when = "OnFailure";
            bool const ends_job = t.name == f.deciding && job.spec.tasks.size() > 1;
            if (!ends_job || has_completion_policy(t.policies, true) || has_completion_policy(job.spec.policies, false))
                continue;
            auto& p = t.policies.emplace_back();
            p.event = task_completed;
            p.action = "CompleteJob";
        }
    if (options.order == launch_order::depends_on && !has_own_order(job)) add_dependencies(job, all.front());
}

task_spec const* awaited_task(job const& job, task_spec const& task, volcano_operator_options const& options) {
    if (!is_designed(options) || options.order != launch_order::init_containers || has_own_order(job)) return nullptr;
    auto const all = frameworks_of(job);
    if (all.empty() || !is_later(all.front(), job, task_name(task))) return nullptr;
    return find_task(job, all.front().awaited);
}

std::optional<std::int32_t> processes_of(rank_settings const& s) {
    auto const number = read_whole_number<std::int32_t>(s.processes);
    return number && *number > 0 ? number : std::nullopt;
}

std::string value_fault(job const& job, std::string_view name) {
    if (name == plugin::mpi)
        if (auto const slots = mpi_of(job, framework_plugins::designed).slots; slots < 1)
            return "slots is " + std::to_string(slots) + ", expected 1 or more";
    if (name == plugin::pytorch) {
        auto const s = pytorch_of(job, framework_plugins::designed);
        static constexpr std::array<std::string_view, 3> found_at_run_time{"auto", "cpu", "gpu"};
        if (!processes_of(s) && std::ranges::find(found_at_run_time, s.processes) == found_at_run_time.end())
            return "nproc-per-node is \"" + s.processes + "\", expected 1 or more, auto, cpu or gpu";
    }
    for (auto const& f : frameworks_of(job))
        if (f.plugin == name && f.wait.timeout < 0)
            return "wait-timeout is " + std::to_string(f.wait.timeout) + ", expected 0 or more seconds";
    return {};
}

/// It comes last, so that no plugin gives it keys or hosts that it does not need.
void add_wait(core::pod& pod, job const& job, task_spec const& task, volcano_operator_options const& options) {
    auto const* const awaited = awaited_task(job, task, options);
    auto& all = pod.spec.init_containers;
    if (awaited == nullptr || std::ranges::find(all, wait_container, &core::container::name) != all.end()) return;
    auto const how = frameworks_of(job).front().wait;
    core::container c;
    c.name = wait_container;
    c.image = how.image;
    c.command = {"sh", "-c", std::string(wait_script)};
    c.env.emplace_back("IP_LIST", joined(hosts(job, *awaited), " "));
    c.env.emplace_back("WAIT_TIMEOUT", std::to_string(how.timeout));
    all.push_back(std::move(c));
}

} // namespace kftrain::volcano
