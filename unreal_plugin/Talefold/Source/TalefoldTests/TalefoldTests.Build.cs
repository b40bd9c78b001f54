using System.IO;
using UnrealBuildTool;

// The specs also test below the public headers: what they use there is exported all the same.
public class TalefoldTests : ModuleRules
{
	public TalefoldTests(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		PrivateIncludePaths.Add(Path.Combine(ModuleDirectory, "..", "Talefold", "Private"));
		PrivateDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine", "Talefold", "TalefoldLibrary" });
	}
}
