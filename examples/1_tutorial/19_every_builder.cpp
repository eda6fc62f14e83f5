// Builds a job of every kind. Each builder checks at compile time that nothing required is missing, and everything else
// in build(). No cluster is needed.
#include <kftrain/kinds/chainer_job_builder.hpp>
#include <kftrain/kinds/jax_job_builder.hpp>
#include <kftrain/kinds/mpi_job_v1_builder.hpp>
#include <kftrain/kinds/mpi_job_v2beta1_builder.hpp>
#include <kftrain/kinds/mx_job_builder.hpp>
#include <kftrain/kinds/paddle_job_builder.hpp>
#include <kftrain/kinds/pytorch_job_builder.hpp>
#include <kftrain/kinds/pytorch_job_v1alpha1_builder.hpp>
#include <kftrain/kinds/tf_job_builder.hpp>
#include <kftrain/kinds/train_job_builder.hpp>
#include <kftrain/kinds/volcano_job_builder.hpp>
#include <kftrain/kinds/xgboost_job_builder.hpp>

#include <kftrain/job/any_job.hpp>

#include <iostream>

namespace v1 = kftrain::kubeflow_v1;
namespace v1alpha1 = kftrain::kubeflow_v1alpha1;
namespace volcano = kftrain::volcano;

int main() {
    std::string const image = "example.com/train:1";
    std::vector<std::string> const python{"python3", "train.py"}, mpirun{"mpirun", "python3", "train.py"};
    std::vector<kftrain::any_job> const jobs{
        kftrain::pytorch_job_builder("torch").image(image).command(python).gpus(8).master().workers(3).build().value(),
        kftrain::tf_job_builder("tf")
            .image(image)
            .command(python)
            .chief()
            .workers(2)
            .parameter_servers(1)
            .build()
            .value(),
        kftrain::jax_job_builder("jax").image(image).command(python).workers(4).build().value(),
        kftrain::xgboost_job_builder("xgb").image(image).command(python).cpu("4").master().workers(2).build().value(),
        kftrain::paddle_job_builder("paddle").image(image).command(python).workers(2).build().value(),
        kftrain::mx_job_builder("mx").image(image).command(python).scheduler().servers(1).workers(2).build().value(),
        kftrain::mpi_job_builder("mpi").image(image).command(mpirun).slots(2).workers(2).build().value(),
        v1::mpi_job_builder("mpi-v1").image(image).command(mpirun).slots(2).workers(2).build().value(),
        kftrain::chainer_job_builder("chainer").image(image).command(mpirun).workers("gpu", 2).build().value(),
        v1alpha1::pytorch_job_builder("torch-v1alpha1").image(image).command(python).workers(2).build().value(),
        kftrain::volcano_job_builder("volcano")
            .image(image)
            .command(python)
            .plugin("pytorch", {"--master=master", "--worker=worker"})
            .task("master", 1)
            .on_task(volcano::policy_event::task_completed, volcano::policy_action::complete)
            .task("worker", 2)
            .build()
            .value(),
        kftrain::train_job_builder("train", "torch-distributed")
            .image(image)
            .command({"torchrun", "train.py"})
            .gpus(8)
            .nodes(4)
            .build()
            .value(),
    };
    for (auto const& job : jobs) {
        std::cout << job.resource().kind << ' ' << job.metadata().name << ':';
        for (auto const& member : job.members().members) std::cout << ' ' << member.role << '-' << member.index;
        std::cout << '\n';
    }

    // A fault is not an exception but a value, with the path, the value and the expectation of each one.
    auto const wrong = kftrain::pytorch_job_builder("torch").image(image).cpu("many").workers(-1).build();
    std::cout << wrong.error().to_string() << '\n';
    return jobs.size() == 12 && wrong.error().code == kftrain::errc::invalid_job ? 0 : 1;
}
