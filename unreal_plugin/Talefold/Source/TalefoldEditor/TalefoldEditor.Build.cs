using UnrealBuildTool;

public class TalefoldEditor : ModuleRules
{
	public TalefoldEditor(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine", "UnrealEd", "Talefold" });
	}
}
