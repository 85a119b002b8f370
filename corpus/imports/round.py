"""The other half of the circle."""

from circle import turn
