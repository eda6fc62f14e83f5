#ifndef KFTRAIN_TEST_GOLDEN_OPERATOR_WORLD_HPP
#define KFTRAIN_TEST_GOLDEN_OPERATOR_WORLD_HPP

#include "golden/traces.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/job_operator.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace golden {

/// Time that passes only when told to.
class simulated_clock final : public kftrain::control::controller_clock {
public:
    explicit simulated_clock(kftrain::time_point start) : start_(start) {}

    instant now() override { return now_; }
    void wake_at(instant when, std::function<void()> wake) override;
    void cancel() override { wake_ = nullptr; }

    kftrain::time_point wall() const;
    /// Lets time pass until somebody is to be woken, at most until just before `end`, and wakes him. False if it is nobody.
    bool advance_before(kftrain::time_point end);
    void set(kftrain::time_point wall) { now_ = at(wall); }

private:
    instant at(kftrain::time_point wall) const;

    kftrain::time_point start_;
    instant now_{};
    instant when_{};
    std::function<void()> wake_;
};

/** Watchers are told of an object that leaves at once twice: with a deletionTimestamp, then that it is gone. Whether an
    operator looks in the moment between is a race in a real cluster. Here it is decided. */
struct moments {
    moments() = default;

    bool shown = false; ///< false: watchers are told only that the object is gone
    bool any = false;   ///< there was such a moment
};

/// Passes requests on and notes the writes among them.
class recording_transport final : public kftrain::kube::transport {
public:
    explicit recording_transport(std::shared_ptr<kftrain::kube::transport> t) : inner_(std::move(t)) {}

    boost::asio::any_io_executor get_executor() const noexcept override { return inner_->get_executor(); }
    void async_open(kftrain::kube::http_request request,
                    kftrain::kube::any_handler<void(kftrain::error_code, kftrain::kube::streamed_response)>) override;

    traces seen;
    std::shared_ptr<moments> leaving = std::make_shared<moments>();
    std::string job_uid, job_name; ///< the uid becomes `<uid:name>` in what is noted

private:
    void note(kftrain::kube::http_request const& request, unsigned status, std::string const& answer);

    std::shared_ptr<kftrain::kube::transport> inner_;
};

/// An answer to a request of the test.
struct exchange {
    exchange() = default;

    unsigned code = 0;
    json::object body;
    std::vector<std::string> warnings;
};

/** The operator of one kind over an API server in the process. The test plays user, scheduler and kubelet; nothing
    happens but in its functions. */
class operator_world {
public:
    operator_world(kftrain::job_kind const& kind, kftrain::operator_options const& options);
    ~operator_world();
    operator_world(operator_world const&) = delete;
    operator_world& operator=(operator_world const&) = delete;

    /// Sends requests, in order, before the operator can act on any.
    std::vector<exchange> send(std::vector<kftrain::kube::http_request> requests);
    /// Lets everybody work until nothing happens before `end`. False if that is never.
    bool settle(kftrain::time_point end);
    /// The objects of a collection, e.g. `/api/v1/namespaces/corpus/pods`.
    json::array list(std::string const& path);

    simulated_clock& clock() noexcept { return *clock_; }
    recording_transport& operator_link() noexcept { return *link_; }

private:
    void poll();
    void add_resources(kftrain::job_kind const& kind, kftrain::operator_options const& options);

    boost::asio::io_context io_;
    std::shared_ptr<simulated_clock> clock_;
    kftrain::apiserver::api_server server_;
    std::shared_ptr<kftrain::kube::transport> user_;
    std::shared_ptr<recording_transport> link_;
    boost::asio::cancellation_signal stop_;
    std::optional<kftrain::control::any_job_operator> operator_;
};

} // namespace golden

#endif
