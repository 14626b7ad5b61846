"""What was compiled, as files: the library, the weights beside it, and the names that users know."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any, Dict, List

from .errors import Error

#: The files of an artifact's folder, beside weights and sources.
LIBRARY, DESCRIPTION = "model.so", "artifact.json"

#: The form of the folder and of its description.
FORMAT = 1


class Artifact:
    """A folder with a library and its weights, or a library that has them itself or a note beside it that says where they are."""

    def __init__(self, path: Path, library: Path, description: Dict[str, Any]) -> None:
        self.path, self.library, self.description = path, library, description

    @classmethod
    def open(cls, path: Path) -> Artifact:
        """Finds the files; nothing is loaded yet."""
        path = path.absolute()
        if not path.is_dir():
            if not path.is_file():
                raise Error(f"the artifact {path} is not there; what the cache holds may have gone: compile again")
            return cls(path, path, {})
        try:
            description = json.loads((path / DESCRIPTION).read_bytes())
        except (OSError, ValueError) as error:
            raise Error(f"{path} is no artifact: {DESCRIPTION} can't be read: {error}") from error
        if description.get("format") != FORMAT:
            raise Error(f"{path} has the form {description.get('format')} of artifacts; this release reads {FORMAT}")
        return cls(path, path / LIBRARY, description)

    def names(self, role: str) -> Dict[str, str]:
        """The names that the imported model has, by those of the library; `role` is `inputs` or `outputs`."""
        return {
            port["name"]: port["name"] if "item" in port else port["onnx"] for port in self.description.get(role, [])
        }

    def sequences(self, role: str) -> Dict[str, List[str]]:
        """The names of the items of sequences that the imported model has, by the sequences' names."""
        found: Dict[str, List[str]] = {}
        for port in self.description.get(role, []):
            if "item" in port:
                found.setdefault(port["onnx"], []).append(port["name"])
        return found

    def types(self, role: str) -> Dict[str, str]:
        """The types of elements that the imported model has, by its names."""
        return {port["onnx"]: port["type"] for port in self.description.get(role, [])}

    @property
    def knows_weights(self) -> bool:
        """Whether the library has its weights, or a note beside it that says where they are."""
        return not self.path.is_dir() or self.description.get("weights") == "library"

    def copy(self, folder: Path) -> Path:
        """Copies everything to a folder that is not there yet."""
        if folder.exists():
            raise Error(f"{folder} is there already")
        if not self.path.is_dir():
            folder.mkdir(parents=True)
            copy_library(self.library, folder)
            describe(folder, {} if noted_weights(self.library) else {"weights": "library"})
            return folder
        shutil.copytree(self.path, folder)
        return folder


def is_whole(folder: str) -> bool:
    """Whether a folder has an artifact."""
    return (Path(folder) / DESCRIPTION).is_file()


def noted_file(library: Path) -> Path:
    """The note beside a library that says where its weights are."""
    return library.with_name(library.stem + ".variables.json")


def noted_weights(library: Path) -> Dict[str, Path]:
    """The files of variables, which the compiler noted beside a library."""
    note = noted_file(library)
    try:
        noted = json.loads(note.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise Error(f"{note} can't be read: {error}") from error
    files = {name: file for name, file in noted.items() if name not in ("graph", "folder")}
    missing = [name for name, file in files.items() if file is None]
    if missing:
        raise Error(f"variables have no files of values: {', '.join(missing)}")
    # Files below the library's folder are named from there: from where it is now, or else from where it was.
    was = Path(_name(noted.get("folder", "")))
    found = {}
    for name, file in files.items():
        beside = library.parent / _name(file)
        found[name] = beside if beside.is_file() else was / _name(file)
    return found


def _name(noted: Any) -> str:
    """A name that is no text stands in a note as its bytes."""
    return os.fsdecode(bytes(noted)) if isinstance(noted, list) else noted


def copy_library(library: Path, folder: Path) -> None:
    """Copies a library and its weights to a folder."""
    for name, file in noted_weights(library).items():
        target = folder / (name + file.suffix)
        if not target.exists():
            shutil.copyfile(file, target)
    if library != folder / LIBRARY:
        shutil.copyfile(library, folder / LIBRARY)


def describe(folder: Path, ports: Dict[str, Any]) -> None:
    """Writes the description of an artifact, which makes it whole."""
    description = {"format": FORMAT, **ports}
    (folder / DESCRIPTION).write_text(json.dumps(description, indent=1) + "\n")
