#include <kftrain/job/any_job.hpp>

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/prepared_job.hpp>

namespace kftrain {
namespace {

failure no_job() { return rules::cannot("job", "expected a job, got an empty one"); }

/// What makes a job invalid without a look at its fields.
issues refused(std::string message) {
    issue i;
    i.rule = "job.kind";
    i.message = std::move(message);
    return {std::move(i)};
}

any_object const* find(std::span<any_object const> objects, rules::reference const& t) {
    for (auto const& o : objects) {
        auto const& m = o.metadata();
        bool const is_there = t.namespace_.empty() || (m.namespace_.empty() ? "default" : m.namespace_) == t.namespace_;
        if (is_there && m.name == t.name && o.resource().kind == t.type->info->kind &&
            o.resource().group == t.type->info->group)
            return &o;
    }
    return nullptr;
}

std::string missing(object_meta const& job, rules::reference const& t) {
    auto const name = [](std::string const& ns, std::string const& n) {
        return "\"" + (ns.empty() ? "" : ns + "/") + n + "\"";
    };
    return name(job.namespace_, job.name) + " refers to the " + std::string(t.type->info->kind) + " " +
           name(t.namespace_, t.name) + ", which is missing";
}

} // namespace

any_job::any_job(rules::job_rules const& rules) : rules_(&rules), job_(rules.primary().make()) {}

any_job::any_job(rules::job_rules const& rules, void const* job) : rules_(&rules), job_(rules.primary().copy(job)) {}

any_job::any_job(any_job const& other)
    : rules_(other.rules_), job_(other.empty() ? nullptr : other.type().copy(other.job_.get())) {}

void any_job::throw_empty() { throw error(no_job()); }

object_type const& any_job::type() const noexcept { return empty() ? no_object_type() : rules_->primary(); }

std::vector<rules::reference> any_job::references() const {
    return empty() ? std::vector<rules::reference>() : rules_->references(job_.get());
}

void any_job::resolve(std::function<any_object(rules::reference const&)> const& look_up) {
    for (auto const& r : references()) rules_->resolve(job_.get(), r, look_up(r));
}

result<void> any_job::resolve_from(std::span<any_object const> objects) {
    std::vector<any_object> found;
    for (auto const& t : references()) {
        auto const* object = find(objects, t);
        if (object == nullptr)
            if (auto* const installed = rules_->form().installed_objects) object = find(installed(), t);
        if (object == nullptr) return rules::cannot("spec", type().kind() + " " + missing(metadata(), t));
        found.push_back(*object);
    }
    auto next = found.begin();
    resolve([&](rules::reference const&) { return *next++; });
    return {};
}

void any_job::set_defaults() {
    if (!empty()) rules_->set_defaults(job_.get());
}

issues any_job::validate() const {
    return empty() ? refused(no_job().detail.message) : rules_->validate(job_.get(), nullptr);
}

issues any_job::validate_update(any_job const& before) const {
    if (empty()) return validate();
    if (&type() != &before.type())
        return refused("expected an update of a " + type().kind() + ", got one of " +
                       (before.empty() ? "an empty job" : "a " + before.type().kind()));
    return rules_->validate(job_.get(), before.job_.get());
}

issues any_job::lint() const { return prepared_job::by_origin(*this).lint(); }

std::vector<meta::condition> any_job::conditions() const {
    return empty() ? std::vector<meta::condition>() : rules_->conditions(job_.get());
}

job_phase any_job::phase() const { return empty() ? job_phase::created : rules_->phase(job_.get()); }

membership any_job::members() const { return prepared_job::by_origin(*this).layout(); }

std::vector<any_object> any_job::render() const { return prepared_job::by_origin(*this).render(); }

std::vector<any_object> any_job::render(operator_options const& options) const {
    return prepared_job::by_origin(*this, &options).render();
}

rules::scaling any_job::scaling() const { return prepared_job::by_origin(*this).scaling(); }

rules::suspending any_job::suspending() const { return prepared_job::by_origin(*this).suspending(); }

any_job any_job::with_defaults() const {
    any_job job = *this;
    job.set_defaults();
    return job;
}

std::string any_job::to_json() const {
    if (empty()) return "null";
    std::string out;
    encode_json(*type().model, job_.get(), out);
    return out;
}

std::string any_job::to_yaml() const {
    if (empty()) return "null\n";
    std::string out;
    encode_yaml(*type().model, job_.get(), out);
    return out;
}

result<void> any_job::read_json(std::string_view text, decode_options const& options) {
    if (empty()) return no_job();
    return decode_json(text, *type().model, job_.get(), options);
}

} // namespace kftrain
