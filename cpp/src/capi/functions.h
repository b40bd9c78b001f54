// The functions of the C interface's table, by what they are about.
#pragma once

#include "talefold/talefold.h"

namespace talefold::capi {

// Each sets its members of the table.
void AddGeneralFunctions(talefold_api& api);
void AddGraphFunctions(talefold_api& api);
void AddEngineFunctions(talefold_api& api);
void AddContentFunctions(talefold_api& api);
void AddSpeechFunctions(talefold_api& api);
void AddAgentFunctions(talefold_api& api);
void AddTaskFunctions(talefold_api& api);
void AddSceneFunctions(talefold_api& api);

}  // namespace talefold::capi
