#include <kftrain/control/controller_metrics.hpp>

#include <kftrain/control/operator_metrics.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <utility>

namespace kftrain::control {

duration_histogram::duration_histogram(std::vector<double> bounds)
    : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {}

void duration_histogram::add(std::chrono::nanoseconds took) {
    double const seconds = std::max(std::chrono::duration<double>(took).count(), 0.0);
    auto const at = std::lower_bound(bounds_.begin(), bounds_.end(), seconds) - bounds_.begin();
    ++counts_[static_cast<std::size_t>(at)];
    ++count_;
    sum_ += seconds;
}

std::vector<double> duration_histogram::usual_bounds() {
    return {0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 30, 60};
}

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

namespace {

using metric_label = std::pair<std::string_view, std::string_view>;
using metric_labels = std::initializer_list<metric_label>;

std::string printed(double value) {
    std::array<char, 32> text{};
    auto const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

/// One metric after the other, each with all its samples.
class exposition {
public:
    void begin(std::string_view name, std::string_view type, std::string_view help) {
        name_ = name;
        text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
        text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
    }
    template <class Number> void sample(metric_labels labels, Number value) {
        line("", labels, {}, std::to_string(value));
    }
    void histogram(metric_labels labels, duration_histogram const& h) {
        std::uint64_t below = 0;
        for (std::size_t i = 0; i < h.bounds().size(); ++i) {
            below += h.counts()[i];
            line("_bucket", labels, printed(h.bounds()[i]), std::to_string(below));
        }
        line("_bucket", labels, "+Inf", std::to_string(h.count()));
        line("_sum", labels, {}, printed(h.sum()));
        line("_count", labels, {}, std::to_string(h.count()));
    }
    std::string take() { return std::move(text_); }

private:
    void line(std::string_view suffix, metric_labels labels, std::string_view bound, std::string const& value) {
        text_.append(name_).append(suffix);
        char before = '{';
        auto const add = [&](std::string_view key, std::string_view what) {
            text_.append(1, std::exchange(before, ',')).append(key).append("=\"");
            for (char const c : what) {
                if (c == '\\' || c == '"') text_ += '\\';
                if (c == '\n')
                    text_ += "\\n";
                else
                    text_ += c;
            }
            text_ += '"';
        };
        for (auto const& [key, what] : labels) add(key, what);
        if (!bound.empty()) add("le", bound);
        text_.append(before == ',' ? "} " : " ").append(value).append("\n");
    }

    std::string_view name_;
    std::string text_;
};

using operator_list = std::vector<operator_metrics>;

void write_work(exposition& out, operator_list const& all) {
    out.begin("controller_runtime_reconcile_total", "counter", "Reconciliations by result.");
    for (auto const& o : all)
        for (auto const& [result, count] :
             {std::pair("success", o.work.succeeded), {"requeue_after", o.work.requeued}, {"error", o.work.failed}})
            out.sample({{"controller", o.work.name}, {"result", result}}, count);
    out.begin("controller_runtime_reconcile_errors_total", "counter", "Reconciliations that failed.");
    for (auto const& o : all) out.sample({{"controller", o.work.name}}, o.work.failed);
    out.begin("controller_runtime_reconcile_time_seconds", "histogram", "Duration of reconciliations.");
    for (auto const& o : all) out.histogram({{"controller", o.work.name}}, o.work.durations);
    out.begin("controller_runtime_active_workers", "gauge", "Number of busy workers.");
    for (auto const& o : all) out.sample({{"controller", o.work.name}}, o.work.active_workers);
    out.begin("controller_runtime_max_concurrent_reconciles", "gauge", "Number of all workers.");
    for (auto const& o : all) out.sample({{"controller", o.work.name}}, o.work.workers);
    out.begin("workqueue_depth", "gauge", "Keys that wait.");
    for (auto const& o : all) out.sample({{"name", o.work.name}, {"controller", o.work.name}}, o.work.depth);
    out.begin("workqueue_adds_total", "counter", "Number of keys that were added.");
    for (auto const& o : all) out.sample({{"name", o.work.name}, {"controller", o.work.name}}, o.work.adds);
    out.begin("workqueue_retries_total", "counter", "Number of keys that were added again after a failure.");
    for (auto const& o : all) out.sample({{"name", o.work.name}, {"controller", o.work.name}}, o.work.retries);
}

void write_state(exposition& out, operator_list const& all) {
    out.begin("leader_election_master_status", "gauge", "Whether this process holds the lease.");
    std::map<std::string_view, bool> leases; // several operators may share one
    for (auto const& o : all)
        if (!o.lease.empty()) leases[o.lease] = leases[o.lease] || o.leads;
    for (auto const& [name, leads] : leases) out.sample({{"name", name}}, leads ? 1 : 0);
    out.begin("kftrain_cached_objects", "gauge", "Number of objects in the cache of an operator.");
    for (auto const& o : all)
        for (auto const& [resource, count] : o.cached)
            out.sample({{"controller", o.work.name}, {"resource", resource}}, count);
    out.begin("kftrain_synced", "gauge", "Whether the caches of an operator are filled.");
    for (auto const& o : all) out.sample({{"controller", o.work.name}}, o.synced ? 1 : 0);
    out.begin("kftrain_events_dropped_total", "counter", "Number of events that were never written.");
    for (auto const& o : all) out.sample({{"controller", o.work.name}}, o.events_dropped);
}

void write_requests(exposition& out, request_metrics const& r) {
    std::map<std::pair<std::string_view, std::string_view>, std::uint64_t> by_code;
    for (auto const& [s, count] : r.attempts) by_code[{s.code, s.method}] += count;
    out.begin("rest_client_requests_total", "counter", "Number of requests by code and method, including retries.");
    for (auto const& [s, count] : by_code) out.sample({{"code", s.first}, {"method", s.second}}, count);
    out.begin("rest_client_request_duration_seconds", "histogram", "Time until requests were answered.");
    for (auto const& [verb, h] : r.durations) out.histogram({{"verb", verb}}, h);
    out.begin("kftrain_requests_total", "counter", "Number of requests by code, resource and verb, including retries.");
    for (auto const& [s, count] : r.attempts)
        out.sample({{"code", s.code}, {"resource", s.resource}, {"verb", s.verb}}, count);
    out.begin("kftrain_watches_begun_total", "counter", "Number of watches that were started.");
    for (auto const& [resource, count] : r.watches) out.sample({{"resource", resource}}, count);
}

} // namespace

std::string prometheus_text(operator_list const& all, request_metrics const* requests) {
    exposition out;
    write_work(out, all);
    write_state(out, all);
    if (requests != nullptr) write_requests(out, *requests);
    return out.take();
}

} // namespace kftrain::control
