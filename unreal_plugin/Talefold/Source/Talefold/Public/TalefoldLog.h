#pragma once

#include "CoreMinimal.h"
#include "Logging/LogMacros.h"

/** The plugin's log, and the engine's: texts of players and models are in it at Verbose only. */
TALEFOLD_API DECLARE_LOG_CATEGORY_EXTERN(LogTalefold, Log, All);
