#ifndef KFTRAIN_TEST_UNIT_MODEL_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_MODEL_SAMPLE_HPP

#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/model/codec.hpp>

#include <ostream>

namespace kftrain {

/// One member of every shape.
struct sample_values {
    sample_values() = default;

    bool flag = false;
    std::int32_t small = 0;
    std::int64_t large = 0;
    double ratio = 0;
    std::string text;
    std::optional<bool> maybe_flag;
    std::optional<std::int32_t> maybe_small;
    std::optional<time_point> when;
    std::optional<micro_time> exactly;
    quantity amount;
    raw_json anything;
    std::vector<raw_json> things;
    std::vector<std::int32_t> numbers;
    std::vector<std::vector<std::string>> rows;
    string_map labels;
    std::map<std::string, core::env_var, std::less<>> by_name;
    std::optional<core::env_var> maybe_object;
    std::int32_t kept = 0;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(sample_values, {"kept", "alwaysThere"})
KFTRAIN_REQUIRED(sample_values, "kept")
BOOST_DESCRIBE_STRUCT(sample_values, (),
                      (flag, small, large, ratio, text, maybe_flag, maybe_small, when, exactly, amount, anything,
                       things, numbers, rows, labels, by_name, maybe_object, kept))

/// Keeps no unknown fields.
struct sample_narrow {
    sample_narrow() = default;

    std::string name;
};
BOOST_DESCRIBE_STRUCT(sample_narrow, (), (name))

struct sample_spec {
    sample_spec() = default;

    kubeflow_v1::replica_spec_map pytorch_replica_specs;
    kubeflow_v1::run_policy run_policy_;
    unknown_fields unknown;
};
BOOST_DESCRIBE_STRUCT(sample_spec, (), (pytorch_replica_specs, run_policy_))

struct sample_job {
    sample_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1", "PyTorchJob", "pytorchjobs"};

    object_meta metadata;
    sample_spec spec;
    unknown_fields unknown;
};
BOOST_DESCRIBE_STRUCT(sample_job, (), (metadata, spec))

template <described T> std::ostream& operator<<(std::ostream& out, T const& value) { return out << to_json(value); }

/// The text of the failure, empty when there is none.
template <class T> std::string why_json(std::string_view text, bool strict = false) {
    decode_options options;
    options.strict = strict;
    auto const r = from_json<T>(text, options);
    return r ? std::string() : r.error().to_string();
}

template <class T> std::string why_yaml(std::string_view text, bool strict = false) {
    decode_options options;
    options.strict = strict;
    auto const r = from_yaml<T>(text, options);
    return r ? std::string() : r.error().to_string();
}

inline constexpr std::string_view sample_pod_json = R"json({
  "apiVersion": "v1",
  "kind": "Pod",
  "metadata": {
    "name": "digits-worker-0",
    "namespace": "train",
    "labels": {"training.kubeflow.org/job-name": "digits", "escaped\"key": "tab\tand \u00e9 \ud83d\ude00"},
    "annotations": {},
    "creationTimestamp": "2026-03-01T10:11:12Z",
    "managedFields": [{"manager": "x", "fieldsV1": {"f:spec": {}}, "n": 1.50}],
    "ownerReferences": [{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "name": "digits", "controller": true}]
  },
  "spec": {
    "containers": [
      {"name": "pytorch", "image": "img", "command": ["python", "-c", "print(\"x\")"],
       "env": [{"name": "RANK", "value": "1"},
               {"name": "POD_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}],
       "ports": [{"name": "port", "containerPort": 23456}],
       "resources": {"limits": {"cpu": 2, "memory": "1Gi"}}}
    ],
    "restartPolicy": "Never",
    "terminationGracePeriodSeconds": 0,
    "tolerations": [{"operator": "Exists"}],
    "ofTheFuture": [{"operator": "Exists"}, null, true, -3, "a\\b"]
  },
  "status": {"phase": "Running", "podIPs": [{"ip": "10.0.0.7"}],
    "containerStatuses": [{"name": "pytorch", "ready": true, "restartCount": 0, "image": "", "imageID": "",
      "state": {"running": {"startedAt": "2026-03-01T10:11:13Z"}}, "lastState": {}}]}
})json";

} // namespace kftrain

extern template struct kftrain::model::table<kftrain::raw_json>;
extern template struct kftrain::model::table<std::vector<kftrain::raw_json>>;

namespace kftrain::core {
using kftrain::operator<<;
}

#endif
