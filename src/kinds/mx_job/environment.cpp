#include "base/ascii.hpp"
#include "base/joined.hpp"
#include "job/v1/labels.hpp"
#include "kinds/mx_job/kind.hpp"
#include "model/json/go_text.hpp"

#include <map>

/** @file
    What containers of MXJobs are told.
    @par Upstream training-operator v1.7.0 `pkg/controller.v1/mxnet/mxnet.go` */

namespace kftrain::kubeflow_v1 {
namespace {

/// The annotation of a template that contains the key of the tuners' server.
constexpr std::string_view tuner_server_key = "tuner-server-key";

/// `{"a":<value of a>,"b":<value of b>}`
template <class Types, class Value> std::string object_of(Types const& types, Value value) {
    return "{" + joined(types, ",", [&](auto const& t) { return go_text::json(t.first) + ":" + value(t.second); }) +
           "}";
}

} // namespace

std::string mx_kind::cluster() const {
    std::map<std::string, std::string_view> sorted; // by their names within the text
    for (auto type : types()) sorted.emplace(to_lower(type), type);
    auto const addresses = object_of(sorted, [&](std::string_view type) {
        auto const port = ",\"port\":" + std::to_string(port_of(type).value_or(mx_kind::constants.port)) + "}";
        std::string list;
        for (std::int32_t i = 0; i < count_of(type); ++i)
            list.append(i == 0 ? "" : ",")
                .append("{\"url\":")
                .append(go_text::json(replica_name(metadata.name, type, i)))
                .append(port);
        return "[" + list + "]";
    });
    auto const keys = object_of(sorted, [&](std::string_view type) {
        auto const& annotations = spec_of(type)->template_.metadata.annotations;
        auto const key = annotations.find(std::string(tuner_server_key));
        return go_text::json(key == annotations.end() ? std::string_view() : std::string_view(key->second));
    });
    return "{\"cluster\":" + addresses + ",\"labels\":" + keys;
}

/// In upstream's order.
std::vector<core::env_var> mx_kind::environment(membership const&, member const& r, core::container const&) const {
    if (cluster_.empty()) cluster_ = cluster();
    auto const role = to_lower(r.role);
    auto const index = std::to_string(r.index);
    bool const has_root = count_of(mxnet::scheduler) > 0;
    auto const root_port = has_root ? port_of(mxnet::scheduler).value_or(mx_kind::constants.port) : 0;
    std::vector<core::env_var> env;
    env.emplace_back("MX_CONFIG",
                     cluster_ + ",\"task\":{\"type\":" + go_text::json(role) + ",\"index\":" + index + "}}");
    env.emplace_back("DMLC_PS_ROOT_PORT", std::to_string(root_port));
    env.emplace_back("DMLC_PS_ROOT_URI", has_root ? replica_name(metadata.name, mxnet::scheduler, 0) : std::string());
    env.emplace_back("DMLC_NUM_SERVER", std::to_string(count_of(mxnet::server)));
    env.emplace_back("DMLC_NUM_WORKER", std::to_string(count_of(mxnet::worker)));
    env.emplace_back("DMLC_ROLE", role);
    env.emplace_back("DMLC_USE_KUBERNETES", "1");
    if (r.role == mxnet::worker) env.emplace_back("DMLC_WORKER_ID", index);
    return env;
}

} // namespace kftrain::kubeflow_v1
