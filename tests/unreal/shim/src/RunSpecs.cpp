// unreal_specs PLUGIN_FOLDER PROJECT_FOLDER [FILTER]: runs the plugin's Automation specs.
#include "ue_shim/Automation.h"
#include "ue_shim/Control.h"

int main(int Count, char** Arguments)
{
	if (Count < 3)
	{
		return 2;
	}
	const auto Argument = [&](int Index) { return Index < Count ? FString(ue_shim::FromUtf8(Arguments[Index])) : FString(); };
	ue_shim::SetFolders({Argument(1), TEXT("/nowhere/"), Argument(2) + TEXT("/")});
	const int32 Failed = ue_shim::RunSpecs(Argument(3));
	CollectGarbage();
	ue_shim::ShutdownModules();
	return Failed == 0 ? 0 : 1;
}
