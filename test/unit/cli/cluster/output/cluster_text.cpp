#include "cli/cluster/output/job_names.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/cluster/output/text_table.hpp"
#include "cli/cluster/output/time_text.hpp"
#include "cli/commands.hpp"
#include "cli/run/live_view.hpp"

#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <sstream>

BOOST_AUTO_TEST_SUITE(cli_cluster_text)

using namespace kftrain;
using namespace kftrain::cli;
using words = std::vector<std::string>;

namespace {

std::string fault_of(words const& given) {
    auto const r = parse_job_names(given);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST((r.error().code == errc::invalid_argument));
    return r.error().to_string();
}

std::chrono::milliseconds time_of(std::string_view text) {
    auto const r = read_time(text);
    BOOST_TEST(r.has_value(), text);
    return r ? *r : std::chrono::milliseconds(-1);
}

std::string age_of(std::int64_t seconds) {
    time_point const now(std::chrono::seconds(1'000'000'000));
    return age(now - std::chrono::seconds(seconds), now);
}

} // namespace

BOOST_AUTO_TEST_CASE(jobs_are_named_as_kind_slash_name_or_kind_name) {
    BOOST_TEST(parse_job_names(words())->empty());
    std::vector<job_name> const one{job_name("TFJob", "a")};
    BOOST_TEST((*parse_job_names(words{"TFJob/a"}) == one));
    BOOST_TEST((*parse_job_names(words{"TFJob", "a"}) == one));
    std::vector<job_name> const kinds{job_name("TFJob", "a"), job_name("vj", "b")};
    BOOST_TEST((*parse_job_names(words{"TFJob/a", "vj/b"}) == kinds));
    std::vector<job_name> const names{job_name("TFJob", "a"), job_name("TFJob", "b")};
    BOOST_TEST((*parse_job_names(words{"TFJob", "a", "b"}) == names));
}

BOOST_AUTO_TEST_CASE(a_wrong_job_name_is_rejected_with_the_expected_form) {
    BOOST_TEST(fault_of({"a"}) == "expected KIND/NAME or KIND NAME, got \"a\"");
    BOOST_TEST(fault_of({"", "a"}) == "expected KIND/NAME or KIND NAME, got \"\"");
    BOOST_TEST(fault_of({"TFJob", ""}) == "expected KIND/NAME or KIND NAME, got \"\"");
    BOOST_TEST(fault_of({"TFJob", "vj/a"}) == "expected a name after the kind \"TFJob\", got \"vj/a\"");
    for (auto const* bad : {"TFJob/", "/a", "/", "TFJob/a/b"})
        BOOST_TEST(fault_of({bad}) == "expected KIND/NAME, got \"" + std::string(bad) + "\"");
    BOOST_TEST(fault_of({"TFJob/a", "b"}) == "expected KIND/NAME, got \"b\"");
}

BOOST_AUTO_TEST_CASE(role_and_number_are_parsed) {
    auto const wanted = read_wanted_members("Worker=12");
    BOOST_TEST_REQUIRE(wanted.has_value());
    BOOST_TEST(wanted->role == "Worker");
    BOOST_TEST(wanted->members == 12);
    for (auto const* bad :
         {"", "=", "Worker", "Worker=", "=3", "Worker=-1", "Worker=3x", "Worker=1.5", "Worker=9999999999"})
        BOOST_TEST(read_wanted_members(bad).has_error(), bad);
}

BOOST_AUTO_TEST_CASE(the_displayed_name_of_every_kind_is_accepted) {
    for (auto const* kind : known_job_rules()) {
        auto const found = find_job_kinds(display_kind(*kind));
        BOOST_TEST_REQUIRE(!found.empty());
        BOOST_TEST(found.front() == kind, display_kind(*kind)); // where an API has it twice the first is meant
    }
}

BOOST_AUTO_TEST_CASE(durations_are_seconds_or_have_units) {
    using namespace std::chrono_literals;
    BOOST_TEST((time_of("90") == 90s));
    BOOST_TEST((time_of("0") == 0s));
    BOOST_TEST((time_of("1h30m") == 90min));
    BOOST_TEST((time_of("1.5s") == 1500ms));
    BOOST_TEST((time_of("1us") == 1ms)); // 0 would mean no limit
    for (auto const* bad : {"", "soon", "-1", "-1s", "9000h", "99999999999", "1 s", "5x"})
        BOOST_TEST(read_time(bad).has_error(), bad);
}

BOOST_AUTO_TEST_CASE(ages_have_one_or_two_units) {
    BOOST_TEST(age(std::nullopt, time_point()) == "-");
    constexpr std::int64_t hour = 3600, day = 24 * hour;
    std::vector<std::pair<std::int64_t, std::string>> const expected{{-5, "0s"},
                                                                     {119, "119s"},
                                                                     {120, "2m"},
                                                                     {192, "3m12s"},
                                                                     {600, "10m"},
                                                                     {3 * hour, "3h"},
                                                                     {3 * hour + 60, "3h1m"},
                                                                     {7 * hour + 60, "7h1m"},
                                                                     {9 * hour, "9h"},
                                                                     {3 * day + hour, "3d1h"},
                                                                     {8 * day + hour, "8d"},
                                                                     {400 * day, "400d"}};
    for (auto const& [seconds, text] : expected) BOOST_TEST(age_of(seconds) == text, seconds);
}

BOOST_AUTO_TEST_CASE(table_cells_are_one_line_and_empty_columns_are_omitted) {
    text_table table({"NAME", "STATE", "WHY"});
    BOOST_TEST(table.to_string() == "NAME  STATE  WHY\n");
    table.add({"a", "", "it\nbroke\x1b[2J\x07"});
    table.add({"gr\xC3\xB6\xC3\x9F"
               "er",
               "", ""});
    BOOST_TEST(table.to_string() == "NAME    WHY\na       it; broke\\u001b[2J\\u0007\ngr\xC3\xB6\xC3\x9F"
                                    "er\n");
}

BOOST_AUTO_TEST_CASE(bidirectional_control_characters_are_escaped) {
    BOOST_TEST(on_one_line("a\xE2\x80\xAA\xE2\x80\xAE\xE2\x81\xA6\xE2\x81\xA9z") == "a\\u202a\\u202e\\u2066\\u2069z");
    std::string const around = "\xE2\x80\xA9 \xE2\x80\xAF \xE2\x81\xA5 \xE2\x81\xAA \xE2\x82\xAC"; // beside these
    BOOST_TEST(on_one_line(around) == around);
}

BOOST_AUTO_TEST_CASE(line_breaks_and_tabs_of_messages_are_shown_as_text) {
    BOOST_TEST(on_one_line("one\ntwo\r\n\r\n\tthree \n") == "one; two; three");
    BOOST_TEST(on_one_line("faults:\n  a\n  b") == "faults: a; b");
    BOOST_TEST(on_one_line("\na\tb\rc") == "a b\\u000dc");
    BOOST_TEST(on_one_line("\n") == "");
    BOOST_TEST(on_one_line("a\x7F\xC2\x85z") == "a\\u007f\\u0085z");
}

BOOST_AUTO_TEST_CASE(json_on_a_terminal_escapes_control_characters) {
    BOOST_TEST(escaped_json("{\"a\":\"\xC2\x9B"
                            "2J\xE2\x80\xAE\x7F\"}\n") == "{\"a\":\"\\u009b2J\\u202e\\u007f\"}\n");
    std::string const plain = "{\n  \"a\": \"gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80\\u0007\"\n}";
    BOOST_TEST(escaped_json(plain) == plain);
}

BOOST_AUTO_TEST_CASE(invalid_utf8_bytes_are_shown_as_numbers) {
    BOOST_TEST(on_one_line("gr\xFC\xDF") == "gr\\xfc\\xdf");
    BOOST_TEST(on_one_line("a\xE2\x80") == "a\\xe2\\x80");
    BOOST_TEST(on_one_line("\xC0\x8A\xED\xA0\x80\xF5") == "\\xc0\\x8a\\xed\\xa0\\x80\\xf5");
    BOOST_TEST(on_one_line("\x9B\x32J") == "\\x9b2J"); // a command of eight-bit terminals
}

BOOST_AUTO_TEST_CASE(very_long_messages_are_shortened_in_the_middle) {
    std::string const fits(2048, 'x');
    BOOST_TEST(shortened(fits) == fits);
    std::string const name(5'000'000, 'k');
    auto const message = shortened("expected a label, got \"" + name + "\" (line 3)");
    BOOST_TEST(message.size() < 2200U);
    BOOST_TEST(message.starts_with("expected a label, got \"kkk"));
    BOOST_TEST(message.ends_with("kkk\" (line 3)"));
    BOOST_TEST(message.find(" ... [4997985 bytes left out] ... ") != message.npos, message.substr(1500, 200));
    // No character is cut.
    std::string wide;
    while (wide.size() < 20'000) wide += "\xE2\x82\xAC";
    for (std::size_t shift = 0; shift != 3; ++shift)
        BOOST_TEST(on_one_line(shortened(std::string(shift, '.') + wide)).find("\\x") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(program_output_cannot_overwrite_the_rank_prefix) {
    BOOST_TEST(on_its_row("one\ttwo") == "one\ttwo");
    BOOST_TEST(on_its_row("10%\r20%\r[rank 1] fake") == "[rank 1] fake"); // and is behind the name
    BOOST_TEST(on_its_row("ends as elsewhere\r") == "ends as elsewhere");
    BOOST_TEST(on_its_row("10%\r20%\r\r") == "20%");
    BOOST_TEST(on_its_row("\r") == "");
    BOOST_TEST(on_its_row("\x1b[31mred\x1b[0m \x1b[2J\xE2\x80\xAE") == "\x1b[31mred\x1b[0m \\u001b[2J\\u202e");
}

BOOST_AUTO_TEST_CASE(pod_names_are_escaped_in_line_prefixes) {
    std::ostringstream output;
    auto* const before = std::cout.rdbuf(output.rdbuf());
    log_line line;
    line.member.pod_name = "a\r\x1b[2J";
    line.text = "x";
    live_view(membership(), false).log(line);
    std::cout.rdbuf(before);
    BOOST_TEST(output.str() == "[a\\u000d\\u001b[2J] x\n");
}

BOOST_AUTO_TEST_CASE(exit_codes_distinguish_absence_bad_input_timeout_and_failure) {
    BOOST_TEST(exit_code_of(error_code()) == success);
    BOOST_TEST(exit_code_of(reason::not_found) == job_failed);
    BOOST_TEST(exit_code_of(errc::deleted) == job_failed);
    for (error_code const ec : {make_error_code(errc::invalid_argument), make_error_code(errc::invalid_job),
                                make_error_code(reason::invalid), make_error_code(reason::already_exists)})
        BOOST_TEST(exit_code_of(ec) == bad_usage, ec.message());
    BOOST_TEST(exit_code_of(errc::timeout) == timed_out);
    for (error_code const ec : {make_error_code(reason::forbidden), make_error_code(errc::unreachable),
                                make_error_code(reason::internal_error), make_error_code(errc::incomplete),
                                make_error_code(errc::syntax), make_error_code(errc::protocol)})
        BOOST_TEST(exit_code_of(ec) == cluster_failed, ec.message());
    BOOST_TEST(graver(success, job_failed) == job_failed);
    BOOST_TEST(graver(cluster_failed, job_failed) == cluster_failed);
    BOOST_TEST(graver(timed_out, bad_usage) == bad_usage);
    BOOST_TEST(graver(interrupted, success) == interrupted);
}

BOOST_AUTO_TEST_SUITE_END()
