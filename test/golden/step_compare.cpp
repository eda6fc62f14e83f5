#include "golden/step_compare.hpp"

#include <algorithm>

namespace golden {
namespace {

using outcome = std::optional<std::string>;

json::value sorted_ports(json::value body) {
    auto* spec = body.as_object().if_contains("spec");
    if (spec == nullptr || text(body.as_object(), "kind") != "Service") return body;
    if (auto* ports = spec->as_object().if_contains("ports")) {
        auto& list = ports->as_array();
        auto const number = [](json::value const& v) { return v.as_object().at("port").to_number<std::int64_t>(); };
        std::sort(list.begin(), list.end(), [&](json::value const& a, json::value const& b) {
            auto const left = text(a.as_object(), "name"), right = text(b.as_object(), "name");
            return left != right ? left < right : number(a) < number(b);
        });
    }
    return body;
}

request read_request(json::object const& recorded) {
    request r(text(recorded, "method"), text(recorded, "path"), "");
    if (r.method == "POST") {
        r.body = pruned(recorded.at("body"));
        r.name = text(child_of(r.body.as_object(), "metadata"), "name");
    } else {
        r.name = r.path.substr(r.path.rfind('/') + 1);
    }
    if (auto const* code = recorded.if_contains("code")) r.code = code->as_int64();
    return r;
}

/// Nothing if `recorded` and `ours` are the same request.
outcome differ(std::string const& path, request const& recorded, request const& ours) {
    auto const at = path + "[" + recorded.title() + "]";
    if (recorded.code != ours.code)
        return at + ".code: recorded " + std::to_string(recorded.code) + ", kftrain " + std::to_string(ours.code);
    if (recorded.body.is_null()) return std::nullopt;
    return first_difference(at + ".body", recorded.body, sorted_ports(ours.body));
}

outcome compare_requests(json::object const& recorded, std::vector<request> const& done) {
    std::vector<bool> matched(done.size());
    auto const take = [&](json::value const& entry, std::string const& path, bool required) -> outcome {
        request const wanted = read_request(entry.as_object());
        outcome difference;
        for (std::size_t i = 0; i < done.size(); ++i) {
            if (done[i].method != wanted.method || done[i].path != wanted.path || done[i].name != wanted.name) continue;
            auto d = differ(path, wanted, done[i]);
            if (!d) {
                matched[i] = true;
                difference.reset();
                required = false;
            } else if (required && !difference) {
                difference = std::move(d);
            }
        }
        if (!required) return std::nullopt;
        return difference ? difference : path + "[" + wanted.title() + "]: recorded, but kftrain does not send it";
    };
    for (auto const& entry : list_of(recorded, "requests"))
        if (auto d = take(entry, "requests", true)) return d;
    for (auto const& entry : list_of(recorded, "maybeRequests")) take(entry, "maybeRequests", false);
    for (std::size_t i = 0; i < done.size(); ++i)
        if (!matched[i]) return "requests[" + done[i].title() + "]: kftrain sends it, but it is not recorded";
    return std::nullopt;
}

/// Creations of one type happen in a fixed order; deletions need not, so a list with one is not looked at.
outcome compare_order(json::object const& recorded, std::vector<request> const& done) {
    for (auto const& [type, list] : child_of(recorded, "order")) {
        std::vector<std::string> wanted;
        bool only_creations = true;
        for (auto const& line : list.as_array()) {
            wanted.emplace_back(line.as_string());
            only_creations = only_creations && wanted.back().starts_with("POST ");
        }
        if (!only_creations) continue;
        std::vector<std::string> found;
        for (auto const& r : done)
            if (auto title = r.title(); std::find(wanted.begin(), wanted.end(), title) != wanted.end() &&
                                        std::find(found.begin(), found.end(), title) == found.end())
                found.push_back(std::move(title));
        for (std::size_t i = 0; i < wanted.size() && i < found.size(); ++i)
            if (wanted[i] != found[i])
                return "order." + std::string(type) + "[" + std::to_string(i) + "]: recorded " + wanted[i] +
                       ", kftrain " + found[i];
    }
    return std::nullopt;
}

std::set<event_key> read_events(json::object const& recorded, std::string_view key) {
    std::set<event_key> result;
    for (auto const& e : list_of(recorded, key)) {
        auto const& o = e.as_object();
        result.emplace(text(o, "type"), text(o, "reason"), text(o, "message"));
    }
    return result;
}

std::string shown(event_key const& e) {
    return "events[" + std::get<0>(e) + " " + std::get<1>(e) + " \"" + std::get<2>(e) + "\"]";
}

outcome compare_events(json::object const& recorded, std::set<event_key> const& raised) {
    auto const wanted = read_events(recorded, "events");
    auto const possible = read_events(recorded, "maybeEvents");
    for (auto const& e : wanted)
        if (!raised.contains(e)) return shown(e) + ": recorded, but kftrain does not raise it";
    for (auto const& e : raised)
        if (!wanted.contains(e) && !possible.contains(e))
            return shown(e) + ": kftrain raises it, but it is not recorded";
    return std::nullopt;
}

outcome compare_status(json::object const& recorded, json::value const& status) {
    std::vector<json::value> accepted{pruned(recorded.at("status"))};
    for (auto const& other : list_of(recorded, "statusAlternatives")) accepted.push_back(pruned(other));
    outcome first;
    for (auto const& wanted : accepted) {
        auto d = first_difference("status", wanted, status);
        if (!d) return std::nullopt;
        if (!first) first = std::move(d);
    }
    return first;
}

outcome compare_objects(json::object const& recorded, cluster const& world) {
    json::object pods;
    for (auto const& [name, p] : world.pods)
        pods[name] = text(child_of(p, "status"), "phase") +
                     (child_of(p, "metadata").contains("deletionTimestamp") ? " terminating" : "");
    json::array services;
    for (auto const& [name, s] : world.services) services.emplace_back(name);
    if (auto d = first_difference("pods", recorded.at("pods"), pods)) return d;
    return first_difference("services", recorded.at("services"), services);
}

} // namespace

std::optional<std::string> compare_step(json::object const& recorded, traces const& done, cluster const& world,
                                        json::value const& status) {
    if (auto d = compare_requests(recorded, done.requests)) return d;
    if (auto d = compare_order(recorded, done.requests)) return d;
    if (auto d = compare_events(recorded, done.events)) return d;
    if (recorded.contains("jobGone") == world.job.has_value())
        return std::string("jobGone: the job ") + (world.job ? "is still there" : "is gone");
    if (auto d = compare_status(recorded, status)) return d;
    return compare_objects(recorded, world);
}

} // namespace golden
