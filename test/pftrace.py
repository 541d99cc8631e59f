# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads traces with Perfetto's own protobuf classes, and refuses what its viewer would."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


@dataclass
class Slice:
    name: str
    begin: int
    arguments: dict[str, Any]
    source: tuple[str, str, int] | None
    begins: list[int]  # arrows
    ends: list[int]
    depth: int
    end: int | None = None  # None: an instant


@dataclass
class Track:
    name: str
    parent: Track | None
    rank: int
    slices: list[Slice] = field(default_factory=list)
    values: list[tuple[int, int]] = field(default_factory=list)

    @property
    def path(self) -> tuple[str, ...]:
        return (*(self.parent.path if self.parent else ()), self.name)


class Trace:
    """All tracks; those of one name and parent, which the viewer joins, under one path."""

    def __init__(self, path: Path) -> None:
        trace = schema.Trace()
        trace.ParseFromString(path.read_bytes())
        self.packets = len(trace.packet)
        self.by_id: dict[int, Track] = {}
        self._tables: dict[str, dict[int, Any]] = defaultdict(dict)
        self._open: dict[int, list[Slice]] = defaultdict(list)
        for packet in trace.packet:
            assert packet.trusted_packet_sequence_id == 1
            if packet.HasField("track_descriptor"):
                self._describe(packet.track_descriptor)
            else:
                self._intern(packet.interned_data)
                self._event(packet.timestamp, packet.track_event)
        assert not any(self._open.values()), "what has begun ends"
        self.tracks: dict[tuple[str, ...], list[Track]] = defaultdict(list)
        for track in self.by_id.values():
            self.tracks[track.path].append(track)

    def one(self, *path: str) -> Track:
        (track,) = self.tracks[(self.root, *path)]
        return track

    def _describe(self, told: Any) -> None:
        assert told.uuid not in self.by_id, "a track is described once"
        if told.HasField("process"):
            self.root = told.process.process_name
            self.by_id[told.uuid] = Track(self.root, None, 0)
            return
        parent = self.by_id[told.parent_uuid]
        self.by_id[told.uuid] = Track(told.name, parent, told.sibling_order_rank)

    def _intern(self, told: Any) -> None:
        for table in ("event_names", "debug_annotation_names", "source_locations"):
            for entry in getattr(told, table):
                assert entry.iid not in self._tables[table]
                self._tables[table][entry.iid] = entry

    def _event(self, time: int, event: Any) -> None:
        track = self.by_id[event.track_uuid]
        if event.type == COUNTER:
            track.values.append((time, event.counter_value))
            return
        names = self._tables["debug_annotation_names"]
        arguments = {
            names[one.name_iid].name: one.string_value or one.uint_value
            for one in event.debug_annotations
        }
        stack = self._open[event.track_uuid]
        if event.type == END:
            ended = stack.pop()
            ended.end = time
            ended.arguments.update(arguments)
            assert time >= ended.begin
            return
        source = None
        if event.source_location_iid:
            place = self._tables["source_locations"][event.source_location_iid]
            source = (place.file_name, place.function_name, place.line_number)
        begun = Slice(
            self._tables["event_names"][event.name_iid].name,
            time,
            arguments,
            source,
            list(event.flow_ids),
            list(event.terminating_flow_ids),
            len(stack),
        )
        assert not stack or time >= stack[-1].begin
        track.slices.append(begun)
        if event.type == BEGIN:
            stack.append(begun)
        else:
            assert event.type == INSTANT

    def arrows(self) -> tuple[set[int], set[int]]:
        """Numbers of arrows that begin, and of those that end."""
        slices = [one for track in self.by_id.values() for one in track.slices]
        return {n for s in slices for n in s.begins}, {n for s in slices for n in s.ends}
