#ifndef KFTRAIN_SRC_CONTROL_LEADER_RECORD_HPP
#define KFTRAIN_SRC_CONTROL_LEADER_RECORD_HPP

#include <kftrain/control/leader_election.hpp>
#include <kftrain/objects/coordination/lease.hpp>

#include <chrono>

namespace kftrain::control {

// The fields of a Lease that candidates write. All other content stays.

/// The Lease of a candidate that found none; `before` is what it saw last, if anything: the count of leaders continues.
coordination::lease first_lease(leader_election_options const& by, coordination::lease const& before);
/// `seen`, held by this candidate: still, or again.
coordination::lease held_by(coordination::lease seen, leader_election_options const& by, bool again);
/// `seen`, given back.
coordination::lease held_by_nobody(coordination::lease seen);

/// For how long after it was seen to change a lease is held.
std::chrono::milliseconds duration_of(coordination::lease const& seen, leader_election_options const& by);

} // namespace kftrain::control

#endif
