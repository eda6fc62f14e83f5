#include "apiserver/checks/builtin_checks.hpp"

#include <kftrain/objects/type_table.hpp>

#include <utility>

namespace kftrain::apiserver {
namespace {

resource_definition builtin(std::string kind, std::string plural, std::vector<std::string> short_names) {
    resource_definition d;
    d.version = "v1";
    d.kind = std::move(kind);
    d.plural = std::move(plural);
    d.short_names = std::move(short_names);
    d.custom = false;
    d.has_status = false;
    d.has_generation = false;
    return d;
}

} // namespace

std::vector<resource_definition> builtin_resources() {
    std::vector<resource_definition> out;

    auto pods = builtin("Pod", "pods", {"po"});
    pods.categories = {"all"};
    pods.has_status = true;
    pods.graceful = true;
    pods.selectable_fields = {"spec.nodeName",           "spec.restartPolicy", "spec.schedulerName",
                              "spec.serviceAccountName", "status.phase",       "status.podIP"};
    out.push_back(std::move(pods));

    auto services = builtin("Service", "services", {"svc"});
    services.categories = {"all"};
    services.has_status = true;
    services.names = name_syntax::dns_1035_label;
    services.selectable_fields = {"spec.clusterIP", "spec.type"};
    out.push_back(std::move(services));

    auto events = builtin("Event", "events", {"ev"});
    events.selectable_fields = {"involvedObject.kind",       "involvedObject.namespace",
                                "involvedObject.name",       "involvedObject.uid",
                                "involvedObject.apiVersion", "involvedObject.resourceVersion",
                                "involvedObject.fieldPath",  "reason",
                                "reportingComponent",        "type"};
    out.push_back(std::move(events));

    auto namespaces = builtin("Namespace", "namespaces", {"ns"});
    namespaces.where = resource_scope::cluster;
    namespaces.has_status = true;
    namespaces.names = name_syntax::dns_label;
    namespaces.selectable_fields = {"status.phase"};
    out.push_back(std::move(namespaces));

    out.push_back(builtin("ConfigMap", "configmaps", {"cm"}));

    out.push_back(builtin("ServiceAccount", "serviceaccounts", {"sa"}));

    for (auto const& [kind, plural] :
         {std::pair("Role", "roles"), std::pair("RoleBinding", "rolebindings"),
          std::pair("ClusterRole", "clusterroles"), std::pair("ClusterRoleBinding", "clusterrolebindings")}) {
        auto access = builtin(kind, plural, {});
        access.group = "rbac.authorization.k8s.io";
        if (access.kind.starts_with("Cluster")) access.where = resource_scope::cluster;
        out.push_back(std::move(access));
    }

    auto secrets = builtin("Secret", "secrets", {});
    secrets.selectable_fields = {"type"};
    out.push_back(std::move(secrets));

    auto nodes = builtin("Node", "nodes", {"no"});
    nodes.where = resource_scope::cluster;
    nodes.has_status = true;
    nodes.selectable_fields = {"spec.unschedulable"};
    out.push_back(std::move(nodes));

    auto volumes = builtin("PersistentVolume", "persistentvolumes", {"pv"});
    volumes.where = resource_scope::cluster;
    volumes.has_status = true;
    out.push_back(std::move(volumes));

    auto claims = builtin("PersistentVolumeClaim", "persistentvolumeclaims", {"pvc"});
    claims.has_status = true;
    out.push_back(std::move(claims));

    auto quotas = builtin("ResourceQuota", "resourcequotas", {"quota"});
    quotas.has_status = true;
    out.push_back(std::move(quotas));

    out.push_back(builtin("LimitRange", "limitranges", {"limits"}));

    auto policies = builtin("NetworkPolicy", "networkpolicies", {"netpol"});
    policies.group = "networking.k8s.io";
    policies.has_generation = true;
    out.push_back(std::move(policies));

    auto slices = builtin("EndpointSlice", "endpointslices", {});
    slices.group = "discovery.k8s.io";
    slices.has_generation = true;
    out.push_back(std::move(slices));

    auto leases = builtin("Lease", "leases", {});
    leases.group = "coordination.k8s.io";
    leases.columns = {{"Holder", "string", ".spec.holderIdentity"}, {"Age", "date", ".metadata.creationTimestamp"}};
    out.push_back(std::move(leases));

    auto priorities = builtin("PriorityClass", "priorityclasses", {"pc"});
    priorities.group = "scheduling.k8s.io";
    priorities.where = resource_scope::cluster;
    priorities.columns = {{"Value", "integer", ".value"},
                          {"Global-Default", "boolean", ".globalDefault"},
                          {"Age", "date", ".metadata.creationTimestamp"}};
    out.push_back(std::move(priorities));

    auto autoscalers = builtin("HorizontalPodAutoscaler", "horizontalpodautoscalers", {"hpa"});
    autoscalers.group = "autoscaling";
    autoscalers.version = "v2";
    autoscalers.categories = {"all"};
    autoscalers.has_status = true;
    out.push_back(std::move(autoscalers));

    auto jobs = builtin("Job", "jobs", {});
    jobs.group = "batch";
    jobs.categories = {"all"};
    jobs.has_status = true;
    jobs.has_generation = true;
    jobs.selectable_fields = {"status.successful"};
    out.push_back(std::move(jobs));

    auto sets = builtin("StatefulSet", "statefulsets", {"sts"});
    sets.group = "apps";
    sets.categories = {"all"};
    sets.has_status = true;
    sets.has_generation = true;
    out.push_back(std::move(sets));

    for (auto& d : out) d.type = find_object_type(object_types(), d.api_version(), d.kind);
    return out;
}

} // namespace kftrain::apiserver
