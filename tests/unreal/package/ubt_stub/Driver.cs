// Makes the rules of every module for many targets, as the build tool does, and prints them as JSON.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using UnrealBuildTool;

public static class Driver
{
	private static readonly UnrealTargetPlatform[] Platforms = {
		UnrealTargetPlatform.Linux, UnrealTargetPlatform.Win64, UnrealTargetPlatform.Mac };
	private static readonly TargetType[] Types = { TargetType.Editor, TargetType.Game, TargetType.Server };
	private static readonly UnrealTargetConfiguration[] Configurations = {
		UnrealTargetConfiguration.Development, UnrealTargetConfiguration.Shipping };

	// Arguments: the plugin's folder, the engine's version.
	public static int Main(string[] Arguments)
	{
		string Plugin = Arguments[0];
		string Version = Arguments[1];
		List<object> Results = new List<object>();
		foreach (string File in Directory.GetFiles(Plugin, "*.Build.cs", SearchOption.AllDirectories).OrderBy(Each => Each))
		{
			string Name = Path.GetFileName(File).Replace(".Build.cs", "");
			foreach (UnrealTargetPlatform Platform in Platforms)
			foreach (TargetType Type in Types)
			foreach (UnrealTargetConfiguration Configuration in Configurations)
			{
				ReadOnlyTargetRules Target = new ReadOnlyTargetRules(
					Platform, Type, Configuration, Version, Path.GetDirectoryName(File), Plugin);
				Results.Add(Make(Name, Target));
			}
		}
		byte[] Bytes = new UTF8Encoding(false).GetBytes(ToJson(Results));
		Console.OpenStandardOutput().Write(Bytes, 0, Bytes.Length);
		return 0;
	}

	private static Dictionary<string, object> Make(string Name, ReadOnlyTargetRules Target)
	{
		Dictionary<string, object> Result = new Dictionary<string, object> {
			{ "Module", Name },
			{ "Platform", Target.Platform.ToString() },
			{ "TargetType", Target.Type.ToString() },
			{ "Configuration", Target.Configuration.ToString() },
		};
		StringWriter Said = new StringWriter();
		TextWriter Usual = Console.Out;
		Console.SetOut(Said);
		try
		{
			Type Class = Assembly.GetExecutingAssembly().GetType(Name);
			if (Class == null)
			{
				throw new Exception("no class " + Name);
			}
			ModuleRules Rules = (ModuleRules)Activator.CreateInstance(Class, Target);
			foreach (FieldInfo Field in typeof(ModuleRules).GetFields())
			{
				Result[Field.Name] = Field.GetValue(Rules);
			}
		}
		catch (Exception Failure)
		{
			Result["Error"] = (Failure.InnerException ?? Failure).Message;
		}
		finally
		{
			Console.SetOut(Usual);
		}
		Result["Said"] = Said.ToString();
		return Result;
	}

	private static string ToJson(object Value)
	{
		if (Value == null)
		{
			return "null";
		}
		if (Value is bool)
		{
			return (bool)Value ? "true" : "false";
		}
		if (Value is RuntimeDependencyList)
		{
			return ToJson(((RuntimeDependencyList)Value).Inner);
		}
		if (Value is RuntimeDependency)
		{
			RuntimeDependency Each = (RuntimeDependency)Value;
			return ToJson(new Dictionary<string, object> {
				{ "Path", Each.Path }, { "SourcePath", Each.SourcePath }, { "Type", Each.Type } });
		}
		if (Value is Dictionary<string, object>)
		{
			return "{" + string.Join(",", ((Dictionary<string, object>)Value)
				.Select(Each => Quoted(Each.Key) + ":" + ToJson(Each.Value))) + "}";
		}
		if (Value is IEnumerable && !(Value is string))
		{
			return "[" + string.Join(",", ((IEnumerable)Value).Cast<object>().Select(ToJson)) + "]";
		}
		return Quoted(Value.ToString());
	}

	private static string Quoted(string Text)
	{
		StringBuilder Result = new StringBuilder("\"");
		foreach (char Unit in Text)
		{
			bool bPlain = Unit >= ' ' && Unit < 127 && Unit != '"' && Unit != '\\';
			Result.Append(bPlain ? Unit.ToString() : "\\u" + ((int)Unit).ToString("x4", CultureInfo.InvariantCulture));
		}
		return Result.Append('"').ToString();
	}
}
