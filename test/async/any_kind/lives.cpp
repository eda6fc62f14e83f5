#include "async/any_kind/cluster.hpp"
#include "support/sanitized.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <utility>

BOOST_AUTO_TEST_SUITE(async_any_kind_lives)

// Operators that are replaced, and jobs that stand beside others; for every registered kind.
namespace {

using namespace any_kind;
using test::fault;

/// Every child and every write is disturbed, each third with sanitizers.
constexpr std::size_t stride = test::sanitized ? 3 : 1;

/// Nothing is written for the job behind so many writes, until another operator comes.
struct cut_short {
    std::size_t job;
    std::size_t writes;
    std::size_t seen = 0;
};

void expect_objects(cluster& w, std::map<std::string, cut_short> const& cases, stage s) {
    for (auto const& [ns, c] : cases)
        w.expect_objects(ns, undisturbed()[c.job].objects.at(s),
                         known_jobs()[c.job].name + ", operator replaced behind write " + std::to_string(c.writes) +
                             ", stage " + std::to_string(static_cast<int>(s)));
}

/// A job one of whose children is stored while the answer is lost.
struct lost_answer {
    std::size_t job;
    std::size_t child; ///< its position in the order of first requests
    lines seen{};
    bool lost = false;

    bool is_meant(std::string const& name) {
        if (std::ranges::find(seen, name) == seen.end()) seen.push_back(name);
        return !lost && child < seen.size() && seen[child] == name;
    }
};

} // namespace

// While the watches of the operators are held back, they retry.
BOOST_AUTO_TEST_CASE(a_child_is_created_once_if_the_response_is_lost_and_watches_lag) {
    auto const& jobs = known_jobs();
    auto const& lives = undisturbed();
    cluster w;
    std::map<std::string, lost_answer> cases;
    bool blind = false, over = false;
    w.start_operators([&](operator_request const& a) -> std::optional<fault> {
        if (!a.writes && blind && !a.name.empty()) return fault::error(errc::connection_lost); // reads an object
        auto const at = cases.find(a.ns);
        if (at == cases.end() || !a.makes_child() || !at->second.is_meant(a.child())) return std::nullopt;
        at->second.lost = true;
        if (!over) w.hold_watches(blind = true);
        return fault::lost_answer();
    });
    for (std::size_t i = 0; i != jobs.size(); ++i)
        for (std::size_t k = 0; k < lives[i].children.size(); k += stride) {
            auto const ns = "lost-" + std::to_string(i) + "-" + std::to_string(k) + "-x";
            cases.emplace(ns, lost_answer{i, k});
            w.submit(jobs[i], ns);
        }
    auto const all_lost = [&] { return std::ranges::all_of(cases, [](auto const& c) { return c.second.lost; }); };
    for (int outage = 0; outage != 40 && !all_lost(); ++outage) { // some children are created when others run
        w.run(200ms);
        blind = false;
        w.hold_watches(false);
        w.advance_to(stage::running);
    }
    w.run(200ms); // tries while nothing is seen of the last ones
    over = true;
    blind = false;
    w.hold_watches(false);
    w.advance_to(stage::running);
    for (auto const& [ns, c] : cases) {
        w.expect_objects(ns, lives[c.job].objects.at(stage::running),
                         jobs[c.job].name + ", answer to " + (c.lost ? c.seen[c.child] : "no child") + " lost",
                         "connection lost");
        BOOST_TEST(c.lost, jobs[c.job].name << ", child " << c.child);
    }
}

BOOST_AUTO_TEST_CASE(a_replacement_operator_continues_without_lost_or_duplicate_objects) {
    auto const& jobs = known_jobs();
    auto const& lives = undisturbed();
    cluster w;
    std::map<std::string, cut_short> cases;
    w.start_operators([&](operator_request const& a) -> std::optional<fault> {
        auto const at = cases.find(a.ns);
        if (at == cases.end() || !a.writes) return std::nullopt;
        if (at->second.seen == at->second.writes) return fault::error(errc::connection_lost);
        if (a.plural != "events") ++at->second.seen;
        return std::nullopt;
    });
    for (std::size_t i = 0; i != jobs.size(); ++i)
        for (std::size_t k = 1; k <= lives[i].steps; k += stride) {
            auto const ns = "cut-" + std::to_string(i) + "-" + std::to_string(k) + "-x";
            cases.emplace(ns, cut_short{i, k});
            w.submit(jobs[i], ns);
        }
    BOOST_TEST(w.calm());
    w.stop_operators();
    w.start_operators();
    BOOST_TEST(w.calm());
    expect_objects(w, cases, stage::created);

    w.stop_operators(); // no operator observes the next changes of pods
    w.advance_to(stage::running);
    w.start_operators();
    w.advance_to(stage::running);
    expect_objects(w, cases, stage::running);

    for (auto const s : {stage::first_succeeded, stage::all_succeeded}) {
        w.advance_to(s);
        w.stop_operators();
        w.start_operators();
        BOOST_TEST(w.calm());
        expect_objects(w, cases, s);
    }
}

BOOST_AUTO_TEST_CASE(deleting_a_job_leaves_the_objects_of_other_jobs) {
    auto const& jobs = known_jobs();
    cluster w;
    w.start_operators();
    auto const pair = [](std::size_t i) { return "pair-" + std::to_string(i) + "-x"; };
    auto const alone = [](std::size_t i) { return "alone-" + std::to_string(i) + "-x"; };
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        for (auto const* name : {"left", "right"}) w.submit(jobs[i], pair(i), name);
        w.submit(jobs[i], alone(i), "right");
    }
    BOOST_TEST(w.calm());
    w.advance_to(stage::running);
    std::vector<std::map<std::string, std::string>> before;
    std::map<std::string, std::string> stood; // by uid
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        before.push_back(w.uids_in(pair(i)));
        for (auto const& [object, uid] : before.back()) stood[uid] = w.exact(object, pair(i));
        w.remove(jobs[i], pair(i), "left");
    }
    BOOST_TEST(w.calm());
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        w.expect_objects(pair(i), w.objects_in(alone(i)), jobs[i].name);
        for (auto const& [object, uid] : w.uids_in(pair(i))) {
            BOOST_TEST(before[i][object] == uid, jobs[i].name << ", " << object);
            BOOST_TEST(w.exact(object, pair(i)) == stood[uid], jobs[i].name << ", " << object);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
