// Reads the output of a job in two parts: the second one continues where the first one stopped, without loss and
// without repetition. The position is a text, so that the second part may run in another process.
#include <kftrain/kftrain.hpp>

#include <iostream>

int main() {
    boost::asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    cluster.start().value();
    kftrain::training_client const jobs(cluster.client());

    auto const job = kftrain::pytorch_job_builder("talks")
                         .image("example.com/train:1")
                         .command({"sh", "-c", "for step in 1 2 3 4 5; do echo step $step; sleep 0.1; done"})
                         .master()
                         .build()
                         .value();
    auto const stored = jobs.submit(job).value();

    std::string position, lines;
    {
        auto first = jobs.open_logs(stored);
        for (int n = 0; n < 2; ++n) lines += first.next().value().text + '\n';
        position = first.position().to_string(); // store it after the lines that your program has handled
    } // the connections are closed here

    auto const from = kftrain::log_position::parse(position).value();
    auto rest = jobs.open_logs(stored, kftrain::job_log_options().with_resume_after(from));
    for (;;) {
        auto const line = rest.next();
        if (!line && line.error().code == boost::asio::error::eof) break; // the job is finished
        lines += line.value().text + '\n';
    }
    std::cout << lines;
    return lines == "step 1\nstep 2\nstep 3\nstep 4\nstep 5\n" ? 0 : 1;
}
