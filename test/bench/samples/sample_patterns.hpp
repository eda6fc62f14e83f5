#ifndef KFTRAIN_TEST_BENCH_SAMPLES_SAMPLE_PATTERNS_HPP
#define KFTRAIN_TEST_BENCH_SAMPLES_SAMPLE_PATTERNS_HPP

#include <string_view>

/// Patterns that sample_objects.cpp fills in; white space outside strings is for the reader only.
namespace kftrain::bench::pattern {

inline constexpr std::string_view pod_metadata = R"json({
  "metadata": {
    "name": "@JOB@-worker-@RANK@", "namespace": "@NAMESPACE@", "uid": "@UID@", "resourceVersion": "@VERSION@",
    "creationTimestamp": "@CREATED@",
    "labels": {
      "team": "@NAMESPACE@",
      "training.kubeflow.org/job-name": "@JOB@",
      "training.kubeflow.org/operator-name": "pytorchjob-controller",
      "training.kubeflow.org/replica-index": "@RANK@",
      "training.kubeflow.org/replica-type": "worker"
    },
    "annotations": {"perf/at": "0000000000000000000", "sidecar.istio.io/inject": "false"},
    "ownerReferences": [{
      "apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "name": "@JOB@", "uid": "@JOBUID@",
      "controller": true, "blockOwnerDeletion": true
    }])json";

inline constexpr std::string_view pod_managed_fields = R"json(,
    "managedFields": [
      {"manager": "manager", "operation": "Update", "apiVersion": "v1", "time": "@CREATED@", "fieldsType": "FieldsV1",
       "fieldsV1": {
        "f:metadata": {
          "f:labels": {".": {}, "f:training.kubeflow.org/job-name": {}, "f:training.kubeflow.org/operator-name": {},
            "f:training.kubeflow.org/replica-index": {}, "f:training.kubeflow.org/replica-type": {}},
          "f:ownerReferences": {".": {}, "k:{\"uid\":\"@JOBUID@\"}": {}}},
        "f:spec": {
          "f:containers": {"k:{\"name\":\"pytorch\"}": {
            ".": {}, "f:args": {}, "f:command": {},
            "f:env": {".": {},
              "k:{\"name\":\"MASTER_ADDR\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"MASTER_PORT\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"PET_NNODES\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"PET_NODE_RANK\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"PYTHONUNBUFFERED\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"RANK\"}": {".": {}, "f:name": {}, "f:value": {}},
              "k:{\"name\":\"WORLD_SIZE\"}": {".": {}, "f:name": {}, "f:value": {}}},
            "f:image": {}, "f:imagePullPolicy": {}, "f:name": {},
            "f:ports": {".": {}, "k:{\"containerPort\":23456,\"protocol\":\"TCP\"}":
              {".": {}, "f:containerPort": {}, "f:name": {}, "f:protocol": {}}},
            "f:resources": {".": {}, "f:limits": {".": {}, "f:cpu": {}, "f:memory": {}, "f:nvidia.com/gpu": {}}},
            "f:terminationMessagePath": {}, "f:terminationMessagePolicy": {},
            "f:volumeMounts": {".": {}, "k:{\"mountPath\":\"/dev/shm\"}": {".": {}, "f:mountPath": {}, "f:name": {}}}}},
          "f:dnsPolicy": {}, "f:enableServiceLinks": {}, "f:restartPolicy": {}, "f:schedulerName": {},
          "f:securityContext": {}, "f:terminationGracePeriodSeconds": {},
          "f:volumes": {".": {}, "k:{\"name\":\"dshm\"}":
            {".": {}, "f:emptyDir": {".": {}, "f:medium": {}, "f:sizeLimit": {}}, "f:name": {}}}}}},
      {"manager": "kubelet", "operation": "Update", "apiVersion": "v1", "time": "@READY@", "fieldsType": "FieldsV1",
       "fieldsV1": {"f:status": {
          "f:conditions": {
            "k:{\"type\":\"ContainersReady\"}":
              {".": {}, "f:lastProbeTime": {}, "f:lastTransitionTime": {}, "f:status": {}, "f:type": {}},
            "k:{\"type\":\"Ready\"}":
              {".": {}, "f:lastProbeTime": {}, "f:lastTransitionTime": {}, "f:status": {}, "f:type": {}}},
          "f:containerStatuses": {}, "f:hostIP": {}, "f:phase": {}, "f:podIP": {},
          "f:podIPs": {".": {}, "k:{\"ip\":\"@IP@\"}": {".": {}, "f:ip": {}}}, "f:startTime": {}}},
       "subresource": "status"}
    ])json";

inline constexpr std::string_view pod_rest = R"json(
  },
  "spec": {
    "volumes": [
      {"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "16Gi"}},
      {"name": "kube-api-access-@SHORT@", "projected": {"sources": [
        {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
        {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
        {"downwardAPI": {"items": [{"path": "namespace",
          "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]}}
      ], "defaultMode": 420}}
    ],
    "containers": [{
      "name": "pytorch", "image": "registry.example.org/@NAMESPACE@/trainer:2.4.1-cuda12.4-cudnn9",
      "command": ["torchrun"],
      "args": ["--nnodes=64", "--nproc-per-node=8", "-m", "train.pretrain", "--config=/data/configs/@JOB@.yaml"],
      "ports": [{"name": "pytorchjob-port", "containerPort": 23456, "protocol": "TCP"}],
      "env": [
        {"name": "PYTHONUNBUFFERED", "value": "1"}, {"name": "MASTER_PORT", "value": "23456"},
        {"name": "MASTER_ADDR", "value": "@JOB@-master-0"}, {"name": "WORLD_SIZE", "value": "64"},
        {"name": "RANK", "value": "@RANK@"}, {"name": "PET_NODE_RANK", "value": "@RANK@"},
        {"name": "PET_NNODES", "value": "64"}
      ],
      "resources": {
        "limits": {"cpu": "64", "memory": "512Gi", "nvidia.com/gpu": "8"},
        "requests": {"cpu": "64", "memory": "512Gi", "nvidia.com/gpu": "8"}
      },
      "volumeMounts": [
        {"name": "dshm", "mountPath": "/dev/shm"},
        {"name": "kube-api-access-@SHORT@", "readOnly": true,
         "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}
      ],
      "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
      "imagePullPolicy": "IfNotPresent"
    }],
    "restartPolicy": "OnFailure", "terminationGracePeriodSeconds": 30, "dnsPolicy": "ClusterFirst",
    "serviceAccountName": "default", "serviceAccount": "default", "nodeName": "gpu-node-@NODE@",
    "securityContext": {}, "schedulerName": "default-scheduler",
    "tolerations": [
      {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
      {"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    ],
    "priority": 0, "enableServiceLinks": true, "preemptionPolicy": "PreemptLowerPriority"
  },
  "status": {
    "phase": "Running",
    "conditions": [
      {"type": "Initialized", "status": "True", "lastProbeTime": null, "lastTransitionTime": "@CREATED@"},
      {"type": "Ready", "status": "True", "lastProbeTime": null, "lastTransitionTime": "@READY@"},
      {"type": "ContainersReady", "status": "True", "lastProbeTime": null, "lastTransitionTime": "@READY@"},
      {"type": "PodScheduled", "status": "True", "lastProbeTime": null, "lastTransitionTime": "@CREATED@"}
    ],
    "hostIP": "@HOSTIP@", "podIP": "@IP@", "podIPs": [{"ip": "@IP@"}], "startTime": "@CREATED@",
    "containerStatuses": [{
      "name": "pytorch", "state": {"running": {"startedAt": "@READY@"}}, "lastState": {}, "ready": true,
      "restartCount": 0, "image": "registry.example.org/@NAMESPACE@/trainer:2.4.1-cuda12.4-cudnn9",
      "imageID": "registry.example.org/@NAMESPACE@/trainer@sha256:@HASH@",
      "containerID": "containerd://@HASH@", "started": true
    }],
    "qosClass": "Guaranteed"
  }
})json";

inline constexpr std::string_view job_metadata = R"json({
  "apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
  "metadata": {
    "name": "@JOB@", "namespace": "@NAMESPACE@", "uid": "@UID@", "resourceVersion": "@VERSION@", "generation": 1,
    "creationTimestamp": "@CREATED@", "labels": {"team": "@NAMESPACE@"},
    "annotations": {"perf/at": "0000000000000000000"})json";

inline constexpr std::string_view job_managed_fields = R"json(,
    "managedFields": [
      {"manager": "kubectl-client-side-apply", "operation": "Update", "apiVersion": "kubeflow.org/v1",
       "time": "@CREATED@", "fieldsType": "FieldsV1", "fieldsV1": {
        "f:metadata": {"f:annotations": {".": {}, "f:kubectl.kubernetes.io/last-applied-configuration": {}},
          "f:labels": {".": {}, "f:team": {}}},
        "f:spec": {".": {},
          "f:pytorchReplicaSpecs": {".": {},
            "f:Master": {".": {}, "f:replicas": {}, "f:restartPolicy": {}, "f:template": {".": {}, "f:spec": {}}},
            "f:Worker": {".": {}, "f:replicas": {}, "f:restartPolicy": {}, "f:template": {".": {}, "f:spec": {}}}},
          "f:runPolicy": {".": {}, "f:backoffLimit": {}, "f:cleanPodPolicy": {}, "f:ttlSecondsAfterFinished": {}}}}},
      {"manager": "manager", "operation": "Update", "apiVersion": "kubeflow.org/v1", "time": "@READY@",
       "fieldsType": "FieldsV1", "fieldsV1": {
        "f:spec": {"f:nprocPerNode": {}},
        "f:status": {".": {}, "f:conditions": {},
          "f:replicaStatuses": {".": {}, "f:Master": {".": {}, "f:active": {}, "f:selector": {}},
            "f:Worker": {".": {}, "f:active": {}, "f:selector": {}}},
          "f:startTime": {}}},
       "subresource": "status"}
    ])json";

inline constexpr std::string_view job_template = R"json({
        "metadata": {"labels": {"team": "@NAMESPACE@"}, "annotations": {"sidecar.istio.io/inject": "false"}},
        "spec": {
          "containers": [{
            "name": "pytorch", "image": "registry.example.org/@NAMESPACE@/trainer:2.4.1-cuda12.4-cudnn9",
            "command": ["torchrun"],
            "args": ["--nnodes=64", "--nproc-per-node=8", "-m", "train.pretrain", "--config=/data/configs/@JOB@.yaml"],
            "env": [
              {"name": "PYTHONUNBUFFERED", "value": "1"}, {"name": "NCCL_DEBUG", "value": "WARN"},
              {"name": "NCCL_SOCKET_IFNAME", "value": "eth0"},
              {"name": "POD_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}
            ],
            "ports": [{"name": "pytorchjob-port", "containerPort": 23456, "protocol": "TCP"}],
            "resources": {
              "limits": {"cpu": "64", "memory": "512Gi", "nvidia.com/gpu": "8"},
              "requests": {"cpu": "32", "memory": "256Gi", "nvidia.com/gpu": "8"}
            },
            "volumeMounts": [{"name": "dshm", "mountPath": "/dev/shm"}, {"name": "data", "mountPath": "/data"}]
          }],
          "volumes": [
            {"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "16Gi"}},
            {"name": "data", "persistentVolumeClaim": {"claimName": "@JOB@-data"}}
          ],
          "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
          "restartPolicy": "OnFailure"
        }
      })json";

inline constexpr std::string_view job_selector =
    R"(training.kubeflow.org/job-name=@JOB@,training.kubeflow.org/operator-name=pytorchjob-controller)"
    R"(,training.kubeflow.org/replica-type=)";

inline constexpr std::string_view job_rest = R"json(
  },
  "spec": {
    "nprocPerNode": "8",
    "runPolicy": {"backoffLimit": 3, "cleanPodPolicy": "Running", "ttlSecondsAfterFinished": 86400},
    "pytorchReplicaSpecs": {
      "Master": {"replicas": 1, "restartPolicy": "OnFailure", "template": @TEMPLATE@},
      "Worker": {"replicas": 63, "restartPolicy": "OnFailure", "template": @TEMPLATE@}
    }
  },
  "status": {
    "conditions": [
      {"type": "Created", "status": "True", "reason": "PyTorchJobCreated", "message": "PyTorchJob @JOB@ is created.",
       "lastUpdateTime": "@CREATED@", "lastTransitionTime": "@CREATED@"},
      {"type": "Running", "status": "True", "reason": "PyTorchJobRunning", "message": "PyTorchJob @JOB@ is running.",
       "lastUpdateTime": "@READY@", "lastTransitionTime": "@READY@"}
    ],
    "replicaStatuses": {
      "Master": {"active": 1, "selector": "@SELECTOR@master"},
      "Worker": {"active": 63, "selector": "@SELECTOR@worker"}
    },
    "startTime": "@CREATED@"
  }
})json";

} // namespace kftrain::bench::pattern

#endif
