#include "bench/decode/pod_list.hpp"

#include "bench/samples/json_pattern.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string_view>

namespace kftrain::bench {
namespace {

// `@X@` is replaced for each pod; white space outside strings is for the reader only.
constexpr std::string_view metadata = R"json({
  "metadata": {
    "name": "@JOB@-worker-@RANK@", "namespace": "@NAMESPACE@", "uid": "@UID@",
    "resourceVersion": "@VERSION@", "creationTimestamp": "@TIME0@",
    "labels": {
      "team": "@NAMESPACE@",
      "training.kubeflow.org/job-name": "@JOB@",
      "training.kubeflow.org/operator-name": "pytorchjob-controller",
      "training.kubeflow.org/replica-index": "@RANK@",
      "training.kubeflow.org/replica-type": "worker"
    },
    "annotations": {
      "cni.projectcalico.org/containerID": "@HASH@",
      "cni.projectcalico.org/podIP": "@IP@/32",
      "cni.projectcalico.org/podIPs": "@IP@/32",
      "sidecar.istio.io/inject": "false"
    },
    "ownerReferences": [{
      "apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "name": "@JOB@", "uid": "@JOBUID@",
      "controller": true, "blockOwnerDeletion": true
    }],
    "managedFields": [
      {"manager": "manager", "operation": "Update", "apiVersion": "v1", "time": "@TIME0@", "fieldsType": "FieldsV1",
       "fieldsV1": {
        "f:metadata": {
          "f:annotations": {".": {}, "f:sidecar.istio.io/inject": {}},
          "f:labels": {".": {}, "f:team": {}, "f:training.kubeflow.org/job-name": {},
            "f:training.kubeflow.org/operator-name": {}, "f:training.kubeflow.org/replica-index": {},
            "f:training.kubeflow.org/replica-type": {}},
          "f:ownerReferences": {".": {}, "k:{\"uid\":\"@JOBUID@\"}": {}}},
        "f:spec": {
          "f:containers": {"k:{\"name\":\"pytorch\"}": {
            ".": {}, "f:args": {}, "f:command": {},
            "f:env": {".": {},
              "k:{\"name\":\"MASTER_ADDR\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"MASTER_PORT\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"NCCL_DEBUG\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"NCCL_IB_HCA\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"NCCL_SOCKET_IFNAME\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"OMP_NUM_THREADS\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"PET_MASTER_ADDR\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"PET_MASTER_PORT\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"PET_NNODES\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"PET_NODE_RANK\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"PET_NPROC_PER_NODE\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"POD_IP\"}": {".": {}, "f:name": {}, "f:valueFrom": {".": {}, "f:fieldRef": {}}},
              "k:{\"name\":\"PYTHONUNBUFFERED\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"RANK\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"TOKENIZERS_PARALLELISM\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"WORLD_SIZE\"}": {".": {}, "f:name": {}, "f:value": {}}},
            "f:image": {}, "f:imagePullPolicy": {}, "f:name": {},
            "f:ports": {".": {}, "k:{\"containerPort\":23456,\"protocol\":\"TCP\"}": {
              ".": {}, "f:containerPort": {}, "f:name": {}, "f:protocol": {}}},
            "f:resources": {".": {}, "f:limits": {".": {}, "f:cpu": {}, "f:memory": {}, "f:nvidia.com/gpu": {}},
              "f:requests": {".": {}, "f:cpu": {}, "f:memory": {}, "f:nvidia.com/gpu": {}}},
            "f:terminationMessagePath": {}, "f:terminationMessagePolicy": {},
            "f:volumeMounts": {".": {}, "k:{\"mountPath\":\"/data\"}": {".": {}, "f:mountPath": {}, "f:name": {}},
              "k:{\"mountPath\":\"/dev/shm\"}": {".": {}, "f:mountPath": {}, "f:name": {}}}}},
          "f:dnsPolicy": {}, "f:enableServiceLinks": {},
          "f:initContainers": {".": {}, "k:{\"name\":\"init-pytorch\"}": {".": {}, "f:command": {}, "f:image": {},
            "f:imagePullPolicy": {}, "f:name": {},
            "f:resources": {".": {}, "f:limits": {".": {}, "f:cpu": {}, "f:memory": {}},
              "f:requests": {".": {}, "f:cpu": {}, "f:memory": {}}},
            "f:terminationMessagePath": {}, "f:terminationMessagePolicy": {}}},
          "f:restartPolicy": {}, "f:schedulerName": {},
          "f:securityContext": {}, "f:terminationGracePeriodSeconds": {},
          "f:volumes": {".": {}, "k:{\"name\":\"dataset\"}": {".": {}, "f:name": {},
              "f:persistentVolumeClaim": {".": {}, "f:claimName": {}}},
            "k:{\"name\":\"dshm\"}": {".": {}, "f:emptyDir": {".": {}, "f:medium": {}, "f:sizeLimit": {}},
              "f:name": {}}}}}},
      {"manager": "calico", "operation": "Update", "apiVersion": "v1", "time": "@TIME1@", "fieldsType": "FieldsV1",
       "fieldsV1": {"f:metadata": {"f:annotations": {"f:cni.projectcalico.org/containerID": {},
         "f:cni.projectcalico.org/podIP": {}, "f:cni.projectcalico.org/podIPs": {}}}}, "subresource": "status"},
      {"manager": "kubelet", "operation": "Update", "apiVersion": "v1", "time": "@TIME2@", "fieldsType": "FieldsV1",
       "fieldsV1": {"f:status": {"f:conditions": {
           "k:{\"type\":\"ContainersReady\"}": {".": {}, "f:lastProbeTime": {}, "f:lastTransitionTime": {},
             "f:status": {}, "f:type": {}},
           "k:{\"type\":\"Initialized\"}": {".": {}, "f:lastProbeTime": {}, "f:lastTransitionTime": {},
             "f:status": {}, "f:type": {}},
           "k:{\"type\":\"Ready\"}": {".": {}, "f:lastProbeTime": {}, "f:lastTransitionTime": {},
             "f:status": {}, "f:type": {}}},
         "f:containerStatuses": {}, "f:hostIP": {}, "f:hostIPs": {}, "f:initContainerStatuses": {}, "f:phase": {},
         "f:podIP": {}, "f:podIPs": {".": {}, "k:{\"ip\":\"@IP@\"}": {".": {}, "f:ip": {}}}, "f:startTime": {}}},
       "subresource": "status"}
    ]
  },)json";

constexpr std::string_view spec = R"json(
  "spec": {
    "volumes": [
      {"name": "dataset", "persistentVolumeClaim": {"claimName": "@JOB@-data"}},
      {"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "16Gi"}},
      {"name": "kube-api-access-@SHORT@", "projected": {"sources": [
        {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
        {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
        {"downwardAPI": {"items": [{"path": "namespace",
          "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]}}
      ], "defaultMode": 420}}
    ],
    "initContainers": [{
      "name": "init-pytorch", "image": "alpine:3.10",
      "command": ["sh", "-c", "for i in $(seq 1 100); do nslookup @JOB@-master-0 && exit 0 || sleep 1; done; exit 1"],
      "resources": {"limits": {"cpu": "100m", "memory": "20Mi"}, "requests": {"cpu": "50m", "memory": "10Mi"}},
      "volumeMounts": [{"name": "kube-api-access-@SHORT@", "readOnly": true,
        "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}],
      "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
      "imagePullPolicy": "IfNotPresent"
    }],
    "containers": [{
      "name": "pytorch", "image": "registry.example.org/@NAMESPACE@/trainer:2.4.1-cuda12.4-cudnn9",
      "command": ["torchrun"],
      "args": ["--nnodes=64", "--nproc-per-node=8", "-m", "train.pretrain", "--config=/data/configs/@JOB@.yaml",
        "--prompt=\"a \\ b\"\n"],
      "ports": [{"name": "pytorchjob-port", "containerPort": 23456, "protocol": "TCP"}],
      "env": [
        {"name": "NCCL_DEBUG", "value": "WARN"}, {"name": "NCCL_SOCKET_IFNAME", "value": "eth0"},
        {"name": "NCCL_IB_HCA", "value": "mlx5_0,mlx5_1"}, {"name": "TOKENIZERS_PARALLELISM", "value": "false"},
        {"name": "PYTHONUNBUFFERED", "value": "1"}, {"name": "MASTER_PORT", "value": "23456"},
        {"name": "PET_MASTER_PORT", "value": "23456"}, {"name": "MASTER_ADDR", "value": "@JOB@-master-0"},
        {"name": "PET_MASTER_ADDR", "value": "@JOB@-master-0"}, {"name": "WORLD_SIZE", "value": "64"},
        {"name": "RANK", "value": "@RANK@"}, {"name": "PET_NPROC_PER_NODE", "value": "8"},
        {"name": "PET_NODE_RANK", "value": "@RANK@"}, {"name": "PET_NNODES", "value": "64"},
        {"name": "OMP_NUM_THREADS", "value": "8"},
        {"name": "POD_IP", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "status.podIP"}}}
      ],
      "resources": {
        "limits": {"cpu": "64", "memory": "512Gi", "nvidia.com/gpu": "8"},
        "requests": {"cpu": "32", "memory": "256Gi", "nvidia.com/gpu": "8"}
      },
      "volumeMounts": [
        {"name": "dataset", "mountPath": "/data"}, {"name": "dshm", "mountPath": "/dev/shm"},
        {"name": "kube-api-access-@SHORT@", "readOnly": true,
         "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}
      ],
      "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
      "imagePullPolicy": "IfNotPresent"
    }],
    "restartPolicy": "OnFailure", "terminationGracePeriodSeconds": 30, "dnsPolicy": "ClusterFirst",
    "serviceAccountName": "default", "serviceAccount": "default", "nodeName": "@NODE@", "securityContext": {},
    "schedulerName": "default-scheduler",
    "tolerations": [
      {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
      {"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
      {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
    ],
    "priority": 0, "enableServiceLinks": true, "preemptionPolicy": "PreemptLowerPriority"
  },)json";

constexpr std::string_view status = R"json(
  "status": {
    "phase": "Running",
    "conditions": [
      {"type": "PodReadyToStartContainers", "status": "True", "lastProbeTime": null, "lastTransitionTime": "@TIME1@"},
      {"type": "Initialized", "status": "True", "lastProbeTime": null, "lastTransitionTime": "@TIME1@"},
      {"type": "Ready", "status": "True", "lastProbeTime": null, "lastTransitionTime": "@TIME2@"},
      {"type": "ContainersReady", "status": "True", "lastProbeTime": null, "lastTransitionTime": "@TIME2@"},
      {"type": "PodScheduled", "status": "True", "lastProbeTime": null, "lastTransitionTime": "@TIME0@"}
    ],
    "hostIP": "@HOSTIP@", "hostIPs": [{"ip": "@HOSTIP@"}], "podIP": "@IP@", "podIPs": [{"ip": "@IP@"}],
    "startTime": "@TIME0@",
    "initContainerStatuses": [{
      "name": "init-pytorch",
      "state": {"terminated": {"exitCode": 0, "reason": "Completed", "startedAt": "@TIME0@", "finishedAt": "@TIME1@",
        "containerID": "containerd://@HASH@"}},
      "lastState": {}, "ready": true, "restartCount": 0, "image": "docker.io/library/alpine:3.10",
      "imageID": "docker.io/library/alpine@sha256:451eee8bedcb2f029756dc3e9d73bab0e7943c1ac55cff3a4861c52a0fdd3e98",
      "containerID": "containerd://@HASH@", "started": false
    }],
    "containerStatuses": [{
      "name": "pytorch", "state": {"running": {"startedAt": "@TIME2@"}}, "lastState": {}, "ready": true,
      "restartCount": 0, "image": "registry.example.org/@NAMESPACE@/trainer:2.4.1-cuda12.4-cudnn9",
      "imageID": "registry.example.org/@NAMESPACE@/trainer@sha256:@HASH@",
      "containerID": "containerd://@HASH2@", "started": true
    }],
    "qosClass": "Burstable"
  }
})json";

class values {
public:
    /// Returns the value of `@name@` in the current pod.
    std::string operator()(std::string_view name) {
        if (name == "JOB") return job_;
        if (name == "RANK") return std::to_string(rank_);
        if (name == "NAMESPACE") return namespace_;
        if (name == "UID") return uid_;
        if (name == "JOBUID") return job_uid_;
        if (name == "VERSION") return std::to_string(780'000'000 + random_() % 10'000'000);
        if (name == "HASH") return hash_;
        if (name == "HASH2") return hash2_;
        if (name == "SHORT") return uid_.substr(0, 5);
        if (name == "IP") return "10.244." + std::to_string(node_ % 250) + "." + std::to_string(2 + rank_ % 250);
        if (name == "HOSTIP") return "192.168." + std::to_string(node_ / 250) + "." + std::to_string(node_ % 250);
        if (name == "NODE") return "gpu-node-" + std::to_string(node_) + ".cluster.example.org";
        return time(name.back() - '0');
    }
    void next_pod() {
        if (++rank_ % 63 == 0) {
            rank_ = 0;
            job_ = "llama-" + hex(4) + "-pretrain";
            namespace_ = "team-" + hex(6);
            job_uid_ = uid();
        }
        uid_ = uid();
        hash_ = hex(64);
        hash2_ = hex(64);
        node_ = static_cast<unsigned>(random_() % 1000);
        second_ = static_cast<unsigned>(random_() % 80'000);
    }

private:
    std::string hex(std::size_t digits) {
        std::string s;
        while (digits-- != 0) s += "0123456789abcdef"[random_() % 16];
        return s;
    }
    std::string uid() { return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12); }
    std::string time(int later) const {
        std::array<char, 32> text{};
        unsigned const s = second_ + 7U * static_cast<unsigned>(later);
        std::snprintf(text.data(), text.size(), "2026-03-01T%02u:%02u:%02uZ", s / 3600, s / 60 % 60, s % 60);
        return text.data();
    }

    std::mt19937 random_{1};
    unsigned rank_ = 62;
    unsigned node_ = 0;
    unsigned second_ = 0;
    std::string job_, namespace_, uid_, job_uid_, hash_, hash2_;
};

} // namespace

std::string make_pod_list(std::size_t bytes) {
    std::string const pattern = compact(std::string(metadata).append(spec).append(status));
    std::string text = R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"789000001"},"items":[)";
    values value;
    while (text.size() < bytes) {
        if (text.back() != '[') text += ',';
        value.next_pod();
        fill(pattern, value, text);
    }
    text += "]}";
    return text;
}

std::size_t managed_fields_bytes(std::string const& pod_list) {
    std::size_t sum = 0;
    for (std::size_t at = 0; (at = pod_list.find("\"managedFields\":", at)) != std::string::npos;) {
        std::size_t const end = pod_list.find("},\"spec\":", at);
        sum += end - at;
        at = end;
    }
    return sum;
}

} // namespace kftrain::bench
