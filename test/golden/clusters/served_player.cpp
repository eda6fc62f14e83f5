#include "golden/clusters/served_player.hpp"

#include "golden/checks/step_compare.hpp"

#include <algorithm>
#include <array>

namespace golden {

using namespace kftrain;

namespace {

/// The name as recordings have it: the ends of names that the Job controller generated vary, also after their Job has
/// gone.
std::string task_name(json::object const& pod) {
    auto const& meta = child_of(pod, "metadata");
    auto const made = text(meta, "generateName");
    bool const of_job = child_of(meta, "labels").contains("batch.kubernetes.io/job-name");
    return made.empty() || !of_job ? text(meta, "name") : made + "<rand>";
}

/// Pods with the same described name have all their phases there.
void set_pod_status(json::object& pods, json::object const& pod) {
    json::value phase(text(child_of(pod, "status"), "phase") +
                      (child_of(pod, "metadata").contains("deletionTimestamp") ? " terminating" : ""));
    auto& reported = pods[task_name(pod)];
    if (reported.is_null())
        reported = std::move(phase);
    else if (reported.is_array())
        reported.get_array().push_back(std::move(phase));
    else
        reported = json::array{reported, std::move(phase)};
}

/// Whether only pods are changed.
bool is_about_pods(json::object const& event) {
    auto const type = text(event, "type");
    if (type != "sequence") return type == "pods" || type == "delete-pod" || type == "delete-pods";
    return std::ranges::all_of(list_of(event, "events"),
                               [](json::value const& e) { return is_about_pods(e.as_object()); });
}

/// Whether nothing shows that upstream looked.
bool is_still(json::object const& recorded) {
    constexpr std::array keys{"requests", "maybeRequests", "intermediateRequests", "unchangedWrites", "events"};
    return std::ranges::all_of(keys, [&](char const* key) { return list_of(recorded, key).empty(); });
}

/// A deletion of what was gone already: nothing happened.
bool is_idle(json::value const& entry) {
    auto const& o = entry.as_object();
    auto const* code = o.if_contains("code");
    return text(o, "method") == "DELETE" && code != nullptr && code->as_int64() == 404;
}

/** Leaves out parts that vary for Volcano: it creates the pods of a task at once, in any order, and deletes objects
    that it has deleted before. */
json::object without_chance(json::object step) {
    step.erase("order");
    json::array kept;
    for (auto const& entry : list_of(step, "requests"))
        if (!is_idle(entry)) kept.push_back(entry);
    step["requests"] = std::move(kept);
    return step;
}

} // namespace

served_player::served_player(recorded_case const& c, recorded_kind const& kind, allowances const& allowed,
                             operated_cluster& played)
    : case_(c),
      allowed_(allowed),
      played_(played),
      collection_("/apis/" + kind.served.api_version() + "/namespaces/corpus/" + kind.served.plural),
      job_name_(text(child_of(c.job, "metadata"), "name")),
      own_(kind.own),
      standing_(kind.standing),
      spelled_(kind.spelled),
      unordered_(kind.waits_for_scheduler),
      comparable_(kind.comparable),
      stimulus_(played, collection_ + "/" + job_name_, has_kubernetes(c)) {
    played.record().follow(collection_ + "/" + job_name_, own_);
}

admission_answer served_player::create() {
    for (auto const& object : standing_)
        played_.send(
            {request_of("POST", played_.collection_of(text(object, "apiVersion"), text(object, "kind")), object)});
    for (auto const& event : list_of(case_.about, "before")) stimulus_.apply(event.as_object());
    finish_step(timeline::start());
    auto const answer = played_.send({request_of("POST", collection_, case_.job)}).at(0);
    auto const uid = text(child_of(answer.body, "metadata"), "uid");
    played_.record().name_uid(uid, job_name_);
    if (spelled_ != nullptr)
        played_.record().spell = [spelled = spelled_, job = job_name_](std::string t) {
            return spelled(std::move(t), job);
        };
    stimulus_.name_job(uid);
    admission_answer ours;
    ours.accepted = answer.code < 300;
    (ours.accepted ? ours.stored : ours.status) = answer.body;
    if (json::value stored = ours.stored; comparable_ != nullptr) {
        comparable_(stored);
        ours.stored = std::move(stored.as_object());
    }
    for (auto const& w : answer.warnings) { // 299 - "text"
        auto const first = w.find('"'), last = w.rfind('"');
        ours.warnings.push_back(std::string(json::parse(w.substr(first, last - first + 1)).as_string()));
    }
    return ours;
}

std::string served_player::play(std::vector<bool> const& shown, std::vector<bool>& moments) {
    auto const answer = create();
    if (!answer.accepted)
        return "admission.accepted: recorded true, kftrain refuses: " + text(answer.status, "message");
    moments.clear();
    auto& leaving = played_.record().leaving;
    for (std::size_t i = 0; i < case_.steps.size(); ++i) {
        leaving.any = false;
        leaving.shown = shown[i];
        auto const d = step(case_.steps[i].as_object(), i);
        moments.push_back(leaving.any);
        if (d) return "steps[" + std::to_string(i) + "]." + *d;
    }
    return "";
}

std::optional<std::string> served_player::step(json::object const& recorded, std::size_t i) {
    auto const& event = recorded.at("event").as_object();
    auto& seen = played_.record().seen;
    times_.begin_step(played_.now());
    if (!overlooked_) seen = traces();
    seen.overlooked = overlooked_;
    if (own_.whole && !overlooked_) {
        seen.own_path = collection_ + "/" + job_name_;
        seen.before = own_.described_status(i == 0 ? json::object() : child_of(stored_job(), "status"));
    }
    if (i != 0) {
        if (auto d = compare_refusals(recorded, stimulus_.apply(event))) return d;
        name_job(); // which may be another one of that name
    }
    auto const end = std::max(times_.end_of(event), played_.now() + std::chrono::seconds(1));
    if (!finish_step(end)) return "requests: kftrain does not come to rest";
    overlooked_ = allowed_.contains("unwatched-pods") && is_about_pods(event) && is_still(recorded);
    if (overlooked_) return std::nullopt;
    for (auto& r : seen.requests) {
        if (r.body.is_object()) r.body = times_.reported(r.body.get_object());
        if (comparable_ != nullptr) comparable_(r.body);
    }
    if (comparable_ != nullptr) seen.conditions.clear(); // the status after each step is compared alone
    return compare_step(unordered_ ? without_chance(recorded) : recorded, seen, look());
}

bool served_player::finish_step(time_point end) {
    // Without timers, the time that passes wakes no operator.
    bool const quiet = played_.settle(allowed_.contains("no-timers") ? played_.now() : end);
    played_.skip_to(end);
    return quiet;
}

json::object served_player::stored_job() {
    for (auto const& job : played_.list(collection_))
        if (text(child_of(job.as_object(), "metadata"), "name") == job_name_) return job.as_object();
    return {};
}

void served_player::name_job() {
    if (auto const uid = text(child_of(stored_job(), "metadata"), "uid"); !uid.empty())
        played_.record().name_uid(uid, job_name_);
}

aftermath served_player::look() {
    aftermath left;
    auto const& names = played_.record().names();
    if (json::value job = stored_job(); !job.as_object().empty()) {
        left.job_exists = true;
        names.rewrite(job);
        played_.record().rewrite(job);
        if (comparable_ != nullptr) comparable_(job);
        left.status = times_.reported(child_of(job.as_object(), "status"));
        left.job = std::move(job.as_object());
    }
    json::value pods = json::object();
    for (auto const& p : played_.list("/api/v1/namespaces/corpus/pods"))
        set_pod_status(pods.as_object(), p.as_object());
    names.rewrite(pods);
    left.pods = std::move(pods.as_object());
    for (auto const& s : played_.list("/api/v1/namespaces/corpus/services"))
        left.services.emplace_back(names.reported(text(child_of(s.as_object(), "metadata"), "name")));
    return left;
}

} // namespace golden
