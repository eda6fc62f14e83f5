
#include "base/in_quotes.hpp"
#include "local/kubelet/containers/container_exec.hpp"
#include "local/kubelet/pod_worker.hpp"
#include "local/kubelet/quiet_write.hpp"
#include "local/logs/log_files.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <fcntl.h>

namespace kftrain::local {
namespace {

using apiserver::exec_result;
using apiserver::refusal;

class attached_container final : public apiserver::exec_process,
                                 public std::enable_shared_from_this<attached_container> {
public:
    attached_container(std::shared_ptr<kubelet::state> const& owner, std::shared_ptr<pod_worker> const& worker,
                       apiserver::exec_request const& request, std::string process,
                       std::unique_ptr<kube::body_stream> output)
        : executor_(owner->client.get_executor()),
          owner_(owner),
          worker_(worker),
          pod_(request.pod_uid),
          container_(request.container),
          process_(std::move(process)),
          output_(std::move(output)),
          input_(executor_) {}

    /// Throws `boost::system::system_error`.
    void open_input(sandbox::unique_fd end) {
        input_.assign(end.get());
        end.release();
        input_.non_blocking(true);
    }

    void async_read(channel from, kube::any_handler<void(error_code, std::string)> handler) override {
        kube::waiting_caller<std::string> caller(std::move(handler), executor_);
        error_code ec;
        if (from == channel::error_output) ec = asio::error::eof;
        if (killed_) ec = asio::error::operation_aborted;
        if (ec) return caller.fail_later(executor_, ec);
        auto done = [self = shared_from_this(), c = std::move(caller)](error_code failed, std::string text) mutable {
            if (failed && failed != asio::error::eof && failed != asio::error::operation_aborted)
                failed = asio::error::eof; // the log lost something: nothing can follow
            c.complete(failed, std::move(text));
        };
        output_->async_read(
            asio::bind_cancellation_slot(stop_.slot(), asio::bind_executor(executor_, std::move(done))));
    }

    void async_write(std::string bytes, kube::any_handler<void(error_code)> handler) override {
        write_rest(shared_from_this(), std::make_shared<std::string>(std::move(bytes)), 0,
                   {std::move(handler), executor_});
    }

    void close_input() override {
        if (!input_.is_open()) return; // this client has no input, or has closed it
        error_code ignored;
        auto const worker = worker_.lock();
        auto* const input = worker ? worker->find_input(container_) : nullptr;
        bool const ends = input != nullptr && input->closes_with_client;
        if (ends && input->is_terminal) write_quietly(input_.native_handle(), "\x04"); // as the key Ctrl-D
        input_.close(ignored);
        if (ends && !input->is_terminal) input->end.reset(); // otherwise it stays open for the next client
    }

    void resize(unsigned columns, unsigned rows) override {
        auto const worker = worker_.lock();
        auto const* const input = worker ? worker->find_input(container_) : nullptr;
        if (input != nullptr && input->is_terminal) terminal::resize(input->end.get(), columns, rows);
    }

    void async_wait(kube::any_handler<void(error_code, exec_result)> handler) override {
        waiting_.emplace(std::move(handler), executor_);
        auto const owner = owner_.lock();
        if (killed_ || !owner) return finish(asio::error::operation_aborted);
        owner->node.async_wait(pod_, process_, nullptr,
                               [self = shared_from_this()](error_code ec, exit_status) { self->finish(ec); });
    }

    asio::posix::stream_descriptor& input() noexcept { return input_; }
    bool is_killed() const noexcept { return killed_; }

    void kill() noexcept override {
        if (std::exchange(killed_, true)) return;
        close_input();
        stop_.emit(asio::cancellation_type::terminal);
        finish(asio::error::operation_aborted);
    }

private:
    void finish(error_code ec) {
        if (!waiting_) return;
        exec_result r;
        if (!ec) r.exit_code = 0;
        kube::take(waiting_).complete_later(executor_, ec, std::move(r));
    }

    asio::any_io_executor executor_;
    std::weak_ptr<kubelet::state> owner_;
    std::weak_ptr<pod_worker> worker_;
    std::string pod_, container_, process_;
    std::unique_ptr<kube::body_stream> output_;
    asio::posix::stream_descriptor input_;
    asio::cancellation_signal stop_; ///< of the pending read
    std::optional<kube::waiting_caller<exec_result>> waiting_;
    bool killed_ = false;
};

} // namespace

apiserver::answer<std::shared_ptr<apiserver::exec_process>> attach_to(std::weak_ptr<kubelet::state> const& weak,
                                                                      apiserver::exec_request const& request) {
    auto not_found = refusal(500, reason::internal_error, "container not found (" + in_quotes(request.container) + ")");
    auto const owner = weak.lock();
    if (!owner || owner->stopping) return not_found;
    auto const at = owner->workers.find(request.pod_uid);
    auto const* const running = at == owner->workers.end() ? nullptr : at->second->find_process(request.container);
    if (running == nullptr) return not_found;
    auto* const input = at->second->find_input(request.container);
    if (request.input && (input == nullptr || !input->accepts_clients))
        return refusal(400, reason::bad_request,
                       "container " + request.container + " has no input to attach to: expected stdin: true");
    apiserver::log_request log;
    log.pod = request.pod;
    log.pod_uid = request.pod_uid;
    log.container = request.container;
    log.follow = true;
    log.tail_lines = 0;
    auto output = log_files(owner->client.get_executor(), owner->logs).open_log(log);
    if (!output) return output.error();
    auto made =
        std::make_shared<attached_container>(owner, at->second, request, running->container, std::move(*output));
    if (request.input && input->end) {
        sandbox::unique_fd end(::fcntl(input->end.get(), F_DUPFD_CLOEXEC, 0));
        if (!end) return refusal(500, reason::internal_error, "cannot attach to the input: no descriptor is available");
        try {
            made->open_input(std::move(end));
        } catch (std::exception const& e) {
            return refusal(500, reason::internal_error, std::string("cannot attach to the input: ") + e.what());
        }
    }
    return std::shared_ptr<apiserver::exec_process>(std::move(made));
}

} // namespace kftrain::local
