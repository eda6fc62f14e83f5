#include "model/rules/name_syntax.hpp"
#include "model/rules/value_syntax.hpp"
#include "objects/pod_resources.hpp"
#include "objects/pod_validation/checks.hpp"

#include <array>
#include <set>

namespace kftrain::pod_checks {
namespace {

using texts = std::set<std::string_view>;

constexpr std::array<std::string_view, 2> message_policies{"File", "FallbackToLogsOnError"};
constexpr std::array<std::string_view, 3> pull_policies{"Always", "IfNotPresent", "Never"};
constexpr std::array<std::string_view, 3> protocols{"SCTP", "TCP", "UDP"};
constexpr std::array<std::string_view, 1> init_restart_policies{"Always"};

void check_ports(core::container const& c, field_path const& at, field_faults& found) {
    texts names;
    for (std::size_t i = 0; i < c.ports.size(); ++i) {
        auto const& port = c.ports[i];
        field_path const here(at, "ports", i);
        if (!port.name.empty()) {
            if (auto const why = port_name_faults(port.name); !why.empty())
                found.invalid_text(here.text("name"), port.name, why);
            else if (!names.insert(port.name).second)
                found.duplicate(here.text("name"), port.name);
        }
        if (port.container_port_ == 0) found.required(here.text("containerPort"));
        auto const check = [&](std::int32_t number, std::string_view name) {
            if (number == 0) return;
            for (auto const& why : port_number_faults(number)) found.invalid(here.text(name), number, why);
        };
        check(port.container_port_, "containerPort");
        check(port.host_port, "hostPort");
        if (!port.protocol.empty() && !is_one_of(port.protocol, protocols))
            found.unsupported(here.text("protocol"), port.protocol, protocols);
    }
}

/// In the host network a pod has its container ports as host ports, unless it sets others.
std::int32_t host_port(core::container_port const& port, core::pod_spec const& spec) {
    return port.host_port == 0 && spec.host_network ? port.container_port_ : port.host_port;
}

void check_host_ports(core::container const& c, core::pod_spec const& spec, std::set<std::string>& taken,
                      field_path const& at, field_faults& found) {
    for (std::size_t i = 0; i < c.ports.size(); ++i) {
        auto const& port = c.ports[i];
        auto const number = host_port(port, spec);
        if (number == 0) continue;
        auto const text =
            (port.protocol.empty() ? "TCP" : port.protocol) + "/" + port.host_ip + "/" + std::to_string(number);
        if (taken.insert(text).second) continue;
        field_path const here(at, "ports", i);
        found.duplicate(here.text("hostPort"), text);
    }
}

void check_common(core::container const& c, surroundings const& around, field_path const& at, field_faults& found) {
    if (c.name.empty())
        found.required(at.text("name"));
    else if (auto const why = dns_label_faults(c.name); !why.empty())
        found.invalid_text(at.text("name"), c.name, why);
    if (c.image.empty()) found.required(at.text("image"));
    auto const& message = c.termination_message_policy;
    if (!message.empty() && !is_one_of(message, message_policies))
        found.unsupported(at.text("terminationMessagePolicy"), message, message_policies);
    check_ports(c, at, found);
    check_environment(c, at, found);
    check_mounts(c, around.volumes, at, found);
    auto const& pull = c.image_pull_policy;
    if (!pull.empty() && !is_one_of(pull, pull_policies))
        found.unsupported(at.text("imagePullPolicy"), pull, pull_policies);
    auto const& resources = c.resources;
    if (!resources.limits.empty() || !resources.requests.empty())
        check_resources(resources.limits, resources.requests, field_path(at, "resources"), found);
    if (c.security_context) check_container_security(*c.security_context, field_path(at, "securityContext"), found);
}

std::int64_t grace_of(core::pod_spec const& spec) { return spec.termination_grace_period_seconds.value_or(30); }

constexpr std::array<std::string_view, 2> schemes{"HTTP", "HTTPS"};

void check_port(int_or_string const& port, std::string const& field, field_faults& found) {
    if (port.is_string())
        found.invalid_text(field, port.text(), port_name_faults(port.text()));
    else
        for (auto const& why : port_number_faults(port.number())) found.invalid(field, port.number(), why);
}

void check_action(core::exec_action const& a, field_path const& at, field_faults& found) {
    if (a.command.empty()) found.required(at.text("command"));
}
void check_action(core::http_get_action const& a, field_path const& at, field_faults& found) {
    check_port(a.port, at.text("port"), found);
    if (!a.scheme.empty() && !is_one_of(a.scheme, schemes)) found.unsupported(at.text("scheme"), a.scheme, schemes);
    for (auto const& h : a.http_headers) found.invalid_text(at.text("httpHeaders"), h.name, header_name_faults(h.name));
}
void check_action(core::tcp_socket_action const& a, field_path const& at, field_faults& found) {
    check_port(a.port, at.text("port"), found);
}
void check_action(core::grpc_action const& a, field_path const& at, field_faults& found) {
    check_port(a.port, at.text("port"), found);
}

/// Of several actions the first one is looked at.
class action_checks {
public:
    action_checks(field_path const& at, field_faults& found) : at_(at), found_(found) {}

    template <class Action> void one(boxed<Action> const& a, std::string_view name) {
        if (a && is_first(name)) check_action(*a, field_path(at_, name), found_);
    }
    void one(boxed<core::sleep_action> const& a, std::int64_t grace) {
        if (!a || !is_first("sleep")) return;
        if (a->seconds <= 0 || a->seconds > grace)
            found_.invalid(at_.text("sleep"), a->seconds,
                           "must be greater than 0 and less than terminationGracePeriodSeconds (" +
                               std::to_string(grace) + ")");
    }
    void end() const {
        if (!any_) found_.required(at_.text(), "must specify a handler type");
    }

private:
    bool is_first(std::string_view name) {
        if (any_) found_.forbidden(at_.text(name), "may not specify more than 1 handler type");
        return !std::exchange(any_, true);
    }

    field_path const& at_;
    field_faults& found_;
    bool any_ = false;
};

void check_hook(boxed<core::lifecycle_handler> const& h, std::int64_t grace, field_path const& at,
                field_faults& found) {
    if (!h) return;
    action_checks actions(at, found);
    actions.one(h->exec, "exec");
    actions.one(h->http_get, "httpGet");
    actions.one(h->tcp_socket, "tcpSocket");
    actions.one(h->sleep, grace);
    actions.end();
}

enum class sort { liveness, readiness, startup };

void check_probe(boxed<core::probe> const& p, sort s, field_path const& at, field_faults& found) {
    if (!p) return;
    action_checks actions(at, found);
    actions.one(p->exec, "exec");
    actions.one(p->http_get, "httpGet");
    actions.one(p->tcp_socket, "tcpSocket");
    actions.one(p->grpc, "grpc");
    actions.end();
    auto const natural = [&](std::int32_t value, std::string_view name) {
        if (value < 0) found.invalid(at.text(name), value, "must be greater than or equal to 0");
    };
    natural(p->initial_delay_seconds, "initialDelaySeconds");
    natural(p->timeout_seconds, "timeoutSeconds");
    natural(p->period_seconds, "periodSeconds");
    natural(p->success_threshold, "successThreshold");
    natural(p->failure_threshold, "failureThreshold");
    auto const& grace = p->termination_grace_period_seconds;
    if (grace && *grace <= 0) found.invalid(at.text("terminationGracePeriodSeconds"), *grace, "must be greater than 0");
    if (s != sort::readiness && p->success_threshold != 0 && p->success_threshold != 1)
        found.invalid(at.text("successThreshold"), p->success_threshold, "must be 1");
    if (s == sort::readiness && grace)
        found.invalid(at.text("terminationGracePeriodSeconds"), *grace, "must not be set for readinessProbes");
}

void check_hooks(core::container const& c, std::int64_t grace, field_path const& at, field_faults& found) {
    if (c.lifecycle) {
        field_path const lifecycle(at, "lifecycle");
        check_hook(c.lifecycle->post_start, grace, field_path(lifecycle, "postStart"), found);
        check_hook(c.lifecycle->pre_stop, grace, field_path(lifecycle, "preStop"), found);
    }
    check_probe(c.liveness_probe, sort::liveness, field_path(at, "livenessProbe"), found);
    check_probe(c.readiness_probe, sort::readiness, field_path(at, "readinessProbe"), found);
    check_probe(c.startup_probe, sort::startup, field_path(at, "startupProbe"), found);
}

} // namespace

void check_containers(surroundings const& around, field_path const& spec, field_faults& found) {
    auto const& list = around.spec.containers;
    if (list.empty()) return found.required(spec.text("containers"));
    texts names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const& c = list[i];
        field_path const at(spec, "containers", i);
        check_common(c, around, at, found);
        if (!names.insert(c.name).second) found.duplicate(at.text("name"), c.name);
        check_hooks(c, grace_of(around.spec), at, found);
        if (c.restart_policy) found.forbidden(at.text("restartPolicy"), "may not be set for non-init containers");
    }
    std::set<std::string> taken;
    for (std::size_t i = 0; i < list.size(); ++i)
        check_host_ports(list[i], around.spec, taken, field_path(spec, "containers", i), found);
}

void check_init_containers(surroundings const& around, field_path const& spec, field_faults& found) {
    texts names;
    for (auto const& c : around.spec.containers) names.insert(c.name);
    auto const& list = around.spec.init_containers;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const& c = list[i];
        field_path const at(spec, "initContainers", i);
        check_common(c, around, at, found);
        if (c.restart_policy && *c.restart_policy != "Always")
            found.unsupported(at.text("restartPolicy"), *c.restart_policy, init_restart_policies);
        if (names.contains(c.name))
            found.duplicate(at.text("name"), c.name);
        else if (!c.name.empty())
            names.insert(c.name);
        std::set<std::string> taken; // they run one after another, and upstream looks at each as at a list of one
        check_host_ports(c, around.spec, taken, field_path(spec, "initContainers", 0), found);
        if (is_sidecar(c)) {
            check_hooks(c, grace_of(around.spec), at, found);
            continue;
        }
        auto const refuse = [&](bool set, std::string_view name) {
            if (set) found.forbidden(at.text(name), "may not be set for init containers without restartPolicy=Always");
        };
        refuse(c.lifecycle.has_value(), "lifecycle");
        refuse(c.liveness_probe.has_value(), "livenessProbe");
        refuse(c.readiness_probe.has_value(), "readinessProbe");
        refuse(c.startup_probe.has_value(), "startupProbe");
    }
}

void check_images(std::vector<core::container> const& list, std::string_view name, field_path const& spec,
                  field_faults& found) {
    constexpr std::string_view blanks = " \t\n\v\f\r";
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const& image = list[i].image;
        if (image.empty()) continue;
        if (blanks.find(image.front()) == blanks.npos && blanks.find(image.back()) == blanks.npos) continue;
        field_path const at(spec, name, i);
        found.invalid_text(at.text("image"), image, "must not have leading or trailing whitespace");
    }
}

} // namespace kftrain::pod_checks
