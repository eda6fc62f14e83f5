#include <kftrain/control/leader_election.hpp>

#include <boost/test/unit_test.hpp>

#include <functional>
#include <limits>
#include <map>

BOOST_AUTO_TEST_SUITE(control_leader_options)

using namespace kftrain;
using namespace kftrain::control;
using namespace std::chrono_literals;

namespace {

leader_election_options usable() {
    return leader_election_options().with_name("operator").with_namespace("default").with_identity("a");
}

} // namespace

BOOST_AUTO_TEST_CASE(the_default_times_equal_those_of_client_go) {
    auto const o = usable();
    BOOST_TEST(check(o).has_value());
    BOOST_TEST((o.lease_duration == 15s && o.renew_deadline == 10s && o.retry_period == 2s));
}

BOOST_AUTO_TEST_CASE(options_that_permit_two_leaders_are_refused_by_name) {
    using options = leader_election_options;
    std::map<std::string, options> const refused{
        {"name: expected the value of a Lease, got \"\"", usable().with_name("")},
        {"namespace_: expected the value of a Lease, got \"\"", usable().with_namespace("")},
        {"identity: expected a name that no other process has, for example from make_identity(), got \"\"",
         usable().with_identity("")},
        {"lease_duration: expected more than renew_deadline, 15000 ms, got 15000 ms",
         usable().with_renew_deadline(15s)},
        {"lease_duration: expected whole seconds, got 15500 ms", usable().with_lease_duration(15500ms)},
        {"renew_deadline: expected a duration from one second to 2147483647 seconds, got 999 ms",
         usable().with_renew_deadline(999ms)},
        {"retry_period: expected a duration from one second to 2147483647 seconds, got -1 ms",
         usable().with_retry_period(-1ms)},
        {"lease_duration: expected a duration from one second to 2147483647 seconds, got 2147483648000 ms",
         usable().with_lease_duration(2147483648s)},
        {"renew_deadline: expected more than retry_period, 9000 ms, times the jitter, got 10000 ms",
         usable().with_retry_period(9s)},
        {"jitter: expected a factor of at least 0, got -1.000000", usable().with_jitter(-1)},
        {"jitter: expected a factor of at least 0, got inf",
         usable().with_jitter(std::numeric_limits<double>::infinity())},
    };
    for (auto const& [message, o] : refused) {
        auto const r = check(o);
        BOOST_TEST_REQUIRE(!r.has_value(), message);
        BOOST_TEST(r.error().to_string() == message);
        BOOST_TEST(r.error().code == make_error_code(errc::invalid_argument));
    }
}

BOOST_AUTO_TEST_CASE(identities_of_one_host_differ) {
    auto const a = make_identity("node-1");
    BOOST_TEST(a.size() == std::string("node-1_").size() + 36);
    BOOST_TEST(a.starts_with("node-1_"));
    BOOST_TEST(a.at(7 + 14) == '4');
    BOOST_TEST(a != make_identity("node-1"));
}

BOOST_AUTO_TEST_SUITE_END()
