#include "facade/explain/causes/causes.hpp"
#include "facade/explain/exit_status.hpp"
#include "facade/explain/server_texts.hpp"

#include <algorithm>

namespace kftrain::explaining {
namespace {

struct waiting_container {
    waiting_container() = default;

    std::size_t member = 0;
    core::pod const* pod = nullptr;
    core::container_status const* status = nullptr;

    std::string const& reason() const { return status->state.waiting->reason; }
    std::string const& message() const { return status->state.waiting->message; }
    std::string line() const {
        return "container " + status->name + " of pod " + pod->metadata.name + ": " + reason() +
               (message().empty() ? "" : ", " + message());
    }
};

/// Containers that wait, of members that are wanted.
std::vector<waiting_container> waiting_in(findings const& f, std::initializer_list<std::string_view> reasons) {
    std::vector<waiting_container> all;
    if (f.finished()) return all;
    for (std::size_t i = 0; i < f.pods.size(); ++i) {
        if (f.pods[i] == nullptr || f.pods[i]->metadata.deletion_timestamp) continue;
        auto const& s = f.pods[i]->status;
        for (auto const* list : {&s.init_container_statuses, &s.container_statuses})
            for (auto const& c : *list)
                if (c.state.waiting && std::ranges::find(reasons, c.state.waiting->reason) != reasons.end()) {
                    auto& w = all.emplace_back();
                    w.member = i;
                    w.pod = f.pods[i];
                    w.status = &c;
                }
    }
    return all;
}

std::vector<std::size_t> members_that_wait(std::vector<waiting_container> const& all) {
    std::vector<std::size_t> members;
    for (auto const& w : all)
        if (members.empty() || members.back() != w.member) members.push_back(w.member);
    return members;
}

/// As in the spec of the pod: statuses of images that were never pulled may have less.
std::string image_of(waiting_container const& w) {
    for (auto const* list : {&w.pod->spec.containers, &w.pod->spec.init_containers})
        for (auto const& c : *list)
            if (c.name == w.status->name && !c.image.empty()) return c.image;
    return w.status->image;
}

std::string image_advice(std::string const& why) {
    if (contains_any(why, {"InvalidImageName", "invalid reference format"}))
        return "Correct the name of the image. It is not a valid image name.";
    if (contains_any(why, {"ErrImageNeverPull"}))
        return "Load the image on the nodes, or set imagePullPolicy to IfNotPresent.";
    if (contains_any(why, {"toomanyrequests", "too many requests"}))
        return "The registry limits the number of pulls. Pull with credentials, or from a mirror.";
    if (contains_any(why, {"unauthorized", "authentication required", "denied", "403 forbidden", "no basic auth"}))
        return "Check that the image exists, and name a Secret with credentials for its registry in imagePullSecrets.";
    if (contains_any(why, {"no such host", "i/o timeout", "connection refused", "x509", "dial tcp"}))
        return "The node cannot reach the registry. Check its name, the network and certificates.";
    return "Check the name and tag of the image, and whether nodes may pull it.";
}

} // namespace

void find_image_not_found(findings const& f, found_causes& found) {
    auto const all = waiting_in(f, {"ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull",
                                    "ImageInspectError", "RegistryUnavailable", "SignatureValidationFailed"});
    if (all.empty()) return;
    auto const members = members_that_wait(all);
    auto& c = add_cause(found, f, cause_kind::image_not_found, members);
    c.cause.container = all.front().status->name;
    c.cause.summary = "The image " + image_of(all.front()) + " of " + f.names_of(members) + " cannot be pulled";
    std::string why;
    for (auto const& w : all) {
        why += w.reason() + " " + w.message() + "\n";
        add_evidence(c.cause, w.line());
        // The back-off has no reason; the event has.
        if (auto const* const e = f.newest({"Failed"}, "Pod", w.pod->metadata.name);
            e != nullptr && contains_any(e->message, {"failed to pull", "couldn't parse image"})) {
            why += e->message + "\n";
            add_evidence(c.cause, *e);
        }
    }
    c.cause.advice = image_advice(why);
}

void find_config_missing(findings const& f, found_causes& found) {
    member_list list(f);
    std::vector<std::string> lines;
    std::string text, container;
    for (auto const& w : waiting_in(f, {"CreateContainerConfigError", "CreateContainerError", "RunContainerError"})) {
        if (names_missing_program(w.message())) continue;
        list.add(w.member);
        lines.push_back(w.line());
        text += w.message() + "\n";
        if (container.empty()) container = w.status->name;
    }
    if (f.wanted())
        for (std::size_t i = 0; i < f.pods.size(); ++i) {
            if (f.pods[i] == nullptr || f.pods[i]->status.phase != "Pending" || f.has_ended[i]) continue;
            auto const* const e =
                f.newest({"FailedMount", "FailedAttachVolume", "FailedMapVolume"}, "Pod", f.pods[i]->metadata.name);
            bool const begun = std::ranges::any_of(f.pods[i]->status.container_statuses,
                                                   [](auto const& c) { return c.state.running.has_value(); });
            if (e == nullptr || begun) continue;
            list.add(i);
            lines.push_back("event: " + e->to_string());
            text += e->message + "\n";
        }
    if (list.empty()) return;
    auto const& members = list.get();
    auto& c = add_cause(found, f, cause_kind::config_missing, members);
    c.cause.container = container;
    for (auto& l : lines) add_evidence(c.cause, std::move(l));
    auto const missing = parse_missing_object(text);
    if (missing) {
        c.cause.summary = "The " + missing->first + " " + missing->second + " that " + f.names_of(members) +
                          (members.size() == 1 ? " references" : " reference") + " does not exist";
        c.cause.advice = "Create the " + missing->first + " " + missing->second + " in namespace " +
                         f.evidence.job->metadata().namespace_ +
                         ", or correct the name. The pods then start without further action.";
    } else if (contains_any(text, {"couldn't find key"})) {
        c.cause.summary = "A key of a ConfigMap or Secret that " + f.names_of(members) + " needs does not exist";
        c.cause.advice = "Add the key, or mark it as optional. The pods then start without further action.";
    } else if (contains_any(text, {"multi-attach", "unable to attach", "failedattach", "timed out waiting"})) {
        c.cause.summary = "A volume of " + f.names_of(members) + " cannot be attached or mounted";
        c.cause.advice = "Check which other pods use the volume, and whether its access mode allows several nodes.";
    } else {
        c.cause.summary = "A container or volume of " + f.names_of(members) + " cannot be set up as the pod specifies";
        c.cause.advice = "Correct the pod template according to the message.";
    }
}

void find_starting(findings const& f, found_causes& found) {
    constexpr std::chrono::seconds patience{30};
    if (!f.wanted() || f.layout.members.empty() || !f.evidence.pods_known) return;
    std::vector<bool> explained(f.pods.size(), false);
    for (auto const& c : found)
        for (auto const m : c.members) explained[m] = true;
    bool const nobody_looks = std::ranges::any_of(found, [](found_cause const& c) {
        return c.cause.kind == cause_kind::no_operator || c.cause.kind == cause_kind::gang ||
               c.cause.kind == cause_kind::quota || c.cause.kind == cause_kind::refused ||
               c.cause.kind == cause_kind::name_too_long;
    });
    if (nobody_looks) return;
    std::vector<std::size_t> members, absent;
    for (std::size_t i = 0; i < f.pods.size(); ++i)
        if (!explained[i] && f.has_not_begun(i)) {
            members.push_back(i);
            if (f.is_absent(i)) absent.push_back(i);
        }
    if (members.empty()) return;
    auto& c = add_cause(found, f, cause_kind::starting, members);
    c.cause.summary = members.size() == absent.size()
                          ? "Pods of " + f.names_of(members) + " do not exist yet"
                          : f.names_of(members) + (members.size() == 1 ? " is" : " are") + " starting";
    for (auto const i : members) {
        if (f.is_absent(i)) {
            add_evidence(c.cause, f.name_of(i) + ": no pod exists");
            continue;
        }
        auto const& p = *f.pods[i];
        std::string what = p.spec.node_name.empty() ? "not on a node yet" : "on node " + p.spec.node_name;
        for (auto const& s : p.status.container_statuses)
            if (s.state.waiting && !s.state.waiting->reason.empty()) what += ", " + s.state.waiting->reason;
        if (p.metadata.creation_timestamp) what += ", for " + span_of(f.now - *p.metadata.creation_timestamp);
        add_evidence(c.cause, "pod " + p.metadata.name + ": " + what);
        if (auto const* const e =
                f.newest({"Pulling", "FailedCreatePodSandBox", "NetworkNotReady"}, "Pod", p.metadata.name))
            add_evidence(c.cause, *e);
    }
    c.cause.advice =
        absent.empty()
            ? "Wait while images are pulled and volumes are mounted. The first pull on a node can take minutes."
        : f.age < patience ? "Wait a moment. The operator has just started to process the job."
                           : "If the pods do not appear, check the log of the operator of " +
                                 std::string(f.evidence.job->resource().kind) + ".";
}

} // namespace kftrain::explaining
