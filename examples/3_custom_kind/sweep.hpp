// A custom kind: a Sweep trains one PyTorchJob for each learning rate.
#ifndef ACME_SWEEP_HPP
#define ACME_SWEEP_HPP

// [kind]
#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>

namespace acme {

struct sweep_spec {
    sweep_spec() = default;

    std::string image;
    std::vector<std::string> command;
    std::vector<std::string> learning_rates; // learningRates in YAML and JSON
    std::int32_t workers = 0;                // of each job, at least 1
};
KFTRAIN_DESCRIBE(sweep_spec, (image, command, learning_rates, workers))

struct sweep_status {
    sweep_status() = default;

    std::int32_t created = 0;
    std::int32_t succeeded = 0;
    std::int32_t failed = 0;
};
KFTRAIN_REQUIRED(sweep_status, "created", "succeeded", "failed") // written even if they are 0
KFTRAIN_DESCRIBE(sweep_status, (created, succeeded, failed))

struct sweep {
    sweep() = default;

    static constexpr kftrain::resource_info resource{"acme.example.com", "v1", "Sweep", "sweeps"};

    kftrain::object_meta metadata;
    sweep_spec spec;
    sweep_status status;
    kftrain::unknown_fields unknown; // fields that this struct does not have
};
KFTRAIN_DESCRIBE_RESOURCE(sweep, (metadata, spec, status))

} // namespace acme
// [kind end]

#endif
