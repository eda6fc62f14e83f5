#ifndef KFTRAIN_SRC_LOCAL_LOG_FILES_HPP
#define KFTRAIN_SRC_LOCAL_LOG_FILES_HPP

#include <kftrain/apiserver/pod_log_source.hpp>
#include <kftrain/local/kubelet.hpp>

namespace kftrain::local {

/// Serves the log files of a kubelet.
class log_files final : public apiserver::pod_log_source {
public:
    log_files(asio::any_io_executor executor, kubelet::log_finder find)
        : executor_(std::move(executor)), find_(std::move(find)) {}

    apiserver::answer<std::unique_ptr<kube::body_stream>> open_log(apiserver::log_request const& request) override;

private:
    asio::any_io_executor executor_;
    kubelet::log_finder find_;
};

} // namespace kftrain::local

#endif
