#ifndef KFTRAIN_TEST_ASYNC_FACADE_LOGS_JOB_LOG_CLUSTER_HPP
#define KFTRAIN_TEST_ASYNC_FACADE_LOGS_JOB_LOG_CLUSTER_HPP

#include "support/sample_jobs.hpp"
#include "support/served_cluster.hpp"

#include <kftrain/training_client.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <deque>
#include <map>
#include <optional>

/// A job over an API server in the process; the test plays operator, kubelet and the logs of the node.
namespace job_log_tests {

using namespace kftrain;
using namespace std::chrono_literals;
namespace asio = boost::asio;

inline error_code const eof = asio::error::eof;

/// One answer to a request for a log.
struct answer_script {
    std::deque<std::string> pieces;
    error_code end = eof;
    std::optional<apiserver::refusal> refusal;
    std::function<void()> opened; ///< what happens just before
};

class scripted_body final : public kube::body_stream {
public:
    scripted_body(asio::any_io_executor ex, answer_script s) : executor_(std::move(ex)), script_(std::move(s)) {}

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        if (script_.pieces.empty()) {
            asio::post(executor_, asio::append(std::move(handler), script_.end, std::string()));
            return;
        }
        auto piece = script_.pieces.front();
        script_.pieces.pop_front();
        asio::post(executor_, asio::append(std::move(handler), error_code(), std::move(piece)));
    }

private:
    asio::any_io_executor executor_;
    answer_script script_;
};

class scripted_logs final : public apiserver::pod_log_source {
public:
    explicit scripted_logs(asio::any_io_executor ex) : executor_(std::move(ex)) {}

    apiserver::answer<std::unique_ptr<kube::body_stream>> open_log(apiserver::log_request const& r) override {
        requests.push_back(r);
        auto& left = answers[r.pod + "/" + std::to_string(r.run.value_or(-1))];
        if (left.empty()) return apiserver::refusal(400, reason::bad_request, "not in the script");
        auto script = left.front();
        left.pop_front();
        if (script.opened) script.opened();
        if (script.refusal) return *script.refusal;
        return std::make_unique<scripted_body>(executor_, std::move(script));
    }

    std::map<std::string, std::deque<answer_script>> answers; ///< by pod and run
    std::vector<apiserver::log_request> requests;

private:
    asio::any_io_executor executor_;
};

struct job_log_cluster : test::served_cluster {
    job_log_cluster() {
        serve<pytorch_job>();
        server.set_log_source(source);
        stored = submit(test::sample_pytorch_job("j"));
    }

    any_job submit(any_job const& job) {
        return ask<any_job>([&](auto h) { client.async_submit(job, kube::call_options(), std::move(h)); });
    }
    /// As the operator makes it: `j-worker-0`.
    void make_pod(std::string name) {
        pod p;
        auto const role = name.find('-') + 1;
        auto const index = name.rfind('-');
        p.metadata.labels.emplace("training.kubeflow.org/operator-name", "pytorchjob-controller");
        p.metadata.labels.emplace("training.kubeflow.org/job-name", name.substr(0, role - 1));
        p.metadata.labels.emplace("training.kubeflow.org/replica-type", name.substr(role, index - role));
        p.metadata.labels.emplace("training.kubeflow.org/replica-index", name.substr(index + 1));
        p.metadata.name = std::move(name);
        p.spec.node_name = "n";
        test::add_container(p);
        create(p);
    }
    /// `running`, `ended` or `waiting` in the run after so many restarts.
    void set(std::string const& name, std::string const& state, std::int32_t restarts = 0) {
        change_status<pod>(name, [&](pod& p) {
            p.status.container_statuses.assign(1, core::container_status());
            auto& c = p.status.container_statuses[0];
            c.name = "pytorch";
            c.restart_count = restarts;
            if (state == "running") c.state.running.emplace();
            if (state == "ended") c.state.terminated.emplace().exit_code = 1;
            if (state == "waiting") c.state.waiting.emplace().reason = "CrashLoopBackOff";
            if (restarts != 0 || state == "waiting") c.last_state.terminated.emplace().exit_code = 1;
        });
    }
    /// Without the io_context, as from inside a request.
    void start_removing(std::string const& name) {
        kube::delete_options now;
        now.grace_period_seconds = 0;
        pods.async_delete(name, now, [](error_code) {});
    }
    template <class K> void finish(std::string const& name) {
        change_status<K>(name, [](K& j) {
            auto& c = j.status.conditions.emplace_back();
            c.type = "Succeeded";
            c.status = "True";
        });
    }
    void finish_job() { finish<pytorch_job>("j"); }
    std::deque<answer_script>& log(std::string const& pod_and_run) { return source->answers[pod_and_run]; }

    void follow() {
        client.async_logs(
            stored, [this](log_line const& l) { lines.push_back(l.member.pod_name + ": " + l.text); },
            job_log_options().with_detail(detail), [this](error_code ec) { ended = ec; });
    }
    bool has(std::string const& line) { return std::find(lines.begin(), lines.end(), line) != lines.end(); }
    error_code end() {
        BOOST_REQUIRE(until([&] { return ended.has_value(); }));
        return *ended;
    }
    /// Checks that the end reports a loss with a message that contains this.
    void check_loss(std::string const& words) {
        BOOST_TEST(end() == make_error_code(errc::incomplete), end().message());
        BOOST_TEST(detail.message.find(words) != std::string::npos, detail.message);
    }

    std::shared_ptr<scripted_logs> source = std::make_shared<scripted_logs>(io.get_executor());
    training_client client{user};
    kube::api<pytorch_job> jobs{user, "default"};
    kube::api<pod> pods{user, "default"};
    any_job stored;
    std::vector<std::string> lines;
    diagnostics detail;
    std::optional<error_code> ended;
};

inline answer_script responds(std::deque<std::string> pieces, error_code end = eof) {
    answer_script s;
    s.pieces = std::move(pieces);
    s.end = end;
    return s;
}
inline answer_script refuses(unsigned status, reason why) {
    answer_script s;
    s.refusal = apiserver::refusal(status, why, "no");
    return s;
}

using list = std::vector<std::string>;

} // namespace job_log_tests

#endif
