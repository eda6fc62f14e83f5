#include "golden/clusters/stimulus.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace golden {

using namespace kftrain;

namespace {

constexpr std::string_view merge_patch = "application/merge-patch+json";
constexpr std::string_view strategic_patch = "application/strategic-merge-patch+json";
constexpr std::string_view pods = "/api/v1/namespaces/corpus/pods";
constexpr int patience = 600; ///< seconds

void replace_all(json::value& v, std::string_view from, std::string const& to) {
    if (v.is_string() && v.get_string() == from) v = to;
    if (v.is_array())
        for (auto& e : v.get_array()) replace_all(e, from, to);
    if (v.is_object())
        for (auto& [key, value] : v.get_object()) replace_all(value, from, to);
}

std::string in_corpus(std::string path) {
    if (auto const at = path.find("<ns>"); at != std::string::npos) path.replace(at, 4, "corpus");
    return path;
}

bool has_ended(json::object const& pod) {
    auto const phase = text(child_of(pod, "status"), "phase");
    return phase == "Succeeded" || phase == "Failed" || child_of(pod, "metadata").contains("deletionTimestamp");
}

/// A selector in a query.
std::string escaped(std::string_view selector) {
    std::string text;
    for (char const c : selector) text += c == '=' ? "%3D" : c == ',' ? "%2C" : std::string(1, c);
    return text;
}

kube::http_request removal(std::string const& path, json::object const& event) {
    json::object options{{"kind", "DeleteOptions"}, {"apiVersion", "v1"}};
    auto const* grace = event.if_contains("grace");
    if (grace != nullptr && grace->is_int64()) options["gracePeriodSeconds"] = *grace;
    if (auto const how = text(event, "propagationPolicy"); !how.empty()) options["propagationPolicy"] = how;
    return options.size() == 2 ? request_of("DELETE", path) : request_of("DELETE", path, std::move(options));
}

std::chrono::seconds seconds_of(json::object const& wait) {
    return std::chrono::seconds(std::lround(std::ceil(wait.at("seconds").to_number<double>())));
}

} // namespace

std::string controller_of_kind(json::object const& object, std::string_view kind) {
    for (auto const& r : list_of(child_of(object, "metadata"), "ownerReferences"))
        if (r.as_object().contains("controller") && text(r.as_object(), "kind") == kind)
            return text(r.as_object(), "uid");
    return {};
}

bool stimulus::is_many(json::object const& event) {
    return list_of(event, "events").size() > 1 || list_of(event, "set").size() > 1;
}

std::vector<refusal> stimulus::apply(json::object const& event) {
    auto const type = text(event, "type");
    std::vector<refusal> refused;
    if (type == "sequence") {
        for (auto const& part : list_of(event, "events")) {
            auto const& e = part.as_object();
            std::ranges::move(apply(e), std::back_inserter(refused));
            if (text(e, "type") != "wait") continue;
            auto const end = played_.now() + seconds_of(e);
            played_.settle(end);
            played_.skip_to(end);
        }
    } else if (type == "restart-operator") {
        played_.restart_operator();
    } else if (type == "wait-for") {
        if (!wait_until([&] { return holds(event); }))
            throw std::runtime_error("what the recording waits for does not come: " + json::serialize(event));
    } else {
        refused = send(requests_of(event));
    }
    return refused;
}

template <class Condition> bool stimulus::wait_until(Condition condition) {
    for (int i = 0; i < patience; ++i) {
        auto const end = played_.now() + std::chrono::seconds(1);
        played_.settle(end);
        if (condition()) return true;
        played_.skip_to(end);
    }
    return false;
}

std::vector<refusal> stimulus::send(requests all) {
    std::vector<refusal> refused;
    for (auto const& e : played_.send(std::move(all)))
        if (e.code >= 400) refused.emplace_back(static_cast<int>(e.code), text(e.body, "message"));
    return refused;
}

stimulus::requests stimulus::requests_of(json::object const& event) {
    requests out;
    auto const type = text(event, "type");
    auto const pod = [](std::string const& name) { return std::string(pods) + "/" + name; };
    if (type == "pods") {
        for (auto const& entry : list_of(event, "set")) set_pod(entry.as_object(), out);
    } else if (type == "patch-job") {
        auto const part = text(event, "subresource");
        out.push_back(
            request_of("PATCH", job_path_ + (part.empty() ? "" : "/" + part), event.at("patch"), merge_patch));
    } else if (type == "delete-pod") {
        auto const selector = text(event, "selector");
        for (auto const& name :
             selector.empty() ? std::vector<std::string>{text(event, "pod")} : pods_selected_by(selector))
            out.push_back(removal(pod(name), event));
    } else if (type == "delete-pods") {
        for (auto const& name : list_of(event, "pods"))
            out.push_back(removal(pod(std::string(name.as_string())), event));
    } else if (type == "delete-service") {
        out.push_back(removal("/api/v1/namespaces/corpus/services/" + text(event, "service"), event));
    } else if (type == "delete-job") {
        out.push_back(removal(job_path_, event));
    } else if (type == "delete-object") {
        out.push_back(removal(path_of(event), event));
    } else if (type == "create-object") {
        out.push_back(create_object(event));
    } else if (type == "patch-object") {
        auto const content = text(event, "contentType");
        out.push_back(request_of("PATCH", path_of(event), event.at("patch"), content.empty() ? merge_patch : content));
    } else if (type != "wait") { // for which the end of the step is later
        throw std::runtime_error("no such event: " + type);
    }
    return out;
}

void stimulus::set_pod(json::object const& entry, requests& out) {
    auto const name = pod_of(entry);
    auto const path = std::string(pods) + "/" + name;
    if (auto const node = text(entry, "bind"); !node.empty()) {
        json::object binding{{"metadata", json::object{{"name", name}}},
                             {"target", json::object{{"kind", "Node"}, {"name", node}}}};
        out.push_back(request_of("POST", path + "/binding", std::move(binding)));
    }
    auto const add_status = [&](char const* key, std::string_view type) {
        if (!entry.contains(key)) return;
        json::value status = entry.at(key);
        replace_all(status, "<t?>", "2026-01-01T00:00:00Z"); // whichever it was
        out.push_back(request_of("PATCH", path + "/status", json::object{{"status", std::move(status)}}, type));
    };
    add_status("status", strategic_ ? strategic_patch : merge_patch);
    add_status("play", merge_patch); // what the script was to make a status of, had there been the pod
}

/// A pod by its name, or the one of a batch Job that has not ended, which may still have to come.
std::string stimulus::pod_of(json::object const& entry) {
    if (auto const selector = text(entry, "selector"); !selector.empty()) {
        auto const all = pods_selected_by(selector);
        if (all.empty()) throw std::runtime_error("no pod is selected by " + selector);
        return all.back();
    }
    auto const job = text(entry, "podOf");
    if (job.empty()) return text(entry, "pod");
    std::optional<std::string> found;
    if (!wait_until([&] { return (found = find_pod_of(job, entry.if_contains("index"))).has_value(); }))
        throw std::runtime_error("no pod of Job " + job + " comes");
    return *found;
}

std::vector<std::string> stimulus::pods_selected_by(std::string const& selector) {
    std::vector<std::pair<std::string, std::string>> found; // by the order of their creation
    for (auto const& p : played_.list(std::string(pods) + "?labelSelector=" + escaped(selector))) {
        auto const& meta = child_of(p.as_object(), "metadata");
        auto const number = text(meta, "uid").substr(text(meta, "uid").rfind('-') + 1);
        found.emplace_back(std::string(12 - std::min<std::size_t>(number.size(), 12), '0') + number,
                           text(meta, "name"));
    }
    std::ranges::sort(found);
    std::vector<std::string> names;
    for (auto& [number, name] : found) names.push_back(std::move(name));
    return names;
}

std::optional<std::string> stimulus::find_pod_of(std::string const& job, json::value const* index) {
    for (auto const& p : played_.list(std::string(pods))) {
        auto const& meta = child_of(p.as_object(), "metadata");
        if (has_ended(p.as_object()) || text(child_of(meta, "labels"), "batch.kubernetes.io/job-name") != job) continue;
        if (index == nullptr || text(child_of(meta, "annotations"), "batch.kubernetes.io/job-completion-index") ==
                                    std::to_string(index->as_int64()))
            return text(meta, "name");
    }
    return std::nullopt;
}

kube::http_request stimulus::create_object(json::object const& event) const {
    json::value object = event.at("object");
    replace_all(object, "<ns>", "corpus");
    // A name whose end the recording took for chance.
    if (auto* name = object.at("metadata").as_object().if_contains("name"); name != nullptr && name->is_string())
        if (std::string text(name->get_string()); text.ends_with("<rand12>"))
            *name = text.replace(text.size() - 8, 8, "000000000000");
    if (!job_uid_.empty()) replace_all(object, "<uid>", job_uid_);
    auto const& o = object.as_object();
    auto const path = text(event, "path");
    return request_of(
        "POST", path.empty() ? played_.collection_of(text(o, "apiVersion"), text(o, "kind")) : in_corpus(path), object);
}

/// Kinds that share their names with others have names of their own in the recordings.
std::string stimulus::collection_of(std::string const& kind) const {
    if (kind == "VolcanoJob") return played_.collection_of("batch.volcano.sh/v1alpha1", "Job");
    if (kind == "VolcanoPodGroup") return played_.collection_of("scheduling.volcano.sh/v1beta1", "PodGroup");
    return played_.collection_of("", kind);
}

std::string stimulus::path_of(json::object const& event) {
    if (auto const path = text(event, "path"); !path.empty()) return in_corpus(path);
    auto const collection = collection_of(text(event, "kind"));
    if (auto const name = text(event, "name"); !name.empty()) return collection + "/" + name;
    auto const all = played_.list(collection);
    if (all.empty()) throw std::runtime_error("there is no " + text(event, "kind"));
    return collection + "/" + text(child_of(all.front().as_object(), "metadata"), "name");
}

/// Whether a condition of the object is true, or members of its status have these values.
bool stimulus::holds(json::object const& wait) {
    auto const answer = played_.send({request_of("GET", path_of(wait))}).at(0);
    if (answer.code >= 300) return false;
    auto const& status = child_of(answer.body, "status");
    auto const condition = text(wait, "condition");
    bool const met = condition.empty() || std::ranges::any_of(list_of(status, "conditions"), [&](json::value const& c) {
                         return text(c.as_object(), "type") == condition && text(c.as_object(), "status") == "True";
                     });
    return met && std::ranges::all_of(child_of(wait, "status"), [&](auto const& member) {
               auto const* value = status.if_contains(member.key());
               return value != nullptr ? *value == member.value() : member.value() == 0;
           });
}

} // namespace golden
