#include "local/kubelet/containers/container_exec.hpp"

#include "base/in_quotes.hpp"
#include "local/kubelet/pod_worker.hpp"
#include "local/kubelet/quiet_write.hpp"
#include "local/sandbox/system.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/ioctl.h>

namespace kftrain::local {
namespace {

using apiserver::exec_result;
using apiserver::refusal;
using sandbox::unique_fd;

constexpr std::size_t most_commands = 64; ///< of one pod at a time
constexpr std::size_t read_size = 32 * 1024;

/// The descriptors of one command: ours, and those that it gets.
struct command_streams {
    unique_fd our_input, our_output, our_error;
    unique_fd input, output, error;
};

void make_pipe(unique_fd& reader, unique_fd& writer) {
    std::array<int, 2> ends{};
    sandbox::check(::pipe2(ends.data(), O_CLOEXEC), "make a pipe");
    reader.reset(ends[0]);
    writer.reset(ends[1]);
}

unique_fd duplicate(unique_fd const& fd) {
    return unique_fd(sandbox::check(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0), "duplicate a descriptor"));
}

command_streams make_streams(bool terminal) {
    command_streams s;
    if (!terminal) {
        make_pipe(s.input, s.our_input);
        make_pipe(s.our_output, s.output);
        make_pipe(s.our_error, s.error);
        return s;
    }
    auto made = terminal::open();
    s.our_output = std::move(made.ours);
    s.input = std::move(made.theirs);
    s.output = duplicate(s.input);
    s.error = duplicate(s.input);
    s.our_input = duplicate(s.our_output);
    return s;
}

class container_command_run final : public apiserver::exec_process,
                                    public std::enable_shared_from_this<container_command_run> {
public:
    container_command_run(std::shared_ptr<kubelet::state> const& owner, std::shared_ptr<pod_worker> const& worker,
                          container_process process, bool tty)
        : executor_(owner->client.get_executor()),
          owner_(owner),
          worker_(worker),
          process_(std::move(process)),
          tty_(tty),
          input_(executor_),
          output_{asio::posix::stream_descriptor(executor_), asio::posix::stream_descriptor(executor_)} {
        worker->commands().insert(process_.container);
    }
    container_command_run(container_command_run const&) = delete;
    container_command_run& operator=(container_command_run const&) = delete;
    ~container_command_run() override {
        if (auto const worker = worker_.lock()) worker->commands().erase(process_.container);
    }

    void start(kubelet::state& owner, bool has_input) {
        auto streams = make_streams(tty_);
        process_.output_fd = streams.output.get();
        process_.input_fd = streams.input.get();
        process_.error_fd = streams.error.get();
        process_.has_terminal = tty_;
        if (tty_) add_terminal_type(process_.env);
        adopt(input_, streams.our_input);
        adopt(output_[0], streams.our_output);
        adopt(output_[1], streams.our_error);
        if (!has_input && !tty_) close_input();
        owner.node.async_start_container(process_, &detail_,
                                         [self = shared_from_this()](error_code ec) { self->started(ec); });
    }

    void async_read(channel from, kube::any_handler<void(error_code, std::string)> handler) override {
        auto const at = static_cast<std::size_t>(from);
        auto& stream = output_.at(at);
        kube::waiting_caller<std::string> caller(std::move(handler), executor_);
        if (killed_ || !stream.is_open())
            return caller.complete_later(
                executor_, killed_ ? asio::error::operation_aborted : make_error_code(asio::error::eof), std::string());
        auto& into = into_.at(at);
        into.resize(read_size);
        stream.async_read_some(asio::buffer(into), [self = shared_from_this(), at,
                                                    c = std::move(caller)](error_code ec, std::size_t bytes) mutable {
            if (self->killed_) ec = asio::error::operation_aborted;
            // The terminal of a command that has ended.
            if (ec == error_code(EIO, boost::system::system_category())) ec = asio::error::eof;
            c.complete(ec, self->into_.at(at).substr(0, ec ? 0 : bytes));
        });
    }

    void async_write(std::string bytes, kube::any_handler<void(error_code)> handler) override {
        write_rest(shared_from_this(), std::make_shared<std::string>(std::move(bytes)), 0,
                   {std::move(handler), executor_});
    }

    void close_input() override {
        error_code ignored;
        if (tty_ && input_.is_open()) write_quietly(input_.native_handle(), "\x04"); // as the key Ctrl-D
        if (!tty_) input_.close(ignored);
    }

    void resize(unsigned columns, unsigned rows) override {
        if (tty_ && input_.is_open()) terminal::resize(input_.native_handle(), columns, rows);
    }

    void async_wait(kube::any_handler<void(error_code, exec_result)> handler) override {
        waiting_.emplace(std::move(handler), executor_);
        if (killed_)
            kube::take(waiting_).complete_later(executor_, asio::error::operation_aborted, exec_result());
        else if (result_)
            kube::take(waiting_).complete_later(executor_, error_code(), *result_);
    }

    asio::posix::stream_descriptor& input() noexcept { return input_; }
    bool is_killed() const noexcept { return killed_; }

    void kill() noexcept override {
        if (std::exchange(killed_, true)) return;
        error_code ignored;
        input_.close(ignored);
        for (auto& stream : output_) stream.close(ignored);
        if (waiting_) kube::take(waiting_).complete_later(executor_, asio::error::operation_aborted, exec_result());
        if (running_) send_kill();
    }

private:
    static void adopt(asio::posix::stream_descriptor& stream, unique_fd& fd) {
        if (!fd) return;
        error_code ec;
        stream.assign(fd.get(), ec);
        if (!ec) fd.release();
        if (!ec) stream.non_blocking(true, ec);
        if (ec) throw boost::system::system_error(ec);
    }

    void send_kill() {
        if (auto const owner = owner_.lock())
            owner->node.async_signal(process_.pod, process_.container, SIGKILL, nullptr, asio::detached);
    }

    void started(error_code ec) {
        auto const owner = owner_.lock();
        if (ec || !owner) {
            exec_result failed;
            failed.message = detail_.message.empty() ? ec.message() : detail_.message;
            return finish(std::move(failed));
        }
        running_ = true;
        if (killed_) send_kill();
        owner->node.async_wait(process_.pod, process_.container, nullptr,
                               [self = shared_from_this()](error_code lost, exit_status status) {
                                   exec_result r;
                                   if (lost)
                                       r.message = lost.message();
                                   else
                                       r.exit_code = status.signal != 0 ? 128 + status.signal : status.code;
                                   self->finish(std::move(r));
                               });
    }

    void finish(exec_result r) {
        running_ = false;
        result_ = std::move(r);
        if (waiting_) kube::take(waiting_).complete_later(executor_, error_code(), *result_);
    }

    asio::any_io_executor executor_;
    std::weak_ptr<kubelet::state> owner_;
    std::weak_ptr<pod_worker> worker_;
    container_process process_;
    bool tty_;
    diagnostics detail_;
    asio::posix::stream_descriptor input_;
    std::array<asio::posix::stream_descriptor, 2> output_;
    std::array<std::string, 2> into_;
    std::optional<kube::waiting_caller<exec_result>> waiting_;
    std::optional<exec_result> result_;
    bool running_ = false;
    bool killed_ = false;
};

/// A name that no process of the pod has; nothing if too many run.
std::string free_name(std::set<std::string> const& used, std::string const& container) {
    for (std::size_t i = 1; i <= most_commands; ++i) {
        auto name = container + "!" + std::to_string(i); // no container is called so
        if (!used.contains(name)) return name;
    }
    return {};
}

} // namespace

terminal terminal::open() {
    terminal made;
    made.ours.reset(sandbox::check(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), "make a terminal"));
    sandbox::check(::grantpt(made.ours.get()), "make a terminal");
    sandbox::check(::unlockpt(made.ours.get()), "make a terminal");
    std::array<char, 64> name{};
    if (::ptsname_r(made.ours.get(), name.data(), name.size()) != 0) sandbox::fail("find a terminal");
    made.theirs.reset(sandbox::check(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC), "open a terminal"));
    return made;
}

void terminal::resize(int ours, unsigned columns, unsigned rows) noexcept {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = static_cast<unsigned short>(rows);
    ::ioctl(ours, TIOCSWINSZ, &size);
}

void add_terminal_type(std::vector<std::string>& environment) {
    auto const is_type = [](std::string const& v) { return v.starts_with("TERM="); };
    if (std::ranges::none_of(environment, is_type)) environment.emplace_back("TERM=xterm");
}

apiserver::answer<std::shared_ptr<apiserver::exec_process>>
container_commands::start_exec(apiserver::exec_request const& request) {
    auto not_found = refusal(500, reason::internal_error, "container not found (" + in_quotes(request.container) + ")");
    auto const owner = owner_.lock();
    if (!owner || owner->stopping) return not_found;
    auto const at = owner->workers.find(request.pod_uid);
    auto const* const like = at == owner->workers.end() ? nullptr : at->second->find_process(request.container);
    if (like == nullptr) return not_found;
    auto name = free_name(at->second->commands(), request.container);
    if (name.empty())
        return refusal(429, reason::too_many_requests,
                       "pod " + request.pod + " runs " + std::to_string(most_commands) +
                           " commands already, and no more are possible at a time");
    auto process = command_in(*like, std::move(name), request.command);
    auto run = std::make_shared<container_command_run>(owner, at->second, std::move(process), request.tty);
    try {
        run->start(*owner, request.input);
    } catch (std::exception const& e) {
        return refusal(500, reason::internal_error, std::string("cannot start the command: ") + e.what());
    }
    return std::shared_ptr<apiserver::exec_process>(std::move(run));
}

apiserver::answer<std::shared_ptr<apiserver::exec_process>>
container_commands::start_attach(apiserver::exec_request const& request) {
    return attach_to(owner_, request);
}

apiserver::answer<std::shared_ptr<apiserver::port_connection>>
container_commands::open_port(apiserver::port_request const& request) {
    return local::open_port(owner_, request);
}

} // namespace kftrain::local
