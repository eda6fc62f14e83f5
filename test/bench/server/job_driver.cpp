#include "bench/server/job_driver.hpp"

#include "bench/client/connected_client.hpp"
#include "bench/support/measurement.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/training_job.hpp>
#include <kftrain/kinds/pytorch_job_builder.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <deque>
#include <functional>
#include <map>
#include <set>

namespace kftrain::bench {
namespace {

namespace asio = boost::asio;

constexpr std::string_view running =
    R"({"status":{"phase":"Running","podIP":"10.0.0.1","startTime":"2026-03-01T00:00:00Z","containerStatuses":[)"
    R"({"name":"pytorch","image":"i","imageID":"i","ready":true,"restartCount":0,)"
    R"("state":{"running":{"startedAt":"2026-03-01T00:00:00Z"}}}]}})";
constexpr std::string_view succeeded =
    R"({"status":{"phase":"Succeeded","containerStatuses":[)"
    R"({"name":"pytorch","image":"i","imageID":"i","ready":false,"restartCount":0,"state":{"terminated":{"exitCode":0,)"
    R"("startedAt":"2026-03-01T00:00:00Z","finishedAt":"2026-03-01T00:00:01Z"}}}]}})";

constexpr int most_in_flight = 16;

class driver {
public:
    driver(asio::io_context& context, kube::client client, int jobs)
        : context_(context),
          pods_api_(client, "default"),
          jobs_api_(client, "default"),
          pods_(pods_api_),
          jobs_(jobs_api_),
          wanted_(static_cast<std::size_t>(jobs)) {}

    double run() {
        pods_.on_event([this](auto const& e) { look_at(e); });
        jobs_.on_event([this](kube::object_event<pytorch_job> const& e) {
            if (job_rules_for<pytorch_job>().phase(e.object.get()) == job_phase::succeeded)
                succeeded_.insert(e.object->metadata.name);
            if (succeeded_.size() == wanted_) context_.stop();
        });
        pods_.async_run([](error_code) {});
        jobs_.async_run([](error_code) {});
        jobs_.async_wait_for_sync([this](error_code) {
            begin_ = instant::now();
            for (std::size_t i = 0; i < wanted_; ++i) create("job-" + std::to_string(i));
        });
        context_.run();
        return instant::now().wall - begin_.wall;
    }

private:
    /// Bounded, as each call in flight has a connection of its own.
    void call(std::function<void()> begin) {
        waiting_.push_back(std::move(begin));
        begin_calls();
    }
    void begin_calls() {
        while (in_flight_ < most_in_flight && !waiting_.empty()) {
            auto const begin = std::move(waiting_.front());
            waiting_.pop_front();
            ++in_flight_;
            begin();
        }
    }
    void ended(error_code ec) {
        if (ec) give_up(ec.message());
        --in_flight_;
        begin_calls();
    }

    void create(std::string const& name) {
        auto job = pytorch_job_builder(name)
                       .in("default")
                       .image("registry.example.org/trainer:1")
                       .command({"python", "train.py"})
                       .master()
                       .workers(pods_per_job - 1)
                       .build();
        if (!job) give_up(job.error().to_string());
        call([this, j = std::move(*job)] {
            jobs_api_.async_create(j, [this](error_code ec, pytorch_job const&) { ended(ec); });
        });
    }

    void look_at(kube::object_event<pod> const& e) {
        if (e.kind == change_kind::deleted) return;
        auto const& p = *e.object;
        auto const label = p.metadata.labels.find("training.kubeflow.org/job-name");
        if (label == p.metadata.labels.end()) return;
        if (p.status.phase != "Running") {
            if (e.kind == change_kind::added) set_status(p.metadata.name, running);
            return;
        }
        auto& those = running_[label->second];
        those.insert(p.metadata.name);
        if (those.size() < pods_per_job) return;
        for (auto const& name : those) set_status(name, succeeded);
        running_.erase(label->second);
    }

    void set_status(std::string const& name, std::string_view patch) {
        call([=, this] {
            pods_api_.async_patch_status(name, kube::patch_body(patch_type::merge, std::string(patch)),
                                         [this](error_code ec, pod const&) { ended(ec); });
        });
    }

    asio::io_context& context_;
    kube::api<pod> pods_api_;
    kube::api<pytorch_job> jobs_api_;
    kube::informer<pod> pods_;
    kube::informer<pytorch_job> jobs_;
    std::size_t wanted_;
    instant begin_;
    std::deque<std::function<void()>> waiting_;
    int in_flight_ = 0;
    std::map<std::string, std::set<std::string>> running_;
    std::set<std::string> succeeded_;
};

} // namespace

double drive_jobs(kube::config const& server, int jobs) {
    asio::io_context context(1);
    driver d(context, connect(context, server), jobs);
    return d.run();
}

} // namespace kftrain::bench
