// A job kind of a program: a GridJob runs one program in `workers` pods, and succeeds when all of them have.
#ifndef ACME_GRID_JOB_HPP
#define ACME_GRID_JOB_HPP

// [kind]
#include <kftrain/job/training_job.hpp>
#include <kftrain/objects/core/pod.hpp>

namespace acme {

struct grid_job_spec {
    grid_job_spec() = default;

    std::int32_t workers = 0; // at least 1
    kftrain::core::pod_template_spec template_;
};
KFTRAIN_DESCRIBE(grid_job_spec, (workers, template_))

struct grid_job_status {
    grid_job_status() = default;

    std::string phase; // Created, Running, Succeeded, Failed
    std::int32_t succeeded = 0;
    std::optional<kftrain::time_point> start_time, completion_time;
};
KFTRAIN_DESCRIBE(grid_job_status, (phase, succeeded, start_time, completion_time))

struct grid_job {
    grid_job() = default;

    static constexpr kftrain::resource_info resource{"acme.example.com", "v1", "GridJob", "gridjobs"};

    kftrain::object_meta metadata;
    grid_job_spec spec;
    grid_job_status status;
    kftrain::unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(grid_job, (metadata, spec, status))

// The library finds the rules of a kind by this function, next to the struct.
kftrain::rules::job_rules const& kftrain_job_rules(kftrain::type_tag<grid_job>) noexcept;

} // namespace acme
// [kind end]

#endif
