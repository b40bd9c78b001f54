// unreal_specs PLUGIN_FOLDER PROJECT_FOLDER [FILTER [PROGRAM_FOLDER]]: runs the plugin's Automation specs.
// An empty PLUGIN_FOLDER: a packaged game without plugins.
#include "Misc/AutomationTest.h"
#include "ue_shim/Control.h"

#include <cstdio>

int main(int Count, char** Arguments)
{
	if (Count < 3)
	{
		return 2;
	}
	const auto Argument = [&](int Index) { return Index < Count ? FString(ue_shim::FromUtf8(Arguments[Index])) : FString(); };
	const FString Program = Argument(4).IsEmpty() ? FString(TEXT("/nowhere")) : Argument(4);
	ue_shim::SetFolders({Argument(1), Program + TEXT("/"), Argument(2) + TEXT("/")});
	const int32 Failed = ue_shim::RunSpecs(Argument(3));
	const int32 Left = ue_shim::Shutdown();
	if (Left != 0)
	{
		std::printf("FAIL objects left at the end: %d\n", Left);
	}
	return Failed == 0 && Left == 0 ? 0 : 1;
}
