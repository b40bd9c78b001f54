using UnrealBuildTool;

public class Talefold : ModuleRules
{
	public Talefold(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine", "DeveloperSettings" });
		PrivateDependencyModuleNames.AddRange(new string[] { "Json", "Projects", "TalefoldLibrary" });
	}
}
