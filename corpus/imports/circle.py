"""Imports a name from a file that imports it from here."""

from round import turn
