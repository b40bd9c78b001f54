using System;
using System.IO;
using UnrealBuildTool;

// The native library and its header, where `talefold stage-unreal` puts them. The plugin opens the
// library at run time by its path: nothing is linked, and a project without it builds and runs.
public class TalefoldLibrary : ModuleRules
{
	public TalefoldLibrary(ReadOnlyTargetRules Target) : base(Target)
	{
		Type = ModuleType.External;
		RequireEngine(Target.Version);

		string IncludePath = Path.Combine(ModuleDirectory, "include");
		PublicSystemIncludePaths.Add(IncludePath);
		if (!File.Exists(Path.Combine(IncludePath, "talefold", "talefold.h")))
		{
			Console.WriteLine("Talefold: talefold/talefold.h is not in " + IncludePath
				+ ": the plugin will not compile; use a folder that `talefold stage-unreal` wrote");
		}

		StageLibrary(Target.Platform);
	}

	// Before it, instanced structs were elsewhere: the compiler would only say that a header is missing.
	private static void RequireEngine(ReadOnlyBuildVersion Version)
	{
		if (Version.MajorVersion < 5 || (Version.MajorVersion == 5 && Version.MinorVersion < 5))
		{
			throw new Exception("Talefold needs Unreal Engine 5.5 or newer; this is "
				+ Version.MajorVersion + "." + Version.MinorVersion);
		}
	}

	// Two loose files, for the system opens the library by its path. Without it the game says at run
	// time what is missing.
	private void StageLibrary(UnrealTargetPlatform Platform)
	{
		string FileName = LibraryFileName(Platform);
		if (FileName == null)
		{
			Console.WriteLine("Talefold: there is no native library for " + Platform + "; characters will not talk");
			return;
		}
		string Folder = Path.Combine(PluginDirectory, "Binaries", "ThirdParty", "TalefoldLibrary", Platform.ToString());
		string Library = Path.Combine(Folder, FileName);
		if (!File.Exists(Library))
		{
			Console.WriteLine("Talefold: there is no " + Library + "; characters will not talk");
			return;
		}
		RuntimeDependencies.Add(Library, StagedFileType.NonUFS);

		string Version = Path.Combine(Folder, "VERSION.json");
		if (File.Exists(Version))
		{
			RuntimeDependencies.Add(Version, StagedFileType.NonUFS);
		}
	}

	private static string LibraryFileName(UnrealTargetPlatform Platform)
	{
		if (Platform == UnrealTargetPlatform.Linux)
		{
			return "libtalefold_rt.so";
		}
		if (Platform == UnrealTargetPlatform.Win64)
		{
			return "talefold_rt.dll";
		}
		return null;
	}
}
