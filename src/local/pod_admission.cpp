#include <kftrain/local/kubelet.hpp>

namespace kftrain::local {
namespace {

issue refusal(std::string path, std::string_view why) {
    issue i;
    i.rule = "local.unsupported";
    i.message = path + ": the local cluster cannot serve this: " + std::string(why);
    i.path = std::move(path);
    return i;
}

bool asks_for_nothing(raw_json const& v) {
    return v.text.empty() || v.text == "[]" || v.text == "{}" || v.text == "null" || v.text == "false";
}

void refuse_fields(unknown_fields const& unknown, std::string const& path,
                   std::initializer_list<std::pair<std::string_view, std::string_view>> fields, issues& found) {
    for (auto const& [name, why] : fields)
        if (auto const* value = unknown.find(name); value != nullptr && !asks_for_nothing(*value))
            found.push_back(refusal(path + "." + std::string(name), why));
}

void check_container(container const& c, std::string const& path, issues& found) {
    if (c.command.empty())
        found.push_back(refusal(path + ".command", "images are not pulled, so the command must be given"));
    refuse_fields(c.unknown, path,
                  {{"volumeMounts", "volumes are not supported"},
                   {"envFrom", "values from other objects are not supported"},
                   {"lifecycle", "hooks are not supported"},
                   {"readinessProbe", "probes are not supported"},
                   {"livenessProbe", "probes are not supported"},
                   {"startupProbe", "probes are not supported"}},
                  found);
    auto const refuse_nul = [&](std::string const& text, std::string where) {
        if (text.find('\0') != std::string::npos)
            found.push_back(refusal(std::move(where), "no program can be given a NUL byte"));
    };
    for (std::size_t i = 0; i < c.command.size(); ++i)
        refuse_nul(c.command[i], path + ".command[" + std::to_string(i) + "]");
    for (std::size_t i = 0; i < c.args.size(); ++i) refuse_nul(c.args[i], path + ".args[" + std::to_string(i) + "]");
    for (std::size_t i = 0; i < c.env.size(); ++i)
        refuse_nul(c.env[i].value, path + ".env[" + std::to_string(i) + "].value");
    for (std::size_t i = 0; i < c.env.size(); ++i)
        refuse_fields(c.env[i].unknown, path + ".env[" + std::to_string(i) + "]",
                      {{"valueFrom", "values from other objects are not supported"}}, found);
}

} // namespace

issues unsupported_parts(pod const& p, isolation mode) {
    issues found;
    constexpr std::string_view no_names = "without namespaces the names of pods and services cannot be resolved";
    if (mode == isolation::processes && !p.spec.init_containers.empty())
        found.push_back(refusal("spec.initContainers", no_names));
    if (mode == isolation::processes && !p.spec.subdomain.empty()) found.push_back(refusal("spec.subdomain", no_names));
    refuse_fields(p.spec.unknown, "spec",
                  {{"volumes", "volumes are not supported"},
                   {"hostNetwork", "pods have a network of their own"},
                   {"hostPID", "pods have process ids of their own"},
                   {"hostIPC", "pods are kept apart"},
                   {"shareProcessNamespace", "containers of a pod share their process ids always"}},
                  found);
    for (std::size_t i = 0; i < p.spec.init_containers.size(); ++i)
        check_container(p.spec.init_containers[i], "spec.initContainers[" + std::to_string(i) + "]", found);
    for (std::size_t i = 0; i < p.spec.containers.size(); ++i)
        check_container(p.spec.containers[i], "spec.containers[" + std::to_string(i) + "]", found);
    return found;
}

} // namespace kftrain::local
