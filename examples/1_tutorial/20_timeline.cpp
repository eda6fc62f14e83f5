// A training program that reports its progress, and a program that draws what happened to its job: with the argument
// "train", this program is the former.
#include <kftrain/kftrain.hpp>
#include <kftrain/report.hpp>

#include <filesystem>
#include <iostream>
#include <string_view>
#include <thread>

// [report]
void train() {
    kftrain::progress_reporter reporter;
    for (int step = 1; step <= 30; ++step) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50)); // a training step
        reporter.report(kftrain::progress_report(step).with_total(30).with_loss(1.0 / step));
    }
}
// [report end]

// [timeline]
bool draw(kftrain::training_client const& jobs, kftrain::any_job const& job) {
    auto const timeline = jobs.timeline(job, kftrain::timeline_options().with_follow()).value(); // until the job ends
    std::cout << timeline.to_text();
    return timeline.phase == kftrain::job_phase::succeeded && timeline.progress.back().step == 30;
}
// [timeline end]

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "train") {
        train();
        return 0;
    }
    boost::asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    cluster.start().value();
    kftrain::training_client const jobs(cluster.client());
    auto const job = kftrain::pytorch_job_builder("digits")
                         .image("example.com/train:1")
                         .command({std::filesystem::canonical("/proc/self/exe").string(), "train"})
                         .master()
                         .workers(2)
                         .build()
                         .value();
    return draw(jobs, jobs.submit(job).value()) ? 0 : 1;
}
