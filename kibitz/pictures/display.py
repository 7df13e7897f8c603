"""How trees show themselves: as text, in colours in a terminal, as a picture in a notebook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from kibitz.core.drawing import svg
from kibitz.core.errors import InputError
from kibitz.pictures.outline import Line, plain

if TYPE_CHECKING:
    from rich.text import Text

PAGE = 1200  # pixels: how wide a picture gets unless it is told how much to show


class Display(ABC):
    """What all trees have in common; each says what its lines and its picture are."""

    drawn: ClassVar[int]  # how many of what it shows there are in a picture, at most, unless told
    listed: ClassVar[int]  # how many of what it shows there are in a text, unless told
    counted: ClassVar[str]  # and what these are called

    @property
    @abstractmethod
    def headline(self) -> str:
        """What it is, in one line."""

    @abstractmethod
    def _picture(self, size: int) -> str:
        """The picture, of about `size` positions."""

    @abstractmethod
    def _lines(self, size: int) -> list[Line]:
        """The text, of about `size` positions."""

    def svg(self, size: int | None = None) -> str:
        """The tree as a picture of about `size` positions; the rest folds. Unless told, of as many as fit on a page."""
        if size is not None:
            return self._picture(self._check_size(size))
        for fewer in range(self.drawn, 0, -1):
            picture = self._picture(fewer)
            if svg.width_of_document(picture) <= PAGE:
                break
        return picture

    def text(self, size: int | None = None) -> str:
        """The tree as text, a line for each position; the rest folds."""
        return plain(self._lines(self._check_size(self.listed if size is None else size)))

    def rich(self, size: int | None = None) -> Text:
        """The text in colours, for a terminal."""
        from rich.text import Text

        coloured = Text()
        for i, line in enumerate(self._lines(self._check_size(self.listed if size is None else size))):
            coloured.append("\n" if i else "")
            for said, style in line:
                coloured.append(said, style)
        return coloured

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<tree of {self.headline}>"

    def __rich__(self) -> Text:
        return self.rich()

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return f'<div style="overflow: auto">{self.svg()}</div>'

    def _check_size(self, size: int) -> int:
        if size < 1:
            raise InputError(f"size={size}: a picture shows one {self.counted} at least")
        return size
