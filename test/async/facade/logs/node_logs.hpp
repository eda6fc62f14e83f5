#ifndef KFTRAIN_TEST_ASYNC_FACADE_LOGS_NODE_LOGS_HPP
#define KFTRAIN_TEST_ASYNC_FACADE_LOGS_NODE_LOGS_HPP

#include "async/facade/logs/job_log_cluster.hpp"
#include "facade/logs/log_bookmark.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>

#include <set>

/// Logs as a node keeps them: lines with times, of which a request may want a part.
namespace node_logs {

using namespace job_log_tests;

/// The output of one run of a container in the course of a test.
struct written {
    std::vector<std::string> lines; ///< each with its time
    bool ended = false;
    bool breaks = false; ///< a reader at the end loses the connection, once
};

/// The output that was read from a node.
struct taken_from {
    std::size_t bytes = 0;
    std::size_t open = 0; ///< logs
};

class kept_body final : public kube::body_stream {
public:
    kept_body(asio::any_io_executor const& ex, std::shared_ptr<written> log, apiserver::log_request const& r,
              std::shared_ptr<taken_from> taken)
        : log_(std::move(log)), request_(r), taken_(std::move(taken)), timer_(ex) {
        ++taken_->open;
        if (r.tail_lines && static_cast<std::size_t>(*r.tail_lines) < log_->lines.size())
            next_ = log_->lines.size() - static_cast<std::size_t>(*r.tail_lines);
    }
    ~kept_body() override { --taken_->open; }

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        while (next_ < log_->lines.size() && !is_wanted(log_->lines[next_])) ++next_;
        if (next_ < log_->lines.size()) {
            auto const& line = log_->lines[next_++];
            auto piece = line.substr(request_.timestamps ? 0 : line.find(' ') + 1) + "\n";
            taken_->bytes += piece.size();
            return finish(std::move(handler), error_code(), std::move(piece));
        }
        if (std::exchange(log_->breaks, false)) return finish(std::move(handler), errc::connection_lost, {});
        if (log_->ended || !request_.follow) return finish(std::move(handler), eof, {});
        auto slot = asio::get_associated_cancellation_slot(handler);
        if (slot.is_connected())
            slot.assign([this](asio::cancellation_type) {
                cancelled_ = true; // the end of the wait, if it is already queued, does not show this
                timer_.cancel();
            });
        timer_.expires_after(2ms);
        timer_.async_wait([this, h = std::move(handler)](error_code ec) mutable {
            if (ec || std::exchange(cancelled_, false))
                std::move(h)(asio::error::operation_aborted, std::string());
            else
                async_read(std::move(h));
        });
    }

private:
    bool is_wanted(std::string const& line) const {
        if (!request_.since_time) return true;
        return read_log_stamp(line).at >= *parse_log_instant(*request_.since_time);
    }
    void finish(kube::any_handler<void(error_code, std::string)> h, error_code ec, std::string piece) {
        asio::post(timer_.get_executor(), asio::append(std::move(h), ec, std::move(piece)));
    }

    std::shared_ptr<written> log_;
    apiserver::log_request request_;
    std::shared_ptr<taken_from> taken_;
    kube::detail::timer timer_;
    std::size_t next_ = 0;
    bool cancelled_ = false;
};

class kept_logs final : public apiserver::pod_log_source {
public:
    explicit kept_logs(asio::any_io_executor ex) : executor_(std::move(ex)) {}

    apiserver::answer<std::unique_ptr<kube::body_stream>> open_log(apiserver::log_request const& r) override {
        requests.push_back(r);
        auto const log = logs.find(r.pod + "/" + std::to_string(r.run.value_or(-1)));
        if (log == logs.end()) return apiserver::refusal(400, reason::bad_request, "no such log");
        return std::make_unique<kept_body>(executor_, log->second, r, counts);
    }

    std::map<std::string, std::shared_ptr<written>> logs; ///< by pod and run
    std::vector<apiserver::log_request> requests;
    std::shared_ptr<taken_from> counts = std::make_shared<taken_from>();
    std::size_t taken() const { return counts->bytes; }
    std::size_t open() const { return counts->open; }

private:
    asio::any_io_executor executor_;
};

struct node_with_logs : job_log_cluster {
    node_with_logs() { server.set_log_source(node); }

    /// Lets a run of a pod's container write lines, as `03 text` at that second.
    written& write(std::string const& pod_and_run, std::vector<std::string> const& lines) {
        auto& log = node->logs[pod_and_run];
        if (!log) log = std::make_shared<written>();
        for (auto const& l : lines)
            log->lines.push_back("2026-03-01T10:11:" + l.substr(0, 2) + ".000000000Z " + l.substr(3));
        return *log;
    }
    written& log_of(std::string const& pod_and_run) { return *node->logs.at(pod_and_run); }
    /// A pod that runs and has written this.
    void run_pod(std::string const& name, std::vector<std::string> const& lines) {
        make_pod(name);
        write(name + "/0", lines);
        set(name, "running");
    }
    void end_pod(std::string const& name, std::int32_t restarts = 0) {
        log_of(name + "/" + std::to_string(restarts)).ended = true;
        set(name, "ended", restarts);
    }

    job_log_stream open(job_log_options const& options = job_log_options()) {
        return client.open_logs(stored, options);
    }
    /// The next line, or the code of the end.
    std::string next(job_log_stream& stream) {
        auto r = stream.next(kube::next_options().with_timeout(20s).with_detail(error_detail));
        last = r ? *r : log_line();
        return r ? r->member.pod_name + ": " + r->text : "(" + r.error().code.message() + ")";
    }
    list next(job_log_stream& stream, int count) {
        list all;
        while (count-- > 0) all.push_back(next(stream));
        return all;
    }
    /// The remaining output without the end, which must be in order.
    list rest(job_log_stream& stream) {
        list all;
        for (;;) {
            all.push_back(next(stream));
            if (all.back().front() == '(') break;
        }
        BOOST_TEST(all.back() == "(" + eof.message() + ")", error_detail.message);
        all.pop_back();
        return all;
    }
    /// Until no more is read.
    void settle() {
        int rounds = 0;
        for (std::size_t before = node->taken() + 1; before != node->taken();) {
            BOOST_REQUIRE(++rounds < 1000);
            before = node->taken();
            time.advance(100ms);
        }
    }

    std::shared_ptr<kept_logs> node = std::make_shared<kept_logs>(io.get_executor());
    log_line last;
    diagnostics error_detail;
};

} // namespace node_logs

#endif
