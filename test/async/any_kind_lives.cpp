#include "async/any_kind_world.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(async_any_kind_lives)

// Operators that are replaced, and jobs that stand beside others; for every registered kind.
namespace {

using namespace any_kind;
using test::fault;

/// Nothing is written for the job behind so many writes, until another operator comes.
struct cut_short {
    std::size_t job;
    std::size_t writes;
    std::size_t seen = 0;
};

void expect_objects(world& w, std::map<std::string, cut_short> const& cases, stage s) {
    for (auto const& [ns, c] : cases)
        w.expect_objects(ns, undisturbed()[c.job].objects.at(s),
                         known_jobs()[c.job].name + ", operator replaced behind write " + std::to_string(c.writes) +
                             ", stage " + std::to_string(static_cast<int>(s)));
}

} // namespace

BOOST_AUTO_TEST_CASE(an_operator_that_is_replaced_at_any_time_is_continued_without_loss_or_doubles) {
    auto const& jobs = known_jobs();
    auto const& lives = undisturbed();
    world w;
    std::map<std::string, cut_short> cases;
    w.start_operators([&](asked const& a) -> std::optional<fault> {
        auto const at = cases.find(a.ns);
        if (at == cases.end() || !a.writes) return std::nullopt;
        if (at->second.seen == at->second.writes) return fault::error(errc::connection_lost);
        if (a.plural != "events") ++at->second.seen;
        return std::nullopt;
    });
    for (std::size_t i = 0; i != jobs.size(); ++i)
        for (std::size_t k = 1; k <= lives[i].steps; ++k) {
            auto const ns = "cut-" + std::to_string(i) + "-" + std::to_string(k) + "-x";
            cases.emplace(ns, cut_short{i, k});
            w.submit(jobs[i], ns);
        }
    BOOST_TEST(w.calm());
    w.stop_operators();
    w.start_operators();
    BOOST_TEST(w.calm());
    expect_objects(w, cases, stage::created);

    w.stop_operators(); // what the pods do then, nobody sees
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

BOOST_AUTO_TEST_CASE(a_job_that_is_deleted_takes_nothing_of_its_neighbour_along) {
    auto const& jobs = known_jobs();
    world w;
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
