// A platform service: HTTP in front, training jobs on any cluster behind. README.md beside this file tells its interface.
#define KFTRAIN_DESCRIBE_MEMBERS // this source describes structs of its own
#include <kftrain/kftrain.hpp>
#include <kftrain/kube/with_diagnostics.hpp>
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

auto const throwing = kube::with_diagnostics(asio::use_awaitable); // what is thrown says why
constexpr auto quietly = asio::as_tuple(asio::use_awaitable);      // what is handed back says so

/// What the body of every refusal holds.
struct problem {
    problem() = default;
    std::string message;
    std::vector<std::string> causes;
};
BOOST_DESCRIBE_STRUCT(problem, (), (message, causes))

reply replied(http::status status, std::string text) {
    reply r(status, 11, std::move(text));
    r.set(http::field::content_type, "application/json");
    return r;
}
reply ok(std::string text) { return replied(http::status::ok, std::move(text)); }

/// The value, or what kept it from being one.
template <class T> T taken(kftrain::result<T> r) {
    if (!r) throw kftrain::error(r.error());
    return std::move(*r);
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

reply refusal(http::status status, std::string message, std::vector<kftrain::diagnostics::cause> const& causes = {}) {
    problem p;
    p.message = std::move(message);
    for (auto const& c : causes) p.causes.push_back(c.field + ": " + c.message);
    return replied(status, kftrain::to_json(p));
}

kftrain::error unusable(std::string where, std::string expected) {
    kftrain::diagnostics why;
    why.path = std::move(where);
    why.message = std::move(expected);
    return kftrain::error(kftrain::failure(kftrain::errc::invalid_argument, std::move(why)));
}

/// A request, its target taken apart.
class call {
public:
    explicit call(request q) : request_(std::move(q)) {
        auto const url =
            boost::urls::parse_origin_form(std::string_view(request_.target().data(), request_.target().size()));
        if (!url) throw kftrain::error(kftrain::failure(kftrain::errc::syntax, {}));
        url_ = *url;
        for (auto const& s : url_.segments()) path_.push_back(s);
    }
    /// `GET /jobs/*/logs`, where the star stands for KIND/NAMESPACE/NAME.
    std::string route() const {
        std::string text = std::string(http::to_string(request_.method())) + " ";
        bool const of_job = path_.size() >= 4;
        for (std::size_t i = 0; i < path_.size(); i += of_job && i == 1 ? 3 : 1)
            text += "/" + (of_job && i == 1 ? "*" : path_[i]);
        return text;
    }
    kftrain::job_reference job() const {
        if (path_[2].empty() || path_[3].empty()) throw unusable("path", "expected /jobs/KIND/NAMESPACE/NAME");
        return {*taken(kftrain::find_job_kind(path_[1])), path_[2], path_[3]};
    }
    std::string word(std::string_view name) const {
        auto const params = url_.params();
        auto const at = params.find(name);
        return at == params.end() ? std::string() : std::string((*at).value);
    }
    std::optional<std::int32_t> number(std::string_view name) const {
        auto const text = word(name);
        return text.empty() ? std::nullopt : std::optional(taken(kftrain::from_json<std::int32_t>(text)));
    }
    std::uint32_t page_size() const {
        auto const limit = number("limit").value_or(100);
        if (limit < 0) throw unusable("limit", "expected how many jobs make a page, 0 for all, got " + word("limit"));
        return static_cast<std::uint32_t>(limit);
    }
    request const& get() const { return request_; }
    /// Which jobs are meant, for lists and watches.
    template <class Options> Options selected() const {
        Options o;
        o.namespace_ = word("namespace");
        o.all_namespaces = o.namespace_.empty();
        o.label_selector = word("selector");
        if (auto const kind = word("kind"); !kind.empty()) o.with_kind(*taken(kftrain::find_job_kind(kind)));
        return o;
    }

private:
    request request_;
    boost::urls::url_view url_;
    std::vector<std::string> path_;
};

/// One connection, which keeps nothing: all state is in the cluster.
class session {
public:
    session(asio::ip::tcp::socket s, kftrain::training_client c) : stream_(std::move(s)), jobs_(std::move(c)) {}

    asio::awaitable<void> run() {
        for (bool more = true; more;) {
            http::request_parser<http::string_body> parser; // takes bodies of 1 MiB at most
            stream_.expires_after(std::chrono::seconds(60));
            auto [bad, read] = co_await http::async_read(stream_, buffer_, parser, quietly);
            if (bad) co_return;
            more = parser.get().keep_alive();
            std::optional<reply> say;
            try {
                call const asked(parser.release());
                say = co_await answer(asked);
            } catch (kftrain::error const& e) {
                say =
                    refusal(status_of(e.code()), kftrain::failure(e.code(), e.detail()).to_string(), e.detail().causes);
            }
            if (!say) co_return;
            say->keep_alive(more);
            say->prepare_payload();
            stream_.expires_after(std::chrono::seconds(60));
            auto [broken, written] = co_await http::async_write(stream_, *say, quietly);
            if (broken) co_return;
        }
    }

private:
    using answered = asio::awaitable<std::optional<reply>>; // nothing: it was a stream, which has been written

    answered answer(call const& asked) {
        auto const route = asked.route();
        if (route == "GET /healthz") return told(ok("{}"));
        if (route == "GET /watch") return follow(jobs_.watch(asked.selected<kftrain::job_watch_options>()));
        if (route == "GET /jobs") {
            auto options = asked.selected<kftrain::job_list_options>();
            options.limit = asked.page_size();
            return json(jobs_.async_list(options.with_continue(asked.word("continue")), throwing));
        }
        if (route == "POST /jobs") {
            kftrain::decode_options strictly;
            strictly.strict = true;
            auto const options = kftrain::submit_options().with_token(asked.get()["Idempotency-Key"]);
            return json(jobs_.async_submit(taken(kftrain::parse_job(asked.get().body(), strictly)), options, throwing));
        }
        if (route == "GET /jobs/*") return json(jobs_.async_get(asked.job(), throwing));
        if (route == "DELETE /jobs/*") {
            auto const options = kftrain::job_remove_options().with_wait(asked.word("wait") == "true");
            return removed(jobs_.async_remove(asked.job(), options, throwing));
        }
        if (route == "POST /jobs/*/scale") {
            auto const members = asked.number("members").value_or(-1);
            return json(jobs_.async_scale(asked.job(), asked.word("role"), members, throwing));
        }
        if (route == "POST /jobs/*/suspend") return json(jobs_.async_suspend(asked.job(), throwing));
        if (route == "POST /jobs/*/resume") return json(jobs_.async_resume(asked.job(), throwing));
        if (route == "GET /jobs/*/logs") {
            auto options = kftrain::job_log_options().with_follow(asked.word("follow") != "false");
            options.tail = asked.number("tail");
            if (auto const rank = asked.number("rank")) options.with_rank(*rank);
            return follow(jobs_.open_logs(asked.job(), options));
        }
        if (route == "GET /jobs/*/events") return json(jobs_.async_events(asked.job(), {}, throwing));
        if (route == "GET /jobs/*/explanation") return json(jobs_.async_explain(asked.job(), {}, throwing));
        return told(refusal(http::status::not_found, "there is no " + route));
    }

    static answered told(reply r) { co_return r; }
    static answered removed(asio::awaitable<void> pending) {
        co_await std::move(pending);
        co_return replied(http::status::no_content, "");
    }
    template <class T> static answered json(asio::awaitable<T> pending) {
        auto const value = co_await std::move(pending);
        co_return ok(value.to_json());
    }

    /// Hands on what a stream tells, a line of JSON each, until it ends or whoever asked goes: nothing is read before the last line was taken. What
    /// fails within a second is a refusal, later a last line.
    template <class Stream> answered follow(Stream from) {
        using namespace asio::experimental::awaitable_operators;
        http::response<http::empty_body> head(http::status::ok, 11);
        head.set(http::field::content_type, "application/x-ndjson");
        head.chunked(true);
        http::response_serializer<http::empty_body> begin(head);
        kftrain::diagnostics why;
        auto options = kube::next_options().with_detail(why).with_timeout(std::chrono::seconds(1));
        stream_.expires_never();
        for (;;) {
            auto next_or_gone = co_await (from.async_next(options, quietly) ||
                                          stream_.socket().async_wait(asio::ip::tcp::socket::wait_read, quietly));
            if (next_or_gone.index() == 1) co_return std::nullopt;
            auto const& [ec, item] = std::get<0>(next_or_gone);
            bool const fails = ec && ec != asio::error::eof && !is_timeout(ec);
            auto refused = refusal(status_of(ec), kftrain::failure(ec, why).to_string(), why.causes);
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
};

asio::awaitable<void> serve(asio::ip::tcp::acceptor& door, kftrain::training_client jobs) {
    for (;;) {
        auto [ec, socket] = co_await door.async_accept(quietly);
        if (ec) co_return;
        auto const one = std::make_shared<session>(std::move(socket), jobs);
        asio::co_spawn(door.get_executor(), one->run(), [one](std::exception_ptr) {});
    }
}

} // namespace

int main(int argc, char** argv) {
    try {
        auto const config = taken(kube::default_config(kube::process_environment()));
        asio::io_context context(1);
        kube::client const client(taken(kube::make_https_transport(context.get_executor(), config)),
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
        return 0;
    } catch (std::exception const& e) {
        std::cerr << "platform_service: " << e.what() << '\n';
        return 1;
    }
}
