#include <kftrain/job/any_job.hpp>

namespace kftrain {

issues any_job::validate() const {
    issues found;
    kind_->validate(job_.get(), found);
    return found;
}

issues any_job::validate_update(any_job const& before) const {
    issues found;
    kind_->validate_update(before.job_.get(), job_.get(), found);
    return found;
}

issues any_job::lint() const {
    issues found;
    kind_->lint(job_.get(), found);
    return found;
}

topology any_job::lay_out() const {
    any_job const job = with_defaults();
    return kind_->lay_out(job.job_.get());
}

std::vector<child> any_job::render(operator_options const& options) const {
    any_job const job = with_defaults();
    return kind_->render(job.job_.get(), options);
}

pod any_job::render_pod(topology const& layout, replica const& r, operator_options const& options) const {
    return kind_->render_pod(job_.get(), layout, r, options);
}

plan any_job::make_plan(observed const& world, time_point now, operator_options const& options) const {
    return kind_->make_plan(job_.get(), world, now, options);
}

std::vector<job_condition> any_job::conditions() const { return kind_->conditions(job_.get()); }

result<void> any_job::set_status(raw_json const& status) { return kind_->set_status(job_.get(), status.text); }

any_job any_job::with_defaults() const {
    any_job job = *this;
    job.set_defaults();
    return job;
}

std::string any_job::to_json() const {
    std::string out;
    encode_json(*kind_->type, job_.get(), out);
    return out;
}

std::string any_job::to_yaml() const {
    std::string out;
    encode_yaml(*kind_->type, job_.get(), out);
    return out;
}

} // namespace kftrain
