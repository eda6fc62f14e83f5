#include "kinds/volcano_job/plugins/design.hpp"
#include "kinds/volcano_job/render.hpp"

#include <algorithm>
#include <string_view>

/** @file
    The size of the environments of all pods of a job that list the other pods. */

namespace kftrain::volcano {
namespace {

/// Of the names of all hosts of a task, one after the other, with what stands between two.
double host_bytes(job const& job, task_spec const& task, std::size_t between = 1) {
    auto const count = replicas_of(task);
    return count == 0
               ? 0.0
               : static_cast<double>(count) * static_cast<double>(address(job, task, count - 1).size() + between);
}

double containers_of(task_spec const& task, bool init) {
    auto const& pod = task.template_.spec;
    return static_cast<double>(pod.containers.size() + (init ? pod.init_containers.size() : 0));
}

} // namespace

double environment_bytes(job const& job, volcano_operator_options const& options) {
    auto const tensorflow = tensorflow_of(job, options.plugins);
    auto const mpi = mpi_of(job, options.plugins);
    double cluster = 0, workers = 0, names = 0;
    for (auto const& t : job.spec.tasks) {
        auto const name = task_name(t);
        bool const has_role = name == tensorflow.ps || name == tensorflow.worker || name == tensorflow.chief ||
                              name == tensorflow.evaluator;
        if (has_role) cluster += host_bytes(job, t, std::string_view(R"(":65535",)").size());
        if (name == mpi.worker) workers += host_bytes(job, t);
        // `VC_<TASK>_HOSTS` and `VC_<TASK>_NUM`, each listed twice: as a name, and as the place of its value.
        names += static_cast<double>(4 * t.name.size() + 2 * hosts_name(job).size());
    }
    double bytes = 0;
    for (auto const& t : job.spec.tasks) {
        double each = 0;
        if (has_plugin(job, plugin::tensorflow)) each += containers_of(t, false) * cluster;
        if (has_plugin(job, plugin::mpi) && task_name(t) == mpi.master) each += containers_of(t, true) * workers;
        if (has_plugin(job, plugin::svc)) each += containers_of(t, true) * names;
        if (auto const* const awaited = awaited_task(job, t, options)) each += host_bytes(job, *awaited);
        // A task without pods may get some, and lint looks at its first.
        bytes += static_cast<double>(std::max(replicas_of(t), 1)) * each;
    }
    return bytes;
}

} // namespace kftrain::volcano
