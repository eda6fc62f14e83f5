#include "golden/clusters/cluster.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace golden {
namespace {

bool is_terminating(json::object const& o) { return child_of(o, "metadata").contains("deletionTimestamp"); }

bool is_finished(json::object const& pod) {
    auto const phase = text(child_of(pod, "status"), "phase");
    return phase == "Succeeded" || phase == "Failed";
}

refusal absent(object_path const& at) {
    auto plural = at.collection.substr(at.collection.rfind('/') + 1);
    if (auto const group = at.collection.substr(1, at.collection.rfind('/') - 1); group.starts_with("apis/"))
        plural += "." + group.substr(5, group.find('/', 5) - 5);
    return {404, plural + " \"" + at.name + "\" not found"};
}

refusal absent_pod(std::string const& name) {
    object_path at(pods_path);
    at.name = name;
    return absent(at);
}

/** The containers that the new status would bring back to life. A terminated container stays so unless its pod restarts
    it. Upstream kubernetes `pkg/apis/core/validation/validation.go`, `ValidateContainerStateTransition`, v1.31. */
std::vector<std::string> revived(json::object const& pod, json::object const& status) {
    std::vector<std::string> fields;
    auto const policy = text(child_of(pod, "spec"), "restartPolicy");
    if (policy.empty() || policy == "Always") return fields;
    auto const& before = list_of(child_of(pod, "status"), "containerStatuses");
    for (std::size_t i = 0; i < before.size(); ++i) {
        auto const& old = before[i].as_object();
        auto const& ended = child_of(child_of(old, "state"), "terminated");
        if (ended.empty()) continue;
        if (policy == "OnFailure" && ended.at("exitCode").as_int64() != 0) continue;
        for (auto const& after : list_of(status, "containerStatuses")) {
            auto const& now = after.as_object();
            if (text(now, "name") == text(old, "name") && !child_of(now, "state").contains("terminated"))
                fields.push_back("status.containerStatuses[" + std::to_string(i) + "].state");
        }
    }
    return fields;
}

/// Only custom resources have a generation here.
bool counts_generations(std::string_view collection) {
    return collection.starts_with("/apis/") &&
           collection.substr(6, collection.find('/', 6) - 6).find('.') != std::string_view::npos;
}

json::object without_metadata(json::object o) {
    o.erase("metadata");
    return o;
}

} // namespace

object_path::object_path(std::string_view path) : collection(path) {
    auto const ns = collection.find("/namespaces/");
    if (ns == std::string::npos) return;
    auto const plural = collection.find('/', ns + 12);
    collection.erase(ns, plural - ns);
    if (auto const slash = collection.find('/', ns + 1); slash != std::string::npos) {
        name = collection.substr(slash + 1);
        collection.erase(slash);
    }
}

cluster::objects const& cluster::in(std::string_view collection) const {
    static objects const none;
    auto const it = kinds_.find(collection);
    return it != kinds_.end() ? it->second : none;
}

std::optional<refusal> cluster::create(std::string_view collection, json::object object) {
    auto& all = kinds_[std::string(collection)];
    auto& meta = object["metadata"].as_object();
    auto const name = text(meta, "name");
    if (all.contains(name)) return refusal(409, "\"" + name + "\" already exists");
    meta["uid"] = "object-" + std::to_string(++uids_);
    meta["resourceVersion"] = std::to_string(++versions_);
    if (counts_generations(collection)) meta["generation"] = 1;
    if (collection == pods_path) merge(object["status"], json::object{{"phase", "Pending"}});
    all.emplace(name, std::move(object));
    changed = true;
    return std::nullopt;
}

void cluster::store(std::string_view collection, json::object& into, json::object next) {
    auto& meta = next["metadata"].as_object();
    for (auto const* kept : {"uid", "resourceVersion", "generation"})
        if (auto const* v = child_of(into, "metadata").if_contains(kept)) meta[kept] = *v;
    if (pruned(next) == pruned(into)) return;
    meta["resourceVersion"] = std::to_string(++versions_);
    if (counts_generations(collection) && pruned(without_metadata(next)) != pruned(without_metadata(into)))
        meta["generation"] = meta["generation"].to_number<std::int64_t>() + 1;
    into = std::move(next);
    changed = true;
}

std::optional<refusal> cluster::replace(std::string_view collection, json::object object) {
    object_path at(collection);
    at.name = text(child_of(object, "metadata"), "name");
    auto& all = kinds_[std::string(collection)];
    auto const it = all.find(at.name);
    if (it == all.end()) return absent(at);
    auto const version = text(child_of(object, "metadata"), "resourceVersion");
    if (!version.empty() && version != text(child_of(it->second, "metadata"), "resourceVersion"))
        return refusal(409, "the object has been modified");
    store(collection, it->second, std::move(object));
    return std::nullopt;
}

std::optional<refusal> cluster::remove(std::string_view collection, std::string const& name, bool without_grace) {
    auto& all = kinds_[std::string(collection)];
    auto const it = all.find(name);
    object_path at(collection);
    at.name = name;
    if (it == all.end() || (collection == pods_path && leaving_.contains(name))) return absent(at);
    json::object& object = it->second;
    bool const lingers =
        collection == pods_path && !text(child_of(object, "spec"), "nodeName").empty() && !is_finished(object);
    if (without_grace || (!lingers && !is_terminating(object))) {
        leave(collection, name);
    } else if (!is_terminating(object)) {
        object["metadata"].as_object()["deletionTimestamp"] = "2024-01-01T00:00:30Z";
        changed = true;
    }
    return std::nullopt;
}

void cluster::leave(std::string_view collection, std::string const& name) {
    changed = true;
    auto& all = kinds_[std::string(collection)];
    if (!moments || collection != pods_path) {
        all.erase(name);
        return;
    }
    all.find(name)->second["metadata"].as_object()["deletionTimestamp"] = "2024-01-01T00:00:00Z";
    leaving_.insert(name);
    had_moment = true;
}

bool cluster::end_moment() {
    bool const any = !leaving_.empty();
    for (auto const& name : leaving_) kinds_[std::string(pods_path)].erase(name);
    leaving_.clear();
    return any;
}

std::vector<refusal> cluster::apply(json::object const& event, admission const& admit) {
    std::vector<refusal> refused;
    auto const note = [&](std::optional<refusal> no) {
        if (no) refused.push_back(std::move(*no));
    };
    auto const type = text(event, "type");
    auto const* grace = event.if_contains("grace");
    bool const at_once = grace != nullptr && grace->is_int64() && grace->get_int64() == 0;
    if (type == "create") {
        changed = true;
    } else if (type == "pods") {
        for (auto const& entry : list_of(event, "set")) {
            auto const& e = entry.as_object();
            if (auto const node = text(e, "bind"); !node.empty()) note(bind(text(e, "pod"), node));
            if (e.contains("status")) note(set_status(text(e, "pod"), child_of(e, "status")));
        }
    } else if (type == "patch-job") {
        note(patch_job(event, admit));
    } else if (type == "delete-pod") {
        note(remove(pods_path, text(event, "pod"), at_once));
    } else if (type == "delete-pods") {
        for (auto const& name : list_of(event, "pods")) note(remove(pods_path, std::string(name.as_string()), at_once));
    } else if (type == "delete-service") {
        note(remove(services_path, text(event, "service")));
    } else if (type == "delete-job") {
        if (!job) note(refusal(404, gone_job_ + " not found"));
        remove_job();
    } else if (type == "create-object") {
        note(create(object_path(text(event, "path")).collection, child_of(event, "object")));
    } else if (type == "patch-object") {
        note(patch(object_path(text(event, "path")), event.at("patch")));
    } else if (type != "wait") {
        throw std::runtime_error("this simulation does not know the event " + type);
    }
    return refused;
}

void cluster::remove_job() {
    if (!job) return;
    std::string plural = text(*job, "kind") + "s.kubeflow.org";
    std::ranges::transform(plural, plural.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    gone_job_ = plural + " \"" + text(child_of(*job, "metadata"), "name") + "\"";
    job.reset();
    changed = true;
}

std::optional<refusal> cluster::patch_job(json::object const& event, admission const& admit) {
    if (!job) return refusal(404, gone_job_ + " not found");
    json::value patch = event.at("patch");
    if (text(event, "subresource") == "scale") {
        // Where the definitions of the kinds with this subresource put the number.
        auto const replicas = patch.at("spec").at("replicas");
        for (auto const& [key, value] : child_of(*job, "spec"))
            if (key.ends_with("ReplicaSpecs")) {
                json::object worker{{"Worker", json::object{{"replicas", replicas}}}};
                patch = json::object{{"spec", json::object{{key, std::move(worker)}}}};
            }
    }
    json::value next = *job;
    merge(next, patch);
    if (auto no = admit(next.as_object(), *job)) return no;
    if (next == json::value(*job)) return std::nullopt;
    job = next.as_object();
    changed = true;
    return std::nullopt;
}

std::optional<refusal> cluster::bind(std::string const& pod, std::string const& node) {
    auto& all = kinds_[std::string(pods_path)];
    auto const it = all.find(pod);
    if (it == all.end()) return absent_pod(pod);
    if (is_terminating(it->second))
        return refusal(409, "Operation cannot be fulfilled on pods/binding \"" + pod + "\": pod " + pod +
                                " is being deleted, cannot be assigned to a host");
    if (auto const now = text(child_of(it->second, "spec"), "nodeName"); !now.empty())
        return refusal(409, "Operation cannot be fulfilled on pods/binding \"" + pod + "\": pod " + pod +
                                " is already assigned to node \"" + now + "\"");
    it->second["spec"].as_object()["nodeName"] = node;
    changed = true;
    return std::nullopt;
}

std::optional<refusal> cluster::set_status(std::string const& pod, json::object const& status) {
    auto& all = kinds_[std::string(pods_path)];
    auto const it = all.find(pod);
    if (it == all.end()) return absent_pod(pod);
    if (auto const fields = revived(it->second, status); !fields.empty()) {
        std::string reported;
        for (auto const& f : fields)
            reported +=
                (reported.empty() ? "" : ", ") + f + ": Forbidden: may not be transitioned to non-terminated state";
        return refusal(422, "Pod \"" + pod + "\" is invalid: " + (fields.size() > 1 ? "[" + reported + "]" : reported));
    }
    json::object next = it->second;
    merge(next["status"], status);
    store(pods_path, it->second, std::move(next));
    return std::nullopt;
}

std::optional<refusal> cluster::patch(object_path const& at, json::value const& patch) {
    auto& all = kinds_[at.collection];
    auto const it = all.find(at.name);
    if (it == all.end()) return absent(at);
    json::value next = it->second;
    merge(next, patch);
    store(at.collection, it->second, std::move(next.as_object()));
    return std::nullopt;
}

} // namespace golden
