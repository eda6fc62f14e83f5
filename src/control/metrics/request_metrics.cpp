#include <kftrain/control/operator_metrics.hpp>

namespace kftrain::control {

std::shared_ptr<request_metrics const> count_requests(kube::client_options& options) {
    auto const counts = std::make_shared<request_metrics>();
    options.on_attempt = [counts, next = std::move(options.on_attempt)](kube::request_report const& r) {
        request_metrics::subject s;
        s.verb = r.subject.verb;
        s.resource = r.subject.resource;
        if (!r.subject.group.empty()) s.resource.append(".").append(r.subject.group);
        if (s.verb == "watch" && !r.error) ++counts->watches[s.resource];
        if (!r.subject.subresource.empty()) s.resource.append("/").append(r.subject.subresource);
        s.code = r.status == 0 ? "<error>" : std::to_string(r.status);
        s.method = r.method;
        counts->durations[s.verb].add(r.duration);
        ++counts->attempts[std::move(s)];
        if (next) next(r);
    };
    return counts;
}

} // namespace kftrain::control
