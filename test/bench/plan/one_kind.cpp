// A program that uses one kind by its type; `scripts/measure size` prints its size.
#include <kftrain/job/any_job.hpp>
#include <kftrain/kinds/pytorch_job_builder.hpp>

#include <cstdio>

int main() {
    auto const built = kftrain::pytorch_job_builder("small").in("team").image("none").master().workers(2).build();
    if (!built) return 1;
    kftrain::any_job const job(*built);
    for (auto const& object : job.render()) std::puts(object.to_json().c_str());
    return job.lint().empty() ? 0 : 1;
}
