#include "async/any_kind/cluster.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <set>

BOOST_AUTO_TEST_SUITE(async_any_kind_refusals)

// Servers that refuse children, and what bears the names of children already; for every registered kind.
namespace {

using namespace any_kind;
using test::fault;

constexpr char const* rival = "a rival";
/// Operators that apply their children meet the server's words about a second controller, or their own.
constexpr char const* owned_by_another =
    "already exists|owned by another object|Only one reference can have Controller";
constexpr char const* over_quota = "exceeded quota: q";

/// How the first creation of a child goes wrong.
struct refusal {
    std::string name;
    std::function<std::optional<fault>(cluster&, operator_request const&)> answer;
    std::string message{}; ///< the message for the author of the job; empty: none, since the operator recovers
};

refusal answered(std::string name, fault f, std::string message = "") {
    return {std::move(name), [f = std::move(f)](cluster&, operator_request const&) { return f; }, std::move(message)};
}

std::vector<refusal> const& refusals() {
    static auto const exists = [] {
        auto f = fault::answer(409, "AlreadyExists", "it exists already");
        f.carried_out = true;
        return f;
    }();
    static std::vector<refusal> const all{
        answered("forbidden", fault::answer(403, "Forbidden", "no right to create it"), "no right to create it"),
        answered("quota", fault::answer(403, "Forbidden", over_quota), over_quota),
        answered("its own", exists),
        {rival,
         [](cluster& w, operator_request const& a) {
             w.put_rival(a, 150ms); // the server itself refuses then
             return std::optional<fault>();
         },
         owned_by_another},
        answered("conflict", fault::answer(409, "Conflict", "the quota is being changed"),
                 "the quota is being changed"),
        answered("invalid", fault::answer(422, "Invalid", "it is invalid"), "it is invalid"),
        answered("busy", fault::answer(429, "TooManyRequests", "too many").field("Retry-After", "0")),
        answered("internal", fault::answer(500, "InternalError", "a webhook failed"), "a webhook failed"),
        answered("reset before", fault::error(errc::connection_lost), "connection lost"),
        answered("reset afterwards", fault::lost_answer(), "connection lost"),
    };
    return all;
}

std::string home(std::string const& what, std::size_t job, std::size_t number = 0) {
    return what + "-" + std::to_string(job) + "-" + std::to_string(number) + "-x";
}

bool is_reported(lines const& events, std::string const& message) {
    return std::ranges::any_of(events, [&](auto const& e) {
        if (!e.starts_with("Warning ")) return false;
        for (std::size_t at = 0; at <= message.size();) { // the texts between the bars
            auto const end = std::min(message.find('|', at), message.size());
            if (e.find(message.substr(at, end - at)) != e.npos) return true;
            at = end + 1;
        }
        return false;
    });
}
bool is_logged(lines const& log, std::string const& ns, std::string const& message) {
    return message.empty() ||
           std::ranges::any_of(log, [&](auto const& l) { return l.find(ns) != l.npos && l.find(message) != l.npos; });
}

/// The refusals that a kind reported by an event, and those that it did not; rivals separately.
struct reported_refusals {
    lines shown, hidden, rivals, helpers;
};

/// The first request for each child is refused.
struct refused_once {
    std::size_t job;
    refusal const* by;
    std::set<std::string> met{};
};

/// One child is refused until the test allows it.
struct refused_for_long {
    std::size_t job;
    std::size_t child; ///< its position in the order of first requests
    lines seen{};

    bool is_meant(std::string const& name) {
        if (std::ranges::find(seen, name) == seen.end()) seen.push_back(name);
        return child < seen.size() && seen[child] == name;
    }
    std::string name() const { return child < seen.size() ? seen[child] : "(never created)"; }
};

/// How many writes a job may make since then beside those of an undisturbed life: in the end there is a try every 200
/// ms, which writes a few events, too. Who does not wait at all makes thousands.
std::size_t room_since(std::chrono::steady_clock::time_point begun) {
    return 60 + 10 * static_cast<std::size_t>((std::chrono::steady_clock::now() - begun) / 200ms);
}

void refuse_each_child_once(lines const& flags) {
    auto const& jobs = known_jobs();
    auto const& lives = undisturbed(flags);
    cluster w(flags);
    std::map<std::string, refused_once> cases;
    auto const begun = std::chrono::steady_clock::now();
    w.start_operators([&](operator_request const& a) -> std::optional<fault> {
        auto const at = cases.find(a.ns);
        if (at == cases.end() || !a.makes_child() || !at->second.met.insert(a.child()).second) return std::nullopt;
        return at->second.by->answer(w, a);
    });
    for (std::size_t i = 0; i != jobs.size(); ++i)
        for (std::size_t r = 0; r != refusals().size(); ++r) {
            cases.emplace(home("once", i, r), refused_once{i, &refusals()[r]});
            w.submit(jobs[i], home("once", i, r));
        }
    BOOST_TEST(w.calm(400ms));
    for (auto const s : {stage::created, stage::running}) {
        if (s != stage::created) w.advance_to(s);
        BOOST_TEST(w.calm(400ms));
        for (auto const& [ns, c] : cases)
            w.expect_objects(ns, lives[c.job].objects.at(s), jobs[c.job].name + ", " + c.by->name, c.by->message);
    }
    std::map<rules::job_rules const*, reported_refusals> reported_by_kind;
    for (auto const& [ns, c] : cases) {
        auto const& life = lives[c.job];
        BOOST_TEST(c.met.size() == life.children.size(), jobs[c.job].name << ", " << c.by->name);
        auto const name = jobs[c.job].name + ", " + c.by->name;
        auto const events = w.events_in(ns);
        auto& reported = reported_by_kind[&jobs[c.job].job.rules()];
        if (c.by->name == rival)
            (is_reported(events, c.by->message) ? reported.rivals : reported.helpers).push_back(name);
        else if (!c.by->message.empty())
            (is_reported(events, c.by->message) ? reported.shown : reported.hidden).push_back(name);
        BOOST_TEST((c.by->name == rival || is_logged(w.logged, ns, c.by->message)), name << " is not logged");
        auto const writes = w.writes[ns], most = life.writes + 12 * life.children.size() + room_since(begun);
        BOOST_TEST(writes <= most, name << ": " << writes << " writes, " << life.writes << " when nothing is refused");
    }
    // A kind that emits an event for one refusal does so for all. The upstream of one kind only writes to its log.
    std::size_t silent = 0, content = 0;
    for (auto const& [kind, reported] : reported_by_kind) {
        if (reported.shown.empty()) ++silent;
        if (!reported.helpers.empty()) ++content;
        for (auto const& name : reported.hidden) BOOST_TEST(reported.shown.empty(), name << " is reported by no event");
        for (auto const& name : reported.helpers)
            BOOST_TEST(reported.rivals.empty(), name << " is reported by no event");
    }
    BOOST_TEST(silent <= 1U);
    BOOST_TEST(content <= 1U); // for one kind a service that bears the name will do, made by anyone
}

} // namespace

BOOST_AUTO_TEST_CASE(children_that_are_rejected_once_are_each_created_once) { refuse_each_child_once({}); }

BOOST_AUTO_TEST_CASE(children_of_a_gang_that_are_rejected_once_are_each_created_once) {
    refuse_each_child_once({"--gang-scheduler-name=volcano", "--gang-scheduling=volcano"});
}

BOOST_AUTO_TEST_CASE(rejected_reads_are_retried_with_growing_delays_until_they_succeed) {
    auto const& jobs = known_jobs();
    auto const& lives = undisturbed();
    cluster w;
    std::map<std::string, refused_for_long> cases;
    auto const begun = std::chrono::steady_clock::now();
    bool over = false;
    w.start_operators([&](operator_request const& a) -> std::optional<fault> {
        auto const at = cases.find(a.ns);
        if (over || at == cases.end() || !a.makes_child()) return std::nullopt;
        if (!at->second.is_meant(a.child())) return std::nullopt;
        return fault::answer(403, "Forbidden", over_quota);
    });
    for (std::size_t i = 0; i != jobs.size(); ++i)
        for (std::size_t k = 0; k != lives[i].children.size(); ++k) {
            cases.emplace(home("long", i, k), refused_for_long{i, k});
            w.submit(jobs[i], home("long", i, k));
        }
    w.run(1200ms); // room for ten tries
    for (auto const& [ns, c] : cases) {
        auto const writes = w.writes[ns], most = lives[c.job].writes + room_since(begun);
        BOOST_TEST(writes <= most, jobs[c.job].name << ", " << c.name() << ": " << writes << " writes, "
                                                    << lives[c.job].writes << " when nothing is refused");
        bool const met = c.child < c.seen.size(); // some are created when others run
        BOOST_TEST((!met || is_logged(w.logged, ns, over_quota)),
                   jobs[c.job].name << ", " << c.name() << " is not logged");
    }
    over = true;
    BOOST_TEST(w.calm(400ms));
    w.advance_to(stage::running);
    for (auto const& [ns, c] : cases)
        w.expect_objects(ns, lives[c.job].objects.at(stage::running), jobs[c.job].name + ", " + c.name(), over_quota);
}

BOOST_AUTO_TEST_CASE(children_of_an_earlier_job_of_the_name_are_not_changed) {
    auto const& jobs = known_jobs();
    auto const& lives = undisturbed();
    cluster w({}, false);
    w.start_operators();
    for (std::size_t i = 0; i != jobs.size(); ++i) w.submit(jobs[i], home("former", i));
    BOOST_TEST(w.calm(100ms));
    std::vector<std::map<std::string, std::string>> former;
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        w.remove(jobs[i], home("former", i));
        former.push_back(w.uids_in(home("former", i)));
    }
    std::map<std::string, std::string> stood;
    for (std::size_t i = 0; i != jobs.size(); ++i)
        for (auto const& [object, uid] : former[i]) stood[uid] = w.exact(object, home("former", i));
    w.writes.clear();
    auto const begun = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i != jobs.size(); ++i) w.submit(jobs[i], home("former", i));
    w.run(1200ms);
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        for (auto const& [object, uid] : former[i])
            BOOST_TEST(w.exact(object, home("former", i)) == stood[uid], jobs[i].name << ", " << object);
        auto const writes = w.writes[home("former", i)];
        BOOST_TEST(writes <= lives[i].writes + room_since(begun), jobs[i].name << ": " << writes << " writes");
    }
    for (std::size_t i = 0; i != jobs.size(); ++i)
        for (auto const& [object, uid] : former[i]) w.remove_object(object, home("former", i));
    BOOST_TEST(w.calm(400ms));
    for (std::size_t i = 0; i != jobs.size(); ++i)
        w.expect_objects(home("former", i), lives[i].objects.at(stage::created), jobs[i].name, "already exists");
}

BOOST_AUTO_TEST_SUITE_END()
