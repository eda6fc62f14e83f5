#include "golden/admission.hpp"
#include "golden/flags.hpp"
#include "golden/operator_world.hpp"
#include "golden/step_compare.hpp"
#include "golden/timeline.hpp"

#include <kftrain/kinds/registry.hpp>

#include <functional>
#include <stdexcept>

namespace golden {
namespace {

using namespace kftrain;

constexpr std::string_view merge_patch = "application/merge-patch+json";

kube::http_request make(std::string method, std::string target, json::value const& body = nullptr,
                        std::string_view type = "application/json") {
    kube::http_request r;
    r.method = std::move(method);
    r.target = std::move(target);
    if (!body.is_null()) {
        r.fields.add("Content-Type", std::string(type));
        r.body = json::serialize(body);
    }
    return r;
}

std::string in_corpus(std::string path) {
    if (auto const at = path.find("<ns>"); at != std::string::npos) path.replace(at, 4, "corpus");
    return path;
}

/// Plays one case.
class player {
public:
    player(recorded_case const& c, job_kind const& kind, allowances const& allowed)
        : case_(c),
          allowed_(allowed),
          collection_("/apis/" + kind.resource->api_version() + "/namespaces/corpus/" +
                      std::string(kind.resource->plural)),
          job_name_(text(child_of(c.job, "metadata"), "name")),
          world_(kind, read_flags(c.about)) {}

    /// Submits the job; the answer of the server is that which was there before the operator could see the job.
    admission_answer create() {
        for (auto const& event : list_of(case_.about, "before")) answer_to(event.as_object());
        finish_step(timeline::start());
        world_.operator_link().job_name = job_name_;
        auto const answer = world_.send({make("POST", collection_, case_.job)}).at(0);
        world_.operator_link().job_uid = text(child_of(answer.body, "metadata"), "uid");
        admission_answer ours;
        ours.accepted = answer.code < 300;
        (ours.accepted ? ours.stored : ours.status) = answer.body;
        for (auto const& w : answer.warnings) { // 299 - "text"
            auto const first = w.find('"'), last = w.rfind('"');
            ours.warnings.push_back(std::string(json::parse(w.substr(first, last - first + 1)).as_string()));
        }
        return ours;
    }

    /** Plays all steps; `shown` says in which of them moments are shown. An empty text if all agree.
        @param moments set to the steps that had any */
    std::string play(std::vector<bool> const& shown, std::vector<bool>& moments) {
        auto const answer = create();
        if (!answer.accepted)
            return "admission.accepted: recorded true, kftrain refuses: " + text(answer.status, "message");
        moments.clear();
        auto& leaving = *world_.operator_link().leaving;
        for (std::size_t i = 0; i < case_.steps.size(); ++i) {
            leaving.any = false;
            leaving.shown = shown[i];
            auto const d = step(case_.steps[i].as_object(), i);
            moments.push_back(leaving.any);
            if (d) return "steps[" + std::to_string(i) + "]." + *d;
        }
        return "";
    }

private:
    std::string job_path() const { return collection_ + "/" + job_name_; }

    std::optional<std::string> step(json::object const& recorded, std::size_t i) {
        auto const& event = recorded.at("event").as_object();
        times_.begin_step(world_.clock().wall());
        world_.operator_link().seen = traces();
        if (i != 0)
            if (auto d = compare_refusals(recorded, answer_to(event))) return d;
        auto const end = times_.end_of(event);
        if (!finish_step(end)) return "requests: kftrain does not come to rest";
        return compare_step(recorded, world_.operator_link().seen, look());
    }

    bool finish_step(time_point end) {
        // Without timers nobody is woken by the time that passes.
        bool const quiet = world_.settle(allowed_.contains("no-timers") ? world_.clock().wall() : end);
        world_.clock().set(end);
        return quiet;
    }

    /// Sends what a stimulus says; returns the refusals in order.
    std::vector<refusal> answer_to(json::object const& event) {
        std::vector<refusal> refused;
        for (auto const& e : world_.send(requests_of(event)))
            if (e.code >= 400) refused.emplace_back(static_cast<int>(e.code), text(e.body, "message"));
        return refused;
    }

    std::vector<kube::http_request> requests_of(json::object const& event) const {
        static std::string const pods = "/api/v1/namespaces/corpus/pods/";
        std::vector<kube::http_request> out;
        auto const type = text(event, "type");
        auto const remove = [&](std::string const& path) {
            auto const* grace = event.if_contains("grace");
            out.push_back(
                make("DELETE", path,
                     grace != nullptr && grace->is_int64()
                         ? json::value(json::object{
                               {"kind", "DeleteOptions"}, {"apiVersion", "v1"}, {"gracePeriodSeconds", *grace}})
                         : json::value()));
        };
        if (type == "pods") {
            for (auto const& entry : list_of(event, "set")) {
                auto const& e = entry.as_object();
                auto const path = pods + text(e, "pod");
                if (auto const node = text(e, "bind"); !node.empty()) {
                    json::object binding{{"metadata", json::object{{"name", text(e, "pod")}}},
                                         {"target", json::object{{"kind", "Node"}, {"name", node}}}};
                    out.push_back(make("POST", path + "/binding", std::move(binding)));
                }
                if (e.contains("status"))
                    out.push_back(
                        make("PATCH", path + "/status", json::object{{"status", e.at("status")}}, merge_patch));
            }
        } else if (type == "patch-job") {
            auto const part = text(event, "subresource");
            out.push_back(make("PATCH", job_path() + (part.empty() ? "" : "/" + part), event.at("patch"), merge_patch));
        } else if (type == "delete-pod") {
            remove(pods + text(event, "pod"));
        } else if (type == "delete-pods") {
            for (auto const& name : list_of(event, "pods")) remove(pods + std::string(name.as_string()));
        } else if (type == "delete-service") {
            remove("/api/v1/namespaces/corpus/services/" + text(event, "service"));
        } else if (type == "delete-job") {
            remove(job_path());
        } else if (type == "create-object") {
            out.push_back(make("POST", in_corpus(text(event, "path")), event.at("object")));
        } else if (type == "patch-object") {
            out.push_back(make("PATCH", in_corpus(text(event, "path")), event.at("patch"), merge_patch));
        } else if (type != "wait") {
            throw std::runtime_error("no such event: " + type);
        }
        return out;
    }

    aftermath look() {
        aftermath left;
        for (auto const& job : world_.list(collection_)) {
            if (text(child_of(job.as_object(), "metadata"), "name") != job_name_) continue;
            left.job_exists = true;
            left.status = times_.told(child_of(job.as_object(), "status"));
        }
        for (auto const& p : world_.list("/api/v1/namespaces/corpus/pods")) {
            auto const& meta = child_of(p.as_object(), "metadata");
            left.pods[text(meta, "name")] = text(child_of(p.as_object(), "status"), "phase") +
                                            (meta.contains("deletionTimestamp") ? " terminating" : "");
        }
        for (auto const& s : world_.list("/api/v1/namespaces/corpus/services"))
            left.services.emplace_back(text(child_of(s.as_object(), "metadata"), "name"));
        return left;
    }

    recorded_case const& case_;
    allowances const& allowed_;
    std::string collection_, job_name_;
    operator_world world_;
    timeline times_;
};

job_kind const& kind_of(recorded_case const& c) {
    auto const* kind = find_job_kind(text(c.job, "apiVersion"), text(c.job, "kind"));
    if (kind == nullptr) throw std::runtime_error("no such job kind: " + text(c.job, "kind"));
    return *kind;
}

} // namespace

std::string check_served_admission(recorded_case const& c, allowances const& allowed) {
    return compare_admission(c.admission, player(c, kind_of(c), allowed).create(), allowed);
}

std::string check_operator(recorded_case const& c, allowances const& allowed) {
    if (c.steps.empty()) return "";
    std::string deepest;
    std::size_t depth = 0;
    // Along every outcome of races: steps before `decided` are settled, in the others moments are hidden first.
    std::function<bool(std::vector<bool>, std::size_t)> explore = [&](std::vector<bool> shown, std::size_t decided) {
        std::vector<bool> moments;
        auto const difference = player(c, kind_of(c), allowed).play(shown, moments);
        if (difference.empty()) return true;
        if (deepest.empty() || moments.size() > depth) {
            depth = moments.size();
            deepest = difference;
        }
        for (std::size_t i = moments.size(); i-- > decided;) {
            if (!moments[i]) continue;
            auto other = shown;
            other[i] = true;
            if (explore(std::move(other), i + 1)) return true;
        }
        return false;
    };
    return explore(std::vector<bool>(c.steps.size()), 0) ? std::string() : deepest;
}

} // namespace golden
