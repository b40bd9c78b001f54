"""The specifiers and metadata that the engine's documentation knows.

https://dev.epicgames.com/documentation/en-us/unreal-engine/class-specifiers and its
neighbours property-specifiers, ufunctions-in-unreal-engine, structs-in-unreal-engine
and metadata-specifiers-in-unreal-engine. What the engine does not know it ignores, so
a misspelt one would do nothing.
"""

from __future__ import annotations

CLASS = frozenset(
    """
    Abstract AdvancedClassDisplay AutoCollapseCategories AutoExpandCategories
    Blueprintable BlueprintType ClassGroup CollapseCategories Config Const
    ConversionRoot CustomConstructor DefaultConfig DefaultToInstanced DependsOn
    Deprecated DontAutoCollapseCategories DontCollapseCategories EditInlineNew
    HideCategories HideDropdown HideFunctions Intrinsic MinimalAPI NoExport
    NonTransient NotBlueprintable NotPlaceable PerObjectConfig Placeable ShowCategories
    ShowFunctions Transient Within
    """.split()
)
STRUCT = frozenset("Atomic BlueprintType Immutable NoExport".split())
ENUM = frozenset(["BlueprintType"])
FUNCTION = frozenset(
    """
    BlueprintAuthorityOnly BlueprintCallable BlueprintCosmetic BlueprintGetter
    BlueprintImplementableEvent BlueprintNativeEvent BlueprintPure BlueprintSetter
    CallInEditor Category Client CustomThunk Exec NetMulticast Reliable SealedEvent
    Server ServiceRequest ServiceResponse Unreliable WithValidation
    """.split()
)
PROPERTY = frozenset(
    """
    AdvancedDisplay AssetRegistrySearchable BlueprintAssignable BlueprintAuthorityOnly
    BlueprintCallable BlueprintGetter BlueprintReadOnly BlueprintReadWrite
    BlueprintSetter Category Config DuplicateTransient EditAnywhere EditDefaultsOnly
    EditFixedSize EditInstanceOnly Export GlobalConfig Instanced Interp Localized Native
    NoClear NoExport NonPIEDuplicateTransient NonTransactional NotReplicated Replicated
    ReplicatedUsing RepRetry SaveGame SerializeText SimpleDisplay SkipSerialization
    TextExportTransient Transient VisibleAnywhere VisibleDefaultsOnly
    VisibleInstanceOnly
    """.split()
)

_META = frozenset(
    "DeprecationMessage DisplayName ScriptName ShortToolTip ToolTip".split()
)
CLASS_META = _META | frozenset(
    """
    BlueprintSpawnableComponent BlueprintThreadSafe ChildCannotTick ChildCanTick
    DeprecatedNode DontUseGenericSpawnObject ExposedAsyncProxy HasDedicatedAsyncNode
    IgnoreCategoryKeywordsInSubclasses IsBlueprintBase KismetHideOverrides
    ProhibitedInterfaces RestrictedToClasses ShowWorldContextPin UsesHierarchy
    """.split()
)
STRUCT_META = _META | frozenset("HasNativeBreak HasNativeMake HiddenByDefault".split())
ENUM_META = _META | frozenset(
    "Bitflags Experimental UseEnumValuesAsMaskValuesInEditor".split()
)
FUNCTION_META = _META | frozenset(
    """
    AdvancedDisplay ArrayParm ArrayTypeDependentParams AutoCreateRefTerm
    BlueprintAutocast BlueprintInternalUseOnly BlueprintProtected
    CallableWithoutWorldContext
    CommutativeAssociativeBinaryOperator CompactNodeTitle CustomStructureParam
    DefaultToSelf DeprecatedFunction DeterminesOutputType DevelopmentOnly
    DynamicOutputParam ExpandBoolAsExecs ExpandEnumAsExecs HidePin HideSelfPin
    InternalUseParam Keywords Latent LatentInfo NativeBreakFunc NativeMakeFunc
    NotBlueprintThreadSafe ReturnDisplayName UnsafeDuringActorConstruction WorldContext
    """.split()
)
PROPERTY_META = _META | frozenset(
    """
    AllowAbstract AllowedClasses AllowPreserveRatio AllowPrivateAccess ArrayClamp
    AssetBundles BaseStruct BlueprintBaseOnly ClampMax ClampMin ConfigHierarchyEditable
    ContentDir DisplayAfter DisplayPriority DisplayThumbnail EditCondition
    EditConditionHides EditFixedOrder ExactClass ExcludeBaseStruct
    ExposeFunctionCategories ExposeOnSpawn FilePathFilter GetByRef GetOptions
    HideAlphaChannel HideViewOptions InlineEditConditionToggle LongPackageName
    MakeEditWidget MakeStructureDefaultValue MetaClass Multiline MultiLine MustImplement
    NoElementDuplicate NoResetToDefault NoSpinbox PasswordField RelativePath
    RelativeToGameContentDir RelativeToGameDir RequiredAssetDataTags ScriptNoExport
    ShowOnlyInnerProperties ShowTreeView SliderExponent TitleProperty UIMax UIMin Units
    """.split()
)
