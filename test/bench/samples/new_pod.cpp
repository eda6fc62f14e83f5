#include "bench/samples/new_pod.hpp"

#include "bench/samples/sample_objects.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace kftrain::bench {

namespace json = boost::json;

std::string new_pod_name(long index) { return "pod-" + std::to_string(index); }

std::string new_pod(long index) {
    auto pod = json::parse(std::string(pod_head) + sample_pod(static_cast<std::size_t>(index)).substr(1)).as_object();
    pod.erase("status");
    auto& metadata = pod["metadata"].as_object();
    for (auto const* set_by_server :
         {"uid", "resourceVersion", "creationTimestamp", "ownerReferences", "managedFields"})
        metadata.erase(set_by_server);
    metadata["name"] = new_pod_name(index);
    metadata["namespace"] = "default";
    constexpr std::size_t whole = 4700, around = 18; // `,"perf/config":""` of the annotation that fills up
    auto const size = json::serialize(pod).size() + around;
    std::string config;
    while (size + config.size() < whole) config += "epochs: 90; lr: 0.1; ";
    config.resize(whole > size ? whole - size : 0);
    metadata["annotations"].as_object()["perf/config"] = config;
    return json::serialize(pod);
}

} // namespace kftrain::bench
