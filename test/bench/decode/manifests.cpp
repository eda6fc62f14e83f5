// usage: bench_manifests [JOBS [ROUNDS]]
//        bench_manifests --write JOBS
//
// Reads a file of JOBS PyTorchJobs (500), each a document of YAML, as a command or a service does. The table gives
// ratios of the same round to decoding each document once into a job of a known kind, which is the least that reading
// them can cost; see paired.hpp. With --write the file is printed, for the commands: `bench_manifests --write 500 |
// kftrain lint -`.
#include "bench/support/paired.hpp"

#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kinds/types.hpp>

#include <cstdlib>
#include <cstring>

namespace kftrain::bench {
namespace {

/// A typical manifest of each replica type, in block style.
constexpr std::string_view replicas = R"(    @type:
      replicas: @count
      restartPolicy: OnFailure
      template:
        metadata:
          labels:
            example.com/run: "@number"
        spec:
          tolerations:
            - key: nvidia.com/gpu
              operator: Exists
              effect: NoSchedule
          containers:
            - name: pytorch
              image: registry.example.com/vision/train:2.3.1
              command: [torchrun, train.py, --epochs, "90", --lr, "0.1"]
              env:
                - name: NCCL_DEBUG
                  value: INFO
                - name: OMP_NUM_THREADS
                  value: "4"
              ports:
                - name: pytorchjob-port
                  containerPort: 23456
              resources:
                requests: {cpu: "32", memory: 256Gi}
                limits: {cpu: "32", memory: 256Gi, nvidia.com/gpu: "8"}
              volumeMounts:
                - name: data
                  mountPath: /data
                - name: shm
                  mountPath: /dev/shm
          volumes:
            - name: data
              persistentVolumeClaim:
                claimName: imagenet
            - name: shm
              emptyDir:
                medium: Memory
)";

constexpr std::string_view head = R"(# Training run @number of the nightly sweep.
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: sweep-@number
  namespace: research
  labels: {team: vision, app.kubernetes.io/name: sweep}
  annotations:
    example.com/reason: "compare learning rates, run @number"
spec:
  nprocPerNode: "8"
  runPolicy:
    cleanPodPolicy: Running
    backoffLimit: 3
    ttlSecondsAfterFinished: 86400
  pytorchReplicaSpecs:
)";

std::string with(std::string text, std::string_view mark, std::string_view value) {
    for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at)) text.replace(at, mark.size(), value);
    return text;
}

std::string job(int number) {
    std::string text(head);
    text += with(with(std::string(replicas), "@type", "Master"), "@count", "1");
    text += with(with(std::string(replicas), "@type", "Worker"), "@count", "3");
    return with(std::move(text), "@number", std::to_string(number));
}

std::string file_of(int jobs) {
    std::string text;
    for (int i = 0; i < jobs; ++i) text += (i == 0 ? "" : "---\n") + job(i);
    return text;
}

template <class Read> double timed(Read read) {
    double const start = processor_seconds();
    auto const value = read();
    double const seconds = processor_seconds() - start;
    if (!value) {
        std::fprintf(stderr, "bench_manifests: %s\n", value.error().to_string().c_str());
        std::exit(1);
    }
    return seconds;
}

/// The same jobs as JSON, as a client of this library passes them on.
std::vector<std::string> as_json(std::string const& text) {
    std::vector<std::string> all;
    for (auto const& job : *parse_jobs(text)) all.push_back(job.to_json());
    return all;
}

void print(paired const& p, std::size_t base, double bytes) {
    for (std::size_t i = 0; i < p.size(); ++i)
        std::printf("  %-44s %9.1f %8.1f %7.2f\n", p.name(i).c_str(), 1e3 * p.least(i), 1e-6 * bytes / p.least(i),
                    p.ratio(i, base));
}

void measure(int jobs, int rounds) {
    std::string const text = file_of(jobs);
    auto const documents = split_yaml(text);
    paired p;
    p.add("each document decoded, its kind known",
          [&] { return timed([&] { return from_yaml_all<pytorch_job>(text); }); });
    p.add("type_of_document of each", [&] {
        return timed([&] {
            result<document_type> last = document_type();
            for (auto const& d : documents) last = type_of_document(d.text);
            return last;
        });
    });
    p.add("parse_job of each", [&] {
        return timed([&] {
            result<any_job> last = any_job();
            for (auto const& d : documents) last = parse_job(d.text);
            return last;
        });
    });
    p.add("parse_jobs of the file", [&] { return timed([&] { return parse_jobs(text); }); });
    p.measure(rounds);
    std::printf("%d PyTorchJobs, %.1f MB of YAML; %d rounds\n  %-44s %9s %8s %7s\n", jobs,
                1e-6 * static_cast<double>(text.size()), rounds, "", "ms", "MB/s", "x time");
    print(p, 0, static_cast<double>(text.size()));

    auto const written = as_json(text);
    double bytes = 0;
    for (auto const& one : written) bytes += static_cast<double>(one.size());
    paired of_json;
    of_json.add("each decoded from JSON, its kind known", [&] {
        return timed([&] {
            result<pytorch_job> last = pytorch_job();
            for (auto const& one : written) last = from_json<pytorch_job>(one);
            return last;
        });
    });
    of_json.add("parse_job of each, from JSON", [&] {
        return timed([&] {
            result<any_job> last = any_job();
            for (auto const& one : written) last = parse_job(one);
            return last;
        });
    });
    of_json.measure(rounds);
    print(of_json, 0, bytes);
}

} // namespace
} // namespace kftrain::bench

int main(int argc, char** argv) {
    bool const write = argc > 1 && std::strcmp(argv[1], "--write") == 0;
    int const skip = write ? 1 : 0;
    int const jobs = argc > 1 + skip ? std::atoi(argv[1 + skip]) : 500;
    if (write)
        std::fputs(kftrain::bench::file_of(jobs).c_str(), stdout);
    else
        kftrain::bench::measure(jobs, argc > 2 ? std::atoi(argv[2]) : 15);
}
