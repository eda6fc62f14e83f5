#ifndef KFTRAIN_SRC_FACADE_LOG_FOLLOWER_HPP
#define KFTRAIN_SRC_FACADE_LOG_FOLLOWER_HPP

#include "facade/follow/job_board.hpp"
#include "facade/logs/log_session.hpp"

#include <kftrain/facade/job_reference.hpp>

namespace kftrain {

/** Reads the output of a job into a session, until log_session::end() is called or the session is stopped. Its pending
    operations keep it alive; it shares the informer of pods with the other users of the board.
    @par Thread safety To be called on the executor of the client */
void start_following(std::shared_ptr<log_session> session, std::shared_ptr<detail::job_board> board, job_reference job);

} // namespace kftrain

#endif
