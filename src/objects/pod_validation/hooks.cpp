#include "model/rules/value_syntax.hpp"
#include "objects/pod_validation/checks.hpp"

#include <array>

namespace kftrain::pod_checks {
namespace {

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

} // namespace

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

} // namespace kftrain::pod_checks
