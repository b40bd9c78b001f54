// unreal_graphs: reads graph files as the plugin does, and writes them again. A line in, the text of a
// file in an array of one; a line out, {"value": text} or {"error": message, "code": number}.
#include "Bridge/TalefoldJson.h"
#include "Generated/TalefoldGraphDescription.h"

#include <iostream>

namespace
{
	TSharedRef<FJsonObject> Perform(const FString& Json, FTalefoldGraphDescription& Graph)
	{
		const TSharedRef<FJsonObject> Answer = MakeShared<FJsonObject>();
		const FString Before = Graph.ToJson();
		FTalefoldError Error;
		if (FTalefoldGraphDescription::FromJson(Json, Graph, Error))
		{
			Answer->SetStringField(TEXT("value"), Graph.ToJson());
			return Answer;
		}
		check(Error.IsError() && Graph.ToJson().Equals(Before, ESearchCase::CaseSensitive));
		Answer->SetStringField(TEXT("error"), Error.Message);
		Answer->SetNumberField(TEXT("code"), Error.Code);
		return Answer;
	}
} // namespace

int main()
{
	FTalefoldGraphDescription Graph; // what was read last
	for (std::string Line; std::getline(std::cin, Line);)
	{
		const TArray<FString> Texts = TalefoldJson::ReadTexts(FString(ue_shim::FromUtf8(Line)));
		check(Texts.Num() == 1);
		std::cout << ue_shim::ToUtf8(*TalefoldJson::Write(Perform(Texts[0], Graph))) << std::endl;
	}
	return 0;
}
