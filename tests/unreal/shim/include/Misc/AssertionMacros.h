// check and checkf end the program; in shipping builds their conditions are not even evaluated.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/asserts-in-unreal-engine
#pragma once

#include "CoreTypes.h"

namespace ue_shim
{
	/** Prints what does not hold, and aborts: a programmer's mistake. */
	[[noreturn]] void Fail(const char* File, int Line, const char* What);
} // namespace ue_shim

// The stand-in's own, in every build.
#define UE_SHIM_CHECK(Condition) ((Condition) ? static_cast<void>(0) : ::ue_shim::Fail(__FILE__, __LINE__, #Condition))
#if UE_BUILD_SHIPPING
#define check(Condition) static_cast<void>(0)
#define checkf(Condition, ...) static_cast<void>(0)
#else
#define check(Condition) UE_SHIM_CHECK(Condition)
#define checkf(Condition, ...) UE_SHIM_CHECK(Condition)
#endif
