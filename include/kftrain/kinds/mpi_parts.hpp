#ifndef KFTRAIN_KINDS_MPI_PARTS_HPP
#define KFTRAIN_KINDS_MPI_PARTS_HPP

#include <kftrain/job/v1/job_builder.hpp>

namespace kftrain {

/** The base of the builders of MPIJobs: launcher, workers and slots.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <template <unsigned> class Builder, unsigned Parts, class Choices>
class mpi_parts : public counted_workers<Builder, Parts, Choices> {
    using base = counted_workers<Builder, Parts, Choices>;
    enum part : unsigned { launcher_part = 4, working_launcher_part = 8 };

public:
    using base::base;

    /// Customizes the pod of the launcher, which every job has.
    [[nodiscard]] Builder<Parts | launcher_part> launcher(pod_change own) const {
        static_assert(!base::has(launcher_part), "launcher() was called already");
        return base::template given<launcher_part>(&Choices::launcher, std::move(own));
    }

    /// Gives the launcher devices like a worker and makes it the first of the hosts; in v1 only if the name of
    /// a device contains `gpu`.
    [[nodiscard]] Builder<Parts | working_launcher_part> launcher_as_worker() const {
        static_assert(!launcher_works, "launcher_as_worker() was called already");
        return base::template given<working_launcher_part>(&Choices::launcher_works, true);
    }

    /// Sets the number of processes on each host.
    template <whole_number N> Builder<Parts>& slots(N per_host) {
        this->own_.slots = detail::fit(detail::widen(per_host), "spec.slotsPerWorker", this->own_.problems);
        return this->self();
    }

protected:
    static constexpr bool launcher_works = base::has(working_launcher_part);
};

} // namespace kftrain

#endif
