#include "GameFramework/SaveGame.h"

#include "Kismet/GameplayStatics.h"
#include "Misc/Paths.h"
#include "ue_shim/Control.h"

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace
{
	using FMembers = std::map<std::string, std::string>;

	/** Writes members by their path, or reads those there are: what a save lacks keeps its default. */
	class FSaveVisitor : public ue_shim::FPropertyVisitor
	{
	public:
		enum class EWhich
		{
			Marked,    // as an archive of the game's own with ArIsSaveGame
			Persistent // as slots: all that is not transient
		};
		FSaveVisitor(EWhich InWhich, bool bInReads, FMembers& InMembers)
			: Which(InWhich)
			, bReads(bInReads)
			, Members(InMembers)
		{
		}

	private:
		bool Enter(const ue_shim::FPropertyTable& Table) override
		{
			if (Which == EWhich::Marked ? !Table.bSaveGame : Table.bTransient)
			{
				return false;
			}
			Path.push_back(ue_shim::ToUtf8(Table.Name));
			return true;
		}
		void Leave() override { Path.pop_back(); }

		/** Calls Write or Read with the member's text; neither when it is not there. */
		template <typename WriteType, typename ReadType>
		void Member(WriteType Write, ReadType Read)
		{
			std::string Key;
			for (const std::string& Part : Path)
			{
				Key += "/" + Part;
			}
			if (!bReads)
			{
				Members[Key] = Write();
			}
			else if (Members.contains(Key))
			{
				Read(Members[Key]);
			}
		}
		void Text(FString& Value) override
		{
			Member([&] { return ue_shim::ToUtf8(Value.View()); },
				[&](const std::string& Saved) { Value = FString(ue_shim::FromUtf8(Saved)); });
		}
		void Whole(int64& Value) override
		{
			Member([&] { return std::to_string(Value); },
				[&](const std::string& Saved) { Value = std::strtoll(Saved.c_str(), nullptr, 10); });
		}
		void Real(double& Value) override
		{
			Member(
				[&] {
					char Buffer[64];
					std::snprintf(Buffer, sizeof Buffer, "%a", Value);
					return std::string(Buffer);
				},
				[&](const std::string& Saved) { Value = std::strtod(Saved.c_str(), nullptr); });
		}
		void Bytes(TArray<uint8>& Value) override
		{
			Member(
				[&] { return std::string(reinterpret_cast<const char*>(Value.GetData()), static_cast<std::size_t>(Value.Num())); },
				[&](const std::string& Saved) {
					Value = TArray<uint8>(reinterpret_cast<const uint8*>(Saved.data()), static_cast<int32>(Saved.size()));
				});
		}
		int32 Count(int32 Number) override
		{
			int64 Counted = Number;
			Path.push_back("#");
			Whole(Counted);
			Path.pop_back();
			return static_cast<int32>(Counted);
		}
		void Reference(UObject*&) override { ue_shim::Fail("save", 0, "the stand-in saves no references to objects"); }
		void Other(const char* Type) override { ue_shim::Fail("save", 0, Type); } // which it does not save

		const EWhich Which;
		const bool bReads;
		FMembers& Members;
		std::vector<std::string> Path;
	};

	void Write(std::ostream& File, const FMembers& Members)
	{
		for (const auto& [Key, Value] : Members)
		{
			File << Key << '\n'
				 << Value.size() << '\n'
				 << Value << '\n';
		}
	}

	/** False where the text is cut or is something else. */
	bool Read(std::istream& File, FMembers& Members)
	{
		for (std::string Key; std::getline(File, Key);)
		{
			std::size_t Size = 0;
			if (!(File >> Size))
			{
				return false;
			}
			File.ignore();
			std::string Value(Size, 0);
			File.read(Value.data(), static_cast<std::streamsize>(Size));
			File.ignore();
			Members[Key] = Value;
		}
		return File.eof() && !File.bad();
	}

	std::filesystem::path SlotPath(const FString& Slot)
	{
		const FString Path = FPaths::ProjectSavedDir() + TEXT("SaveGames/") + Slot + TEXT(".sav");
		return ue_shim::ToUtf8(FPaths::ConvertRelativePathToFull(Path).View());
	}

	const char* const ClassKey = "class";

	bool WriteSlot(const std::filesystem::path& Path, const FMembers& Members)
	{
		std::error_code Ignored;
		std::filesystem::create_directories(Path.parent_path(), Ignored);
		std::ofstream File(Path, std::ios::binary);
		Write(File, Members);
		return static_cast<bool>(File.flush());
	}

	bool ReadSlot(const std::filesystem::path& Path, FMembers& Members)
	{
		std::ifstream File(Path, std::ios::binary);
		return File && Read(File, Members) && Members.contains(ClassKey);
	}
} // namespace

void UGameplayStatics::AsyncSaveGameToSlot(
	USaveGame* SaveGame, const FString& Slot, int32 UserIndex, FAsyncSaveGameToSlotDelegate Saved)
{
	UE_SHIM_CHECK(IsInGameThread());
	FMembers Members;
	FSaveVisitor Visitor(FSaveVisitor::EWhich::Persistent, false, Members);
	SaveGame->GetClass()->Visit(SaveGame, Visitor); // at once: the object may change
	Members[ClassKey] = ue_shim::ToUtf8(SaveGame->GetClass()->Name.View());
	ue_shim::InThread([=]() -> TUniqueFunction<void()> {
		const bool bSaved = WriteSlot(SlotPath(Slot), Members);
		return [=] { Saved.ExecuteIfBound(Slot, UserIndex, bSaved); };
	});
}

void UGameplayStatics::AsyncLoadGameFromSlot(const FString& Slot, int32 UserIndex, FAsyncLoadGameFromSlotDelegate Loaded)
{
	UE_SHIM_CHECK(IsInGameThread());
	ue_shim::InThread([=]() -> TUniqueFunction<void()> {
		FMembers Members;
		const bool bRead = ReadSlot(SlotPath(Slot), Members);
		return [=]() mutable {
			UClass* const Class = bRead ? ue_shim::FindClass(FString(ue_shim::FromUtf8(Members[ClassKey]))) : nullptr;
			USaveGame* const SaveGame = Class == nullptr ? nullptr : static_cast<USaveGame*>(ue_shim::NewObject(Class, nullptr));
			if (SaveGame != nullptr)
			{
				FSaveVisitor Visitor(FSaveVisitor::EWhich::Persistent, true, Members);
				Class->Visit(SaveGame, Visitor);
			}
			Loaded.ExecuteIfBound(Slot, UserIndex, SaveGame);
		};
	});
}

bool UGameplayStatics::DoesSaveGameExist(const FString& Slot, const int32 /*UserIndex*/)
{
	return std::filesystem::exists(SlotPath(Slot));
}

bool UGameplayStatics::DeleteGameInSlot(const FString& Slot, const int32 /*UserIndex*/)
{
	return std::filesystem::remove(SlotPath(Slot));
}

FString ue_shim::SaveMarkedBy(void* Memory, void (*Visit)(void*, FPropertyVisitor&))
{
	FMembers Members;
	FSaveVisitor Visitor(FSaveVisitor::EWhich::Marked, false, Members);
	Visit(Memory, Visitor);
	std::ostringstream Saved;
	Write(Saved, Members);
	return FString(FromUtf8(Saved.str()));
}

void ue_shim::LoadMarkedBy(const FString& Saved, void* Memory, void (*Visit)(void*, FPropertyVisitor&))
{
	FMembers Members;
	std::istringstream File(ToUtf8(Saved.View()));
	UE_SHIM_CHECK(Read(File, Members));
	FSaveVisitor Visitor(FSaveVisitor::EWhich::Marked, true, Members);
	Visit(Memory, Visitor);
}
