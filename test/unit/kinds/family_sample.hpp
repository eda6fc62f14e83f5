#ifndef KFTRAIN_TEST_UNIT_KINDS_FAMILY_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_KINDS_FAMILY_SAMPLE_HPP

#include "unit/job/sample.hpp"

#include <kftrain/kinds/registry.hpp>

/// Helpers that the tests of all kinds of `kubeflow.org/v1` share.
namespace family {

using namespace sample;
using lines = std::vector<std::string>;

/// A job from its JSON.
template <class K> K parsed(std::string const& text) { return *parse_job(text).value().template get_if<K>(); }

/// `{"replicas":<count>,...,"template":...}` with one container of this name; `more` goes before the template.
inline std::string replicas_of(std::string const& container, int count, std::string const& more = "") {
    return R"({"replicas":)" + std::to_string(count) + "," + more + R"("template":{"spec":{"containers":[{"name":")" +
           container + R"(","image":"example.com/train:1"}]}}})";
}

inline pod pod_of(any_job const& j, std::string_view name) {
    for (auto const& c : j.render())
        if (auto const* p = c.get_if<pod>(); p != nullptr && p->metadata.name == name) return *p;
    throw std::out_of_range("no such pod");
}

/// `NAME=value` of the first container of a pod; of a field of the pod its path stands for the value.
inline lines environment(any_job const& j, std::string_view name) {
    lines result;
    pod const p = pod_of(j, name);
    for (auto const& v : p.spec.containers.at(0).env)
        result.push_back(v.name + "=" + (v.value_from ? v.value_from->field_ref->field_path : v.value));
    return result;
}

/// `rule | message` of every issue.
inline lines texts_of(issues const& found) {
    lines result;
    for (auto const& i : found) result.push_back(i.rule + " | " + i.message);
    return result;
}
inline lines faults(any_job const& j) { return texts_of(j.validate()); }
inline lines lints(any_job const& j, std::string_view rule) {
    lines result;
    for (auto const& i : j.lint())
        if (i.rule == rule) result.push_back(i.message);
    return result;
}

/// Every pod and service of the job exists, and the pods are in this phase.
inline observed all(any_job const& j, std::string const& phase) {
    observed world;
    for (auto const& c : j.render()) {
        any_object stored = c;
        if (auto const* p = c.get_if<pod>()) {
            pod with_phase = *p;
            with_phase.status.phase = phase;
            stored = any_object(std::move(with_phase));
        }
        world.add(std::move(stored));
    }
    return world;
}

/// One pod ends; its training container has this exit code, if given.
inline void end(observed& world, std::string_view name, std::string const& phase,
                std::optional<std::int32_t> code = {}) {
    change(world, name, [&](pod& p) {
        p.status.phase = phase;
        if (!code) return;
        core::container_status c;
        c.name = p.spec.containers.at(0).name;
        c.state.terminated.emplace().exit_code = *code;
        p.status.container_statuses.push_back(std::move(c));
    });
}

/// The job with the status that the plan over this world writes.
template <class K> K after(K j, observed const& world, int seconds) {
    for (auto const& a : actions_of(plan_of(any_job(j), world, at(seconds))))
        if (auto const* w = std::get_if<rules::write_status>(&a)) j.status = w->object.get_if<K>()->status;
    return j;
}
template <class K> K running(K const& j) { return after(after(j, observed(), 0), all(any_job(j), "Running"), 1); }

/// Reasons and messages of the events of a plan.
inline lines events(rules::plan const& p) {
    lines result;
    for (auto const& a : actions_of(p))
        if (auto const* t = std::get_if<rules::emit_event>(&a))
            result.push_back(t->type + " " + t->reason + ": " + t->message);
    return result;
}

} // namespace family

#endif
