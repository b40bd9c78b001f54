using System;
using System.IO;
using UnrealBuildTool;

// The native library and its header. It is opened at run time by its path: nothing is linked.
public class TalefoldLibrary : ModuleRules
{
	public TalefoldLibrary(ReadOnlyTargetRules Target) : base(Target)
	{
		Type = ModuleType.External;
		PublicSystemIncludePaths.Add(Path.Combine(ModuleDirectory, "include"));

		string FileName = LibraryFileName(Target.Platform);
		string Folder = Path.Combine(PluginDirectory, "Binaries", "ThirdParty", "TalefoldLibrary", Target.Platform.ToString());
		string Library = FileName == null ? null : Path.Combine(Folder, FileName);
		if (Library == null || !File.Exists(Library))
		{
			// Not an error: the project builds and runs, and the plugin says at run time what is missing.
			Console.WriteLine("Talefold: no native library for " + Target.Platform
				+ (Library == null ? "" : " at " + Library) + "; characters will not talk");
			return;
		}
		// Loose files, for the system opens the library by its path.
		foreach (string Staged in new string[] { FileName, "VERSION.json" })
		{
			RuntimeDependencies.Add(Path.Combine(Folder, Staged), StagedFileType.NonUFS);
		}
	}

	private static string LibraryFileName(UnrealTargetPlatform Platform)
	{
		if (Platform == UnrealTargetPlatform.Linux)
		{
			return "libtalefold_rt.so";
		}
		return null;
	}
}
