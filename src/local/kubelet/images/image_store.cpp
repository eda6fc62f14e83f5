#include "local/kubelet/images/image_store.hpp"

#include "base/make_failure.hpp"
#include "local/node/sandbox_helper.hpp"
#include "local/sandbox/channel.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <sys/wait.h>

#include <filesystem>

namespace kftrain::local {
namespace {

namespace json = boost::json;

constexpr auto root_user = "0";

json::object request_of(image_source const& source, image_store_options const& options) {
    return json::object{{"store", options.directory},
                        {"form", source.form == image_form::archive ? "archive" : "oci"},
                        {"path", source.path},
                        {"tag", source.tag},
                        {"image_size", options.image_size},
                        {"image_files", options.image_files},
                        {"total_size", options.total_size}};
}

failure aborted() { return {make_error_code(asio::error::operation_aborted), diagnostics()}; }

result<ready_image> image_in(sandbox::datagram reply, image_source const& source) {
    if (auto const* const error = reply.body.if_contains("error"); error != nullptr && error->is_string())
        return make_failure(reply.body.contains("may_pass") ? errc::helper_failed : errc::invalid_argument,
                            to_string(source) + ": " + std::string(error->get_string()));
    auto const* const image = reply.body.if_contains("image");
    if (image == nullptr || !image->is_object() || reply.fds.empty())
        return make_failure(errc::helper_failed, to_string(source) + ": the process that unpacks the image has ended");
    ready_image ready;
    ready.config = sandbox::config_of(image->get_object());
    ready.has_config = true;
    if (ready.config.user.empty()) ready.config.user = root_user;
    ready.root = sandbox::text_of(image->get_object(), "root");
    ready.in_use = std::move(reply.fds.front());
    return ready;
}

/// Registers a descriptor while it is in scope.
class registered {
public:
    registered(std::set<asio::posix::stream_descriptor*>& all, asio::posix::stream_descriptor& one)
        : all_(all), one_(one) {
        all_.insert(&one_);
    }
    registered(registered const&) = delete;
    registered& operator=(registered const&) = delete;
    ~registered() { all_.erase(&one_); }

private:
    std::set<asio::posix::stream_descriptor*>& all_;
    asio::posix::stream_descriptor& one_;
};

} // namespace

void image_store::keep_in(std::string const& directory) {
    if (options_.directory.empty()) options_.directory = directory + "/images";
}

asio::awaitable<result<ready_image>> image_store::get(image_source source) {
    auto const self = shared_from_this();
    if (source.is_unpacked()) {
        result<ready_image> unpacked = co_await unpack(source);
        co_return unpacked;
    }
    ready_image ready;
    if (auto fault = fault_of(source); !fault.empty())
        co_return make_failure(errc::invalid_argument, to_string(source) + ": " + fault);
    if (source.form == image_form::directory) {
        ready.root = source.path;
        ready.config.user = root_user;
    }
    if (auto config = config_of_venv(source)) ready.config = *std::move(config);
    ready.has_config = source.form != image_form::host;
    co_return ready;
}

asio::awaitable<result<ready_image>> image_store::unpack(image_source const& source) {
    std::string helper = helper_;
    if (helper.empty()) {
        auto const found = find_sandbox_helper();
        if (!found) co_return found.error();
        helper = found->string();
    }
    if (stopped_) co_return aborted();
    sandbox::datagram reply;
    std::string broken;
    try {
        auto [ours, theirs] = sandbox::make_socket_pair();
        sandbox::send(ours.get(), request_of(source, options_));
        pid_t pid = 0;
        auto const error = spawn_sandbox_helper(pid, {helper, "--serve-image"}, theirs.get());
        theirs.reset();
        if (error != 0) throw std::system_error(error, std::generic_category(), "start \"" + helper + "\"");
        // It goes on in a child of its own, so this takes a moment only.
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {}
        asio::posix::stream_descriptor socket(executor_, ours.release());
        registered const known(waiting_, socket);
        auto [ec] =
            co_await socket.async_wait(asio::posix::stream_descriptor::wait_read, asio::as_tuple(asio::use_awaitable));
        if (ec || stopped_) co_return aborted();
        sandbox::receive(socket.native_handle(), reply, false);
    } catch (std::exception const& e) {
        broken = e.what();
    }
    if (!broken.empty()) co_return make_failure(errc::helper_failed, to_string(source) + ": " + broken);
    try {
        co_return image_in(std::move(reply), source);
    } catch (std::exception const& e) {
        broken = e.what();
    }
    co_return make_failure(errc::helper_failed, to_string(source) + ": " + broken);
}

void image_store::stop() {
    stopped_ = true;
    auto const all = waiting_;
    for (auto* const socket : all) {
        error_code ignored;
        socket->close(ignored);
    }
}

} // namespace kftrain::local
