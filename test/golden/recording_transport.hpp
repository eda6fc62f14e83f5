#ifndef KFTRAIN_TEST_GOLDEN_RECORDING_TRANSPORT_HPP
#define KFTRAIN_TEST_GOLDEN_RECORDING_TRANSPORT_HPP

#include "golden/own_writes.hpp"
#include "golden/random_names.hpp"
#include "golden/traces.hpp"

#include <kftrain/kube/transport.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace golden {

/** Watchers are told of an object that leaves at once twice: with a deletionTimestamp, then that it is gone. Whether an
    operator looks in the moment between is a race in a real cluster. Here it is decided. */
struct moments {
    moments() = default;

    bool shown = false; ///< false: watchers are told only that the object is gone
    bool any = false;   ///< there was such a moment
};

/// Reads a body to its end.
void read_all(std::shared_ptr<kftrain::kube::body_stream> const& body, std::string text,
              std::function<void(std::string)> const& done);

/// Passes requests on and notes the writes among them.
class recording_transport final : public kftrain::kube::transport {
public:
    explicit recording_transport(std::shared_ptr<kftrain::kube::transport> t) : inner_(std::move(t)) {}

    boost::asio::any_io_executor get_executor() const noexcept override { return inner_->get_executor(); }
    void async_open(kftrain::kube::http_request request,
                    kftrain::kube::any_handler<void(kftrain::error_code, kftrain::kube::streamed_response)>) override;

    /// In what is noted, the uid becomes `<uid:name>`, as that of the job, or `<uid:Kind/name>`.
    void name_uid(std::string const& uid, std::string const& name) { uids_[uid] = "<uid:" + name + ">"; }
    /// Writes all texts in it, names of members included, as recordings have them.
    void tell(json::value&) const;
    /// What else recordings spell in their own way.
    std::function<std::string(std::string)> spell;

    /// The job is this one, written like that.
    void follow(std::string job_path, own_writes own) {
        job_path_ = std::move(job_path);
        own_ = std::move(own);
    }
    random_names const& names() const noexcept { return names_; }

    traces seen;
    std::shared_ptr<moments> leaving = std::make_shared<moments>();

private:
    void note(kftrain::kube::http_request const& request, unsigned status, std::string const& answer);
    void note_status(json::object const& job);
    json::value told_status(json::object const& job) const;
    std::string reported(std::string text) const;

    std::shared_ptr<kftrain::kube::transport> inner_;
    std::map<std::string, std::string, std::less<>> uids_; ///< -> what recordings have for them
    std::string job_path_;
    own_writes own_;
    random_names names_;
    std::string phase_; ///< that a job was in last, if its status tells one
};

} // namespace golden

#endif
