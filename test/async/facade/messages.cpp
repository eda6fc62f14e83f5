#include "async/facade/facade_cluster.hpp"

#include <kftrain/facade/load_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/tf_job.hpp>

/// The messages of operations that fail.
BOOST_AUTO_TEST_SUITE(async_facade_messages)

using namespace facade_tests;

namespace {

template <class T> std::string message(result<T> const& r) { return r ? "no failure" : r.error().to_string(); }

kube::next_options soon() { return kube::next_options().with_timeout(20s); }

/// Requests of this method are answered with this object.
void answer(facade_cluster& w, std::string method, std::string text) {
    w.judge = [method = std::move(method), text = std::move(text)](kube::http_request const& r) {
        std::optional<fault> f;
        if (r.method != method) return f;
        f.emplace().status = 200;
        f->text = text;
        return f;
    };
}

std::string const unreadable = R"({"kind":"PyTorchJob","metadata":{"name":"j","namespace":"default"},"spec":7})";
std::string const no_spec = "expected an object, got 7 (line 1, column 75)";

} // namespace

BOOST_AUTO_TEST_CASE(invalid_arguments_are_rejected) {
    auto const none = job_reference();
    auto const nameless = job_reference::to<pytorch_job>("", "");
    auto const replaced = [](training_client const& c) {
        job_reference job(c.get(job_reference::to<pytorch_job>("", "j")).value());
        return job;
    };
    using operation = std::function<std::string(training_client const&)>;
    struct {
        operation run;
        std::string expected;
    } const rows[] = {
        {[&](auto& c) { return message(c.get(none)); }, "job: expected a reference to a job, got an empty one"},
        {[&](auto& c) { return message(c.get(nameless)); }, "job.name: expected the name of a job, got an empty one"},
        {[&](auto& c) { return message(c.submit(any_job())); }, "job: expected a job, got an empty one"},
        {[&](auto& c) { return message(c.logs(replaced(c), nullptr)); }, "sink: expected a function, got none"},
        {[&](auto& c) {
             job_list_options o;
             o.kinds.push_back(nullptr);
             return message(c.list(o));
         },
         "kinds: expected the rules of a kind, got null"},
        {[&](auto& c) {
             auto o = job_watch_options().with_job(replaced(c));
             o.kinds.push_back(find_job_rules("kubeflow.org/v1", "TFJob"));
             auto watch = c.watch(o);
             return message(watch.next(soon()));
         },
         "kinds: expected one kind, got 2"},
        {[&](auto& c) {
             job_list_options o;
             o.continue_ = "x";
             return message(c.list(o));
         },
         "continue: expected the value of job_page::continue_ of the previous page, got \"x\""},
        {[&](auto& c) {
             auto job = sample("");
             job.metadata.generate_name = "j-";
             return message(c.submit(job, submit_options().with_idempotent()));
         },
         "metadata.generateName: expected an idempotency key: without it a job with a generated name cannot be "
         "submitted again under the same name"},
        {[&](auto& c) {
             return message(c.submit(sample(), submit_options().with_idempotency_key(std::string(5000, 'k'))));
         },
         "idempotency_key: expected at most 1024 bytes, got 5000"},
        {[&](auto& c) { return message(c.update(sample())); },
         "metadata.resourceVersion: expected the resourceVersion of the job as read, found none; read the job with "
         "get()"},
        {[&](auto& c) { return message(c.patch(replaced(c), kube::patch_body(patch_type::merge, "{"))); },
         "patch: expected JSON: incomplete JSON"},
        {[&](auto& c) { return message(c.patch(replaced(c), kube::patch_body(patch_type::merge, "[]"))); },
         "patch: expected an object"},
        {[&](auto& c) { return message(c.patch(replaced(c), kube::patch_body(patch_type::json, "{}"))); },
         "patch: expected a list of operations"},
        {[&](auto& c) {
             return message(c.patch(replaced(c), kube::patch_body(patch_type::merge, R"({"metadata":1})")));
         },
         "patch.metadata: expected an object"},
        {[&](auto& c) { return message(c.scale(replaced(c), "worker", 1)); },
         "role: \"worker\", expected one of \"Master\", \"Worker\"; did you mean \"Worker\"?"},
        {[&](auto&) { return message(load_job("/nonexistent/job.yaml")); },
         "cannot read \"/nonexistent/job.yaml\": No such file or directory"},
    };
    facade_cluster w;
    good(w.client.submit(sample()));
    for (auto const& row : rows) BOOST_TEST(row.run(w.client) == row.expected);
}

BOOST_AUTO_TEST_CASE(an_unreadable_response_is_reported) {
    facade_cluster w;
    answer(w, "POST", unreadable);
    BOOST_TEST(message(w.client.submit(sample())) ==
               "spec: the job was created, but the answer cannot be read: " + no_spec);
    answer(w, "GET", R"({"kind":"PyTorchJob","metadata":{}})");
    auto const job = job_reference::to<pytorch_job>("", "j");
    BOOST_TEST(message(w.client.get(job)) == "metadata.name: expected a PyTorchJob, got an object without a name");
    w.judge = nullptr;
    good(w.client.submit(sample()));
    answer(w, "PATCH", unreadable);
    BOOST_TEST(message(w.client.suspend(job)) ==
               "spec: the job was changed, but the answer cannot be read: " + no_spec);
    w.judge = nullptr;
    answer(w, "GET", unreadable);
    BOOST_TEST(message(w.client.submit(sample())) == "spec: the existing job cannot be read: " + no_spec);
}

BOOST_AUTO_TEST_CASE(a_conflict_with_an_existing_job_is_reported) {
    facade_cluster w;
    good(w.client.submit(sample()));
    BOOST_TEST(message(w.client.submit(sample(), submit_options().with_idempotency_key("a"))) ==
               "PyTorchJob default/j already exists with the same content, but from another call: it "
               "does not have the idempotency key of this one");
    BOOST_TEST(message(w.client.submit(sample("j", 3))) ==
               "PyTorchJob default/j already exists with other content: 1 field differs\n"
               "  ~ spec.pytorchReplicaSpecs.Worker.replicas: 1 -> 3");
    auto kept = sample("k");
    kept.metadata.finalizers = {"example.com/keep"};
    auto const job = good(w.client.submit(kept));
    // The message has the time that the request left.
    auto const late = message(w.client.delete_job(job, job_delete_options().with_wait().with_timeout(500ms)));
    BOOST_TEST(late.starts_with("wait for PyTorchJob k: not complete after "), late);
    BOOST_TEST(late.ends_with(" ms; the deletion waits for its finalizers example.com/keep"), late);
    BOOST_TEST(message(w.client.submit(kept)) ==
               "PyTorchJob default/k exists and is being deleted: wait until it is deleted");
}

BOOST_AUTO_TEST_SUITE_END()
