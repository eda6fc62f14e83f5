// A platform service: HTTP in front, training jobs on any cluster behind. README.md describes it.
#define KFTRAIN_DESCRIBE_MEMBERS // this source describes structs of its own
#include <kftrain/kftrain.hpp>
#include <kftrain/kube/discovery.hpp>
#include <kftrain/model/reflect.hpp>

#include <boost/asio.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/beast.hpp>
#include <boost/url.hpp>
#include <iostream>

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace kube = kftrain::kube;
using request = http::request<http::string_body>;
using reply = http::response<http::string_body>;

namespace {

constexpr auto quietly = asio::as_tuple(asio::use_awaitable); // what is handed back says so

struct problem {
    std::string message;
    std::vector<std::string> causes;
};
BOOST_DESCRIBE_STRUCT(problem, (), (message, causes))
reply replied(http::status status, std::string text) {
    reply r(status, 11, std::move(text));
    r.set(http::field::content_type, "application/json");
    return r;
}
http::status status_of(kftrain::error_code ec) {
    if (is_not_found(ec) || is_gone(ec) || ec == kftrain::errc::deleted) return http::status::not_found;
    if (is_already_exists(ec) || is_conflict(ec)) return http::status::conflict;
    if (is_forbidden(ec)) return http::status::forbidden;
    if (ec == kftrain::errc::invalid_job || is_invalid(ec)) return http::status::unprocessable_entity;
    if (is_timeout(ec)) return http::status::gateway_timeout;
    bool const of_request = ec.category() == kftrain::client_category() && !is_unreached(ec);
    return of_request || ec == kftrain::reason::bad_request ? http::status::bad_request : http::status::bad_gateway;
}

reply refusal(kftrain::failure const& f) {
    problem p;
    p.message = f.to_string();
    for (auto const& c : f.detail.causes) p.causes.push_back(c.field + ": " + c.message);
    return replied(status_of(f.code), kftrain::to_json(p));
}
[[noreturn]] void refuse(std::string message, kftrain::error_code why = kftrain::errc::invalid_argument) {
    kftrain::diagnostics detail;
    detail.message = std::move(message);
    throw kftrain::error(kftrain::failure(why, std::move(detail)));
}

/// A request, its target taken apart.
struct call {
    explicit call(request const& q) {
        auto const read = boost::urls::parse_origin_form({q.target().data(), q.target().size()});
        if (!read) refuse("target: expected a path, percent-encoded, and perhaps a query");
        url = *read;
        std::string const words = url.path() + url.query() + std::string(q["Idempotency-Key"]);
        if (!kftrain::from_json<std::string>(kftrain::to_json(words))) refuse("path, query and keys: expected UTF-8");
        for (auto const& s : url.segments()) parts.push_back(s);
        bool const of_job = parts.size() >= 4;
        for (std::size_t i = 0; i < parts.size(); i += of_job && i == 1 ? 3 : 1)
            path += "/" + (of_job && i == 1 ? "*" : parts[i]);
        kind_name = of_job ? parts[1] : word("kind");
    }
    kftrain::job_reference job() const {
        if (kind == nullptr || parts[2].empty() || parts[3].empty()) refuse("path: expected /jobs/KIND/NAMESPACE/NAME");
        return {*kind, parts[2], parts[3]};
    }
    std::string word(std::string_view name) const {
        auto const params = url.params();
        auto const at = params.find(name);
        return at == params.end() ? std::string() : std::string((*at).value);
    }
    std::optional<std::int32_t> number(std::string_view name) const {
        auto const text = word(name);
        if (text.empty()) return std::nullopt;
        if (auto const n = kftrain::from_json<std::int32_t>(text); n && *n >= 0) return *n;
        refuse(std::string(name) + ": expected a number of at least 0, got " + text);
    }
    template <class Options> Options selected() const { // for lists and watches
        Options o;
        o.namespace_ = word("namespace");
        o.all_namespaces = o.namespace_.empty();
        o.label_selector = word("selector");
        if (kind != nullptr) o.with_kind(*kind);
        return o;
    }
    std::string path;      ///< `/jobs/*/logs`, where the star stands for KIND/NAMESPACE/NAME
    std::string kind_name; ///< as it was asked for; may be empty
    kftrain::rules::job_rules const* kind = nullptr;
    boost::urls::url_view url; // of the request, which lives as long
    std::vector<std::string> parts;
};

/// One connection, which keeps nothing: all state is in the cluster.
struct session {
    session(asio::ip::tcp::socket s, kftrain::training_client c, kube::discovery d)
        : stream_(std::move(s)), jobs_(std::move(c)), served_(std::move(d)) {}

    asio::awaitable<void> run() {
        for (bool more = true; more;) {
            http::request_parser<http::string_body> parser; // takes bodies of 1 MiB at most
            stream_.expires_after(std::chrono::seconds(60));
            auto [bad, read] = co_await http::async_read(stream_, buffer_, parser, quietly);
            if (bad) co_return;
            request const q = parser.release();
            more = q.keep_alive();
            std::optional<reply> say;
            try {
                say = co_await answer(q);
            } catch (kftrain::error const& e) {
                say = refusal(kftrain::failure(e.code(), e.detail()));
            }
            if (!say) co_return;
            say->keep_alive(more);
            say->prepare_payload();
            if (q.method() == http::verb::head) say->body().clear();
            stream_.expires_after(std::chrono::seconds(60));
            co_await http::async_write(stream_, *say, quietly); // if it fails, so does the next read
        }
    }

    using answered = asio::awaitable<std::optional<reply>>; // nothing: it was a stream, which has been written

    answered answer(request const& q) {
        call asked(q);
        if (!asked.kind_name.empty()) {
            auto const served = co_await served_.async_catalog();
            asked.kind = kftrain::find_served_kind(asked.kind_name, *served).value();
        }
        auto const route = std::string(http::to_string(q.method())) + " " + asked.path;
        if (route == "GET /healthz") co_return replied(http::status::ok, "{}");
        if (route == "GET /watch") co_return co_await follow(jobs_.watch(asked.selected<kftrain::job_watch_options>()));
        if (route == "GET /jobs") {
            auto options = asked.selected<kftrain::job_list_options>();
            options.limit = static_cast<std::uint32_t>(asked.number("limit").value_or(100));
            co_return co_await json(jobs_.async_list(options.with_continue(asked.word("continue"))));
        }
        if (route == "POST /jobs") {
            kftrain::decode_options strictly;
            strictly.strict = true;
            auto const options = kftrain::submit_options().with_idempotency_key(q["Idempotency-Key"]);
            co_return co_await json(jobs_.async_submit(kftrain::parse_job(q.body(), strictly).value(), options));
        }
        if (route == "GET /jobs/*") co_return co_await json(jobs_.async_get(asked.job()));
        if (route == "DELETE /jobs/*") {
            auto const options = kftrain::job_delete_options().with_wait(asked.word("wait") == "true");
            co_await jobs_.async_delete(asked.job(), options);
            co_return replied(http::status::no_content, "");
        }
        if (route == "POST /jobs/*/scale")
            co_return co_await json(
                jobs_.async_scale(asked.job(), asked.word("role"), asked.number("members").value_or(-1)));
        if (route == "POST /jobs/*/suspend") co_return co_await json(jobs_.async_suspend(asked.job()));
        if (route == "POST /jobs/*/resume") co_return co_await json(jobs_.async_resume(asked.job()));
        if (route == "GET /jobs/*/logs") {
            auto options = kftrain::job_log_options().with_follow(asked.word("follow") != "false");
            options.tail = asked.number("tail");
            if (auto const rank = asked.number("rank")) options.with_rank(*rank);
            auto const job = co_await jobs_.async_get(asked.job()); // is there, and is meant until it goes
            co_return co_await follow(jobs_.open_logs(job, options));
        }
        if (route == "GET /jobs/*/events") co_return co_await json(jobs_.async_events(asked.job()));
        if (route == "GET /jobs/*/explanation") co_return co_await json(jobs_.async_explain(asked.job()));
        refuse("there is no " + route, kftrain::reason::not_found);
    }

    template <class Operation> static answered json(Operation pending) {
        auto const value = co_await std::move(pending);
        co_return replied(http::status::ok, value.to_json());
    }

    /// A line of JSON for each item, until the client disconnects. An early failure is a refusal.
    template <class Stream> answered follow(Stream from) {
        using namespace asio::experimental::awaitable_operators;
        http::response<http::empty_body> head(http::status::ok, 11);
        head.set(http::field::content_type, "application/x-ndjson");
        head.chunked(true);
        head.keep_alive(false);
        http::response_serializer<http::empty_body> begin(head);
        kftrain::diagnostics why;
        auto options = kube::next_options().with_detail(why).with_timeout(std::chrono::seconds(1));
        stream_.expires_never();
        for (;;) {
            auto next_or_gone = co_await (from.async_next(options, quietly) ||
                                          stream_.socket().async_wait(asio::ip::tcp::socket::wait_read, quietly));
            if (next_or_gone.index() == 1) co_return std::nullopt;
            auto const& [ec, item] = std::get<0>(next_or_gone);
            bool const early = ec == kftrain::errc::timeout && !begin.is_header_done(); // that of this call
            bool const fails = ec && ec != asio::error::eof && !early;
            auto refused = refusal(kftrain::failure(ec, why));
            if (!begin.is_header_done() && fails) co_return refused;
            if (!begin.is_header_done()) co_await http::async_write_header(stream_, begin, quietly);
            options.timeout = {};
            std::string const line = (fails ? refused.body() : item.to_json()) + "\n";
            if (fails || !ec) co_await asio::async_write(stream_, http::make_chunk(asio::buffer(line)), quietly);
            if (fails || ec == asio::error::eof) break;
        }
        co_await asio::async_write(stream_, http::make_chunk_last(), quietly);
        co_return std::nullopt;
    }

    boost::beast::tcp_stream stream_;
    boost::beast::flat_buffer buffer_;
    kftrain::training_client jobs_;
    kube::discovery served_; // read once in a while
};

asio::awaitable<void> serve(asio::ip::tcp::acceptor& door, kftrain::training_client jobs) {
    kube::discovery const served(jobs.get_client());
    for (;;) {
        auto [ec, socket] = co_await door.async_accept(quietly);
        if (ec) co_await asio::steady_timer(door.get_executor(), std::chrono::milliseconds(100)).async_wait(quietly);
        if (ec) continue; // too many connections, say
        auto const one = std::make_shared<session>(std::move(socket), jobs, served);
        asio::co_spawn(door.get_executor(), one->run(), [one](std::exception_ptr) {});
    }
}

} // namespace

int main(int argc, char** argv) {
    try {
        auto const config = kube::default_config(kube::process_environment()).value();
        asio::io_context context(1);
        kube::client const client(kube::make_https_transport(context.get_executor(), config).value(),
                                  kube::client_options().with_user_agent("platform-service/1.0"));
        kftrain::training_client jobs(client, config.namespace_);
        jobs.follow_all_namespaces();
        auto const port = static_cast<std::uint16_t>(argc > 1 ? std::stoi(argv[1]) : 8080);
        asio::ip::tcp::acceptor door(context, {asio::ip::make_address("127.0.0.1"), port});
        asio::signal_set signals(context, SIGINT, SIGTERM);
        signals.async_wait([&](kftrain::error_code, int) { context.stop(); });
        asio::co_spawn(context, serve(door, jobs), asio::detached);
        std::cout << "listening on " << door.local_endpoint() << std::endl;
        context.run();
    } catch (std::exception const& e) {
        std::cerr << "platform_service: " << e.what() << '\n';
        return 1;
    }
}
