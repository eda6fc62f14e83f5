#ifndef KFTRAIN_SRC_LOCAL_KUBELET_IMAGES_IMAGE_STORE_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_IMAGES_IMAGE_STORE_HPP

#include "local/kubelet/images/image_source.hpp"
#include "local/sandbox/system.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <memory>
#include <set>
#include <string>

namespace kftrain::local {

namespace asio = boost::asio;

/// An image for a container. The image stays in the store as long as a copy of the descriptor is open.
struct ready_image {
    ready_image() = default;

    image_config config;
    bool has_config = false; ///< if false, the container runs as on the machine
    std::string root;        ///< directory of the root file system; empty: that of the machine
    sandbox::unique_fd in_use;
};

/** Makes images ready: those of archives and layouts are unpacked into the directory of the options by the sandbox
    helper, in a process of its own.
    @par Object lifetimes stop() and the destructor end what is pending. A process that unpacks ends by itself then, and
    removes what it has made. */
class image_store : public std::enable_shared_from_this<image_store> {
public:
    /// @param helper the sandbox helper; empty: that of find_sandbox_helper()
    image_store(asio::any_io_executor executor, std::string helper, image_store_options options)
        : executor_(std::move(executor)), helper_(std::move(helper)), options_(std::move(options)) {}

    /// Uses a part of this directory if the options name none.
    void keep_in(std::string const& directory);

    /** Makes an image ready.
        @par Errors `errc::invalid_argument` with a sentence, `errc::helper_failed`, `operation_aborted` after stop() */
    asio::awaitable<result<ready_image>> get(image_source source);

    void stop();

private:
    asio::awaitable<result<ready_image>> unpack(image_source const& source);

    asio::any_io_executor executor_;
    std::string helper_;
    image_store_options options_;
    std::set<asio::posix::stream_descriptor*> waiting_;
    bool stopped_ = false;
};

} // namespace kftrain::local

#endif
