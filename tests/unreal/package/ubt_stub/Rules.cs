// What a Build.cs may use, written from public documentation of module and target properties:
// https://dev.epicgames.com/documentation/en-us/unreal-engine/module-properties-in-unreal-engine
// Much is left out on purpose: what is not here does not compile, and is looked up before it is added.
using System;
using System.Collections.Generic;

namespace UnrealBuildTool
{
	public enum TargetType { Game, Editor, Client, Server, Program }

	public enum UnrealTargetConfiguration { Debug, DebugGame, Development, Test, Shipping }

	public enum StagedFileType { UFS, NonUFS, DebugNonUFS, SystemNonUFS }

	// No enum, as in the engine: it does not go into a switch.
	public struct UnrealTargetPlatform
	{
		public static readonly UnrealTargetPlatform Win64 = new UnrealTargetPlatform("Win64");
		public static readonly UnrealTargetPlatform Mac = new UnrealTargetPlatform("Mac");
		public static readonly UnrealTargetPlatform Linux = new UnrealTargetPlatform("Linux");
		public static readonly UnrealTargetPlatform LinuxArm64 = new UnrealTargetPlatform("LinuxArm64");
		public static readonly UnrealTargetPlatform Android = new UnrealTargetPlatform("Android");
		public static readonly UnrealTargetPlatform IOS = new UnrealTargetPlatform("IOS");

		private readonly string Name;

		private UnrealTargetPlatform(string InName) { Name = InName; }

		public static bool operator ==(UnrealTargetPlatform A, UnrealTargetPlatform B) { return A.Name == B.Name; }
		public static bool operator !=(UnrealTargetPlatform A, UnrealTargetPlatform B) { return A.Name != B.Name; }
		public override bool Equals(object Other) { return Other is UnrealTargetPlatform && (UnrealTargetPlatform)Other == this; }
		public override int GetHashCode() { return Name.GetHashCode(); }
		public override string ToString() { return Name; }
	}

	public class ReadOnlyBuildVersion
	{
		public readonly int MajorVersion;
		public readonly int MinorVersion;

		internal ReadOnlyBuildVersion(string Version)
		{
			MajorVersion = int.Parse(Version.Split('.')[0]);
			MinorVersion = int.Parse(Version.Split('.')[1]);
		}
	}

	public class ReadOnlyTargetRules
	{
		public readonly ReadOnlyBuildVersion Version;
		public readonly UnrealTargetPlatform Platform;
		public readonly TargetType Type;
		public readonly UnrealTargetConfiguration Configuration;

		// The stand-in's own: where the engine finds the module.
		internal readonly string StubModuleDirectory;
		internal readonly string StubPluginDirectory;

		internal ReadOnlyTargetRules(UnrealTargetPlatform InPlatform, TargetType InType,
			UnrealTargetConfiguration InConfiguration, string InVersion, string InModule, string InPlugin)
		{
			Version = new ReadOnlyBuildVersion(InVersion);
			Platform = InPlatform;
			Type = InType;
			Configuration = InConfiguration;
			StubModuleDirectory = InModule;
			StubPluginDirectory = InPlugin;
		}

		public bool bBuildEditor { get { return Type == TargetType.Editor; } }
	}

	public class RuntimeDependency
	{
		public string Path;
		public string SourcePath;
		public StagedFileType Type;
	}

	public class RuntimeDependencyList
	{
		internal readonly List<RuntimeDependency> Inner = new List<RuntimeDependency>();

		public void Add(string Path, StagedFileType Type = StagedFileType.NonUFS) { Add(Path, null, Type); }

		public void Add(string Path, string SourcePath, StagedFileType Type = StagedFileType.NonUFS)
		{
			Inner.Add(new RuntimeDependency { Path = Path, SourcePath = SourcePath, Type = Type });
		}
	}

	public class ModuleRules
	{
		public enum ModuleType { CPlusPlus, External }

		public enum PCHUsageMode { Default, NoPCHs, NoSharedPCHs, UseSharedPCHs, UseExplicitOrSharedPCHs }

		public ModuleType Type = ModuleType.CPlusPlus;
		public PCHUsageMode PCHUsage = PCHUsageMode.Default;
		public bool bEnableExceptions = false;
		public bool bUseRTTI = false;

		public readonly string ModuleDirectory;
		public readonly string PluginDirectory;

		public List<string> PublicDefinitions = new List<string>();
		public List<string> PrivateDefinitions = new List<string>();
		public List<string> PublicDependencyModuleNames = new List<string>();
		public List<string> PrivateDependencyModuleNames = new List<string>();
		public List<string> DynamicallyLoadedModuleNames = new List<string>();
		public List<string> PublicIncludePaths = new List<string>();
		public List<string> PublicSystemIncludePaths = new List<string>();
		public List<string> PrivateIncludePaths = new List<string>();
		public List<string> PublicAdditionalLibraries = new List<string>();
		public List<string> PublicRuntimeLibraryPaths = new List<string>();
		public List<string> PublicDelayLoadDLLs = new List<string>();
		public RuntimeDependencyList RuntimeDependencies = new RuntimeDependencyList();

		public ModuleRules(ReadOnlyTargetRules Target)
		{
			ModuleDirectory = Target.StubModuleDirectory;
			PluginDirectory = Target.StubPluginDirectory;
		}
	}
}
