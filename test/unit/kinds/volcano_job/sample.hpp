#ifndef KFTRAIN_TEST_UNIT_KINDS_VOLCANO_JOB_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_KINDS_VOLCANO_JOB_SAMPLE_HPP

#include "kinds/volcano_job/kind.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/model/codec.hpp>

#include <string>
#include <vector>

/// Volcano Jobs as users write them.
namespace volcano_sample {

using namespace kftrain;
using namespace kftrain::volcano;

using lines = std::vector<std::string>;

inline time_point at(int seconds) { return time_point(std::chrono::seconds(1767225600 + seconds)); }

inline task_spec task(std::string name, std::int32_t replicas) {
    task_spec t;
    t.name = std::move(name);
    t.replicas = replicas;
    core::container c;
    c.name = "main";
    c.image = "img:1";
    t.template_.spec.containers.push_back(std::move(c));
    t.template_.spec.restart_policy = "Never";
    return t;
}

inline volcano_job job_of(std::string name, std::vector<task_spec> tasks) {
    volcano_job j;
    j.metadata.name = std::move(name);
    j.metadata.namespace_ = "ns";
    j.metadata.uid = "uid-1";
    j.spec.tasks = std::move(tasks);
    return j;
}

inline volcano_job complete(volcano_job j) {
    set_defaults(j);
    return j;
}

inline volcano_operator_options release(volcano_release r) {
    volcano_operator_options options;
    options.release = r;
    return options;
}

inline lifecycle_policy on(std::string event, std::string action) {
    lifecycle_policy p;
    p.event = std::move(event);
    p.action = std::move(action);
    return p;
}

inline lifecycle_policy on_code(std::int32_t code, std::string action) {
    lifecycle_policy p;
    p.exit_code = code;
    p.action = std::move(action);
    return p;
}

/// The pod of a task's replica, by the name of the task.
inline core::pod pod_of(volcano_job const& j, std::string_view name, std::int32_t index,
                        volcano_release r = volcano_release::v1_9_0) {
    return render_pod(j, *find_task(j, name), index, release(r));
}

/// The value of a variable of the first container; `-` if there is none.
inline std::string variable(core::pod const& p, std::string_view name) {
    for (auto const& v : p.spec.containers.front().env)
        if (v.name == name) return v.value;
    return "-";
}

} // namespace volcano_sample

#endif
