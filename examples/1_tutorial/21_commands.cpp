// Runs a command in a replica of a job, writes to it while it runs, and opens a port of the replica on this machine.
#include <kftrain/kftrain.hpp>
#include <kftrain/kube/exec.hpp>
#include <kftrain/kube/port_forwarder.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <iostream>

namespace asio = boost::asio;
namespace kube = kftrain::kube;

using asio::ip::tcp;

// [exec]
// Reads what a command writes until it ends; returns its exit code.
asio::awaitable<int> print_output(kube::exec_stream& command) {
    for (;;) {
        auto [ec, part] = co_await command.async_read(asio::as_tuple(asio::use_awaitable));
        if (ec) co_return command.exit_code().value_or(-1); // `eof` at the end of the command
        std::cout << part.text;
    }
}

asio::awaitable<int> square(kube::client client, std::string pod) {
    std::vector<std::string> const words{"sh", "-c", "read x; echo $((x * x)); exit 3"};
    auto const options = kube::exec_options().with_input();
    auto command = co_await kube::async_exec(client, "default", pod, words, options);
    co_await command.async_write("12\n");
    co_await command.async_close_input();
    int const code = co_await print_output(command);
    co_return code;
}
// [exec end]

// The first line of the answer of an HTTP server; empty if it closes the connection.
asio::awaitable<std::string> first_line(tcp::endpoint server) {
    tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect(server, asio::use_awaitable);
    std::string const request = "GET / HTTP/1.0\r\n\r\n";
    co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
    std::string answer;
    auto const token = asio::as_tuple(asio::use_awaitable);
    auto [ec, size] = co_await asio::async_read(socket, asio::dynamic_buffer(answer), token);
    co_return ec == asio::error::eof ? answer.substr(0, answer.find('\r')) : std::string();
}

asio::awaitable<bool> use_replica(kube::client client, std::string pod) {
    int const code = co_await square(client, pod);
    std::cout << "exit code " << code << '\n';

    // [forward]
    kube::port_forwarder forwarder(client, "default", pod);
    forwarder.on_failure([](std::uint16_t port, kftrain::failure const& why) {
        std::cerr << "port " << port << ": " << why.to_string() << '\n';
    });
    std::uint16_t const local_port = forwarder.listen(6006).value(); // any free one
    // [forward end]
    tcp::endpoint const here(asio::ip::address_v4::loopback(), local_port);
    std::string answer;
    while (answer.empty()) { // until the program listens
        asio::steady_timer pause(client.get_executor(), std::chrono::milliseconds(100));
        co_await pause.async_wait(asio::use_awaitable);
        answer = co_await first_line(here);
    }
    std::cout << answer << '\n';
    co_return code == 3 && answer == "HTTP/1.0 200 OK";
}

int main() {
    asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    cluster.start().value();
    kftrain::training_client const jobs(cluster.client());

    auto const job = kftrain::pytorch_job_builder("tools")
                         .image("example.com/train:1")
                         .command({"python3", "-m", "http.server", "6006", "--bind", "127.0.0.1"})
                         .master()
                         .build()
                         .value();
    auto const stored = jobs.submit(job).value();
    jobs.wait(stored, kftrain::until::all_ranks_ready(), kube::wait_options().with_timeout(std::chrono::minutes(1)))
        .value();
    auto const pod = kftrain::member_lookup(stored).of_rank(0).value().pod_name;

    bool done = false;
    asio::co_spawn(context, use_replica(cluster.client(), pod), [&](std::exception_ptr failed, bool good) {
        if (failed) std::rethrow_exception(failed);
        done = good;
        context.stop();
    });
    context.run();
    context.restart();
    jobs.delete_job(stored).value();
    return done ? 0 : 1;
}
