#ifndef KFTRAIN_TEST_GOLDEN_CLUSTERS_OPERATOR_RECORD_HPP
#define KFTRAIN_TEST_GOLDEN_CLUSTERS_OPERATOR_RECORD_HPP

#include "golden/checks/traces.hpp"
#include "golden/kinds/own_writes.hpp"
#include "golden/kinds/random_names.hpp"

#include <kftrain/kube/transport.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace golden {

/** A watch reports an object that leaves at once twice: with a deletionTimestamp, then as deleted. Whether an
    operator looks in the moment between is a race in a real cluster. Here it is decided. */
struct moments {
    moments() = default;

    bool shown = false; ///< false: the watch reports only the deletion
    bool any = false;   ///< there was such a moment
};

/// The writes of an operator, in the form of the recordings.
class operator_record {
public:
    operator_record() = default;
    operator_record(operator_record const&) = delete;
    operator_record& operator=(operator_record const&) = delete;

    /// A link to a server whose writes are recorded here. This must outlive the link.
    std::shared_ptr<kftrain::kube::transport> link_to(std::shared_ptr<kftrain::kube::transport> server);
    /// In what is noted, the uid becomes `<uid:name>`, as that of the job, or `<uid:Kind/name>`.
    void name_uid(std::string const& uid, std::string const& name) { uids_[uid] = "<uid:" + name + ">"; }
    /// Writes all texts in it, names of members included, as recordings have them.
    void rewrite(json::value&) const;
    /// Rewrites further texts to the form of the recordings.
    std::function<std::string(std::string)> spell;

    /// The job is this one, written like that.
    void follow(std::string job_path, own_writes own) {
        job_path_ = std::move(job_path);
        own_ = std::move(own);
    }
    random_names const& names() const noexcept { return names_; }

    traces seen;
    moments leaving;

private:
    /// The events of a watch without the moments that are hidden. Pieces end with an event.
    std::string filtered(std::string const& piece);
    void note(kftrain::kube::http_request const& request, unsigned status, std::string const& answer);
    void note_status(json::object const& job);
    json::value described_status(json::object const& job) const;
    std::string reported(std::string text) const;

    std::map<std::string, std::string, std::less<>> uids_; ///< -> what recordings have for them
    std::string job_path_;
    own_writes own_;
    random_names names_;
    std::string phase_; ///< that a job was in last, if its status has one
};

} // namespace golden

#endif
