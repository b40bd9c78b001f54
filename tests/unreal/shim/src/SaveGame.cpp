#include "ue_shim/Control.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace
{
	/** Writes the members that are marked SaveGame, by their path, or reads those there are. */
	class FSaveVisitor : public ue_shim::FPropertyVisitor
	{
	public:
		std::map<std::string, std::string> Members;
		bool bReads = false;

	private:
		bool Enter(const ue_shim::FPropertyTable& Table) override
		{
			if (!Table.bSaveGame)
			{
				return false;
			}
			Path.push_back(ue_shim::ToUtf8(Table.Name));
			return true;
		}
		void Leave(const ue_shim::FPropertyTable&) override { Path.pop_back(); }
		std::string* Member()
		{
			std::string Key;
			for (const std::string& Part : Path)
			{
				Key += "/" + Part;
			}
			if (bReads && !Members.contains(Key))
			{
				return nullptr; // an older save: the default stays
			}
			return &Members[Key];
		}
		void Text(FString& Value) override
		{
			std::string* const Saved = Member();
			if (Saved != nullptr && bReads)
			{
				Value = FString(ue_shim::FromUtf8(*Saved));
			}
			else if (Saved != nullptr)
			{
				*Saved = ue_shim::ToUtf8(Value.View());
			}
		}
		void Bytes(TArray<uint8>& Value) override
		{
			std::string* const Saved = Member();
			if (Saved != nullptr && bReads)
			{
				Value = TArray<uint8>(reinterpret_cast<const uint8*>(Saved->data()), static_cast<int32>(Saved->size()));
			}
			else if (Saved != nullptr)
			{
				Saved->assign(reinterpret_cast<const char*>(Value.GetData()), static_cast<std::size_t>(Value.Num()));
			}
		}
		std::vector<std::string> Path;
	};

	std::filesystem::path SlotPath(const FString& Slot)
	{
		return ue_shim::ToUtf8((FPaths::ProjectSavedDir() + TEXT("SaveGames/") + Slot + TEXT(".sav")).View());
	}

	bool WriteSlot(const std::filesystem::path& Path, const std::string& ClassName, const std::map<std::string, std::string>& Members)
	{
		std::error_code Ignored;
		std::filesystem::create_directories(Path.parent_path(), Ignored);
		std::ofstream File(Path, std::ios::binary);
		File << ClassName << '\n'
			 << Members.size() << '\n';
		for (const auto& [Key, Value] : Members)
		{
			File << Key << '\n'
				 << Value.size() << '\n'
				 << Value << '\n';
		}
		return static_cast<bool>(File.flush());
	}

	bool ReadSlot(const std::filesystem::path& Path, std::string& ClassName, std::map<std::string, std::string>& Members)
	{
		std::ifstream File(Path, std::ios::binary);
		std::size_t Count = 0;
		if (!std::getline(File, ClassName) || !(File >> Count))
		{
			return false;
		}
		File.ignore();
		for (std::size_t Index = 0; Index < Count; ++Index)
		{
			std::string Key;
			std::size_t Size = 0;
			if (!std::getline(File, Key) || !(File >> Size))
			{
				return false;
			}
			File.ignore();
			std::string Value(Size, 0);
			File.read(Value.data(), static_cast<std::streamsize>(Size));
			File.ignore();
			Members[Key] = Value;
		}
		return static_cast<bool>(File);
	}

	/** On another thread, as the engine's task graph does; joined before the answer. */
	void InThread(TUniqueFunction<TUniqueFunction<void()>()> Work)
	{
		const TSharedRef<std::thread> Thread = MakeShared<std::thread>();
		*Thread = std::thread([Thread, Work = std::move(Work)] {
			ue_shim::OnNextFrame([Thread, Then = Work()] {
				Thread->join();
				Then();
			});
		});
	}
} // namespace

void UGameplayStatics::AsyncSaveGameToSlot(
	USaveGame* SaveGame, const FString& Slot, int32 UserIndex, FAsyncSaveGameToSlotDelegate Saved)
{
	const TSharedRef<FSaveVisitor> Visitor = MakeShared<FSaveVisitor>();
	SaveGame->GetClass()->Visit(SaveGame, *Visitor); // at once: the object may change
	const std::string ClassName = ue_shim::ToUtf8(SaveGame->GetClass()->Name.View());
	InThread([=]() -> TUniqueFunction<void()> {
		const bool bSaved = WriteSlot(SlotPath(Slot), ClassName, Visitor->Members);
		return [=] { Saved.ExecuteIfBound(Slot, UserIndex, bSaved); };
	});
}

void UGameplayStatics::AsyncLoadGameFromSlot(const FString& Slot, int32 UserIndex, FAsyncLoadGameFromSlotDelegate Loaded)
{
	InThread([=]() -> TUniqueFunction<void()> {
		const TSharedRef<FSaveVisitor> Visitor = MakeShared<FSaveVisitor>();
		Visitor->bReads = true;
		std::string ClassName;
		const bool bRead = ReadSlot(SlotPath(Slot), ClassName, Visitor->Members);
		return [=] {
			UClass* const Class = bRead ? ue_shim::FindClass(FString(ue_shim::FromUtf8(ClassName))) : nullptr;
			USaveGame* const SaveGame = Class == nullptr ? nullptr : static_cast<USaveGame*>(ue_shim::NewObject(Class, nullptr));
			if (SaveGame != nullptr)
			{
				Class->Visit(SaveGame, *Visitor);
			}
			Loaded.ExecuteIfBound(Slot, UserIndex, SaveGame);
		};
	});
}
