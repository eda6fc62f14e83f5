#ifndef KFTRAIN_TEST_ASYNC_CONTROL_RUNNING_JOB_HPP
#define KFTRAIN_TEST_ASYNC_CONTROL_RUNNING_JOB_HPP

#include "async/control/operator_cluster.hpp"

namespace operator_tests {

// Texts as in the recordings under test/golden/pytorchjob.

inline names const three{"pt-master-0", "pt-worker-0", "pt-worker-1"};
inline names const created_three{"Created pod: pt-master-0",     "Created pod: pt-worker-0",
                                 "Created pod: pt-worker-1",     "Created service: pt-master-0",
                                 "Created service: pt-worker-0", "Created service: pt-worker-1"};

struct running_job : operator_cluster {
    explicit running_job(std::string policy = "Never", std::function<void(pytorch_job&)> const& change = {}) {
        auto j = sample(2, std::move(policy));
        if (change) change(j);
        submit(j);
        until_conditions("Created=True");
        for (auto const& p : three) set(p, "Running");
        until_conditions("Created=True Running=True");
    }
};

inline bool is_create_of(kube::http_request const& r, std::string_view plural) {
    return r.method == "POST" && r.target.find(plural) != std::string::npos;
}

} // namespace operator_tests

#endif
