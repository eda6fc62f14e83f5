#include "cli/manifests/job_parts.hpp"

#include <kftrain/job/member_lookup.hpp>
#include <kftrain/objects/apps/stateful_set.hpp>
#include <kftrain/objects/batch/job.hpp>
#include <kftrain/objects/core/pod.hpp>
#include <kftrain/objects/core/service.hpp>

#include <boost/json/parse.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace kftrain::cli {
namespace {

constexpr std::size_t compared_pods = 3; ///< and the last one: the values of a variable are those of these pods

/// Pods of one group before their variables are compared.
struct open_group {
    pod_group shown;
    string_map labels; ///< of the first pod
    std::vector<core::pod_spec> compared;
};

/// Adds the names of the variables that the author of the job wrote.
void add_written_variables(boost::json::value const& part, std::set<std::string, std::less<>>& names) {
    if (auto const* const list = part.if_array())
        for (auto const& item : *list) add_written_variables(item, names);
    auto const* const object = part.if_object();
    if (object == nullptr) return;
    for (auto const& [key, value] : *object) {
        auto const* const variables = key == "env" ? value.if_array() : nullptr;
        if (variables == nullptr) {
            add_written_variables(value, names);
            continue;
        }
        for (auto const& variable : *variables)
            if (auto const* const name = variable.is_object() ? variable.get_object().if_contains("name") : nullptr)
                if (name->is_string()) names.emplace(std::string_view(name->get_string()));
    }
}

std::string value_of(core::env_var const& variable) {
    return variable.value_from ? std::string("(from an object)") : variable.value;
}

/// `RANK=0, 1, 2`, or with the first and the last value if there are more or if they are long.
std::string variable_line(std::string const& name, std::vector<std::string> const& values) {
    bool const is_long = std::any_of(values.begin(), values.end(), [](auto const& v) { return v.size() > 20; });
    std::string line = name + '=' + values.front();
    if (values.size() == 1) return line;
    if (is_long) return line + ", …";
    if (values.size() > compared_pods) return line + " … " + values.back();
    for (std::size_t i = 1; i < values.size(); ++i) line += ", " + values[i];
    return line;
}

std::vector<std::string> environment_lines(std::vector<core::pod_spec> const& pods,
                                           std::set<std::string, std::less<>> const& written) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>, std::less<>> values;
    for (auto const& pod : pods)
        for (auto const& container : pod.containers)
            for (auto const& variable : container.env) {
                if (written.contains(variable.name)) continue;
                auto& of = values[variable.name];
                if (of.empty()) order.push_back(variable.name);
                auto value = value_of(variable);
                if (std::find(of.begin(), of.end(), value) == of.end()) of.push_back(std::move(value));
            }
    std::vector<std::string> lines;
    for (auto const& name : order) lines.push_back(variable_line(name, values[name]));
    return lines;
}

bool selects(string_map const& selector, string_map const& labels) {
    return !selector.empty() && std::all_of(selector.begin(), selector.end(), [&](auto const& wanted) {
        auto const at = labels.find(wanted.first);
        return at != labels.end() && at->second == wanted.second;
    });
}

class grouping {
public:
    explicit grouping(prepared_job const& job) : lookup_(job), layout_(lookup_.layout()) {}

    void add(any_object const& object) {
        auto const& metadata = object.metadata();
        if (auto const* const p = object.get_if<core::pod>()) {
            auto const* const member = layout_.of(metadata);
            add_pod(member == nullptr ? metadata.name : member->role, metadata.name, metadata.labels, p->spec);
        } else if (auto const* const set = object.get_if<apps::stateful_set>()) {
            auto const& pod = set->spec.template_;
            for (std::int32_t i = 0; i < set->spec.replicas.value_or(1); ++i)
                add_pod("StatefulSet " + metadata.name, metadata.name + '-' + std::to_string(i), pod.metadata.labels,
                        pod.spec);
        } else if (auto const* const j = object.get_if<batch::job>()) {
            auto const& pod = j->spec.template_;
            add_pod("Job", metadata.name, pod.metadata.labels, pod.spec);
        } else if (auto const* const s = object.get_if<core::service>()) {
            services_.push_back(*s);
        } else {
            other_object other;
            other.kind = object.resource().kind;
            other.name =
                metadata.name.ends_with('-') ? metadata.name + "…" : metadata.name; // the uid of the job follows
            out_.others.push_back(std::move(other));
        }
    }

    /// Adds the pods of the members if no object has a template of them, as when a JobSet has Jobs of its own.
    void add_missing_pods() {
        if (!groups_.empty()) return;
        for (auto const& m : layout_.members) {
            auto p = lookup_.pod_of(m);
            for (auto& c : lookup_.environment_of(m))
                for (auto& own : c.init ? p.spec.init_containers : p.spec.containers)
                    if (own.name == c.container) own.env = std::move(c.env);
            add_pod(m.role, m.host_name(), p.metadata.labels, p.spec);
        }
    }

    job_parts finish(std::set<std::string, std::less<>> const& written) {
        for (auto const& s : services_) add_service(s);
        for (auto& g : groups_) {
            if (last_.contains(g.shown.title)) g.compared.push_back(last_[g.shown.title]);
            g.shown.environment = environment_lines(g.compared, written);
            if (!g.compared.empty())
                for (auto const& c : g.compared.back().init_containers) g.shown.init.push_back(c.name);
            if (g.shown.title != "Job")
                g.shown.title +=
                    g.shown.names.size() == 1 ? ", 1 pod" : ", " + std::to_string(g.shown.names.size()) + " pods";
            out_.pods.push_back(std::move(g.shown));
        }
        return std::move(out_);
    }

private:
    void add_pod(std::string const& title, std::string const& name, string_map const& labels,
                 core::pod_spec const& spec) {
        auto const [at, is_new] = index_.emplace(title == "Job" ? title + ' ' + name : title, groups_.size());
        if (is_new) {
            groups_.emplace_back().shown.title = title;
            groups_.back().labels = labels;
        }
        auto& group = groups_[at->second];
        pods_.emplace(name, at->second);
        group.shown.names.push_back(name);
        if (group.compared.size() < compared_pods)
            group.compared.push_back(spec);
        else
            last_.insert_or_assign(title, spec);
    }

    /// The service of a pod has the name of the pod; other services select the pods of one or more groups.
    void add_service(core::service const& s) {
        std::vector<std::size_t> selected;
        if (auto const pod = pods_.find(s.metadata.name); pod != pods_.end())
            selected.push_back(pod->second);
        else
            for (std::size_t i = 0; i < groups_.size(); ++i)
                if (selects(s.spec.selector, groups_[i].labels)) selected.push_back(i);
        if (selected.empty()) {
            other_object other;
            other.kind = "Service";
            other.name = s.metadata.name;
            out_.others.push_back(std::move(other));
            return;
        }
        auto const port = s.spec.ports.empty() ? std::string() : std::to_string(s.spec.ports.front().port);
        auto const at = std::find_if(out_.services.begin(), out_.services.end(),
                                     [&](auto const& g) { return g.groups == selected && g.port == port; });
        auto& group = at == out_.services.end() ? out_.services.emplace_back() : *at;
        group.groups = std::move(selected);
        group.port = port;
        group.names.push_back(s.metadata.name);
    }

    member_lookup lookup_;
    membership const& layout_;
    job_parts out_;
    std::vector<open_group> groups_;
    std::map<std::string, std::size_t, std::less<>> index_; ///< of a group, by title
    std::map<std::string, std::size_t, std::less<>> pods_;  ///< group of a pod, by name
    std::map<std::string, core::pod_spec, std::less<>> last_;
    std::vector<core::service> services_;
};

} // namespace

job_parts parts_of(prepared_job const& job) {
    std::set<std::string, std::less<>> written;
    add_written_variables(boost::json::parse(job->to_json()), written);
    grouping groups(job);
    auto const objects = job.render();
    for (auto const& object : objects) groups.add(object);
    groups.add_missing_pods();
    return groups.finish(written);
}

} // namespace kftrain::cli
