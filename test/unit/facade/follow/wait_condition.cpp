#include <kftrain/facade/wait_condition.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(facade_wait_condition)

using namespace kftrain;

namespace {

constexpr job_phase all_phases[] = {job_phase::created,   job_phase::running,   job_phase::restarting,
                                    job_phase::suspended, job_phase::succeeded, job_phase::failed};

job_state in(job_phase p) {
    job_state s;
    s.phase = p;
    return s;
}

/// Phases in which it holds, by their first letters: `rsf` is running, succeeded, failed.
std::string phases(wait_condition const& c) {
    std::string text;
    for (auto const p : all_phases) {
        auto const s = in(p);
        if (c(&s)) text += to_string(p).substr(0, 3);
    }
    return text;
}

job_state with_ranks(std::vector<rank_phase> const& ranks, job_phase phase = job_phase::running) {
    auto s = in(phase);
    auto& role = s.roles.emplace_back();
    role.role = "Worker";
    for (auto const p : ranks) {
        s.ranks.emplace_back().phase = p;
        ++role.wanted;
        if (p == rank_phase::ready) ++role.ready;
    }
    return s;
}

std::optional<bool> const unsure;

} // namespace

BOOST_AUTO_TEST_CASE(phase_conditions_hold_in_their_phases) {
    BOOST_TEST(phases(until::finished()) == "SucFai");
    BOOST_TEST(phases(until::succeeded()) == "Suc");
    BOOST_TEST(phases(until::failed()) == "Fai");
    BOOST_TEST(phases(until::running()) == "RunSucFai");
    BOOST_TEST(phases(until::deleted()) == "");
    BOOST_TEST(phases(!until::finished()) == "CreRunResSus");
    BOOST_TEST(phases(until::running() && !until::succeeded()) == "RunFai");
    BOOST_TEST(phases(until::failed() || until::succeeded()) == "SucFai");
    BOOST_TEST(phases(until::holds("created", [](auto const& s) { return s.phase == job_phase::created; })) == "Cre");
}

BOOST_AUTO_TEST_CASE(only_until_deleted_holds_for_a_missing_job) {
    for (auto const& c : {until::finished(), until::succeeded(), until::failed(), until::running(),
                          until::all_ranks_ready(), until::ranks_ready("Worker", 0), until::suspended(),
                          until::holds("anything", [](auto const&) { return true; })})
        BOOST_TEST(!c.holds_for_absence(), c.what());
    BOOST_TEST(until::deleted().holds_for_absence());
    BOOST_TEST((until::finished() || until::deleted()).holds_for_absence());
    BOOST_TEST(!(until::finished() && until::deleted()).holds_for_absence());
}

BOOST_AUTO_TEST_CASE(rank_conditions_depend_on_rank_phases) {
    using enum rank_phase;
    auto const holds = [](wait_condition const& c, std::vector<rank_phase> const& ranks) {
        auto const s = with_ranks(ranks);
        return c(&s);
    };
    BOOST_TEST(holds(until::all_ranks_ready(), {ready, ready}));
    BOOST_TEST(!holds(until::all_ranks_ready(), {ready, running}));
    BOOST_TEST(!holds(until::all_ranks_ready(), {}));
    BOOST_TEST(holds(until::ranks_ready("Worker", 1), {ready, pending}));
    BOOST_TEST(!holds(until::ranks_ready("Worker", 2), {ready, pending}));
    BOOST_TEST(!holds(until::ranks_ready("Master", 0), {ready}));
    auto s = with_ranks({absent, absent});
    BOOST_TEST(!until::suspended()(&s));
    s.suspended = true;
    BOOST_TEST(until::suspended()(&s));
    s.ranks[0].phase = terminating;
    BOOST_TEST(!until::suspended()(&s));
}

BOOST_AUTO_TEST_CASE(a_wait_condition_has_a_text_and_a_need_for_pods) {
    auto const c = until::all_ranks_ready() || !until::finished();
    BOOST_TEST(c.what() == "all ranks ready or not finished");
    BOOST_TEST(c.of_pods());
    BOOST_TEST(!(until::finished() && until::deleted()).of_pods());
    BOOST_TEST(until::ranks_ready("Worker", 2).what() == "2 of Worker ready");
}

/// The conditions that stay open at the end of a job.
BOOST_AUTO_TEST_CASE(the_end_of_a_job_decides_pending_conditions) {
    auto const failed = with_ranks({rank_phase::failed}, job_phase::failed);
    BOOST_TEST((until::succeeded().settled(failed) == false));
    BOOST_TEST((until::failed().settled(failed) == true));
    BOOST_TEST((until::all_ranks_ready().settled(failed) == false));
    BOOST_TEST((until::ranks_ready("Worker", 1).settled(failed) == false));
    BOOST_TEST((until::suspended().settled(failed) == false));
    BOOST_TEST((until::deleted().settled(failed) == unsure));
    BOOST_TEST((until::holds("x", [](auto const&) { return false; }).settled(failed) == unsure));
    auto const still = with_ranks({rank_phase::ready}, job_phase::failed);
    BOOST_TEST((until::all_ranks_ready().settled(still) == unsure)); // they will not stay so

    BOOST_TEST(((until::succeeded() || until::deleted()).settled(failed) == unsure));
    BOOST_TEST(((until::succeeded() || until::all_ranks_ready()).settled(failed) == false));
    BOOST_TEST(((until::succeeded() && until::deleted()).settled(failed) == false));
    BOOST_TEST(((until::failed() && until::deleted()).settled(failed) == unsure));
    BOOST_TEST(((until::failed() || until::deleted()).settled(failed) == true));
    BOOST_TEST(((!until::failed()).settled(failed) == false));
    BOOST_TEST(((!until::deleted()).settled(failed) == unsure));
}

BOOST_AUTO_TEST_SUITE_END()
