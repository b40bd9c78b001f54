using UnrealBuildTool;

public class TalefoldEditor : ModuleRules
{
	public TalefoldEditor(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "UnrealEd" });
		PrivateDependencyModuleNames.AddRange(new string[] { "Engine", "Talefold" });
	}
}
