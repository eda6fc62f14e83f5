#include <kftrain/apiserver/listener.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

using namespace kftrain;
using namespace kftrain::apiserver;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;

namespace {

std::string const pods = "/api/v1/namespaces/default/pods";

/// A log of two pieces.
struct short_log final : kube::body_stream {
    explicit short_log(asio::any_io_executor ex) : executor(std::move(ex)) {}
    void async_read(kube::any_handler<void(error_code, std::string)> h) override {
        auto const n = ++reads;
        asio::post(executor, [h = std::move(h), n]() mutable {
            if (n > 2)
                std::move(h)(asio::error::eof, std::string());
            else
                std::move(h)(error_code(), "line " + std::to_string(n) + "\n");
        });
    }
    asio::any_io_executor executor;
    int reads = 0;
};

struct log_source final : pod_log_source {
    explicit log_source(asio::any_io_executor ex) : executor(std::move(ex)) {}
    answer<std::unique_ptr<kube::body_stream>> open_log(log_request const&) override {
        return std::unique_ptr<kube::body_stream>(std::make_unique<short_log>(executor));
    }
    asio::any_io_executor executor;
};

/// A server on a thread of its own.
struct running {
    explicit running(listener_options o = {}) {
        resource_definition job;
        job.group = "kubeflow.org";
        job.version = "v1";
        job.kind = "PyTorchJob";
        job.plural = "pytorchjobs";
        job.columns = {{"State", "string", ".status.conditions[-1:].type"},
                       {"Age", "date", ".metadata.creationTimestamp"}};
        BOOST_REQUIRE(server.register_resource(job).has_value());
        server.set_log_source(std::make_shared<log_source>(context.get_executor()));
        auto opened = listener::open(server, std::move(o));
        BOOST_REQUIRE(opened.has_value());
        port = opened->port();
        url = opened->url();
        front.emplace(std::move(*opened));
        front->async_run([this](error_code ec) { ended.set_value(ec); });
        thread = std::thread([this] { context.run(); });
    }
    ~running() {
        if (thread.joinable()) stop();
    }
    error_code stop() {
        front->stop();
        auto const ec = ended.get_future().get();
        thread.join();
        return ec;
    }
    void set(std::string const& method, std::string const& target, std::string const& body, unsigned expected) const;

    asio::io_context context{1};
    api_server server{context.get_executor()};
    std::optional<listener> front;
    std::promise<error_code> ended;
    unsigned short port = 0;
    std::string url;
    std::thread thread;
};

/// A blocking connection that gives up after a few seconds.
struct client {
    explicit client(running const& r) : client(r.port) {}
    explicit client(unsigned short port) {
        socket.connect(tcp::endpoint(asio::ip::address_v4::loopback(), port));
        timeval const limit{5, 0};
        ::setsockopt(socket.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    }
    void send(std::string const& bytes) {
        error_code ec;
        asio::write(socket, asio::buffer(bytes), ec);
    }
    /// What arrives until `stop` was seen, or the end.
    std::string until(std::string_view stop) {
        std::array<char, 4096> part{};
        while (text.find(stop) == text.npos) {
            auto const n = ::recv(socket.native_handle(), part.data(), part.size(), 0);
            if (n <= 0) {
                closed = n == 0 || errno == ECONNRESET;
                break;
            }
            text.append(part.data(), static_cast<std::size_t>(n));
        }
        auto const at = std::min(text.find(stop), text.size());
        auto out = text.substr(0, std::min(at + stop.size(), text.size()));
        text.erase(0, out.size());
        return out;
    }
    std::string rest() { return until(std::string_view("\0never\0", 7)); }

    asio::io_context context;
    tcp::socket socket{context};
    std::string text;
    bool closed = false;
};

std::string http(std::string const& method, std::string const& target, std::string const& body = "",
                 std::string const& fields = "") {
    return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n" + fields + "\r\n" + body;
}

std::string pod(std::string const& name, std::string const& extra = "") {
    return R"({"metadata":{"name":")" + name + R"("},"spec":{"nodeName":"n","containers":[{"name":"c"}])" + extra +
           "}}";
}

void running::set(std::string const& method, std::string const& target, std::string const& body,
                  unsigned expected) const {
    client c(port);
    auto const type = method == "PATCH" ? "application/merge-patch+json" : "application/json";
    c.send(http(method, target, body, std::string("Connection: close\r\nContent-Type: ") + type + "\r\n"));
    BOOST_TEST(c.rest().substr(9, 3) == std::to_string(expected));
}

struct ended_process {
    int status = -1;
    std::string output;
};

ended_process shell(std::string const& command) {
    ended_process out;
    auto* const pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::array<char, 4096> part{};
    while (auto const n = std::fread(part.data(), 1, part.size(), pipe)) out.output.append(part.data(), n);
    auto const status = ::pclose(pipe);
    out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return out;
}

bool installed(std::string const& program) { return shell("command -v " + program).status == 0; }

/// A directory that goes with the test.
struct scratch {
    scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "kftrain-XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    ~scratch() { std::filesystem::remove_all(path); }
    std::string write(std::string const& name, std::string const& text) const {
        auto const file = path / name;
        std::ofstream(file) << text;
        return file.string();
    }
    std::filesystem::path path;
};

struct secure : scratch {
    secure() : identity(make_self_signed_identity({"example.test"}).value()) {
        listener_options o;
        o.tls = identity;
        o.bearer_token = "secret";
        server.emplace(std::move(o));
        ca = write("ca.pem", identity.certificate_pem);
        kubeconfig = write("config", "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
                                     "clusters: [{name: c, cluster: {server: \"" +
                                         server->url + "\", certificate-authority: " + ca +
                                         "}}]\n"
                                         "users: [{name: u, user: {token: secret}}]\n"
                                         "contexts: [{name: c, context: {cluster: c, user: u}}]\n");
    }
    ended_process curl(std::string const& target,
                       std::string const& options = "-H 'Authorization: Bearer secret'") const {
        return shell("curl -sS --max-time 5 --cacert " + ca + " " + options + " '" + server->url + target + "'");
    }
    ended_process kubectl(std::string const& arguments) const {
        return shell("HOME=" + path.string() + " timeout 20 kubectl --kubeconfig " + kubeconfig + " " + arguments);
    }

    tls_identity identity;
    std::optional<running> server;
    std::string ca, kubeconfig;
};

std::string const job = R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"train"},"spec":{}})";

} // namespace

BOOST_AUTO_TEST_SUITE(apiserver_listener)

BOOST_AUTO_TEST_CASE(requests_follow_each_other_on_one_connection) {
    running s;
    client c(s);
    for (int i = 0; i < 3; ++i) {
        c.send(http("GET", "/healthz"));
        BOOST_TEST(c.until("\r\n") == "HTTP/1.1 200 OK\r\n");
        BOOST_TEST(c.until("\r\n\r\nok").find("Content-Length: 2\r\n") != std::string::npos);
    }
    c.send(http("GET", "/healthz") + http("GET", "/version")); // pipelined
    BOOST_TEST(c.until("gitVersion").find("ok") != std::string::npos);
    BOOST_TEST(!c.closed);
}

BOOST_AUTO_TEST_CASE(a_client_may_ask_to_close_and_old_clients_always_do) {
    running s;
    client c(s);
    c.send(http("GET", "/healthz", "", "Connection: close\r\n"));
    BOOST_TEST(c.rest().ends_with("\r\n\r\nok"));
    BOOST_TEST(c.closed);
    client old(s);
    old.send("GET /healthz HTTP/1.0\r\n\r\n");
    BOOST_TEST(old.rest().ends_with("\r\n\r\nok"));
    BOOST_TEST(old.closed);
}

BOOST_AUTO_TEST_CASE(a_client_that_waits_for_permission_gets_it) {
    running s;
    client c(s);
    auto const body = pod("p");
    c.send("POST " + pods +
           " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n");
    BOOST_TEST(c.until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
    c.send(body);
    BOOST_TEST(c.until("\r\n") == "HTTP/1.1 201 Created\r\n");
}

BOOST_AUTO_TEST_CASE(malformed_requests_are_answered_400_and_cut_off) {
    running s;
    for (std::string const bytes :
         {"NONSENSE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\r\n\r\n", "\x16\x03\x01\x02",
          "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "GET / HTTP/1.1\r\nbad field\r\n\r\n",
          "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
        client c(s);
        c.send(bytes);
        c.socket.shutdown(tcp::socket::shutdown_send);
        auto const answer = c.rest();
        BOOST_TEST(c.closed, bytes);
        if (!answer.empty()) BOOST_TEST(answer.starts_with("HTTP/1.1 400 Bad Request\r\n"), bytes);
    }
    client c(s);
    c.send("NONSENSE\r\n\r\n");
    BOOST_TEST(c.rest().find(R"("reason":"BadRequest")") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(huge_heads_and_bodies_are_refused) {
    running s;
    client head(s);
    head.send("GET / HTTP/1.1\r\nX: " + std::string(100 << 10, 'x') + "\r\n\r\n");
    BOOST_TEST(head.rest().starts_with("HTTP/1.1 431 "));
    client announced(s);
    announced.send("POST " + pods + " HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n{");
    auto const answer = announced.rest();
    BOOST_TEST(answer.starts_with("HTTP/1.1 413 "));
    BOOST_TEST(answer.find("RequestEntityTooLarge") != std::string::npos);
    client sent(s); // all of it is sent before the answer is read
    sent.send(http("POST", pods, std::string(4 << 20, ' ')));
    BOOST_TEST(sent.rest().starts_with("HTTP/1.1 413 "));
    s.set("GET", "/healthz", "", 200);
}

BOOST_AUTO_TEST_CASE(invalid_json_is_answered_on_a_connection_that_goes_on) {
    running s;
    client c(s);
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += "{\"a\":";
    for (std::string const& body : {std::string("{"), std::string("\xff\xfe"), deep, std::string(100000, '[')}) {
        c.send(http("POST", pods, body));
        BOOST_TEST(c.until("\"code\":400}").starts_with("HTTP/1.1 400 "));
    }
    c.send(http("POST", pods, pod("p")));
    BOOST_TEST(c.until("\r\n") == "HTTP/1.1 201 Created\r\n");
}

BOOST_AUTO_TEST_CASE(silent_and_slow_clients_are_cut_off) {
    listener_options o;
    o.idle_timeout = 200ms;
    o.request_timeout = 300ms;
    running s(std::move(o));
    client silent(s);
    BOOST_TEST(silent.rest().empty());
    BOOST_TEST(silent.closed);
    client slow(s);
    auto const begin = std::chrono::steady_clock::now();
    for (char const c : http("GET", "/healthz")) {
        slow.send(std::string(1, c));
        std::this_thread::sleep_for(20ms);
        if (std::chrono::steady_clock::now() - begin > 600ms) break;
    }
    BOOST_TEST(slow.rest().empty());
    BOOST_TEST(slow.closed);
}

BOOST_AUTO_TEST_CASE(a_watch_is_chunked_and_follows_what_happens) {
    running s;
    client c(s);
    c.send(http("GET", pods + "?watch=1&timeoutSeconds=1"));
    auto const head = c.until("\r\n\r\n");
    BOOST_TEST(head.find("Transfer-Encoding: chunked\r\n") != std::string::npos);
    s.set("POST", pods, pod("p"), 201);
    auto const event = c.until("\n\r\n");
    BOOST_TEST(event.find(R"({"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod",)") != std::string::npos);
    auto const size = std::stoul(event, nullptr, 16);
    BOOST_TEST(event.size() == event.find("\r\n") + 2 + size + 2);
    BOOST_TEST(c.rest() == "0\r\n\r\n"); // the time is over
    BOOST_TEST(c.closed);
}

BOOST_AUTO_TEST_CASE(a_client_killed_in_the_middle_of_a_watch_frees_its_place) {
    listener_options o;
    o.max_connections = 1;
    running s(std::move(o));
    for (int i = 0; i < 3; ++i) {
        std::optional<client> c(std::in_place, s);
        c->send(http("GET", pods + "?watch=1"));
        BOOST_TEST(c->until("\r\n\r\n").starts_with("HTTP/1.1 200 OK"));
        if (i == 1) c->socket.set_option(asio::socket_base::linger(true, 0)); // RST instead of FIN
        c.reset();
        std::this_thread::sleep_for(100ms);
    }
    s.set("GET", "/healthz", "", 200);
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_read_is_cut_off) {
    listener_options o;
    o.max_connections = 2;
    o.write_timeout = 300ms;
    running s(std::move(o));
    client c(s);
    c.send(http("GET", pods + "?watch=1"));
    BOOST_TEST(c.until("\r\n\r\n").starts_with("HTTP/1.1 200 OK"));
    for (int i = 0; i < 20; ++i)
        s.set("POST", pods, pod("p" + std::to_string(i), R"(,"x":")" + std::string(1 << 20, 'x') + "\""), 201);
    std::this_thread::sleep_for(1s);
    auto const got = c.rest();
    BOOST_TEST(c.closed);
    BOOST_TEST(got.size() < (20u << 20));
    BOOST_TEST(!got.ends_with("0\r\n\r\n")); // no clean end
}

BOOST_AUTO_TEST_CASE(connections_above_the_limit_are_closed_at_once) {
    listener_options o;
    o.max_connections = 1;
    running s(std::move(o));
    client first(s);
    first.send(http("GET", "/healthz"));
    BOOST_TEST(first.until("\r\n\r\nok").starts_with("HTTP/1.1 200"));
    client second(s);
    BOOST_TEST(second.rest().empty());
    BOOST_TEST(second.closed);
}

BOOST_AUTO_TEST_CASE(logs_are_streamed) {
    running s;
    s.set("POST", pods, pod("p"), 201);
    client c(s);
    c.send(http("GET", pods + "/p/log?follow=true"));
    auto const head = c.until("\r\n\r\n");
    BOOST_TEST(head.find("Content-Type: text/plain\r\n") != std::string::npos);
    BOOST_TEST(c.rest() == "7\r\nline 1\n\r\n7\r\nline 2\n\r\n0\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(stop_closes_everything_and_completes_the_run) {
    running s;
    client idle(s), watching(s);
    watching.send(http("GET", pods + "?watch=1"));
    BOOST_TEST(watching.until("\r\n\r\n").starts_with("HTTP/1.1 200 OK"));
    BOOST_TEST(s.stop() == asio::error::operation_aborted);
    BOOST_TEST(idle.rest().empty());
    BOOST_TEST(idle.closed);
    watching.rest();
    BOOST_TEST(watching.closed);
}

BOOST_AUTO_TEST_CASE(a_socket_that_listens_already_is_adopted) {
    int const fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    BOOST_REQUIRE(::listen(fd, 8) == 0);
    listener_options o;
    o.native_socket = fd;
    running s(std::move(o));
    BOOST_TEST(s.port != 0);
    s.set("GET", "/healthz", "", 200);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_opened_says_why) {
    asio::io_context context;
    api_server server(context.get_executor());
    auto const why = [&](listener_options o) { return listener::open(server, std::move(o)).error(); };
    listener_options o;
    o.address = "localhost:80";
    BOOST_TEST(why(o).detail.message == "\"localhost:80\" is not an IP address");
    auto const first = listener::open(server, {}).value();
    o.address = "127.0.0.1";
    o.port = first.port();
    BOOST_TEST((why(o).code == boost::system::errc::address_in_use));
    o.port = 0;
    o.native_socket = ::dup(0);
    BOOST_TEST(why(o).code == make_error_code(errc::invalid_argument));
    o.native_socket.reset();
    o.tls.emplace();
    BOOST_TEST(why(o).detail.path == "tls.certificate_pem");
    BOOST_TEST(make_self_signed_identity({"a b"}).error().code == make_error_code(errc::invalid_argument));
}

BOOST_FIXTURE_TEST_CASE(curl_speaks_tls_with_the_certificate_as_authority, secure,
                        *boost::unit_test::precondition([](auto) { return installed("curl"); })) {
    auto const ok = curl("/api/v1/namespaces/default");
    BOOST_TEST(ok.status == 0);
    BOOST_TEST(ok.output.starts_with(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default")"));
    auto const by_name =
        shell("curl -sS --max-time 5 --cacert " + ca + " --resolve example.test:" + std::to_string(server->port) +
              ":127.0.0.1 https://example.test:" + std::to_string(server->port) + "/healthz");
    BOOST_TEST(by_name.output == "ok");
    BOOST_TEST(shell("curl -sS --max-time 5 " + server->url + "/healthz").status == 60); // not trusted
    BOOST_TEST(shell("curl -sS --max-time 5 --data-binary @/dev/zero http://127.0.0.1:" + std::to_string(server->port))
                   .status != 0);
}

BOOST_FIXTURE_TEST_CASE(requests_without_the_token_are_unauthorized, secure,
                        *boost::unit_test::precondition([](auto) { return installed("curl"); })) {
    for (std::string const options : {"", "-H 'Authorization: Bearer wrong!'", "-H 'Authorization: Basic secret'"})
        BOOST_TEST(curl("/api", options).output ==
                   R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized",)"
                   R"("reason":"Unauthorized","code":401})");
    BOOST_TEST(curl("/healthz", "").output == "ok");
}

BOOST_FIXTURE_TEST_CASE(kubectl_reads_tables_of_pods_and_jobs, secure,
                        *boost::unit_test::precondition([](auto) { return installed("kubectl"); })) {
    auto const send = [&](std::string const& target, std::string const& body) {
        auto const r =
            curl(target, "-H 'Authorization: Bearer secret' -H 'Content-Type: application/json' -d '" + body + "'");
        BOOST_TEST(r.output.find("\"uid\"") != std::string::npos);
    };
    send(pods, pod("train-master-0"));
    send("/apis/kubeflow.org/v1/namespaces/default/pytorchjobs", job);
    auto const r = kubectl("get pods,pytorchjobs");
    BOOST_TEST(r.status == 0);
    auto const lines = [&] { // ages and the width of columns vary
        std::string out;
        bool blank = false;
        for (char const c : r.output) {
            if (c == ' ')
                blank = true;
            else
                out += std::exchange(blank, false) && c != '\n' ? std::string(" ") + c : std::string(1, c);
        }
        return out;
    }();
    BOOST_TEST(lines.find("NAME READY STATUS RESTARTS AGE\npod/train-master-0 0/1 Pending 0 ") != std::string::npos,
               r.output);
    BOOST_TEST(lines.find("NAME STATE AGE\npytorchjob.kubeflow.org/train ") != std::string::npos, r.output);
}

BOOST_FIXTURE_TEST_CASE(kubectl_creates_watches_reads_logs_and_deletes, secure,
                        *boost::unit_test::precondition([](auto) { return installed("kubectl"); })) {
    auto const file = write("job.json", job);
    auto const created = kubectl("create --validate=false -f " + file);
    BOOST_TEST(created.output == "pytorchjob.kubeflow.org/train created\n");
    BOOST_TEST(kubectl("apply --validate=false -f " + file).status == 0);
    BOOST_TEST(kubectl("create --validate=false -f " + file)
                   .output.find("pytorchjobs.kubeflow.org \"train\" already exists") != std::string::npos);
    auto const p = write("pod.json", R"({"apiVersion":"v1","kind":"Pod",)" + pod("p").substr(1));
    BOOST_TEST(kubectl("create --validate=false -f " + p).status == 0);
    BOOST_TEST(kubectl("logs p").output == "line 1\nline 2\n");
    BOOST_TEST(kubectl("get po p -o jsonpath='{.status.phase}'").output == "Pending");
    BOOST_TEST(kubectl("patch pod p --type merge -p '{\"metadata\":{\"labels\":{\"a\":\"b\"}}}'").output ==
               "pod/p patched\n");
    BOOST_TEST(kubectl("get pods -l a=b -o name").output == "pod/p\n");
    BOOST_TEST(kubectl("get pods --field-selector status.phase=Running -o name").output == "");
    auto const watched = kubectl("get pods -w --request-timeout=2s");
    BOOST_TEST(watched.output.find("p      0/1     Pending") != std::string::npos, watched.output);
    BOOST_TEST(kubectl("delete pod p --force --grace-period=0").output.find("pod \"p\" force deleted") !=
               std::string::npos);
    auto const deleted = kubectl("delete pytorchjob train");
    BOOST_TEST(deleted.output.starts_with("pytorchjob.kubeflow.org \"train\" deleted"), deleted.output);
    BOOST_TEST(kubectl("get pods").output.find("No resources found in default namespace.") != std::string::npos);
    BOOST_TEST(kubectl("get pod p").output == "Error from server (NotFound): pods \"p\" not found\n");
    BOOST_TEST(kubectl("api-resources").output.find("pytorchjobs") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
