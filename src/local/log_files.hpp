#ifndef KFTRAIN_SRC_LOCAL_LOG_FILES_HPP
#define KFTRAIN_SRC_LOCAL_LOG_FILES_HPP

#include <kftrain/apiserver/pod_log_source.hpp>
#include <kftrain/local/kubelet.hpp>

namespace kftrain::local {

/// Serves the log files of a kubelet, which must outlive the streams' reads.
class log_files final : public apiserver::pod_log_source {
public:
    explicit log_files(kubelet const& k) : kubelet_(k) {}

    apiserver::answer<std::unique_ptr<kube::body_stream>> open_log(apiserver::log_request const& request) override;

private:
    kubelet const& kubelet_;
};

} // namespace kftrain::local

#endif
