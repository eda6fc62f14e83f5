#include "kube/credentials/renewed_source.hpp"
#include "support/simulated_time.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <string>

BOOST_AUTO_TEST_SUITE(kube_renewed_source)

namespace asio = boost::asio;
using namespace kftrain::kube::detail;
using namespace std::chrono_literals;
using kftrain::reason;

namespace {

/// Its attempts end when the test says so, and its time is the test's.
class played_source final : public renewed_source {
public:
    using renewed_source::finish;
    using renewed_source::renewed_source;

    std::chrono::system_clock::time_point time{24h * 20'000};
    int begun = 0;

private:
    void begin() override { ++begun; }
    std::chrono::system_clock::time_point now() const override { return time; }
};

struct renewed_credential {
    obtained_credential credential(std::string const& token, std::chrono::seconds lasts) const {
        obtained_credential o;
        o.token = token;
        o.expires = source.time + lasts;
        return o;
    }
    static kftrain::failure fault() {
        kftrain::diagnostics d;
        d.message = "no";
        return {reason::unauthorized, d};
    }
    /// Whether the timer ends without further time.
    bool has_expired(std::shared_ptr<asio::steady_timer> const& news) {
        bool reported = false;
        news->async_wait([&](kftrain::error_code) { reported = true; });
        context.restart();
        context.poll();
        if (!reported) news->cancel();
        context.poll();
        return reported;
    }

    asio::io_context context;
    kftrain::test::simulated_time& steady = kftrain::test::simulated_time::install(context);
    played_source source{context.get_executor()};
};

} // namespace

BOOST_AUTO_TEST_CASE(one_attempt_wakes_all_waiting_callers) {
    renewed_credential w;
    BOOST_TEST(!w.source.is_fresh());
    auto const first = w.source.await(), second = w.source.await();
    BOOST_TEST(w.source.begun == 1);
    w.source.finish(w.credential("t", 1000s));
    BOOST_TEST(w.has_expired(first));
    BOOST_TEST(w.has_expired(second));
    BOOST_TEST(w.source.is_fresh());
    BOOST_TEST(w.source.current().authorization == "Bearer t");
}

BOOST_AUTO_TEST_CASE(credentials_are_used_until_they_expire_while_they_are_renewed) {
    renewed_credential w;
    w.source.await();
    w.source.finish(w.credential("t", 1000s));
    w.source.time += 939s;
    BOOST_TEST(w.source.is_fresh());
    BOOST_TEST(w.source.begun == 1);
    w.source.time += 2s;
    BOOST_TEST(w.source.is_fresh());
    BOOST_TEST(w.source.begun == 2);
    BOOST_TEST(w.source.is_fresh());
    BOOST_TEST(w.source.begun == 2); // one is under way
    w.source.finish(renewed_credential::fault());
    w.source.accepted(w.source.current().number); // which says nothing of the attempts
    BOOST_TEST(w.source.is_fresh());
    BOOST_TEST(w.source.begun == 2);
    BOOST_TEST(w.source.current().authorization == "Bearer t");
    w.source.time += 60s;
    BOOST_TEST(!w.source.is_fresh());
    BOOST_TEST(w.has_expired(w.source.await()));
    BOOST_TEST(w.source.why().detail.message == "no");
}

BOOST_AUTO_TEST_CASE(expired_new_credentials_are_used_and_not_renewed_at_once) {
    renewed_credential w;
    w.source.await();
    w.source.finish(w.credential("t", -10s));
    for (int request = 0; request < 3; ++request) {
        BOOST_TEST(w.source.is_fresh());
        w.source.accepted(w.source.current().number);
    }
    BOOST_TEST(w.source.begun == 1);
    w.source.time += 2s;
    BOOST_TEST(!w.source.is_fresh());
}

BOOST_AUTO_TEST_CASE(a_failed_attempt_is_not_followed_by_another_at_once) {
    renewed_credential w;
    w.source.await();
    w.source.finish(renewed_credential::fault());
    BOOST_TEST(w.source.why().detail.message == "no");
    BOOST_TEST(w.has_expired(w.source.await()));
    BOOST_TEST(w.source.begun == 1);
    BOOST_TEST(w.source.why().detail.message == "no");
}

BOOST_AUTO_TEST_CASE(pauses_between_failed_attempts_double_up_to_thirty_seconds) {
    renewed_credential w;
    int attempts = 0;
    for (auto const pause : {1s, 2s, 4s, 8s, 16s, 30s, 30s}) {
        w.source.await();
        BOOST_TEST(w.source.begun == ++attempts);
        w.source.finish(renewed_credential::fault());
        w.steady.advance(pause - 1ms);
        w.source.await();
        BOOST_TEST(w.source.begun == attempts);
        w.steady.advance(1ms);
    }
}

BOOST_AUTO_TEST_CASE(rejected_credentials_are_renewed_only_if_they_were_accepted_before) {
    renewed_credential w;
    w.source.await();
    w.source.finish(w.credential("t", 1000s));
    auto const first = w.source.current().number;
    w.source.accepted(first);
    BOOST_TEST(w.source.refused(first));
    BOOST_TEST(!w.source.is_fresh());
    w.source.await();
    BOOST_TEST(w.source.begun == 2);
    w.source.finish(w.credential("u", 1000s));
    auto const second = w.source.current().number;
    BOOST_TEST(second != first);
    BOOST_TEST(w.source.refused(first)); // by a request that was under way: there are others already
    BOOST_TEST(w.source.is_fresh());
    BOOST_TEST(!w.source.refused(second));
    BOOST_TEST(w.source.is_fresh());
    BOOST_TEST(w.source.begun == 2);
}

BOOST_AUTO_TEST_CASE(tokens_and_those_before_them_are_hidden) {
    renewed_credential w;
    w.source.await();
    w.source.finish(w.credential("first-token", 1000s));
    w.source.finish(w.credential("second-token", 1000s));
    secrets all;
    w.source.add_to(all);
    BOOST_TEST(all.hide("first-token second-token") == "[hidden] [hidden]");
}

BOOST_AUTO_TEST_SUITE_END()
