#include <kftrain/facade/progress_record.hpp>
#include <kftrain/report.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <limits>
#include <memory>

BOOST_AUTO_TEST_SUITE(facade_progress)

using namespace kftrain;

namespace {

log_line line_of(std::string role, std::int32_t index, std::optional<std::int32_t> rank, std::string text) {
    log_line line;
    line.member.role = std::move(role);
    line.member.index = index;
    line.member.rank = rank;
    line.member.pod_name = line.member.role + "-" + std::to_string(index);
    line.text = std::move(text);
    return line;
}

time_point second(int n) { return time_point(std::chrono::seconds(1'000'000 + n)); }

} // namespace

BOOST_AUTO_TEST_CASE(a_report_has_all_fields) {
    auto const p =
        parse_progress("kftrain-progress/1 step=120 total=1000 epoch=2 loss=0.53 rate=812.5 unit=samples/s left=43.6");
    BOOST_TEST_REQUIRE(p.has_value());
    BOOST_TEST((p->step == 120 && p->total == 1000 && p->epoch == 2 && p->loss == 0.53 && p->rate == 812.5));
    BOOST_TEST(p->unit == "samples/s");
    BOOST_TEST((p->left == 44));
    BOOST_TEST(!p->diverged);
    BOOST_TEST(p->to_string() == "step 120/1000 (12%), epoch 2, loss 0.53, 812.5 samples/s, 44s left");
}

BOOST_AUTO_TEST_CASE(prefixes_of_launchers_and_unknown_fields_are_accepted) {
    for (auto const* const text :
         {"[1,0]<stdout>: kftrain-progress/1 step=3", "[default0]:kftrain-progress/1 step=3 gpu=93%",
          "kftrain-progress/1 later=x step=3\r", "kftrain-progress/1 step=3  "}) {
        auto const p = parse_progress(text);
        BOOST_TEST_REQUIRE(p.has_value(), text);
        BOOST_TEST((p->step == 3), text);
    }
}

BOOST_AUTO_TEST_CASE(a_non_finite_loss_is_reported_without_a_number) {
    for (auto const* const text : {"nan", "inf", "-inf"}) {
        auto const p = parse_progress(std::string("kftrain-progress/1 step=1 loss=") + text);
        BOOST_TEST_REQUIRE(p.has_value(), text);
        BOOST_TEST((p->diverged && !p->loss), text);
        BOOST_TEST(p->to_string() == "step 1, loss is not finite");
    }
}

BOOST_AUTO_TEST_CASE(other_lines_are_not_reports) {
    for (std::string const text : {"",
                                   "step=1",
                                   "kftrain-progress/1",
                                   "kftrain-progress/1 ",
                                   "kftrain-progress/1 total=3",
                                   "kftrain-progress/2 step=1",
                                   "kftrain-progress/10 step=1",
                                   "kftrain-progress/1 step=-1",
                                   "kftrain-progress/1 step=1.5",
                                   "kftrain-progress/1 step=9007199254740993",
                                   "kftrain-progress/1 step=99999999999999999999",
                                   "kftrain-progress/1 step=1 step=2",
                                   "kftrain-progress/1 step=1 total=",
                                   "kftrain-progress/1 step=1 =2",
                                   "kftrain-progress/1 step=1 total=-5",
                                   "kftrain-progress/1 step=1 rate=nan",
                                   "kftrain-progress/1 step=1 rate=-1",
                                   "kftrain-progress/1 step=1 rate=0x10",
                                   "kftrain-progress/1 step=1 loss=1e999",
                                   "kftrain-progress/1 step=1 left=-3",
                                   "kftrain-progress/1 step=1 left=1e300",
                                   "kftrain-progress/1 step=1 unit=a\x1b[31m",
                                   "kftrain-progress/1 step=1 unit=12345678901234567",
                                   "kftrain-progress/1 step=1  total=2",
                                   "kftrain-progress/1 step=1 loss=0.1\t",
                                   "kftrain-progress/1 step=\xff"})
        BOOST_TEST(!parse_progress(text).has_value(), text);
    BOOST_TEST(!parse_progress(std::string(257, 'x') + "kftrain-progress/1 step=1").has_value());
    BOOST_TEST(parse_progress(std::string(256, 'x') + "kftrain-progress/1 step=1").has_value());
    BOOST_TEST(!parse_progress("kftrain-progress/1 step=1 x=" + std::string(1000, 'y')).has_value());
}

BOOST_AUTO_TEST_CASE(the_largest_numbers_are_printed) {
    auto const p = parse_progress(
        "kftrain-progress/1 step=1 total=9007199254740992 loss=-1e308 rate=1e-300 left=9007199254740992");
    BOOST_TEST_REQUIRE(p.has_value());
    BOOST_TEST(p->to_string() == "step 1/9007199254740992 (0%), loss -1e+308, 1e-300/s, 104249991374d7h left");
    BOOST_TEST((parse_progress("kftrain-progress/1 step=0 total=0")->fraction() == std::nullopt));
}

BOOST_AUTO_TEST_CASE(the_member_with_rank_0_decides) {
    progress_record r;
    BOOST_TEST(r.take(line_of("Worker", 0, 1, "kftrain-progress/1 step=1"), second(0)));
    BOOST_TEST(r.take(line_of("Master", 0, 0, "kftrain-progress/1 step=2"), second(1)));
    BOOST_TEST(!r.take(line_of("Worker", 0, 1, "kftrain-progress/1 step=3"), second(2)));
    BOOST_TEST(!r.take(line_of("Worker", 1, 2, "kftrain-progress/1 step=3"), second(2)));
    BOOST_TEST(!r.take(line_of("Master", 0, 0, "epoch 3"), second(2)));
    BOOST_TEST((r.latest().step == 2));
    BOOST_TEST(r.latest().pod == "Master-0");
    BOOST_TEST((r.latest().time == second(1)));
}

BOOST_AUTO_TEST_CASE(without_ranks_the_first_role_by_name_decides) {
    progress_record r;
    BOOST_TEST(r.take(line_of("Worker", 0, {}, "kftrain-progress/1 step=1"), second(0)));
    BOOST_TEST(r.take(line_of("Chief", 0, {}, "kftrain-progress/1 step=2"), second(0)));
    BOOST_TEST(!r.take(line_of("Worker", 0, {}, "kftrain-progress/1 step=3"), second(0)));
    BOOST_TEST(!r.take(line_of("Chief", 1, {}, "kftrain-progress/1 step=3"), second(0)));
}

BOOST_AUTO_TEST_CASE(the_remaining_time_is_estimated_from_report_times) {
    progress_record r;
    auto const see = [&](std::string const& fields, int seconds) {
        auto line = line_of("Worker", 0, 0, "kftrain-progress/1 " + fields);
        line.time = "1970-01-12T13:46:" + std::to_string(40 + seconds) + ".5Z"; // second(seconds)
        BOOST_TEST(r.take(line, time_point()));
        return r.latest().left;
    };
    BOOST_TEST((see("step=100 total=400", 0) == std::nullopt));
    BOOST_TEST((see("step=150 total=400", 5) == 25)); // 10 steps a second
    BOOST_TEST((see("step=150 total=400 left=7", 6) == 7));
    BOOST_TEST((see("step=20 total=400", 8) == std::nullopt)); // an earlier step
    BOOST_TEST((see("step=40 total=400", 10) == 36));
    BOOST_TEST((see("step=400 total=400", 11) == std::nullopt));
    BOOST_TEST(r.latest().to_string() == "step 400/400 (100%)");
    BOOST_TEST((r.latest().time == second(11)));
}

BOOST_AUTO_TEST_CASE(the_log_of_rank_0_or_of_all_first_replicas_is_read) {
    membership all;
    BOOST_TEST((primary_log(all).indices == std::vector<std::int32_t>{0}));
    BOOST_TEST(primary_log(all).ranks.empty());
    all.rank_env.rank = "RANK";
    BOOST_TEST((primary_log(all).ranks == std::vector<std::int32_t>{0}));
    BOOST_TEST(primary_log(all).indices.empty());
    BOOST_TEST(primary_log(all).timestamps);
}

namespace {

/// A file that a reporter writes.
class report_file {
public:
    std::FILE* get() const { return file_.get(); }
    std::vector<std::string> lines() const {
        std::vector<std::string> all;
        std::rewind(file_.get());
        char line[1100];
        while (std::fgets(line, sizeof line, file_.get()) != nullptr) {
            all.emplace_back(line);
            BOOST_TEST_REQUIRE(all.back().ends_with('\n'));
            all.back().pop_back();
        }
        return all;
    }

private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{std::tmpfile(), &std::fclose};
};

} // namespace

BOOST_AUTO_TEST_CASE(the_header_for_programs_writes_a_line_a_second_and_the_last_one) {
    report_file out;
    {
        progress_reporter r(out.get());
        progress_reporter::clock::time_point now;
        for (int i = 1; i <= 2500; ++i, now += std::chrono::milliseconds(1))
            r.report(progress_report(i).with_total(5001).with_loss(0.5), now);
    }
    auto const lines = out.lines();
    BOOST_TEST_REQUIRE(lines.size() == 4U);
    BOOST_TEST(lines[0] == "kftrain-progress/1 step=1 total=5001 loss=0.5");
    BOOST_TEST(lines[2] == "kftrain-progress/1 step=2001 total=5001 loss=0.5 left=3"); // 1000 steps a second
    BOOST_TEST((parse_progress(lines[3])->step == 2500));
}

BOOST_AUTO_TEST_CASE(the_header_for_programs_writes_only_valid_reports) {
    report_file out;
    constexpr auto nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    {
        progress_reporter r(out.get(), std::chrono::seconds(0));
        r.report(progress_report(-1));
        r.report(progress_report(1).with_total(-2).with_loss(nan).with_rate(nan, "x"));
        r.report(progress_report(2).with_loss(-inf).with_rate(-1));
        r.report(progress_report(3).with_loss(-1e308).with_rate(1e308, "a b").with_epoch(-1));
        r.report(progress_report(4).with_rate(2, "it/s\nkftrain"));
    }
    auto const lines = out.lines();
    BOOST_TEST(
        (lines == std::vector<std::string>{"kftrain-progress/1 step=1 loss=nan", "kftrain-progress/1 step=2 loss=-inf",
                                           "kftrain-progress/1 step=3 loss=-1e+308 rate=1e+308",
                                           "kftrain-progress/1 step=4 rate=2"}));
    for (auto const& line : lines) BOOST_TEST(parse_progress(line).has_value(), line);
}

BOOST_AUTO_TEST_SUITE_END()
