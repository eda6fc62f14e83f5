#include "cli/cluster/output/print_jobs.hpp"

#include "base/joined.hpp"
#include "cli/cluster/output/job_names.hpp"
#include "cli/cluster/output/text_table.hpp"
#include "cli/cluster/output/time_text.hpp"
#include "cli/commands.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>

namespace kftrain::cli {

/// The list that kubectl prints. Unlike the codec, it writes `items` even for an empty list.
struct list_of_jobs {
    std::string api_version = "v1", kind = "List";
    meta::list_meta metadata;
    raw_json items;
};
BOOST_DESCRIBE_STRUCT(list_of_jobs, (), (api_version, kind, metadata, items))

/// One of plan and preflight is set.
struct answer_about {
    std::string api_version, kind, namespace_, name;
    raw_json plan, preflight;
};
BOOST_DESCRIBE_STRUCT(answer_about, (), (api_version, kind, namespace_, name, plan, preflight))

namespace {

void print_table(std::vector<any_job> const& jobs, job_print const& how) {
    text_table table({"NAMESPACE", "NAME", "PHASE", "AGE", "REASON", "PROGRESS"});
    auto progress = how.progress;
    progress.resize(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        auto const& job = jobs[i];
        auto const& m = job.metadata();
        auto const conditions = job.conditions();
        std::string const phase = m.deletion_timestamp ? "Deleting" : std::string(to_string(job.phase()));
        table.add({how.namespaces ? m.namespace_ : "", qualified_name(job), phase, age(m.creation_timestamp),
                   conditions.empty() ? "" : conditions.back().reason, progress[i]});
    }
    std::cout << (table.empty() ? "no jobs\n" : table.to_string());
}

} // namespace

void print_jobs(std::vector<any_job> const& jobs, job_print const& how) {
    if (how.format == "table") return print_table(jobs, how);
    if (how.format == "name") {
        for (auto const& job : jobs) std::cout << on_one_line(qualified_name(job)) << '\n';
        return;
    }
    bool const json = how.format == "json";
    if (!how.list && jobs.size() == 1) {
        std::cout << (json ? json_output(jobs.front().to_json()) + '\n' : jobs.front().to_yaml());
        return;
    }
    list_of_jobs list;
    list.metadata.continue_ = how.continue_;
    list.items.text = "[" + joined(jobs, ",", &any_job::to_json) + "]";
    print_answer(to_json(list), how.format);
}

void print_answer(std::string const& json, std::string const& format) {
    if (format == "json") {
        std::cout << json_output(json) << '\n';
        return;
    }
    std::cout << to_yaml(raw_json(json));
}

void print_answer_about(job_reference const& job, std::string const& what, std::string const& json,
                        std::string const& format) {
    answer_about one;
    one.api_version = job.kind->primary().info->api_version();
    one.kind = job.kind->primary().info->kind;
    one.namespace_ = job.namespace_;
    one.name = job.name;
    (what == "plan" ? one.plan : one.preflight).text = json;
    if (format == "json")
        std::cout << json_output(to_json(one)) << '\n';
    else
        std::cout << "---\n" << to_yaml(one);
}

void print_lines(std::string_view text) {
    while (!text.empty()) {
        auto const end = std::min(text.find('\n'), text.size());
        std::cout << on_one_line(text.substr(0, end)) << '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string key_of(explanation const& e) {
    std::string key(to_string(e.state.phase));
    for (auto const& c : e.causes) {
        key.append("\n").append(to_string(c.kind)).append(" ").append(std::to_string(c.affected));
        for (auto const& m : c.members) key.append(" ").append(m.role).append("/").append(std::to_string(m.index));
        key.append(" ").append(c.container).append(" ").append(std::to_string(c.code.value_or(0)));
        key.append(" ").append(std::to_string(c.restarts.value_or(0))).append(" ").append(c.decisive_line);
        key.append(" ").append(c.summary);
    }
    for (auto const& line : e.missing) key.append("\n").append(line);
    return key;
}

} // namespace kftrain::cli
