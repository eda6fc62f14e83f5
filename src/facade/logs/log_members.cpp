#include "facade/logs/log_members.hpp"

#include "job/contract/field_error.hpp"

#include <kftrain/job/job_rules.hpp>

#include <boost/asio/post.hpp>

#include <utility>

namespace kftrain {

/// A server without a webhook may store an invalid job.
result<void> log_members::lay_out(any_job const& job) {
    auto const prepared = prepared_job::stored(job);
    auto laid = lay_out_job(prepared);
    if (!laid) return invalid_job(prepared.faults(), "; ");
    bool const first = !std::exchange(layout_, std::move(laid));
    job_.namespace_ = session_->namespace_;
    job_.uid = job.metadata().uid;
    claim_.emplace(job.rules(), job_);
    auto const& all = layout_->members();
    if (first) {
        if (auto fit = check_log_members(session_->options, all); !fit) return fit;
        if (!session_->options.containers.empty()) {
            std::set<std::string> roles; // whose pods are made of one template
            for (auto const& m : all.members)
                if (wants_member(session_->options, m) && roles.insert(m.role).second)
                    containers_.add(prepared.pod_of(m).spec);
        }
    }
    count_without_pod();
    if (begun_) see_all(false);
    return {};
}

void log_members::take(kube::any_event const& e) {
    auto const& m = e.object.metadata();
    if (m.namespace_ != session_->namespace_ || !layout_->knows(m) || claim_->is_of_another(m)) return;
    if (e.kind == change_kind::deleted) return session_->pods.remove(m);
    auto const now = std::static_pointer_cast<pod const>(e.object.erased());
    if (session_->pods.put(now) && begun_) see(now, false);
}

result<void> log_members::begin() {
    begun_ = true;
    for (auto const& p : session_->pods.all())
        if (wants(p->metadata) != nullptr) containers_.add(*p);
    if (auto fit = containers_.check(session_->options); !fit) return fit;
    see_all(true);
    forget_unresolved();
    return {};
}

/// The member whose pod this is, if it is wanted; else null.
member const* log_members::wants(object_meta const& pod) const {
    auto const place = claim_->is_of_another(pod) ? std::nullopt : layout_->place_of(pod);
    if (!place) return nullptr;
    auto const& m = layout_->members().members[*place];
    return wants_member(session_->options, m) ? &m : nullptr;
}

void log_members::see_all(bool early) {
    for (auto const& p : session_->pods.all()) see(p, early);
}

/// Follows the containers of a pod that are not followed yet. A node with the pod reports all of them.
void log_members::see(job_pods::object const& p, bool early) {
    auto const* const m = session_->stopped ? nullptr : wants(p->metadata);
    if (m == nullptr) return;
    bool const drawn = m->pod_name.empty();
    auto const [known, first] = followed_.try_emplace(p->metadata.name);
    for (auto& name : wanted_containers(session_->options, *p)) {
        if (!known->second.insert(name).second) continue;
        member its = *m;
        its.pod_name = p->metadata.name;
        spawn_(follow(std::move(its), std::move(name), p, early, drawn));
    }
    if (first && !drawn && --without_pod_ == 0) forget_unresolved();
}

/// A pod after this one has its turn when all of this one was read.
asio::awaitable<void> log_members::follow(member its, std::string container, job_pods::object p, bool early,
                                          bool drawn) {
    bool const gone = co_await follow_container(session_, its, container, std::move(p), early);
    if (!gone) co_return;
    auto const known = followed_.find(its.pod_name);
    known->second.erase(container);
    auto const next = session_->pods.find(its.pod_name);
    if (next) see(next, false);
    if (drawn && !next && known->second.empty()) followed_.erase(known); // none comes after it
}

void log_members::count_without_pod() {
    without_pod_ = 0;
    drawn_ = false;
    for (auto const& m : layout_->members().members) {
        if (!wants_member(session_->options, m)) continue;
        if (m.pod_name.empty()) drawn_ = true;
        if (!m.pod_name.empty() && !followed_.contains(m.pod_name)) ++without_pod_;
    }
}

/// If a pod of each member was looked at, what a position has of others is of pods that are gone.
void log_members::forget_unresolved() {
    if (!begun_ || without_pod_ != 0 || drawn_) return;
    // Runs after the followers of the last pod have noted the entries of the position that they resume.
    asio::post(session_->client.get_executor(), [session = session_] { session->forget_unresolved(); });
}

void log_members::note_absences() {
    auto const& all = layout_->members();
    std::set<std::string> roles; // of which there is a pod
    for (auto const& p : session_->pods.all())
        if (auto const place = layout_->place_of(p->metadata); place && !claim_->is_of_another(p->metadata))
            roles.insert(all.members[*place].role);
    for (auto const& m : all.members) {
        if (m.pod_name.empty()) {
            if (!leaves_out_role(session_->options, m.role) && roles.insert(m.role).second)
                session_->lose("pods of role " + m.role + ": the pods were deleted before their output was requested");
        } else if (wants_member(session_->options, m) && !followed_.contains(m.pod_name)) {
            session_->lose("pod " + m.pod_name + ": the pod was deleted before its log was read");
        }
    }
}

} // namespace kftrain
