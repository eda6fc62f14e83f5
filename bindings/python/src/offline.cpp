#include "offline.hpp"

#include "objects.hpp"
#include "value.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/facade/described.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/member_lookup.hpp>
#include <kftrain/kinds/registry.hpp>

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::python {
namespace {

py::list all_values(auto const& from) {
    py::list all;
    for (auto const& item : from) all.append(value_of(item));
    return all;
}

/// Copies a value as Python has it: an object or map becomes a dict, with the C++ names of its members.
py::object python_value(const_value_ref const& v) {
    if (v.is_absent() || !holds_parts(v.kind())) return python_scalar(v);
    if (v.kind() == value_kind::list) {
        py::list items;
        for (std::size_t i = 0; i < v.size(); ++i) items.append(python_value(*v.at(i)));
        return items;
    }
    py::dict members;
    v.for_each([&](std::string_view name, const_value_ref const& member) {
        members[python_str(name)] = python_value(member);
    });
    return members;
}

py::list all_results(auto const& from) {
    py::list all;
    for (auto const& item : from) all.append(python_value(const_value_ref(item)));
    return all;
}

using flag_texts = std::vector<std::string>; // `--name=value`

/// A job and its rules for the flags of an operator.
struct complete_job {
    std::shared_ptr<rules::job_rules const> owner; ///< of the rules of the job
    any_job job;
};

/// The job with the objects to which it refers; raises an exception if one is missing.
complete_job complete_job_of(value& v, py::list const& references, flag_texts const& flags) {
    std::vector<any_object> objects;
    for (auto const& r : references) objects.push_back(std::get<any_object>(written_object_of(r)));
    operator_options options;
    for (auto const& flag : flags) unwrap(read_operator_flag(options, flag), "operator_flags");
    auto const given = job_of(v);
    auto rules = given.rules().with(options);
    any_job job(*rules, given.get());
    unwrap(job.resolve_from(objects));
    return {std::move(rules), std::move(job)};
}

/// Raises Invalid if the job breaks a rule: the functions for valid jobs do not check that themselves.
complete_job valid_job_of(value& v, py::list const& references, flag_texts const& flags) {
    auto complete = complete_job_of(v, references, flags);
    auto const found = complete.job.validate();
    if (!has_errors(found)) return complete;
    diagnostics d;
    d.message = join_errors(found, "; ");
    for (auto const& i : found)
        if (i.level == issue::severity::error) d.causes.emplace_back(i.rule, i.path, i.message);
    raise(failure(errc::invalid_job, std::move(d)));
}

py::dict python_environment(std::vector<core::env_var> const& variables) {
    py::dict all;
    for (auto const& v : variables) all[py::str(v.name)] = v.value;
    return all;
}

py::list ranks(value& v, py::list const& references, flag_texts const& flags) {
    auto const complete = valid_job_of(v, references, flags);
    member_lookup const lookup(complete.job);
    py::list all;
    for (auto const& m : lookup.layout().members) {
        py::dict one;
        one["role"] = m.role;
        one["index"] = m.index;
        one["rank"] = m.rank;
        one["pod"] = m.pod_name;
        one["address"] = lookup.address_of(m);
        py::dict environments;
        for (auto const& c : lookup.environment_of(m))
            if (!c.init) environments[py::str(c.container)] = python_environment(c.effective());
        one["environment"] = environments;
        all.append(one);
    }
    return all;
}

template <class... T> std::vector<described_type> types_of() { return {described_type::of<T>()...}; }

py::tuple convert_text(std::string const& text, std::string const& kind) {
    auto const converted = unwrap(convert::convert_job(yaml_document(text, 1), convert::kind_name(kind)));
    return py::make_tuple(value_of(converted.job), all_results(converted.changes));
}

} // namespace

void bind_offline(py::module_& m) {
    m.def("parse_jobs",
          [](std::string const& text, bool strict) { return all_values(unwrap(parse_jobs(text, reading(strict)))); });
    m.def("render", [](value& v, py::list const& references, flag_texts const& flags) {
        return all_values(valid_job_of(v, references, flags).job.render());
    });
    m.def("ranks", &ranks);
    m.def("lint", [](value& v, py::list const& references, flag_texts const& flags) {
        return all_results(complete_job_of(v, references, flags).job.lint());
    });
    m.def("validate", [](value& v, py::list const& references, flag_texts const& flags) {
        return all_results(complete_job_of(v, references, flags).job.validate());
    });
    m.def("with_defaults", [](value& v) { return value_of(job_of(v).with_defaults()); });
    m.def("phase", [](value& v) { return std::string(to_string(job_of(v).phase())); });
    m.def("convert", &convert_text);
    m.def(
        "result_types",
        [] {
            return types_of<explanation, job_change, job_event_list, job_progress, job_timeline, log_line,
                            preflight_report, update_plan>();
        },
        "The types of results that are passed on as JSON.");
    m.def(
        "job_type",
        [](std::string const& name) -> std::optional<described_type> {
            auto const found = find_job_kinds(name);
            if (found.size() != 1) return std::nullopt;
            return described_type(*found.front()->primary().model);
        },
        "The type of jobs with a name such as `pytorchjob.v1`; None if there is none or more than one.");
    m.def("job_kinds", [] {
        std::vector<described_type> all;
        for (auto const* const rules : known_job_rules()) all.emplace_back(*rules->primary().model);
        return all;
    });
}

} // namespace kftrain::python
