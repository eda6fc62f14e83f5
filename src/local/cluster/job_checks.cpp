#include <kftrain/local/job_checks.hpp>

#include "base/in_quotes.hpp"
#include "base/paths.hpp"
#include "job/contract/pod_templates.hpp"
#include "job/programs/started_programs.hpp"
#include "local/cluster/pod_issues.hpp"
#include "local/kubelet/containers/container_command.hpp"
#include "local/kubelet/containers/missing_program.hpp"
#include "local/kubelet/images/image_commands.hpp"
#include "local/kubelet/images/image_source.hpp"
#include "local/kubelet/volumes/machine_folders.hpp"
#include "local/node/sandbox_helper.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/local/kubelet.hpp>
#include <kftrain/local/local_cluster.hpp>
#include <kftrain/objects/rbac/role.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace kftrain::local {
namespace {

/// Whether the pod mounts a volume at the path or at a directory that contains it.
bool is_mounted(core::container const& c, std::filesystem::path const& path) {
    return std::ranges::any_of(c.volume_mounts, [whole = normal_path(path)](core::volume_mount const& m) {
        return is_within(whole, normal_path(m.mount_path));
    });
}

/// Whether a path of a command leads to no file, and no volume can contain it.
bool is_missing(core::container const& c, std::string const& path) {
    if (path.empty() || path.find('$') != path.npos) return false;
    std::error_code ec;
    auto const directory = c.working_dir.empty() ? std::filesystem::path() : std::filesystem::path(c.working_dir);
    auto const whole = std::filesystem::absolute(directory / path, ec);
    return !ec && !is_mounted(c, whole) && !std::filesystem::exists(whole, ec) && !ec;
}

/// The file that a shell reads as its script; absent with `-c` and without a file.
std::optional<std::string> shell_script(started_program const& shell) {
    for (std::size_t i = 0; i < shell.arguments.size(); ++i) {
        auto const& argument = shell.arguments[i];
        bool const is_option = argument.size() > 1 && (argument[0] == '-' || argument[0] == '+');
        if (!is_option) return argument == "-" ? std::optional<std::string>() : argument;
        if (argument == "-s" || (argument[1] != '-' && argument.ends_with('c'))) return std::nullopt;
        if (argument == "--rcfile" || argument == "--init-file" ||
            (argument[1] != '-' && (argument.ends_with('o') || argument.ends_with('O'))))
            ++i;
    }
    return std::nullopt;
}

/// The configuration that an SSH server reads; absent for that of the machine.
std::optional<std::string> sshd_configuration(started_program const& sshd) {
    auto const option = std::ranges::find(sshd.arguments, "-f");
    if (option == sshd.arguments.end() || option + 1 == sshd.arguments.end()) return std::nullopt;
    return *(option + 1);
}

/// The script that Python, torchrun or a shell reads, or the configuration of an SSH server, if it does not exist.
std::string missing_script(core::container const& c, std::vector<std::string> const& argv) {
    auto const programs = started_programs(argv);
    // The commands of `sh -c` may change the directory or make files.
    if (programs.size() != 1 || (is_shell(argv.front()) && !is_shell(programs.front().name))) return {};
    auto const& p = programs.front();
    auto const script = is_shell(p.name)   ? shell_script(p)
                        : is_torchrun(p)   ? torchrun_script(p)
                        : p.name == "sshd" ? sshd_configuration(p)
                                           : python_script(p);
    return script && !script->starts_with('-') && is_missing(c, *script) ? *script : std::string();
}

/// Whether the directories in which programs are looked up are known, and none of them is in a volume.
bool knows_path(core::container const& c, std::vector<std::string> const& environment) {
    for (auto const& v : c.env)
        if (v.name == "PATH" && v.value_from) return false;
    if (!c.env_from.empty()) return false;
    return std::ranges::none_of(c.volume_mounts, [&](core::volume_mount const& m) {
        return std::ranges::any_of(environment, [&](std::string const& variable) {
            return variable.starts_with("PATH=") && variable.find(m.mount_path) != variable.npos;
        });
    });
}

void add_fault(issues& found, std::string_view rule, std::string path, std::string const& text) {
    auto& fault = found.emplace_back();
    fault.rule = rule;
    fault.message = path + ": " + text;
    fault.path = std::move(path);
}

void add_missing_file(issues& found, std::string const& path, std::string const& file) {
    add_fault(found, "local.missing-file", path,
              in_quotes(file) + (file.starts_with('/')
                                     ? " does not exist on this machine; --image uses the files of an image"
                                     : " does not exist here; start the command in the directory of the file, set "
                                       "workingDir to it, or use the files of an image with --image"));
}

void look_at(core::container const& c, core::pod const& pod, pod_options const& pods, std::string const& path,
             issues& found) {
    auto const source = source_of_image(c.image, pods);
    if (!source || source->has_root()) return; // the files of the machine do not count
    if (c.command.empty()) return;             // which the cluster does not support
    auto const venv = config_of_venv(*source);
    auto const command = command_of(pod, c, nullptr, venv ? &*venv : nullptr);
    if (!command || command->argv.empty()) return;
    bool const knows = knows_path(c, command->env);
    auto const exists = [&](std::string const& program) {
        if (program.find('/') != program.npos) return !is_missing(c, program);
        return !knows || is_on_this_machine(program, command->env);
    };
    auto const program = missing_program(command->argv, exists);
    bool const is_path = program.find('/') != program.npos;
    if (!program.empty() && (!is_path || !package_advice(program).empty()))
        return add_fault(found, "local.missing-program", path, missing_program_message(c.name, program));
    auto const file = is_path ? program : missing_script(c, command->argv);
    if (!file.empty()) add_missing_file(found, path, file);
}

bool allows_exec(rbac::role const& role) {
    return std::ranges::any_of(role.rules, [](rbac::policy_rule const& rule) {
        return std::ranges::find(rule.resources, "pods/exec") != rule.resources.end();
    });
}

/// Whether the operator lets a pod of the job start processes in the others, as by `kubectl exec`.
bool starts_by_exec(prepared_job const& job) {
    auto const watches = job.rules().watches();
    bool const has_roles =
        std::ranges::any_of(watches, [](auto const& row) { return row.type->info->kind == rbac::role::resource.kind; });
    if (!has_roles) return false; // most kinds; the others have no jobs of many thousand pods
    return std::ranges::any_of(job.render(), [](any_object const& o) {
        auto const* const role = o.get_if<rbac::role>();
        return role != nullptr && allows_exec(*role);
    });
}

/// `MPIJob.v2beta1`, if a conversion to that kind makes a job that starts in another way; else empty.
std::string convertible_to(prepared_job const& job) {
    auto const text = job->to_json();
    for (auto const& c : convert::conversions()) {
        if (c.from.kind != job->resource().kind || c.from.api_version() != job->resource().api_version()) continue;
        convert::kind_name to;
        to.kind = c.to.kind;
        to.version = c.to.version;
        auto const made = convert::convert_job(yaml_document(text, 1), to);
        if (made && !starts_by_exec(prepared_job::admitted(made->job))) return to.kind + "." + to.version;
    }
    return {};
}

issue exec_issue(prepared_job const& job, std::string const& need) {
    auto const& r = job->resource();
    issue i;
    i.rule = "local.unsupported";
    i.path = "kind";
    i.message = "kind: the local cluster does not run " + std::string(r.kind) + " of " + r.api_version() +
                " with workers here: their processes start by kubectl exec, which needs " + need;
    if (auto const to = convertible_to(job); !to.empty())
        i.message += "; a conversion to " + to + " creates a job that starts its processes by ssh";
    return i;
}

} // namespace

issues unsupported_parts(any_job const& job, isolation mode, operator_options const& rules, pod_options const& pods) {
    return unsupported_parts(prepared_job::admitted(job, rules), mode, pods);
}

issues unsupported_parts(prepared_job const& job, isolation mode, pod_options const& pods) {
    if (starts_by_exec(job)) {
        if (mode == isolation::processes) return {exec_issue(job, "isolation by namespaces")};
        if (find_kftrain_command().empty())
            return {exec_issue(job, "the command kftrain in PATH or next to the sandbox helper")};
    }
    return issues_of_pods(job, [&](pod const& p) { return unsupported_parts(p, mode, pods); });
}

issues find_faults(prepared_job const& job, isolation mode, pod_options const& pods) {
    auto found = unsupported_parts(job, mode, pods);
    auto const uncovered = issues_of_pods(job, [&](pod const& p) { return uncovered_images(p.spec, pods); });
    found.insert(found.end(), uncovered.begin(), uncovered.end());
    for (auto const& t : pod_templates(*job)) {
        if (!t.given->spec.init_containers.empty()) continue; // which may make files and install programs
        core::pod pod;
        pod.metadata = t.given->metadata;
        pod.spec = t.given->spec;
        add_image_commands(pod.spec, pods);
        for (std::size_t i = 0; i < pod.spec.containers.size(); ++i)
            look_at(pod.spec.containers[i], pod, pods, t.path + ".spec.containers[" + std::to_string(i) + "].command",
                    found);
    }
    return found;
}

std::set<named_object> needed_objects(prepared_job const& job, pod_options const& pods) {
    std::set<named_object> all;
    (void)issues_of_pods(job, [&](pod const& p) {
        all.merge(needed_objects(p));
        return issues();
    });
    // Of what the operator adds to the pods, it makes the objects itself.
    std::erase_if(all, [&](named_object const& o) {
        auto const found = issues_of_pods(job, [&](pod const& p) { return references_to({o}, p); });
        return std::ranges::all_of(found, [](issue const& i) { return i.path.empty(); });
    });
    auto const& claim = core::persistent_volume_claim::resource;
    std::erase_if(all, [&](named_object const& o) {
        return o.first->kind == claim.kind && !directory_of_claim(job->metadata().namespace_, o.second, pods).empty();
    });
    if (all.empty()) return all;
    for (auto const& o : job.render()) all.erase(named_object(&o.resource(), o.metadata().name));
    return all;
}

issues missing_object_issues(prepared_job const& job, std::set<named_object> const& missing) {
    auto found = issues_of_pods(job, [&](pod const& p) { return references_to(missing, p); });
    std::erase_if(found, [](issue const& i) { return i.path.empty(); });
    return found;
}

} // namespace kftrain::local
