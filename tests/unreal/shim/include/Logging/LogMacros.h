// UE_LOG: lines are kept for the tests; an Error that no test expected fails the test that runs, and a
// Fatal ends the program. Shipping builds have no log: what is only logged is then not evaluated.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/logging-in-unreal-engine
#pragma once

#include "Containers/UnrealString.h"

namespace ELogVerbosity
{
	enum Type : uint8
	{
		NoLogging,
		Fatal,
		Error,
		Warning,
		Display,
		Log,
		Verbose,
		VeryVerbose,
		All
	};
} // namespace ELogVerbosity

struct FLogCategoryBase
{
	const TCHAR* Name;
};

namespace ue_shim
{
	void WriteLog(const FLogCategoryBase& Category, ELogVerbosity::Type Verbosity, const FString& Text);
} // namespace ue_shim

#define UE_SHIM_LOG_NAME(Literal) u##Literal
#define DECLARE_LOG_CATEGORY_EXTERN(Name, Default, Compiled) \
	extern const FLogCategoryBase Name;                      \
	static_assert(ELogVerbosity::Default <= ELogVerbosity::All && ELogVerbosity::Compiled <= ELogVerbosity::All)
#define DEFINE_LOG_CATEGORY(Name) \
	const FLogCategoryBase Name   \
	{                             \
		UE_SHIM_LOG_NAME(#Name)   \
	}
#if UE_BUILD_SHIPPING
#define UE_LOG(Category, Verbosity, Format, ...) static_cast<void>(ELogVerbosity::Verbosity)
#else
#define UE_LOG(Category, Verbosity, Format, ...) \
	ue_shim::WriteLog(Category, ELogVerbosity::Verbosity, FString::Printf(Format __VA_OPT__(, ) __VA_ARGS__))
#endif
