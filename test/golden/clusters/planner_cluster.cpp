#include "golden/clusters/planner_cluster.hpp"

#include "golden/clusters/visible_objects.hpp"

#include <kftrain/controllers/registry.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/model/patch.hpp>

#include <algorithm>
#include <stdexcept>

namespace golden {

using namespace kftrain;

namespace {

constexpr int pass_limit = 100;

std::optional<kube::propagation> to_kube(std::optional<rules::propagation> const& how) {
    if (!how) return std::nullopt;
    if (*how == rules::propagation::orphan) return kube::propagation::orphan;
    return *how == rules::propagation::background ? kube::propagation::background : kube::propagation::foreground;
}

std::string filled(std::string_view text, std::string const& what, std::string_view mark = "{}") {
    std::string all(text);
    if (auto const at = all.find(mark); at != std::string::npos) all.replace(at, mark.size(), what);
    return all;
}

} // namespace

/// Carries out the actions of a plan; each returns whether to continue.
class planner_cluster::executor {
public:
    executor(planner_cluster& world, planner& who, any_object const& primary)
        : world_(world), who_(who), primary_(primary) {}

    bool carry_out(rules::step const& step) {
        for (auto const& action : step.actions) {
            if (std::visit(*this, action)) continue;
            if (step.refused && code_ != 409) write_instead(*step.refused);
            return false;
        }
        return true;
    }

    void write_instead(rules::write_status const& status) {
        rules::write_status next(status.filled != nullptr ? status.filled(status.object, message_) : status.object);
        if (!(next.object == primary_)) (*this)(next);
    }

    bool operator()(rules::create const& a) {
        auto object = a.object;
        for (auto const& recipe : a.made) object = recipe.filled(object, made(recipe), recipe.slot);
        bool const sent = send(kube::request::create(object.resource(), namespace_of(object), object.to_json()),
                               a.event, name(object));
        return sent || (code_ == 409 && a.exists == rules::on_refusal::ignore);
    }
    bool operator()(rules::replace const& a) {
        auto object = a.object;
        for (auto const& recipe : a.made) object = recipe.filled(object, made(recipe), recipe.slot);
        auto const put = a.part == rules::subresource::status ? kube::request::replace_status : kube::request::replace;
        return send(put(object.resource(), namespace_of(object), name(object), object.to_json()), a.event,
                    name(object));
    }
    bool operator()(rules::apply const& a) {
        kube::apply_options how;
        how.field_manager = a.manager;
        how.force = a.force;
        auto const& o = a.object;
        return send(kube::request::apply(o.resource(), namespace_of(o), name(o), o.to_json(), how), a.event, name(o));
    }
    bool operator()(rules::patch const& a) {
        auto const part = a.part == rules::subresource::status ? kube::request::patch_status : kube::request::patch;
        return send(part(*a.of.type, a.of.namespace_, a.of.name, kube::patch_body(a.type, a.text)), a.event, a.of.name);
    }
    bool operator()(rules::remove const& a) {
        kube::delete_options how;
        how.precondition_uid = a.of.uid;
        how.propagation_policy = to_kube(a.how);
        bool const sent = send(kube::request::remove(*a.of.type, a.of.namespace_, a.of.name, how), a.event, a.of.name);
        return sent || (code_ == 404 && a.gone == rules::on_refusal::ignore);
    }
    bool operator()(rules::write_status const& a) {
        if (a.object == primary_) throw std::runtime_error("the plan writes a status that is already there");
        auto const form = who_.rules->status();
        if (form == rules::status_form::none) throw std::runtime_error("the plan writes a status that has no form");
        auto const next = own_version_.empty() ? a.object : with_version(a.object);
        auto const& meta = next.metadata();
        if (form == rules::status_form::merge_patch)
            return (*this)(
                rules::patch(rules::target(next.resource(), meta), patch_type::merge,
                             merge_patch(*next.type().model, primary_.erased().get(), next.erased().get()).value(),
                             rules::subresource::status));
        auto const put =
            form == rules::status_form::whole_object ? kube::request::replace : kube::request::replace_status;
        return send(put(next.resource(), meta.namespace_, meta.name, next.to_json()), {}, meta.name);
    }
    bool operator()(rules::change_self const& a) {
        auto object = a.object;
        for (auto const& recipe : a.made) object = recipe.filled(object, made(recipe), recipe.slot);
        if (object == primary_) throw std::runtime_error("the plan writes the object as it is already");
        auto const put =
            kube::request::replace(object.resource(), namespace_of(object), name(object), object.to_json());
        bool const sent = send(put, {}, name(object));
        if (sent) own_version_ = answered_version_;
        return sent;
    }
    bool operator()(rules::emit_event const& a) {
        note_event(a.type, a.reason, a.message);
        return true;
    }
    template <class Other> bool operator()(Other const&) {
        throw std::runtime_error("the plan has an action that this lane does not support");
    }

private:
    static std::string const& name(any_object const& o) { return o.metadata().name; }

    std::string namespace_of(any_object const& o) const {
        auto const& own = o.metadata().namespace_;
        return own.empty() ? primary_.metadata().namespace_ : own;
    }

    rules::content made(rules::recipe const& recipe) const {
        return std::visit([&](auto const& what) { return rules::content(world_.maker_->make(what).value()); },
                          recipe.what);
    }

    void note_event(std::string_view type, std::string_view reason, std::string message) {
        if (who_.reports_events && !reason.empty())
            world_.record_.seen.events.emplace(type, reason, world_.record_.names().reported(std::move(message)),
                                               primary_.type().kind() + ' ' + name(primary_));
    }

    bool send(result<kube::http_request> request, rules::event_messages const& reported, std::string const& name) {
        auto const answer = world_.send(*who_.link, {std::move(request).value()}).at(0);
        code_ = answer.code;
        message_ = text(answer.body, "message");
        answered_version_ = text(child_of(answer.body, "metadata"), "resourceVersion");
        bool const done = code_ < 300;
        // Events about names that are taken are not kept in the recordings.
        if (done)
            note_event("Normal", reported.done_reason, filled(reported.done_text, name));
        else if (code_ != 409)
            note_event("Warning", reported.failed_reason,
                       filled(filled(reported.failed_text, name, "{name}"), text(answer.body, "message")));
        return done;
    }

    planner_cluster& world_;
    planner& who_;
    any_object const& primary_;
    any_object with_version(any_object const& object) const {
        auto const& type = object.type();
        auto copy = type.copy(object.erased().get());
        type.metadata_of(copy.get()).resource_version = own_version_;
        return any_object(type, std::move(copy));
    }

    unsigned code_ = 0;            ///< of the last answer
    std::string message_;          ///< its message
    std::string answered_version_; ///< that of its object
    std::string own_version_;      ///< of the object itself, once it was changed
};

planner_cluster::planner_cluster(recorded_kind const& kind, bool kubernetes)
    : operated_cluster(kind, kubernetes), maker_(control::make_content_maker()) {
    planners_.emplace_back(kind.rules, *link_, true);
    for (auto const& rules : kind.partners) planners_.emplace_back(rules, *link_, true);
    if (!kubernetes) return;
    for (auto const& rules : controllers::known_controllers())
        if (serves(rules->primary()) && !is_recorded(kind, *rules)) planners_.emplace_back(rules, *user_, false);
}

bool planner_cluster::settle(time_point end) {
    for (int passes = 0; passes < pass_limit; ++passes) {
        time_.settle(); // garbage is collected
        bool const anything = std::ranges::any_of(planners_, [&](planner& p) { return look(p); });
        if (!anything && !wake_before(end)) return true;
    }
    return false;
}

void planner_cluster::restart_operator() {
    planners_.front().remembered.clear();
    planners_.front().looked_at = 0;
}

bool planner_cluster::look(planner& p) {
    auto const version = visible_version(*p.rules, server_.store());
    if (version == p.looked_at) return false;
    p.looked_at = version;
    p.requeue_at.reset();
    for (auto const& primary : stored(server_.store(), p.rules->primary(), "")) {
        auto const& meta = primary.metadata();
        if (meta.deletion_timestamp && !p.rules->looks_at_deleted()) continue;
        auto& memory = p.remembered[meta.uid];
        auto world = visible_from(primary, *p.rules, server_.store());
        bool const known = memory != nullptr;
        world.set_changes(known ? changes(p, meta.uid, world, false) : std::vector<rules::change>());
        auto const plan = p.rules->make_plan(primary.erased().get(), world, memory, now());
        executor act(*this, p, primary);
        bool const whole = std::ranges::all_of(plan.steps, [&](rules::step const& s) { return act.carry_out(s); });
        if (!whole) continue; // what failed is tried again when something changes
        if (plan.requeue_at) p.requeue_at = std::min(p.requeue_at.value_or(*plan.requeue_at), *plan.requeue_at);
        if (plan.remember) memory = plan.remember;
        changes(p, meta.uid, world, true);
    }
    return true;
}

std::vector<rules::change> planner_cluster::changes(planner& p, std::string const& uid, rules::world const& world,
                                                    bool note) {
    std::vector<rules::change> all;
    auto const rows = p.rules->watches();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].changes) continue;
        auto& before = p.seen[uid + "/" + std::to_string(i)];
        auto const now = world.all(rows[i].name);
        auto const same = [](any_object const& a) {
            return [&a](any_object const& b) { return a.metadata().uid == b.metadata().uid; };
        };
        for (auto const& old : before)
            if (std::ranges::none_of(now, same(old))) all.emplace_back(i, old, any_object());
        for (auto const& object : now) {
            auto const old = std::ranges::find_if(before, same(object));
            if (old == before.end())
                all.emplace_back(i, any_object(), object);
            else if (old->metadata().resource_version != object.metadata().resource_version)
                all.emplace_back(i, *old, object);
        }
        if (note) before.assign(now.begin(), now.end());
    }
    return all;
}

bool planner_cluster::wake_before(time_point end) {
    planner* next = nullptr;
    for (auto& p : planners_)
        if (p.requeue_at && (next == nullptr || *p.requeue_at < *next->requeue_at)) next = &p;
    if (next == nullptr || *next->requeue_at >= end) return false;
    skip_to(std::max(now(), *next->requeue_at));
    next->looked_at = 0;
    next->requeue_at.reset();
    return true;
}

} // namespace golden
