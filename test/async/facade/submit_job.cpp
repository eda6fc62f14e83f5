#include "async/facade/facade_cluster.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>

BOOST_AUTO_TEST_SUITE(async_facade_submit)

using namespace facade_tests;

namespace {

submit_options token(std::string t) { return submit_options().with_idempotency_key(std::move(t)); }

fault unavailable(bool carried_out) {
    auto f = fault::answer(503, "ServiceUnavailable", "down");
    f.carried_out = carried_out;
    return f;
}

} // namespace

BOOST_AUTO_TEST_CASE(submitting_with_the_same_key_returns_the_same_job) {
    facade_cluster w;
    auto const first = good(w.client.submit(sample(), token("request-7")));
    auto const again = good(w.client.submit(sample(), token("request-7")));
    BOOST_TEST(first.metadata().uid == again.metadata().uid);
    auto const& mark = first.metadata().annotations.at(std::string(submission_annotation));
    BOOST_TEST(mark.starts_with("key:request-7 hash:"), mark);
    auto const other = w.client.submit(sample(), token("request-8"));
    BOOST_TEST_REQUIRE(other.has_error());
    BOOST_TEST(is_already_exists(other.error().code), text_of(other.error()));
    BOOST_TEST(other.error().detail.message ==
               "PyTorchJob default/j already exists with the same content, but from another call: it "
               "does not have the idempotency key of this one");
}

BOOST_AUTO_TEST_CASE(a_key_with_different_content_is_a_conflict) {
    facade_cluster w;
    good(w.client.submit(sample(), token("request-7")));
    auto const other = w.client.submit(sample("j", 3), token("request-7"));
    BOOST_TEST_REQUIRE(other.has_error());
    BOOST_TEST(is_already_exists(other.error().code), text_of(other.error()));
    auto const& message = other.error().detail.message;
    BOOST_TEST(message.starts_with("PyTorchJob default/j already exists with other content, although it was submitted "
                                   "with this idempotency key: 1 field differs\n"),
               message);
    BOOST_TEST(contains(message, "~ spec.pytorchReplicaSpecs.Worker.replicas: 1 -> 3"), message);
}

/// The hash depends on the written form, for example that of another release of this library.
BOOST_AUTO_TEST_CASE(submitting_with_the_same_token_and_content_returns_the_same_job) {
    facade_cluster w;
    auto written = sample();
    auto const first = good(w.client.submit(written, token("a")));
    written.spec.run_policy.clean_pod_policy = "None"; // as the default has it
    BOOST_TEST(good(w.client.submit(written, token("a"))).metadata().uid == first.metadata().uid);
}

BOOST_AUTO_TEST_CASE(the_submission_annotation_of_the_caller_is_ignored) {
    facade_cluster w;
    auto back = sample();
    back.metadata.annotations[std::string(submission_annotation)] = "key:of-another";
    auto const first = good(w.client.submit(back));
    BOOST_TEST(!first.metadata().annotations.contains(std::string(submission_annotation)));
    auto const again = w.client.submit(back);
    BOOST_TEST_REQUIRE(again.has_error());
    BOOST_TEST(is_already_exists(again.error().code), text_of(again.error()));
}

BOOST_AUTO_TEST_CASE(an_unreadable_response_to_a_creation_reports_that_the_job_exists) {
    facade_cluster w;
    auto f = fault::answer(201, "", "");
    f.text = "{\"spec\": 3}";
    w.fail_creations({f});
    auto const job = w.client.submit(sample());
    BOOST_TEST_REQUIRE(job.has_error());
    BOOST_TEST(contains(job.error().detail.message, "the job was created, but the answer cannot be read: "),
               text_of(job.error()));
}

BOOST_AUTO_TEST_CASE(the_server_checks_a_job_that_is_sent_without_validation) {
    facade_cluster w;
    auto faulty = sample();
    faulty.spec.pytorch_replica_specs.at("Worker").template_.spec.containers.clear();
    BOOST_TEST((w.client.submit(faulty).error().code == errc::invalid_job));
    BOOST_TEST(w.count("POST", "/pytorchjobs") == 0U);
    auto const sent = w.client.submit(faulty, submit_options().with_validate(false));
    BOOST_TEST_REQUIRE(sent.has_error()); // admission of the server rejects the job
    BOOST_TEST(is_forbidden(sent.error().code), text_of(sent.error()));
    BOOST_TEST(w.count("POST", "/pytorchjobs") == 1U);
}

BOOST_AUTO_TEST_CASE(a_job_is_found_if_the_response_was_lost) {
    facade_cluster w;
    w.fail_creations({fault::lost_answer()});
    auto const job = good(w.client.submit(sample(), token("a")));
    BOOST_TEST(job.metadata().name == "j");
    BOOST_TEST(w.count("POST", "/pytorchjobs") == 1U);
}

BOOST_AUTO_TEST_CASE(a_lost_request_is_sent_again) {
    facade_cluster w;
    w.fail_creations({fault::error(errc::connection_lost), fault::error(errc::connection_lost)});
    good(w.client.submit(sample(), token("a")));
    BOOST_TEST(w.count("POST", "/pytorchjobs") == 3U);
}

BOOST_AUTO_TEST_CASE(an_error_after_the_job_was_created_is_not_reported) {
    for (bool const carried_out : {true, false}) {
        facade_cluster w;
        auto const f = fault::answer(500, "InternalError", "etcd lost its leader");
        w.fail_creations({f, f, unavailable(carried_out)});
        auto job = w.client.submit(sample(), submit_options().with_idempotent());
        BOOST_TEST(job.has_value(), (job ? "" : text_of(job.error())));
    }
}

BOOST_AUTO_TEST_CASE(without_a_token_a_lost_response_is_an_error) {
    facade_cluster w;
    w.fail_creations({fault::lost_answer()});
    auto const job = w.client.submit(sample());
    BOOST_TEST_REQUIRE(job.has_error());
    BOOST_TEST((job.error().code == errc::connection_lost), text_of(job.error()));
    BOOST_TEST(w.count("POST", "/pytorchjobs") == 1U);
}

BOOST_AUTO_TEST_CASE(retries_without_responses_end) {
    facade_cluster w;
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        return r.method == "POST" ? std::optional(fault::error(errc::connection_lost)) : std::nullopt;
    };
    auto const job = w.client.submit(sample(), token("a"));
    BOOST_TEST_REQUIRE(job.has_error());
    BOOST_TEST((job.error().code == errc::connection_lost), text_of(job.error()));
    BOOST_TEST(w.count("POST", "/pytorchjobs") == 4U);
}

BOOST_AUTO_TEST_CASE(the_content_hash_covers_the_job_as_written) {
    facade_cluster w;
    auto const first = good(w.client.submit(sample(), submit_options().with_idempotent()));
    auto const again = good(w.client.submit(sample(), submit_options().with_idempotent()));
    BOOST_TEST(first.metadata().uid == again.metadata().uid);
    // A job that was read back hashes as the server stores it; the earlier submission still counts.
    auto const other = w.client.submit(sample("j", 2), submit_options().with_idempotent());
    BOOST_TEST_REQUIRE(other.has_error());
    BOOST_TEST(is_already_exists(other.error().code));
}

BOOST_AUTO_TEST_CASE(a_different_job_of_the_same_name_is_reported_with_the_difference) {
    facade_cluster w;
    good(w.client.submit(sample()));
    auto const other = w.client.submit(sample("j", 3));
    BOOST_TEST_REQUIRE(other.has_error());
    BOOST_TEST(is_already_exists(other.error().code));
    auto const& message = other.error().detail.message;
    BOOST_TEST(message.starts_with("PyTorchJob default/j already exists with other content: 1 field differs\n"),
               message);
    BOOST_TEST(contains(message, "~ spec.pytorchReplicaSpecs.Worker.replicas: 1 -> 3"), message);
}

BOOST_AUTO_TEST_CASE(a_generated_name_ends_with_the_token) {
    facade_cluster w;
    auto job = sample("");
    job.metadata.generate_name = "train-";
    auto const first = good(w.client.submit(job, token("a")));
    BOOST_TEST(first.metadata().name.starts_with("train-"));
    BOOST_TEST(first.metadata().name.size() == 16U);
    w.fail_creations({fault::lost_answer()});
    BOOST_TEST(good(w.client.submit(job, token("a"))).metadata().uid == first.metadata().uid);
    BOOST_TEST(good(w.client.submit(job, token("b"))).metadata().name != first.metadata().name);
    auto const hashed = w.client.submit(job, submit_options().with_idempotent());
    BOOST_TEST_REQUIRE(hashed.has_error());
    BOOST_TEST((hashed.error().code == errc::invalid_argument));
    BOOST_TEST(hashed.error().detail.path == "metadata.generateName");
}

BOOST_AUTO_TEST_CASE(the_server_can_generate_the_name) {
    facade_cluster w;
    auto job = sample("");
    job.metadata.generate_name = "train-";
    auto const first = good(w.client.submit(job));
    BOOST_TEST(first.metadata().name.starts_with("train-"));
    BOOST_TEST(first.metadata().name != "train-xxxxx");
    BOOST_TEST(good(w.client.submit(job)).metadata().name != first.metadata().name);
    job.metadata.generate_name = "Train-"; // no suffix makes it a valid name
    auto const bad = w.client.submit(job);
    BOOST_TEST_REQUIRE(bad.has_error());
    BOOST_TEST((bad.error().code == errc::invalid_job));
}

BOOST_AUTO_TEST_CASE(a_job_that_is_being_deleted_is_not_returned) {
    facade_cluster w;
    auto job = sample();
    job.metadata.finalizers = {"example.com/keep"};
    good(w.client.submit(job, token("a")));
    good(w.client.get(job_reference::to<pytorch_job>("default", "j")));
    BOOST_TEST(w.client.delete_job(job_reference::to<pytorch_job>("default", "j")).has_value());
    auto const again = w.client.submit(job, token("a"));
    BOOST_TEST_REQUIRE(again.has_error());
    BOOST_TEST(is_already_exists(again.error().code));
    BOOST_TEST(contains(again.error().detail.message, "is being deleted: wait until it is deleted"),
               text_of(again.error()));
}

BOOST_AUTO_TEST_CASE(a_token_that_is_too_long_is_rejected_without_a_request) {
    facade_cluster w;
    auto const job = w.client.submit(sample(), token(std::string(1025, 'x')));
    BOOST_TEST_REQUIRE(job.has_error());
    BOOST_TEST(job.error().to_string() == "idempotency_key: expected at most 1024 bytes, got 1025");
    auto broken = sample();
    broken.spec.pytorch_replica_specs.at("Master").replicas = 2;
    auto const invalid = w.client.submit(broken);
    BOOST_TEST_REQUIRE(invalid.has_error());
    BOOST_TEST((invalid.error().code == errc::invalid_job));
    BOOST_TEST(w.requests.empty());
}

BOOST_AUTO_TEST_CASE(a_dry_run_stores_nothing) {
    facade_cluster w;
    std::string target;
    w.judge = [&](kube::http_request const& r) -> std::optional<fault> {
        target = r.target;
        fault f;
        f.status = 201;
        f.text = r.body;
        return f;
    };
    auto const job = good(w.client.submit(sample(), submit_options().with_dry_run()));
    BOOST_TEST(contains(target, "dryRun=All"), target);
    BOOST_TEST(job.metadata().name == "j");
    w.judge = {};
    BOOST_TEST(is_not_found(w.client.get(job_reference::to<pytorch_job>("default", "j")).error().code));
}

BOOST_AUTO_TEST_CASE(a_submission_can_be_cancelled_or_destroyed_at_any_step) {
    for (int turns = 0; turns < 30; ++turns) {
        facade_cluster w;
        w.fail_creations({fault::lost_answer()});
        asio::cancellation_signal stop;
        std::optional<error_code> ended;
        auto note = [&](error_code ec, any_job const&) { ended = ec; };
        bool const cancels = turns % 2 != 0;
        if (cancels)
            w.client.async_submit(any_job(sample()), token("a"), asio::bind_cancellation_slot(stop.slot(), note));
        else
            w.client.async_submit(any_job(sample()), token("a"), note);
        w.io.restart();
        for (int i = 0; i < turns; ++i) w.io.poll_one();
        if (!cancels) continue;
        stop.emit(asio::cancellation_type::terminal);
        BOOST_TEST_REQUIRE(w.until([&] { return ended.has_value(); }));
        BOOST_TEST((!*ended || is_cancelled(*ended)), ended->message());
    }
}

BOOST_AUTO_TEST_SUITE_END()
