#include "TalefoldSettings.h"

#include "Bridge/TalefoldContent.h"
#include "Bridge/TalefoldJson.h"
#include "TalefoldParams.h"
#include "Misc/Paths.h"

namespace
{
	/** Files of models and content lie in the project's folder or in its Content, also when packaged. */
	FString ResolveInProject(const FString& Path)
	{
		if (!FPaths::IsRelative(Path))
		{
			return Path;
		}
		const FString InContent = FPaths::Combine(FPaths::ProjectContentDir(), Path);
		const bool bInContent = FPaths::FileExists(InContent) || FPaths::DirectoryExists(InContent);
		return FPaths::ConvertRelativePathToFull(bInContent ? InContent : FPaths::Combine(FPaths::ProjectDir(), Path));
	}

	TSharedRef<FJsonObject> ToOptions(const FTalefoldModelEntry& Entry)
	{
		const TSharedRef<FJsonObject> Options = MakeShared<FJsonObject>();
		Options->SetStringField(TEXT("path"), ResolveInProject(Entry.File.FilePath));
		Options->SetNumberField(TEXT("n_gpu_layers"), Entry.GpuLayers);
		Options->SetNumberField(TEXT("default_context_size"), Entry.DefaultContextSize);
		Options->SetStringField(TEXT("chat_template"), Entry.ChatTemplate);
		Options->SetBoolField(TEXT("keep_reasoning"), Entry.bKeepReasoning);
		Options->SetObjectField(TEXT("default_sampling"), TalefoldParams::ToJson(Entry.DefaultSampling));
		return Options;
	}

	TSharedRef<FJsonObject> ToOptions(const FTalefoldEmbeddingModelEntry& Entry)
	{
		const TSharedRef<FJsonObject> Options = MakeShared<FJsonObject>();
		Options->SetStringField(TEXT("path"), ResolveInProject(Entry.File.FilePath));
		Options->SetNumberField(TEXT("n_gpu_layers"), Entry.GpuLayers);
		return Options;
	}

	TSharedRef<FJsonObject> ToOptions(const FTalefoldKnowledgeEntry& Entry)
	{
		const TSharedRef<FJsonObject> Options = MakeShared<FJsonObject>();
		Options->SetStringField(TEXT("config_file"), Entry.ConfigFile); // the library looks in the storage root
		return Options;
	}

	template <typename EntryType>
	bool FindEntry(const TArray<EntryType>& Entries, const FString& Name, FString& Options)
	{
		// By case: names are those of graph files.
		const EntryType* Found = Entries.FindByPredicate(
			[&Name](const EntryType& Each) { return Each.Name.Equals(Name, ESearchCase::CaseSensitive); });
		if (Found != nullptr)
		{
			Options = TalefoldJson::Write(ToOptions(*Found));
		}
		return Found != nullptr;
	}
} // namespace

FString UTalefoldSettings::DefaultModel() const
{
	return DefaultModelName.IsEmpty() && bUseScriptedModel ? FString(TEXT("scripted")) : DefaultModelName;
}

FString UTalefoldSettings::EngineOptions() const
{
	const TSharedRef<FJsonObject> Options = MakeShared<FJsonObject>();
	Options->SetNumberField(TEXT("worker_threads"), WorkerThreads);
	Options->SetNumberField(TEXT("max_message_bytes"), MaxMessageBytes);
	Options->SetNumberField(TEXT("max_steps_per_turn"), MaxStepsPerTurn);
	Options->SetNumberField(TEXT("kv_cache_bytes"), static_cast<double>(KvCacheMegabytes) * 1024.0 * 1024.0);
	Options->SetNumberField(TEXT("slots_per_pool"), SlotsPerPool);
	Options->SetBoolField(TEXT("deterministic"), bDeterministic);
	Options->SetBoolField(TEXT("prewarm"), bPrewarm);
	if (!StorageRoot.Path.IsEmpty())
	{
		Options->SetStringField(TEXT("storage_root"), ResolveInProject(StorageRoot.Path));
	}
	return TalefoldJson::Write(Options);
}

bool UTalefoldSettings::FindOptions(ETalefoldContent Kind, const FString& Name, FString& Options) const
{
	switch (Kind)
	{
	case ETalefoldContent::EmbeddingModel:
		return FindEntry(EmbeddingModels, Name, Options);
	case ETalefoldContent::Knowledge:
		return FindEntry(Knowledge, Name, Options);
	case ETalefoldContent::Model:
	default:
		return FindEntry(Models, Name, Options);
	}
}

TArray<FString> UTalefoldSettings::GetModelNames()
{
	TArray<FString> Names = {FString()};
	for (const FTalefoldModelEntry& Entry : GetDefault<UTalefoldSettings>()->Models)
	{
		Names.Add(Entry.Name);
	}
	return Names;
}
