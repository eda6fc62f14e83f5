#include <kftrain/job/any_job.hpp>

namespace kftrain {

membership any_job::lay_out() const {
    any_job const job = with_defaults();
    return rules_->lay_out(job.job_.get());
}

std::vector<any_object> any_job::render() const {
    any_job const job = with_defaults();
    return rules_->render(job.job_.get());
}

std::vector<any_object> any_job::render(operator_options const& told) const {
    any_job const job = with_defaults();
    return rules_->with(told)->render(job.job_.get());
}

rules::scaling any_job::scaling() const {
    any_job const job = with_defaults();
    return rules_->scaling(job.job_.get());
}

rules::suspending any_job::suspending() const {
    any_job const job = with_defaults();
    return rules_->suspending(job.job_.get());
}

any_job any_job::with_defaults() const {
    any_job job = *this;
    job.set_defaults();
    return job;
}

std::string any_job::to_json() const {
    std::string out;
    encode_json(*type().model, job_.get(), out);
    return out;
}

std::string any_job::to_yaml() const {
    std::string out;
    encode_yaml(*type().model, job_.get(), out);
    return out;
}

} // namespace kftrain
