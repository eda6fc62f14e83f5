#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/local/described.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::apiserver {

KFTRAIN_TABLE(user_info)

} // namespace kftrain::apiserver

namespace kftrain::local {

std::string_view to_string(isolation mode) noexcept {
    switch (mode) {
    case isolation::automatic: return "automatic";
    case isolation::namespaces: return "namespaces";
    case isolation::processes: return "processes";
    }
    return {};
}

KFTRAIN_TABLE(listen_options)
KFTRAIN_TABLE(log_limits)
KFTRAIN_TABLE(image_store_options)
KFTRAIN_TABLE(pod_options)
KFTRAIN_FIELD_RULES(local_cluster_options, {"mode", "isolation"}, {"run_pods", "pods"})
KFTRAIN_TABLE(local_cluster_options)
KFTRAIN_TABLE(start_options)

} // namespace kftrain::local
