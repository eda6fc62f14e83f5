#include "convert/to_volcano/mpi_task.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace kftrain::convert::mpi {
namespace {

constexpr std::string_view old_folder = "/etc/mpi/";
constexpr std::string_view old_hosts = "/etc/mpi/hostfile";
constexpr std::string_view kubexec_script = "/etc/mpi/kubexec.sh"; ///< of v1: calls kubectl exec

std::string item(std::string_view list, std::size_t i) {
    return std::string(list).append("[").append(std::to_string(i)).append("]");
}

/// Whether the text has changed.
bool replace_all(std::string& text, std::string_view what, std::string_view with) {
    bool found = false;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
        text.replace(at, what.size(), with);
        found = true;
    }
    return found;
}

} // namespace

task_pass::task_pass(volcano_draft& draft, std::string_view type)
    : draft_(draft), path_(draft.path_of(std::string(type))) {
    auto const& tasks = draft.job.spec.tasks;
    auto const found = std::ranges::find(tasks, to_lower(type), &volcano::task_spec::name);
    index_ = static_cast<std::size_t>(found - tasks.begin());
}

std::string task_pass::add(std::string name, std::string value) {
    auto& env = container().env;
    env.emplace_back(std::move(name), std::move(value));
    return result_container_path(0) + ".env[" + std::to_string(env.size() - 1) + "]";
}

bool task_pass::has_variable(std::string_view name) {
    return std::ranges::find(container().env, name, &core::env_var::name) != container().env.end();
}

void task_pass::rename_files(bool has_hosts) {
    for (std::size_t c = 0; c < pod().containers.size(); ++c) {
        auto& main = container(c);
        for (auto* list : {&main.command, &main.args})
            for (std::size_t i = 0; i < list->size(); ++i) {
                auto const field = item(list == &main.args ? ".args" : ".command", i);
                rename_text((*list)[i], container_path(c) + field, result_container_path(c) + field, has_hosts);
            }
        std::vector<core::env_var> kept;
        for (std::size_t i = 0; i < main.env.size(); ++i) {
            auto& variable = main.env[i];
            std::string const from = container_path(c) + item(".env", i);
            if (variable.value == kubexec_script) {
                draft_.changes.dropped(from, to_json(variable), "ssh replaces this script.");
                continue;
            }
            rename_text(variable.value, from + ".value",
                        result_container_path(c) + item(".env", kept.size()) + ".value", has_hosts);
            kept.push_back(std::move(variable));
        }
        main.env = std::move(kept);
    }
}

void task_pass::rename_text(std::string& text, std::string const& from, std::string const& to, bool has_hosts) {
    auto const given = json_text(text);
    bool const renamed = has_hosts && replace_all(text, old_hosts, worker_hosts);
    if (text.find(old_folder) != std::string::npos)
        draft_.changes.approximated(from, given, to, "The text names a file that pods of Volcano do not have.");
    else if (renamed)
        draft_.changes.changed(from, given, to, "Another file lists the hosts, without slots.");
}

void task_pass::run_sshd(std::size_t c, fate becomes, std::string_view why) {
    auto& command = container(c).command;
    auto const given = command.empty() ? std::string(absent) : json_text(command);
    std::string const from = container_path(c) + ".command", to = result_container_path(c) + ".command";
    command = {"/usr/sbin/sshd", "-De"};
    if (becomes == fate::changed)
        draft_.changes.changed(from, given, to, why);
    else
        draft_.changes.approximated(from, given, to, why);
}

void task_pass::add_slots(std::optional<std::int32_t> slots) {
    auto const count = std::to_string(slots.value_or(1));
    auto const place = add("OMPI_MCA_orte_set_default_slots", count);
    add("PRTE_MCA_prte_set_default_slots", count); // Open MPI 5 does not read the former
    draft_.changes.changed("spec.slotsPerWorker", slots ? count : std::string(absent), place + ".value",
                           "A variable of Open MPI sets the slots for hosts whose file has none.");
}

void task_pass::wait_for_workers() { task().depends_on.emplace().name.emplace_back(worker_task); }

void add_plugins(volcano_draft& draft, bool has_workers, std::vector<std::string> ssh_arguments) {
    draft.job.spec.plugins["ssh"] = std::move(ssh_arguments);
    // Of the host's network each port can be opened once, and plugin mpi opens its own in all containers of a pod.
    auto const fits = [](volcano::task_spec const& task) {
        auto const& pod = task.template_.spec;
        return !pod.host_network || pod.containers.size() + pod.init_containers.size() == 1;
    };
    if (!has_workers) return; // without them the operator of v1.9.0 ends
    if (!std::ranges::all_of(draft.job.spec.tasks, fits)) return;
    draft.add_plugin("mpi",
                     {"--master=" + std::string(launcher_task), "--worker=" + std::string(worker_task),
                      "--port=" + std::to_string(task_names.port)},
                     task_names.port);
}

void let_gang_be_workers(volcano_draft& draft, std::int32_t workers) {
    draft.limit_gang(workers, "The launcher is created when the workers run, so the gang contains only the workers.");
}

} // namespace kftrain::convert::mpi
