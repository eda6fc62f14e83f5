#include "kinds/tf_job/tf_config.hpp"

#include "base/ascii.hpp"
#include "job/v1/labels.hpp"
#include "model/json/json_text.hpp"

/** @file
    Upstream: training-operator v1.9.0 `pkg/controller.v1/tensorflow/tensorflow.go`. The texts are those of Go's
    encoder: compact, the keys of maps sorted. */

namespace kftrain::kubeflow_v1::tf {
namespace {

using kftrain::detail::raw_writer;

void write_addresses(raw_writer& out, std::vector<std::string> const& addresses) {
    out.begin('[');
    for (auto const& address : addresses) out.string(address);
    out.end(']');
}

void write_task(raw_writer& out, member const& r) {
    out.key("task");
    out.begin('{');
    out.key("type");
    out.string(to_lower(r.role));
    out.key("index");
    out.token(std::to_string(r.index));
    out.end('}');
}

std::vector<std::string> const* addresses_of(cluster const& all, std::string_view type) {
    auto const found = all.addresses.find(to_lower(type));
    return found == all.addresses.end() ? nullptr : &found->second;
}

} // namespace

cluster cluster_of(replica_job const& job, membership const& layout, tf_operator_options const& options) {
    std::string const domain =
        "." + layout.domain + (options.cluster_domain.empty() ? std::string() : "." + options.cluster_domain);
    cluster all;
    for (auto type : job.types()) {
        auto& addresses = all.addresses[to_lower(type)];
        std::string const port = ":" + std::to_string(job.port_of(type).value_or(job.constants.port));
        for (auto const& m : layout.of_role(type)) addresses.push_back(m.pod_name + domain + port);
    }
    raw_writer out(all.text);
    out.begin('{');
    for (auto const& [type, addresses] : all.addresses) {
        out.key(type);
        write_addresses(out, addresses);
    }
    out.end('}');
    return all;
}

std::string dense_config(cluster const& all, member const& r) {
    std::string text;
    raw_writer out(text);
    out.begin('{');
    out.key("cluster");
    out.token(all.text);
    write_task(out, r);
    out.key("environment");
    out.string("cloud");
    out.end('}');
    return text;
}

std::string sparse_config(cluster const& all, member const& r) {
    auto const* const servers = addresses_of(all, parameter_server);
    std::string text;
    raw_writer out(text);
    auto const own = [&] { return addresses_of(all, r.role)->at(static_cast<std::size_t>(r.index)); };
    out.begin('{');
    out.key("cluster");
    out.begin('{');
    out.key("worker");
    out.begin('{');
    if (r.role == worker) {
        out.key(std::to_string(r.index));
        out.string(own());
    }
    out.end('}');
    out.key("ps");
    if (r.role == worker && servers == nullptr)
        out.token("null");
    else if (r.role == worker)
        write_addresses(out, *servers);
    else
        write_addresses(out, r.role == parameter_server ? std::vector<std::string>{own()} : std::vector<std::string>());
    out.end('}');
    write_task(out, r);
    out.end('}');
    return text;
}

} // namespace kftrain::kubeflow_v1::tf
