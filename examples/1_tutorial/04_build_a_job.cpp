// A job written in C++, what is doubtful about it, and who its members are. No cluster is needed.
// [readme]
#include <kftrain/job/member_lookup.hpp>
#include <kftrain/kinds/pytorch_job_builder.hpp>

#include <iostream>

int main() {
    auto const built = kftrain::pytorch_job_builder("mnist")
                           .in("team-a")
                           .image("example.com/mnist:1")
                           .command({"torchrun", "train.py"})
                           .gpus(8)
                           .nproc_per_node(8)
                           .master()
                           .workers(3, [](kftrain::pod_settings& pod) { pod.memory("64Gi"); })
                           .build();
    if (!built) { // the text has path, value and expectation of every fault
        std::cerr << built.error().to_string() << '\n';
        return 1;
    }
    kftrain::any_job const job(*built);
    for (auto const& found : job.lint()) std::cout << found.rule << ": " << found.message << '\n';

    kftrain::member_lookup const who(job);
    auto const member = who.of_process(17).value();
    std::cout << "process 17 runs in " << member.pod_name << ", address " << who.address_of(member) << '\n';
    for (auto const& injected : who.environment_of(member))
        for (auto const& variable : injected.effective())
            std::cout << injected.container << ": " << variable.name << '=' << variable.value << '\n';
    return member.pod_name == "mnist-worker-1" ? 0 : 1;
}
// [readme end]
