#include "golden/cluster.hpp"

#include <stdexcept>

namespace golden {
namespace {

bool is_terminating(json::object const& o) { return child_of(o, "metadata").contains("deletionTimestamp"); }

bool is_finished(json::object const& pod) {
    auto const phase = text(child_of(pod, "status"), "phase");
    return phase == "Succeeded" || phase == "Failed";
}

refusal absent(std::string const& pod) { return {404, "pods \"" + pod + "\" not found"}; }

/// A terminated container stays so unless its pod restarts it.
bool revives(json::object const& pod, json::object const& status) {
    auto const policy = text(child_of(pod, "spec"), "restartPolicy");
    if (policy == "Always") return false;
    for (auto const& before : list_of(child_of(pod, "status"), "containerStatuses")) {
        auto const& old = before.as_object();
        auto const& ended = child_of(child_of(old, "state"), "terminated");
        if (ended.empty()) continue;
        if (policy == "OnFailure" && ended.at("exitCode").as_int64() != 0) continue;
        for (auto const& after : list_of(status, "containerStatuses")) {
            auto const& now = after.as_object();
            if (text(now, "name") == text(old, "name") && !child_of(now, "state").contains("terminated")) return true;
        }
    }
    return false;
}

} // namespace

bool cluster::create(std::string const& plural, json::object object) {
    auto& in = plural == "pods" ? pods : services;
    auto& meta = object["metadata"].as_object();
    auto const name = text(meta, "name");
    if (in.contains(name)) return false;
    meta["uid"] = "object-" + std::to_string(++uids_);
    if (plural == "pods") merge(object["status"], json::object{{"phase", "Pending"}});
    in.emplace(name, std::move(object));
    changed = true;
    return true;
}

bool cluster::remove(std::string const& plural, std::string const& name, bool without_grace) {
    auto& in = plural == "pods" ? pods : services;
    auto const it = in.find(name);
    if (it == in.end()) return false;
    json::object& object = it->second;
    bool const lingers =
        plural == "pods" && !text(child_of(object, "spec"), "nodeName").empty() && !is_finished(object);
    if (without_grace || (!lingers && !is_terminating(object))) {
        leave(in, name);
    } else if (!is_terminating(object)) {
        object["metadata"].as_object()["deletionTimestamp"] = "2024-01-01T00:00:30Z";
        changed = true;
    }
    return true;
}

void cluster::leave(objects& in, std::string const& name) {
    changed = true;
    if (!moments || &in != &pods) {
        in.erase(name);
        return;
    }
    in.find(name)->second["metadata"].as_object()["deletionTimestamp"] = "2024-01-01T00:00:00Z";
    leaving_.insert(name);
    had_moment = true;
}

bool cluster::end_moment() {
    bool const any = !leaving_.empty();
    for (auto const& name : leaving_) pods.erase(name);
    leaving_.clear();
    return any;
}

std::vector<refusal> cluster::apply(json::object const& event, admission const& admit) {
    std::vector<refusal> refused;
    auto const type = text(event, "type");
    auto const* grace = event.if_contains("grace");
    bool const at_once = grace != nullptr && grace->is_int64() && grace->get_int64() == 0;
    auto const delete_pod = [&](std::string const& name) {
        if (!remove("pods", name, at_once)) refused.push_back(absent(name));
    };
    if (type == "create") {
        changed = true;
    } else if (type == "pods") {
        for (auto const& entry : list_of(event, "set")) set_pod(entry.as_object(), refused);
    } else if (type == "patch-job") {
        patch_job(event, admit, refused);
    } else if (type == "delete-pod") {
        delete_pod(text(event, "pod"));
    } else if (type == "delete-pods") {
        for (auto const& name : list_of(event, "pods")) delete_pod(std::string(name.as_string()));
    } else if (type == "delete-service") {
        remove("services", text(event, "service"));
    } else if (type == "delete-job") {
        job.reset();
        changed = true;
    } else if (type == "create-object") {
        auto const path = text(event, "path");
        create(path.substr(path.rfind('/') + 1), child_of(event, "object"));
    } else if (type != "wait") {
        throw std::runtime_error("this replay does not know the event " + type);
    }
    return refused;
}

void cluster::patch_job(json::object const& event, admission const& admit, std::vector<refusal>& refused) {
    if (!job) {
        refused.emplace_back(404, "the job is gone");
        return;
    }
    json::value patch = event.at("patch");
    if (text(event, "subresource") == "scale") {
        // Where the definitions of the kinds with this subresource put the number.
        auto const& spec = child_of(*job, "spec");
        for (auto const& [key, value] : spec)
            if (key.ends_with("ReplicaSpecs"))
                patch = json::object{
                    {"spec",
                     json::object{{key, json::object{{"Worker",
                                                      json::object{{"replicas", patch.at("spec").at("replicas")}}}}}}}};
    }
    json::value next = *job;
    merge(next, patch);
    if (auto no = admit(next.as_object())) {
        refused.push_back(std::move(*no));
        return;
    }
    if (next == json::value(*job)) return;
    job = next.as_object();
    changed = true;
}

void cluster::set_pod(json::object const& entry, std::vector<refusal>& refused) {
    auto const name = text(entry, "pod");
    auto const node = text(entry, "bind");
    auto const it = pods.find(name);
    if (!node.empty()) {
        if (it == pods.end())
            refused.push_back(absent(name));
        else if (!text(child_of(it->second, "spec"), "nodeName").empty())
            refused.emplace_back(409, "pod " + name + " is already assigned to a node");
        else {
            it->second["spec"].as_object()["nodeName"] = node;
            changed = true;
        }
    }
    if (!entry.contains("status")) return;
    if (it == pods.end()) {
        refused.push_back(absent(name));
        return;
    }
    auto const& status = child_of(entry, "status");
    if (revives(it->second, status)) {
        refused.emplace_back(422, "a container may not be transitioned to non-terminated state");
        return;
    }
    json::value next = it->second["status"];
    merge(next, status);
    if (next == it->second["status"]) return;
    it->second["status"] = std::move(next);
    changed = true;
}

} // namespace golden
