#include "async/any_kind/cluster.hpp"
#include "async/any_kind/text.hpp"

#include <kftrain/kinds/types.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/test/unit_test.hpp>

#include <regex>

// The stored objects, and the status that a kubelet would write.
namespace any_kind {
namespace {

namespace json = boost::json;

json::object& meta_of(json::object& o) { return o.at("metadata").as_object(); }
json::object const& meta_of(json::object const& o) { return o.at("metadata").as_object(); }
std::string text_in(json::object const& o, std::string_view key) {
    auto const* const v = o.if_contains(key);
    return v != nullptr && v->is_string() ? std::string(v->as_string()) : std::string();
}

std::string phase_of(json::object const& pod) {
    auto const* const status = pod.if_contains("status");
    return status == nullptr ? std::string() : text_in(status->as_object(), "phase");
}

bool has_ended(json::object const& pod) { return phase_of(pod) == "Succeeded" || phase_of(pod) == "Failed"; }

bool is_rival(json::object const& o) {
    auto const* const annotations = meta_of(o).if_contains("annotations");
    return annotations != nullptr && annotations->as_object().contains(rival_mark);
}

/// The part of the names of children that is derived from the uid of the job.
constexpr std::string_view derived_field = "RuntimeId";

std::string replaced(std::string text, std::string const& what, std::string_view by) {
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

/// Without what derives from the namespace and from the time of other objects: the key of a Job, and a time in the copy
/// of a runtime.
std::string without_derived(std::string const& text) {
    static std::regex const key(R"re(("jobset\.sigs\.k8s\.io/job-key":)"[0-9a-f]{40}")re");
    static std::regex const time(R"re((creationTimestamp: \\")[^"\\]*)re");
    return std::regex_replace(std::regex_replace(text, key, "$1\"(of namespace)\""), time, "$1(time)");
}

/// Of names that the server made, what they begin with.
std::string lasting_name(json::object const& meta) {
    auto const begin = text_in(meta, "generateName");
    return begin.empty() ? text_in(meta, "name") : begin + "*";
}

/// The lines that only one of the lists has, with a sign in front.
std::string differences(lines const& got, lines const& wanted) {
    std::string text;
    lines less, more;
    std::ranges::set_difference(wanted, got, std::back_inserter(less));
    std::ranges::set_difference(got, wanted, std::back_inserter(more));
    for (auto const& l : less) text += "\n- " + l;
    for (auto const& l : more) text += "\n+ " + l;
    return text;
}

} // namespace

void cluster::each_object(std::string const& ns, stored const& look) const {
    auto const& store = server_.store();
    apiserver::list_query query;
    query.namespace_ = ns;
    for (apiserver::kind_id kind = 0; kind != store.kinds(); ++kind) {
        auto const& d = store.definition(kind);
        if (d.where != resource_scope::namespaced || d.plural == "events") continue;
        for (auto const& object : store.list(kind, query).value().items) {
            auto parsed = object->parsed();
            if (!is_rival(parsed)) look(d.plural, parsed);
        }
    }
}

std::string cluster::without_chance(std::string text, std::string const& ns,
                                    std::map<std::string, std::string> const& by_uid) const {
    text = with_replaced_numbers(text, uid_mark, [&](std::string const& uid) {
        auto const known = by_uid.find(uid);
        return known == by_uid.end() ? std::string("(unknown uid)") : "(uid of " + known->second + ")";
    });
    text = with_replaced_numbers(text, chance_mark, [](auto const&) { return std::string("(random)"); });
    return replaced(without_derived(text), ns, "(ns)");
}

lines cluster::objects_in(std::string const& ns, std::string const& refused) const {
    std::map<std::string, std::string> by_uid;
    lines derived;
    each_object(ns, [&](std::string const& plural, json::object& o) {
        by_uid[text_in(meta_of(o), "uid")] = plural + " " + lasting_name(meta_of(o));
        if (auto const* const spec = o.if_contains("spec"))
            if (auto id = text_in(spec->as_object(), derived_field); !id.empty()) derived.push_back(std::move(id));
    });
    lines all;
    each_object(ns, [&](std::string const& plural, json::object& o) {
        auto& meta = meta_of(o);
        auto const name = lasting_name(meta);
        meta["name"] = name;
        meta.erase("uid");
        if (auto* const data = plural == "secrets" ? o.if_contains("data") : nullptr)
            for (auto& [key, value] : data->as_object()) value = "";
        auto text = without_chance(plural + " " + name + " " + json::serialize(in_order(o, refused)), ns, by_uid);
        for (auto const& id : derived) text = replaced(std::move(text), "-" + id + "-", "-(of uid)-");
        for (auto const& id : derived) text = replaced(std::move(text), '"' + id + '"', "\"(of uid)\"");
        all.push_back(std::move(text));
    });
    std::ranges::sort(all);
    return all;
}

void cluster::expect_objects(std::string const& ns, lines const& wanted, std::string const& what,
                             std::string const& refused) {
    auto got = objects_in(ns, refused);
    for (; got != wanted && patience_ != 0; --patience_) {
        play();
        run(100ms);
        got = objects_in(ns, refused);
    }
    BOOST_TEST((got == wanted), what << differences(got, wanted));
}

std::map<std::string, std::string> cluster::uids_in(std::string const& ns) const {
    std::map<std::string, std::string> all;
    each_object(ns, [&](std::string const& plural, json::object& o) {
        all[plural + " " + text_in(meta_of(o), "name")] = text_in(meta_of(o), "uid");
    });
    return all;
}

std::string cluster::exact(std::string const& object, std::string const& ns) const {
    std::string text;
    each_object(ns, [&](std::string const& plural, json::object& o) {
        if (plural + " " + text_in(meta_of(o), "name") == object) text = json::serialize(o);
    });
    return text;
}

void cluster::remove_object(std::string const& object, std::string const& ns) {
    each_object(ns, [&](std::string const& plural, json::object& o) {
        if (plural + " " + text_in(meta_of(o), "name") != object) return;
        auto const* const type = find_type(text_in(o, "apiVersion"), text_in(o, "kind"));
        BOOST_REQUIRE_MESSAGE(type != nullptr, object);
        user_.async_call(kube::request::remove(*type->info, ns, text_in(meta_of(o), "name"), {}),
                         [](error_code, std::string const&) {});
    });
}

lines cluster::events_in(std::string const& ns) const {
    auto const& store = server_.store();
    apiserver::list_query query;
    query.namespace_ = ns;
    lines all;
    for (auto const& e : store.list(store.find("", "v1", "events").value(), query).value().items) {
        auto const o = e->parsed();
        all.push_back(text_in(o, "type") + " " + text_in(o, "reason") + " " + text_in(o, "message"));
    }
    std::ranges::sort(all);
    return all;
}

void cluster::each_pod(std::function<void(json::object const&)> const& look) const {
    auto const& store = server_.store();
    for (auto const& p : store.list(store.find("", "v1", "pods").value(), {}).value().items)
        if (auto const pod = p->parsed(); !is_rival(pod)) look(pod);
}

void cluster::set_phase(json::object const& pod, std::string const& phase) {
    bool const runs = phase == "Running";
    json::object state;
    if (runs)
        state["running"] = json::object{{"startedAt", "2026-03-01T00:00:00Z"}};
    else
        state["terminated"] = json::object{{"exitCode", 0}, {"reason", "Completed"}};
    json::array containers, conditions;
    for (auto const& c : pod.at("spec").at("containers").as_array()) {
        json::object reported{{"name", c.at("name")}, {"image", "i"}, {"imageID", "i"}, {"restartCount", 0}};
        reported["ready"] = runs;
        reported["state"] = state;
        containers.push_back(std::move(reported));
    }
    conditions.push_back(json::object{{"type", "Ready"}, {"status", runs ? "True" : "False"}});
    json::object const status{{"phase", phase}, {"conditions", conditions}, {"containerStatuses", containers}};
    auto const& meta = meta_of(pod);
    kube::patch_body body(patch_type::merge, json::serialize(json::object{{"status", status}}));
    user_.async_call(kube::request::patch_status(core::pod::resource, text_in(meta, "namespace"), text_in(meta, "name"),
                                                 std::move(body)),
                     [](error_code, std::string const&) {});
}

void cluster::advance_to(stage to) {
    if (to == stage::first_succeeded) {
        std::map<std::string, std::pair<std::string, json::object>> first; // of each namespace
        each_pod([&](json::object const& pod) {
            auto const name = without_chance(lasting_name(meta_of(pod)), "?", {});
            auto& known = first[text_in(meta_of(pod), "namespace")];
            if (known.first.empty() || name < known.first) known = {name, pod};
        });
        for (auto const& [ns, pod] : first)
            if (!has_ended(pod.second)) set_phase(pod.second, "Succeeded");
    }
    reached_ = to;
    // Pods may wait for others, so there are several rounds; jobs that bring forth pods for ever are not waited for.
    for (int round = 0; round != 10; ++round) {
        calm();
        if (!play()) return;
    }
}

bool cluster::play() {
    bool changed = false;
    each_pod([&](json::object const& pod) {
        bool const starts = reached_ == stage::running && phase_of(pod) != "Running" && !has_ended(pod);
        bool const ends = reached_ == stage::all_succeeded && !has_ended(pod);
        if (starts || ends) changed = true, set_phase(pod, starts ? "Running" : "Succeeded");
    });
    return changed;
}

std::vector<undisturbed_life> const& undisturbed(lines const& flags) {
    static std::map<lines, std::vector<undisturbed_life>> known;
    auto& all = known[flags];
    if (!all.empty()) return all;
    auto const& jobs = known_jobs();
    all.resize(jobs.size());
    cluster w(flags);
    auto const home = [](std::size_t i) { return "case-" + std::to_string(i) + "-x"; };
    std::map<std::string, undisturbed_life*> by_home;
    for (std::size_t i = 0; i != jobs.size(); ++i) by_home[home(i)] = &all[i];
    w.start_operators([&](operator_request const& a) -> std::optional<test::fault> {
        auto const at = by_home.find(a.ns);
        if (at == by_home.end() || !a.makes_child()) return std::nullopt;
        auto& children = at->second->children;
        if (std::ranges::find(children, a.child()) == children.end()) children.push_back(a.child());
        return std::nullopt;
    });
    for (std::size_t i = 0; i != jobs.size(); ++i) w.submit(jobs[i], home(i));
    for (auto const s : all_stages) {
        w.advance_to(s);
        for (std::size_t i = 0; i != jobs.size(); ++i) {
            all[i].objects[s] = w.objects_in(home(i));
            if (s != stage::created) continue;
            all[i].steps = w.steps[home(i)];
            all[i].writes = w.writes[home(i)];
        }
    }
    return all;
}

} // namespace any_kind
