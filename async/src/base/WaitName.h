#pragma once

namespace dash::exec {

/// Name of a wait of the calling thread in the timeline, from its current activities.
/// \param otherwise  the name if the activities do not say what the thread waits for
const char* name_of_wait(const char* otherwise) noexcept;

}  // namespace dash::exec
