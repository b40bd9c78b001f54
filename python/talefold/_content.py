"""Content of games in an engine: string storages, embedding models, knowledge bases."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

from talefold import _core
from talefold._json import to_json
from talefold._loading import reporting_progress
from talefold.errors import ErrorCode, TalefoldError
from talefold.knowledge import FoundRecord, KnowledgeInfo
from talefold.models import EmbeddingModelInfo


class EngineContent:
    """What an engine does beside talking: part of `Engine`, with its thread rules."""

    _core: _core.Engine

    def add_storage(
        self,
        name: str,
        entries: Sequence[str] | Mapping[str, str] | Sequence[tuple[str, str]],
    ) -> None:
        """Makes texts known to graphs under a name, beside those of files.

        Args:
            name: A name not in use yet, and no path of a file under the storage root.
            entries: Texts = a List; a mapping of ids to texts = a Map; pairs (id, text)
                = a Multimap, whose ids may repeat. At most 1,000,000 entries of 64 KiB.

        Raises:
            TalefoldError: InvalidArgument for the name, StorageNameConflict,
                MalformedStorage, StorageTooLarge; nothing is added.
        """
        if isinstance(entries, Mapping):
            self._core.add_storage(name, "map", list(entries.items()))
        elif isinstance(entries, str):
            raise TypeError("entries must be several texts, not a str")
        elif all(isinstance(entry, str) for entry in entries):
            self._core.add_storage(name, "list", [("", str(text)) for text in entries])
        else:
            pairs = cast("Sequence[tuple[str, str]]", entries)
            self._core.add_storage(name, "multimap", list(pairs))

    def remove_storage(self, name: str) -> None:
        """Forgets a storage; agents that use it keep it.

        Raises:
            TalefoldError: InvalidArgument for a name that `add_storage` did not get.
        """
        self._core.remove_storage(name)

    def load_embedding_model(
        self,
        name: str,
        path: str | Path,
        *,
        n_gpu_layers: int = 0,
        on_progress: Callable[[float], object] | None = None,
    ) -> None:
        """Loads a GGUF model that turns texts into vectors, for knowledge bases.

        Args:
            name: A name that no other embedding model has; names of models that write
                are apart.
            path: The GGUF file.
            n_gpu_layers: Layers kept on the GPU; -1 = all.
            on_progress: Called with the fraction loaded; returning False cancels.

        Raises:
            TalefoldError: ModelNotFound, ModelLoadFailed (also when cancelled, and for
                a model that writes text), InvalidArgument; nothing is loaded.
        """
        with reporting_progress(on_progress) as go_on:
            self._core.load_embedding_model(name, str(path), n_gpu_layers, go_on)

    def unload_embedding_model(self, name: str) -> None:
        """Forgets an embedding model; knowledge bases that use it keep it.

        Raises:
            TalefoldError: ModelNotFound for an unknown name.
        """
        self._core.unload_embedding_model(name)

    def embedding_models(self) -> list[EmbeddingModelInfo]:
        """The loaded embedding models."""
        return self._core.embedding_models()

    def embed(self, model: str, texts: Sequence[str]) -> array[float]:
        """Vectors of texts, one after the other, each of unit length.

        Beyond its first 512 tokens, or what the model was trained for if that is less,
        a text is cut; one without tokens has a vector of zeros.

        Raises:
            TalefoldError: ModelNotFound, EmbeddingFailed, InvalidUtf8, MessageTooLarge.
        """
        return self._core.embed(model, list(texts))

    def load_knowledge(
        self,
        name: str,
        config_file: str | None = None,
        *,
        config: Mapping[str, object] | None = None,
        records: Sequence[Mapping[str, object]] | None = None,
    ) -> None:
        """Reads a knowledge base and makes it known to graphs under a name.

        Embeds every record, which may take long: agents that refer to the name do not
        wait for it again. The embedding model that the config names should be loaded
        before; if not, records are found by common words (BM25), and the log warns.

        Args:
            name: A name not in use yet, and no path of a file under the storage root.
            config_file: Path of the config, relative to the storage root.
            config: In its place: what a config file says, without "records_file".
            records: With `config`: what a records file says.

        Raises:
            TalefoldError: InvalidArgument (also for both or neither source),
                StorageNameConflict, StorageOutsideRoot, StorageFileNotFound,
                StorageFileUnreadable, StorageTooLarge, MalformedEmbeddedStorage,
                EmbeddedStorageVersionTooNew, InvalidMetadata, EmbeddingFailed; nothing
                is loaded.
        """
        if config_file is not None and config is None and records is None:
            self._core.load_knowledge(name, config_file, "", "")
        elif config_file is None and config is not None and records is not None:
            self._core.load_knowledge(name, "", to_json(config), to_json(records))
        else:
            raise TalefoldError(
                ErrorCode.InvalidArgument,
                f"knowledge base '{name}' does not have one source",
                "give config_file, or config and records",
            )

    def unload_knowledge(self, name: str) -> None:
        """Forgets a knowledge base; agents that use it keep it.

        Raises:
            TalefoldError: InvalidArgument for a name that `load_knowledge` did not get.
        """
        self._core.unload_knowledge(name)

    def describe_knowledge(self, reference: str) -> KnowledgeInfo:
        """How a knowledge base is searched, and what it holds.

        Args:
            reference: A name, or the path of a config file under the storage root.

        Raises:
            TalefoldError: What `load_knowledge` raises for a file.
        """
        return self._core.describe_knowledge(reference)

    def search_knowledge(
        self,
        reference: str,
        text: str,
        *,
        top_k: int = 2,
        max_distance: float = 0.0,
        filter: Mapping[str, object] | None = None,
    ) -> list[FoundRecord]:
        """The records of a knowledge base that are nearest to a text, nearest first.

        For tools and tests; characters search with the node Retrieve.

        Args:
            reference: A name, or the path of a config file under the storage root: that
                is read and embedded at each call, unless an agent has it.
            text: What to look for.
            top_k: Records at most, 1 to 1000.
            max_distance: 0 to 2; 0 = any.
            filter: Which records to look at, by their metadata, such as
                ``{"op": "eq", "args": [{"knowledge": "place"}, {"value": "inn"}]}``.

        Raises:
            TalefoldError: What `load_knowledge` raises for a file, InvalidFilter,
                InvalidArgument for what is out of range, InvalidUtf8, MessageTooLarge,
                EmbeddingFailed.
        """
        return self._core.search_knowledge(
            reference,
            text,
            top_k,
            max_distance,
            "" if filter is None else to_json(filter),
        )
