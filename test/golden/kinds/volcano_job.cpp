#include "golden/kinds/recorded_kind.hpp"
#include "golden/kinds/secret_description.hpp"
#include "kinds/volcano_job/kind.hpp"
#include "local/cluster/job_resources.hpp"

#include <kftrain/control/content_maker.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/training_job.hpp>

#include <map>
#include <stdexcept>

namespace golden {
namespace {

using namespace kftrain;

/// The rules of one release; a server may use them as long as the program runs.
std::shared_ptr<rules::job_rules const> rules_of(std::string const& version) {
    static std::map<std::string, std::shared_ptr<rules::job_rules const>, std::less<>> const known = [] {
        auto const of = [](volcano::volcano_release release) {
            volcano::volcano_operator_options options;
            options.release = release;
            return job_rules_for<volcano::job>().with(operator_options().set(options));
        };
        return std::map<std::string, std::shared_ptr<rules::job_rules const>, std::less<>>{
            {"v1.9.0", of(volcano::volcano_release::v1_9_0)}, {"v1.10.0", of(volcano::volcano_release::v1_10_0)}};
    }();
    auto const it = known.find(version);
    if (it == known.end()) throw std::runtime_error("no such release of Volcano: " + version);
    return it->second;
}

volcano::volcano_release release_of(std::string const& version) {
    return version == "v1.9.0" ? volcano::volcano_release::v1_9_0 : volcano::volcano_release::v1_10_0;
}

/// Of the classes that were there before the job.
volcano::priority_map priorities_of(recorded_case const& c) {
    volcano::priority_map values;
    for (auto const& event : list_of(c.about, "before")) {
        auto const& object = child_of(event.as_object(), "object");
        if (text(object, "kind") == "PriorityClass")
            values.emplace(text(child_of(object, "metadata"), "name"), object.at("value").to_number<std::int32_t>());
    }
    return values;
}

std::vector<rendered_body> render_job(json::object const& stored, volcano::priority_map const& priorities,
                                      volcano::volcano_operator_options const& options) {
    auto const job = from_json<volcano::job>(json::serialize(stored)).value();
    std::vector<rendered_body> bodies;
    auto const maker = control::make_content_maker();
    for (auto const& [object, made] : volcano::render(job, priorities, options)) {
        auto filled = object;
        for (auto const& recipe : made) {
            auto const content =
                std::visit([&](auto const& what) { return rules::content(maker->make(what).value()); }, recipe.what);
            filled = recipe.filled(filled, content, recipe.slot);
        }
        json::value body = json::parse(filled.to_json());
        describe_secret(body);
        bodies.emplace_back(collection_path(object.resource()), std::move(body));
    }
    return bodies;
}

json::object open_queue(std::string const& name) {
    return json::object{{"apiVersion", "scheduling.volcano.sh/v1beta1"},
                        {"kind", "Queue"},
                        {"metadata", json::object{{"name", name}}},
                        {"status", json::object{{"state", "Open"}, {"allocated", json::object()}}}};
}

bool may_be_random(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// Twelve random characters behind the name of the job become `<rand12>`.
std::string spelled(std::string text, std::string const& job) {
    constexpr std::size_t length = 12;
    for (std::string const& start : {job + "-", job + "-pvc-"})
        for (std::size_t at = 0; (at = text.find(start, at)) != text.npos; at += start.size()) {
            auto const from = at + start.size();
            auto end = from;
            while (end < text.size() && may_be_random(text[end])) ++end;
            bool const continues = end < text.size() && text[end] == '-';
            if (end - from == length && !continues) text.replace(from, length, "<rand12>");
        }
    return text;
}

} // namespace

recorded_kind volcano_job(recorded_case const& c, allowances const&) {
    auto const version = text(c.about, "version");
    auto const rules = rules_of(version);
    recorded_kind k;
    k.rules = rules;
    k.served = local::resource_for(*rules);
    k.others = local::child_resources_for(*rules);
    for (auto& d : k.others)
        if (d.kind == "Queue") d.has_status = false; // that of queues is given, since their controller does not run
    k.standing = {open_queue("default"), open_queue("gold")};
    k.waits_for_scheduler = true;
    k.spelled = &spelled;
    k.render = [version, priorities = priorities_of(c)](json::object const& stored) {
        volcano::volcano_operator_options options;
        options.release = release_of(version);
        return render_job(stored, priorities, options);
    };
    return k;
}

} // namespace golden
