#ifndef KFTRAIN_TEST_SUPPORT_SCRIPTED_TRANSPORT_HPP
#define KFTRAIN_TEST_SUPPORT_SCRIPTED_TRANSPORT_HPP

#include <kftrain/kube/transport.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace kftrain::test {

namespace asio = boost::asio;

/// One request that is expected and how it is answered. Without more, the answer is 200 and an empty body.
class scripted_exchange {
public:
    scripted_exchange(std::string method, std::string target)
        : method_(std::move(method)), target_(std::move(target)) {}

    scripted_exchange& status(unsigned code) { return status_ = code, *this; }
    scripted_exchange& field(std::string name, std::string value) {
        return fields_.add(std::move(name), std::move(value)), *this;
    }
    /// Another piece of the body.
    scripted_exchange& piece(std::string text) { return body_.emplace_back(std::move(text)), *this; }
    /// The body breaks here.
    scripted_exchange& breaks(error_code ec) { return body_.emplace_back(ec), *this; }
    /// Nothing comes any more.
    scripted_exchange& hangs() { return body_.emplace_back(std::monostate()), *this; }
    /// There is no answer at all.
    scripted_exchange& refuses(error_code ec) { return refusal_ = ec, *this; }

private:
    friend class scripted_transport;
    using part = std::variant<std::monostate, std::string, error_code>;

    std::string method_;
    std::string target_;
    unsigned status_ = 200;
    kube::http_fields fields_;
    std::deque<part> body_;
    error_code refusal_;
};

/** Plays a script of exchanges in order. Every open and every read is a step, counted from 0; one step can be made to
    fail or to hang. Requests that are not in the script fail with `errc::protocol` and are recorded. The client chooses
    the duration of a watch at random; scripts always contain `timeoutSeconds=300`. */
class scripted_transport final : public kube::transport, public std::enable_shared_from_this<scripted_transport> {
public:
    static constexpr std::size_t never = static_cast<std::size_t>(-1);

    explicit scripted_transport(asio::any_io_executor ex) : executor_(std::move(ex)) {}

    scripted_exchange& expect(std::string method, std::string target) {
        return script_.emplace_back(std::move(method), std::move(target));
    }
    void fail_at(std::size_t step, error_code ec) { fail_step_ = step, fail_code_ = ec; }
    /// `then` is posted when the step hangs.
    void hang_at(std::size_t step, std::function<void()> then) { hang_step_ = step, on_hang_ = std::move(then); }

    std::size_t steps() const noexcept { return steps_; }
    bool played() const noexcept { return script_.empty() && surprises_.empty(); }
    std::vector<std::string> const& surprises() const noexcept { return surprises_; }
    std::vector<kube::http_request> const& requests() const noexcept { return requests_; }
    /// Answers whose body was given up before its end.
    std::size_t abandoned() const noexcept { return abandoned_; }

    asio::any_io_executor get_executor() const noexcept override { return executor_; }
    void async_open(kube::http_request request,
                    kube::any_handler<void(error_code, kube::streamed_response)> handler) override;

private:
    class body;
    using part = scripted_exchange::part;

    /// Returns the replacement for this step of the script, or the step itself.
    part step(part scripted);
    template <class T> void complete(part const& p, T value, kube::any_handler<void(error_code, T)> handler);

    asio::any_io_executor executor_;
    std::deque<scripted_exchange> script_;
    std::size_t steps_ = 0;
    std::size_t fail_step_ = never;
    std::size_t hang_step_ = never;
    std::size_t abandoned_ = 0;
    error_code fail_code_;
    std::function<void()> on_hang_;
    std::vector<std::string> surprises_;
    std::vector<kube::http_request> requests_;
};

} // namespace kftrain::test

#endif
