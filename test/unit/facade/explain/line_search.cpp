#include "unit/facade/explain/explained_job.hpp"

#include "facade/explain/collect_evidence.hpp"

BOOST_AUTO_TEST_SUITE(facade_explain_line_search)

using namespace explained;
using explaining::find_decisive_line;

namespace {

std::string decisive(std::vector<std::string> const& lines) {
    auto const found = find_decisive_line(lines);
    return found ? found->text : std::string();
}

core::pod& init_running(explained_job& w, std::string const& name) {
    auto& p = w.pod(name);
    auto& c = p.status.init_container_statuses.emplace_back();
    c.name = "init-pytorch";
    c.state.running.emplace().started_at = at("11:00:05");
    auto& main = p.status.container_statuses.emplace_back();
    main.name = "pytorch";
    main.state.waiting.emplace().reason = "PodInitializing";
    return p;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_known_error_line_is_recognized) {
    // As OpenSSH, Open MPI 4 and 5, NCCL, PyTorch, TensorFlow, JAX, Python and shells write them.
    for (std::string const line :
         {"Host key verification failed.",
          "There are not enough slots available in the system to satisfy the 4",
          "mpirun was unable to find the specified executable file, and therefore",
          "ORTE was unable to reliably start one or more daemons.",
          "At least one pair of MPI processes are unable to reach each other for MPI communications.",
          "ncclSystemError: System call (e.g. socket, malloc) or external library call failed; unhandled system error",
          "misc/socket.cc:50 NCCL WARN Bootstrap : no socket interface found",
          "NCCL WARN Mismatched NCCL version detected : rank 0 version 21804 rank 1 version 21903",
          "torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. "
          "port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use",
          "torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError",
          "torch.distributed.DistStoreError: Timed out after 61 seconds waiting for clients. 1/2 clients joined.",
          "ModuleNotFoundError: No module named 'transformers'",
          "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB.",
          "tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor",
          "tensorflow.python.framework.errors_impl.UnknownError: Could not start gRPC server",
          "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate",
          "/bin/sh: 1: /train: Exec format error",
          "sh: 1: nslookup: not found",
          "/train.sh: 12: nosuchprogram: not found",
          "RuntimeError: Socket Timeout",
          "bash: line 1: torchrun: command not found",
          "sh: 1: ./train.sh: Permission denied",
          "python3: can't open file '/train.py': [Errno 2] No such file or directory",
          "train.py: error: unrecognized arguments: --epoch 3"})
        BOOST_TEST(decisive({"starting", line, "bye"}) == line);
}

BOOST_AUTO_TEST_CASE(ordinary_lines_explain_nothing) {
    BOOST_TEST(decisive({"epoch 1 loss 0.3", "saved checkpoint", "INFO: connecting to master", "done"}) == "");
    // Warnings of programs that go on.
    BOOST_TEST(decisive({"WARNING: No module named 'triton', skipping", "epoch 1"}) == "");
    BOOST_TEST(decisive({"[W socket.cpp:426] [c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - "
                         "Address already in use)."}) == "");
    BOOST_TEST(
        decisive({"W20261126 21:28:41.570609     3 socket.cpp:426] [c10d] The server socket has failed to bind to "
                  "[::]:23456 (errno: 98 - Address already in use)."}) == "");
    for (std::string const line :
         {"2024-05-01 12:00:00.123456: W tensorflow/compiler/xla/stream_executor/platform/default/dso_loader.cc:64] "
          "Could not load dynamic library 'libcudart.so.11.0'; dlerror: libcudart.so.11.0: cannot open shared object "
          "file: No such file or directory",
          "INFO Address already in use; using 40000", "[2024-05-01 12:00:00,123] [INFO] Address already in use",
          "2024-05-01 12:00:00,123 - root - WARNING - apex not found: ModuleNotFoundError",
          "WARNING apex not found: ModuleNotFoundError"}) {
        BOOST_TEST(decisive({line}) == "", line);
        BOOST_TEST(decisive({line, "Traceback (most recent call last):", "  File \"t.py\"", "ValueError: bad"}) ==
                   "ValueError: bad");
    }
    for (std::string const line : {"2024-05-01 12:00:00,123 - root - ERROR - CUDA out of memory",
                                   "[2024-05-01T12:00:00Z] Address already in use", "98: Address already in use"})
        BOOST_TEST(decisive({line}) == line);
    BOOST_TEST(decisive({"label cat: not found", "GET /metrics: 404: not found"}) == "");
}

BOOST_AUTO_TEST_CASE(a_root_cause_is_preferred_to_later_errors) {
    BOOST_TEST(decisive({"Host key verification failed.", "ORTE was unable to reliably start one or more daemons.",
                         "This usually is caused by: * an internal programming error that should be reported"}) ==
               "Host key verification failed.");
    BOOST_TEST(decisive({"RuntimeError: Connection reset by peer", "Traceback (most recent call last):",
                         "  File \"t.py\", line 1, in <module>", "ValueError: bad label"}) == "ValueError: bad label");
}

BOOST_AUTO_TEST_CASE(the_exception_at_the_end_of_a_traceback_is_found) {
    BOOST_TEST(decisive({"Traceback (most recent call last):", "  File \"/t.py\", line 3, in <module>", "    f()",
                         "KeyError: 'label'"}) == "KeyError: 'label'");
    BOOST_TEST(decisive({"[rank1]: Traceback (most recent call last):", "[rank1]:   File \"/t.py\", line 3",
                         "[rank1]: RuntimeError: shape mismatch"}) == "RuntimeError: shape mismatch");
    BOOST_TEST(decisive({"[1,0]<stderr>:Traceback (most recent call last):", "[1,0]<stderr>:  File \"/t.py\"",
                         "[1,0]<stderr>:OSError: no data"}) == "OSError: no data");
    // torchrun reports the failure of a child by an exception of its own.
    BOOST_TEST(decisive({"Traceback (most recent call last):", "  File \"/t.py\"", "ValueError: x",
                         "Traceback (most recent call last):", "  File \"torchrun\"",
                         "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: "}) == "ValueError: x");
}

BOOST_AUTO_TEST_CASE(warnings_and_information_of_loggers_are_not_decisive) {
    std::string const busy = "Address already in use; using 40000";
    for (std::string const before :
         {"INFO ", "INFO:root:", "[INFO] ", "2026-03-01 11:30:00,123 INFO ", "2026-03-01T11:30:00Z INFO ",
          "2026-03-01 11:30:00,123 - trainer - WARNING - ", "[2026-03-01 11:30:00,123] [INFO] [launch.py:20:main] ",
          "2026-03-01 11:30:00.123 | DEBUG    | __main__:main:5 - ", "WARNING apex not found: ModuleNotFoundError, ",
          "2026-03-01 11:30:00.123456: I tensorflow/core/util.cc:110] "})
        BOOST_TEST(decisive({before + busy}) == "", before);
    for (std::string const before :
         {"ERROR ", "2026-03-01 11:30:00,123 ERROR ", "2026-03-01 11:30:00,123 - trainer - ERROR - info ", "3 ",
          "2026-03-01 11:30:00.123456: E tensorflow/core/util.cc:110] ", "2026-03-01 11:30:00 "})
        BOOST_TEST(decisive({before + busy}) == before + busy, before);
}

BOOST_AUTO_TEST_CASE(a_library_that_tensorflow_does_not_need_is_not_decisive) {
    std::vector<std::string> lines{
        "2026-03-01 11:30:00.123456: W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load "
        "dynamic library 'libcudart.so.11.0'; dlerror: libcudart.so.11.0: cannot open shared object file: No such file "
        "or directory"};
    BOOST_TEST(decisive(lines) == "");
    for (auto const* const line : {"Traceback (most recent call last):", "  File \"/t.py\"", "ValueError: bad label"})
        lines.emplace_back(line);
    BOOST_TEST(decisive(lines) == "ValueError: bad label");
}

BOOST_AUTO_TEST_CASE(a_final_exception_wins_over_an_earlier_root_cause) {
    std::string const device =
        "2026-03-01 11:30:00.123456: E external/local_xla/xla/stream_executor/cuda/cuda_driver.cc:274] failed call to "
        "cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected";
    std::vector<std::string> const traceback{"Traceback (most recent call last):", "  File \"/t.py\", line 1"};
    auto const ended_by = [&](std::vector<std::string> const& last) {
        std::vector<std::string> lines{device};
        lines.insert(lines.end(), traceback.begin(), traceback.end());
        lines.insert(lines.end(), last.begin(), last.end());
        return decisive(lines);
    };
    BOOST_TEST(decisive({device}) == device);
    BOOST_TEST(ended_by({"ValueError: bad label"}) == "ValueError: bad label");
    // The messages of launchers about the failure.
    BOOST_TEST(ended_by({"ValueError: bad label", traceback[0], "  File \"torchrun\"",
                         "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: "}) ==
               "ValueError: bad label");
    // Libraries raise these because of the root cause.
    BOOST_TEST(ended_by({"RuntimeError: NCCL error"}) == device);
    BOOST_TEST(ended_by({"subprocess.CalledProcessError: Command 'nvidia-smi' failed"}) == device);
    // The program went on, and ended for another reason.
    BOOST_TEST(ended_by({"ValueError: retry", "RuntimeError: CUDA out of memory."}) == device);
    BOOST_TEST(ended_by({"ValueError: retry", traceback[0], traceback[1], "RuntimeError: NCCL error"}) == device);
    std::vector<std::string> after(60, "epoch");
    after.front() = "ValueError: retry";
    BOOST_TEST(ended_by(after) == device);
}

BOOST_AUTO_TEST_CASE(an_exception_that_a_root_cause_led_to_does_not_hide_it) {
    std::vector<std::string> const chain{"Traceback (most recent call last):",
                                         "  File \"/t.py\", line 1",
                                         "ModuleNotFoundError: No module named 'data'",
                                         "",
                                         "During handling of the above exception, another exception occurred:",
                                         "",
                                         "Traceback (most recent call last):",
                                         "  File \"/t.py\", line 3",
                                         "ValueError: no data module"};
    BOOST_TEST(decisive(chain) == "ModuleNotFoundError: No module named 'data'");
}

BOOST_AUTO_TEST_CASE(the_message_behind_the_heading_of_an_error_summary_is_found) {
    BOOST_TEST(decisive({"----------------------", "Error Message Summary:", "----------------------",
                         "PreconditionNotMetError: The third-party dynamic library is not configured"}) ==
               "PreconditionNotMetError: The third-party dynamic library is not configured");
}

BOOST_AUTO_TEST_CASE(an_error_that_the_program_recovered_from_is_not_decisive) {
    std::vector<std::string> lines{"torch.cuda.OutOfMemoryError: CUDA out of memory."};
    for (int i = 0; i < 300; ++i) lines.push_back("step " + std::to_string(i));
    BOOST_TEST(decisive(lines) == lines.front());
    for (auto const* const line : {"Traceback (most recent call last):", "  File \"/t.py\"", "ValueError: late"})
        lines.emplace_back(line);
    BOOST_TEST(decisive(lines) == "ValueError: late");
}

BOOST_AUTO_TEST_CASE(the_decisive_line_is_found_before_the_lines_that_are_kept) {
    explaining::wanted_log wanted;
    wanted.lines = 2;
    std::string text = "2026-03-01T11:00:00Z Host key verification failed.\n";
    for (int i = 0; i < 50; ++i) text += "2026-03-01T11:00:01Z noise\n";
    auto const tail = explaining::tail_of(wanted, text);
    BOOST_TEST(tail.lines.size() == 2U);
    BOOST_TEST_REQUIRE(tail.decisive.has_value());
    BOOST_TEST(tail.decisive->text == "Host key verification failed.");
    BOOST_TEST(tail.decisive->number == 1U);
}

BOOST_AUTO_TEST_CASE(the_decisive_line_is_in_the_summary_and_decides_the_advice) {
    explained_job w;
    w.ended("master-0", 1);
    w.log("master-0", {"torch.cuda.OutOfMemoryError: CUDA out of memory.", "bye"});
    w.fail();
    auto const c = w.first();
    BOOST_TEST(c.summary ==
               "Master 0 (rank 0) ended with exit code 1: torch.cuda.OutOfMemoryError: CUDA out of memory.");
    BOOST_TEST(c.decisive_line == "torch.cuda.OutOfMemoryError: CUDA out of memory.");
    BOOST_TEST(contains(c.advice, "too little memory"));
}

BOOST_AUTO_TEST_CASE(a_caught_exception_is_not_the_cause_of_a_kill) {
    explained_job w;
    w.ended("master-0", 137);
    w.log("master-0", {"Traceback (most recent call last):", "  File \"t.py\"", "ValueError: retry"});
    w.fail();
    BOOST_TEST(w.first().decisive_line == "");
    BOOST_TEST(w.first().summary == "Master 0 (rank 0) ended with exit code 137 (SIGKILL)");
}

BOOST_AUTO_TEST_CASE(a_replica_whose_log_shows_the_cause_comes_first) {
    explained_job w;
    w.ended("master-0", 1, "11:30:00");
    w.log("master-0", {"RuntimeError: Connection reset by peer"});
    w.ended("worker-1", 1, "11:30:20"); // its launcher takes time to end
    w.log("worker-1", {"ModuleNotFoundError: No module named 'data'"});
    w.fail();
    BOOST_TEST(members(w.first()) == "worker-1");
    BOOST_TEST(w.kinds() == "exited");
    BOOST_TEST(
        has_line(w.first().evidence, "Master 0 (rank 0) ended with exit code 1 20 s before, and its log reports"));
}

BOOST_AUTO_TEST_CASE(an_init_container_that_runs_a_missing_program_is_explained) {
    explained_job w(1);
    w.running("master-0");
    init_running(w, "worker-0");
    auto& log = w.log("worker-0", {"sh: 1: nslookup: not found", "waiting for master"});
    log.container = "init-pytorch";
    auto const c = w.first();
    BOOST_TEST((c.kind == cause_kind::command_not_found));
    BOOST_TEST(c.summary == "Init container init-pytorch of Worker 0 (rank 1) runs nslookup, and this program does not "
                            "exist there, so the replica cannot start");
    BOOST_TEST(contains(c.advice, "bind9-dnsutils"));
    log.lines = {"waiting for master"};
    BOOST_TEST(!contains(w.kinds(), "command-not-found"));
}

BOOST_AUTO_TEST_CASE(an_event_about_a_missing_program_suffices) {
    explained_job w(1);
    w.running("master-0");
    init_running(w, "worker-0");
    w.event("Pod/digits-worker-0", "ProgramNotFound",
            "container init-pytorch runs nslookup, which is not installed on this machine (--image uses an image): "
            "install the Debian package bind9-dnsutils");
    BOOST_TEST(contains(w.first().summary, "runs nslookup"));
}

BOOST_AUTO_TEST_CASE(logs_of_the_first_failure_and_of_init_containers_are_read) {
    explained_job w;
    w.ended("worker-0", 1, "11:30:00");
    w.ended("worker-1", 1, "11:30:01");
    init_running(w, "master-0");
    w.explain();
    explaining::findings const f(w.evidence, w.now);
    auto const wanted = explaining::logs_to_read(f, explain_options());
    BOOST_TEST_REQUIRE(wanted.size() == 3U);
    BOOST_TEST(wanted[0].pod == "digits-worker-0");
    BOOST_TEST(!wanted[0].read.has_value());
    BOOST_TEST(wanted[1].read.value_or(0) == 1000U);
    BOOST_TEST(wanted[2].container == "init-pytorch");
}

BOOST_AUTO_TEST_SUITE_END()
