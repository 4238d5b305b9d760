"""Reads a recording with the public MCAP tools and prints what it found as JSON.

Usage: read_with_mcap.py FILE. Needs the packages mcap and mcap-ros2-support.
"""

import json
import sys

from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory


def main(path):
    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        header = reader.get_header()
        summary = reader.get_summary()
        model = {a.name: json.loads(a.data) for a in reader.iter_attachments()}["model.json"]
        metadata = {m.name: m.metadata for m in reader.iter_metadata()}["linkwork"]
        topics, last = {}, {}
        for schema, channel, message, *_ in reader.iter_messages():
            topics[channel.topic] = topics.get(channel.topic, 0) + 1
            last[channel.topic] = (schema, channel, message)
        decoded = {}
        for schema, channel, message, value in iter_decoded(reader, last):
            decoded[channel.topic] = value
    print(
        json.dumps(
            {
                "profile": header.profile,
                "library": header.library,
                "statistics": summary.statistics.message_count,
                "bodies": [b["name"] for b in model["bodies"]],
                "format": metadata["format"],
                "topics": topics,
                "last": decoded,
            }
        )
    )


def iter_decoded(reader, last):
    """The last message of every topic, with all its fields as plain values."""
    ros2 = DecoderFactory()
    for schema, channel, message in last.values():
        if channel.message_encoding == "json":
            yield schema, channel, message, json.loads(message.data)
        else:
            decode = ros2.decoder_for(channel.message_encoding, schema)
            yield schema, channel, message, plain(decode(message.data))


def plain(value):
    if hasattr(value, "__slots__"):
        return {name: plain(getattr(value, name)) for name in value.__slots__}
    if isinstance(value, (list, tuple)) or type(value).__name__ in ("array", "ndarray", "memoryview"):
        return [plain(v) for v in value]
    return value


main(sys.argv[1])
