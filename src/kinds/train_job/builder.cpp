#include <kftrain/kinds/train_job_builder.hpp>

#include "job/v1/built_job.hpp"
#include "kinds/train_job/kind.hpp"
#include "kinds/train_job/pod_parts.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/model/codec.hpp>

namespace kftrain::trainer {
namespace {

using kftrain::detail::built_pod;
using kftrain::detail::invalid_value;

/// A job in the making.
class construction {
public:
    explicit construction(train_job_choices const& chosen) : chosen_(chosen), found_(chosen.problems) {
        job_.metadata = chosen.metadata;
        job_.spec = chosen.spec;
    }

    result<train_job> run(pod_choices const& pod) {
        auto const& own = *chosen_.spec.trainer;
        auto trainer = take(node, pod, pod_field_place::trainer);
        trainer.num_nodes = own.num_nodes;
        trainer.num_proc_per_node = own.num_proc_per_node;
        job_.spec.trainer = std::move(trainer);
        for (auto const& other : chosen_.jobs) {
            pod_settings settings;
            if (other.own) other.own(settings);
            take(other.job, settings.pod(), pod_field_place::patch);
        }
        check();
        std::vector<built_pod> pods;
        for (auto const& [path, volumes] : volumes_) pods.push_back({&volumes, path});
        if (auto why = kftrain::detail::why_refused(job_rules_for<train_job>(), &job_, pods, std::move(found_)))
            return *std::move(why);
        return std::move(job_);
    }

private:
    /// Adds the settings of the pods of a Job. Those beyond `most` have no field, and are reported.
    job_trainer take(std::string_view job, pod_choices const& chosen, pod_field_place most) {
        auto made = chosen.pod;
        if (!chosen.restart_policy.empty()) made.spec.restart_policy = chosen.restart_policy;
        made.spec.containers.insert(made.spec.containers.begin(), chosen.training);
        auto parts = divide_pod(made, 0);
        if (!parts.is_patched() && parts.fields.empty()) return {};
        std::string path = "spec.trainer";
        if (parts.is_patched()) path = add_patch(job_.spec, job, parts.patch);
        for (auto const& field : parts.fields)
            if (field.place == pod_field_place::nowhere)
                found_.push_back(
                    invalid_value("spec.runtimeRef", name_of(job, field) + " is " + field.value +
                                                         ", expected in the runtime: a TrainJob cannot set it"));
            else if (field.place == pod_field_place::trainer && most == pod_field_place::patch)
                found_.push_back(invalid_value("spec.trainer." + field.result_path,
                                               field.value + " for the Job " + std::string(job) +
                                                   ", expected only for the Job that trains"));
        volumes_.emplace_back(path + ".spec", core::pod_spec());
        volumes_.back().second.volumes = made.spec.volumes;
        return std::move(parts.trainer);
    }

    static std::string name_of(std::string_view job, pod_field const& field) {
        return field.path + " of the Job " + std::string(job);
    }

    void check() {
        if (chosen_.runtime.empty())
            resolve_installed(job_);
        else
            job_.runtime = chosen_.runtime;
        auto const& trainer = *job_.spec.trainer;
        if (trainer.resources_per_node)
            kftrain::detail::check_resources(*trainer.resources_per_node, "spec.trainer.resourcesPerNode", found_);
        if (auto const count = trainer.num_proc_per_node; count && *count < 1)
            found_.push_back(
                invalid_value("spec.trainer.numProcPerNode", std::to_string(*count) + ", expected at least 1"));
        if (has_errors(found_)) return; // the schema would report amounts once more
        for (auto const& fault : kftrain::validate(schema(), to_json(job_)).value()) {
            auto& i = found_.emplace_back();
            i.rule = "schema";
            i.message = fault.text();
            i.path = fault.field;
        }
    }

    train_job_choices const& chosen_;
    train_job job_;
    issues found_;
    std::vector<std::pair<std::string, core::pod_spec>> volumes_; ///< by path, for a check of their amounts
};

} // namespace

result<train_job> detail::build(train_job_choices const& chosen, pod_choices const& pod) {
    return construction(chosen).run(pod);
}

} // namespace kftrain::trainer
