#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>

namespace kftrain {

any_job::any_job(rules::job_rules const& rules) : rules_(&rules), job_(rules.primary().make()) {}

any_job::any_job(rules::job_rules const& rules, void const* job) : rules_(&rules), job_(rules.primary().copy(job)) {}

any_job::any_job(any_job const& other)
    : rules_(other.rules_), job_(other.empty() ? nullptr : other.type().copy(other.job_.get())) {}

object_type const& any_job::type() const noexcept { return rules_->primary(); }

void any_job::set_defaults() { rules_->set_defaults(job_.get()); }

issues any_job::validate() const { return rules_->validate(job_.get(), nullptr); }

issues any_job::validate_update(any_job const& before) const { return rules_->validate(job_.get(), before.job_.get()); }

issues any_job::lint() const { return rules_->lint(job_.get()); }

std::vector<meta::condition> any_job::conditions() const { return rules_->conditions(job_.get()); }

job_phase any_job::phase() const { return rules_->phase(job_.get()); }

membership any_job::lay_out() const {
    any_job const job = with_defaults();
    return rules_->lay_out(job.job_.get());
}

std::vector<any_object> any_job::render() const {
    any_job const job = with_defaults();
    return rules_->render(job.job_.get());
}

std::vector<any_object> any_job::render(operator_options const& told) const {
    auto const rules = rules_->with(told);
    return any_job(*rules, job_.get()).render();
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

result<void> any_job::read_json(std::string_view text, decode_options const& options) {
    return decode_json(text, *type().model, job_.get(), options);
}

result<void> any_job::read_yaml(std::string_view text, decode_options const& options) {
    return decode_yaml(text, *type().model, job_.get(), options);
}

} // namespace kftrain
