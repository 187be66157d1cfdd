#!/usr/bin/env python3
"""otlp.py: reads OTLP profiles with protoc, by a .proto that is made here of the field numbers, and checks them.

    otlp.py proto >otlp.proto
    protoc --decode=Data otlp.proto <file | otlp.py check

The rules are those of OTLP: number 0 of each table is empty, each row is used and there once, indices are in range, as many
times as values, times within the profile.  Prints one line for each profile: type, unit, total, number of samples and of
times; then stacks, root first, as folded lines of the first profile."""
import collections
import re
import sys

# message: fields as "name number type", '*' for repeated ones
MESSAGES = """
Data: *resource_profiles 1 ResourceProfiles, dictionary 2 Dictionary
Dictionary: *mapping 1 Mapping, *location 2 Location, *function 3 Function, *link 4 Link, *string 5 string,
    *attribute 6 Attribute, *stack 7 Stack
ResourceProfiles: resource 1 Resource, *scope_profiles 2 ScopeProfiles
Resource: *attributes 1 KeyValue
ScopeProfiles: scope 1 Scope, *profiles 2 Profile
Scope: name 1 string, version 2 string
Profile: sample_type 1 ValueType, *samples 2 Sample, time_unix_nano 3 fixed64, duration_nano 4 uint64,
    period_type 5 ValueType, period 6 int64, *attribute_indices 11 int32
ValueType: type_strindex 1 int32, unit_strindex 2 int32
Sample: stack_index 1 int32, *attribute_indices 2 int32, link_index 3 int32, *values 4 int64,
    *timestamps_unix_nano 5 fixed64
Stack: *location_indices 1 int32
Location: mapping_index 1 int32, address 2 uint64, *lines 3 Line, *attribute_indices 4 int32
Line: function_index 1 int32, line 2 int64, column 3 int64
Function: name_strindex 1 int32, system_name_strindex 2 int32, filename_strindex 3 int32, start_line 4 int64
Mapping: memory_start 1 uint64, memory_limit 2 uint64, file_offset 3 uint64, filename_strindex 4 int32,
    *attribute_indices 5 int32
Link: trace_id 1 bytes, span_id 2 bytes
Attribute: key_strindex 1 int32, value 2 Any, unit_strindex 3 int32
KeyValue: key 1 string, value 2 Any
Any: string_value 1 string, bool_value 2 bool, int_value 3 int64
"""


def proto():
    print('syntax = "proto3";')
    for message in MESSAGES.replace("\n    ", " ").strip().split("\n"):
        name, fields = message.split(": ")
        print("message %s {" % name)
        for field in fields.split(", "):
            label, number, kind = field.split()
            # Only Any needs to distinguish a zero from a missing value.
            mark = "repeated " if label[0] == "*" else "optional " if name == "Any" else ""
            print("  %s%s %s = %s;" % (mark, kind, label.lstrip("*"), number))
        print("}")


def unquote(text):
    """protoc's C escapes: bytes as octal."""
    escapes = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "'": "'", "\\": "\\"}
    raw = bytearray()
    for octal, letter, plain in re.findall(r'\\([0-7]{3})|\\(.)|([^\\]+)', text[1:-1]):
        raw += bytes([int(octal, 8)]) if octal else (escapes[letter] if letter else plain).encode()
    return raw.decode()  # not UTF-8: an error


def parse(lines):
    """protoc's text: a message is a dict of lists."""
    message = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            return message
        if line.endswith(" {"):
            message[line[:-2]].append(parse(lines))
            continue
        assert ": " in line, "an unknown field: %s" % line
        key, value = line.split(": ", 1)
        assert not key.isdigit(), "an unknown field: %s" % line
        message[key].append(unquote(value) if value[0] == '"' else int(value))
    return message


def first(message, key, default=0):
    return message[key][0] if message[key] else default


class Check:
    def __init__(self, data):
        self.dictionary = first(data, "dictionary")
        self.used = collections.defaultdict(set)
        self.data = data

    def row(self, table, index):
        rows = self.dictionary[table]
        assert 0 <= index < len(rows), "%s %d of %d" % (table, index, len(rows))
        self.used[table].add(index)
        return rows[index]

    def string(self, index):
        return self.row("string", index)

    def attribute(self, index):
        a = self.row("attribute", index)
        value = first(a, "value")
        assert sum(len(value[k]) for k in value) == 1, "an attribute without a value"
        return self.string(first(a, "key_strindex")), first(value, "string_value", first(value, "int_value", None))

    def frames(self, index):
        """Names, leaf first."""
        for number in self.row("stack", index)["location_indices"]:
            assert number, "location 0 in a stack"
            location = self.row("location", number)
            mapping = self.row("mapping", first(location, "mapping_index"))
            self.string(first(mapping, "filename_strindex"))
            for a in mapping["attribute_indices"]:
                self.attribute(a)
            for line in location["lines"]:
                function = self.row("function", first(line, "function_index"))
                self.string(first(function, "filename_strindex"))
                self.string(first(function, "system_name_strindex"))
                yield self.string(first(function, "name_strindex"))

    def profile(self, p, show):
        kind = first(p, "sample_type")
        total = times = 0
        start = first(p, "time_unix_nano")
        end = start + first(p, "duration_nano")
        folded = collections.Counter()
        for a in p["attribute_indices"]:
            key, value = self.attribute(a)
            if show:
                print("fact %s=%s" % (key, value))
        for kept in p["period_type"]:
            self.string(first(kept, "type_strindex")), self.string(first(kept, "unit_strindex"))
        for sample in p["samples"]:
            stamps = sample["timestamps_unix_nano"]
            assert not stamps or len(stamps) == len(sample["values"]), "as many times as values"
            assert sample["values"], "a sample without a value"
            assert all(start <= t < end for t in stamps), "a time outside of the profile"
            keys = [self.attribute(a)[0] for a in sample["attribute_indices"]]
            assert len(set(keys)) == len(keys), "an attribute twice"
            total += sum(sample["values"])
            times += len(stamps)
            folded[";".join(reversed(list(self.frames(first(sample, "stack_index")))))] += sum(sample["values"])
        print("profile %s %s %d %d %d" % (self.string(first(kind, "type_strindex")),
                                          self.string(first(kind, "unit_strindex")), total, len(p["samples"]), times))
        if show:
            for stack in sorted(folded):
                print("%s %d" % (stack, folded[stack]))

    def tables(self):
        for table in "mapping location function link string attribute stack".split():
            rows = self.dictionary[table]
            rows = [{k: v for k, v in row.items() if v} if isinstance(row, dict) else row for row in rows]
            assert rows and not rows[0], "%s 0 is not empty" % table
            assert len({repr(row) for row in rows}) == len(rows), "%s: twice" % table
            unused = set(range(1, len(rows))) - self.used[table]
            assert not unused, "%s: not used: %s" % (table, [rows[i] for i in sorted(unused)[:3]])


def check():
    checked = Check(parse(iter(sys.stdin.read().split("\n")[:-1] + ["}"])))
    show = True
    for resource in checked.data["resource_profiles"]:
        for scope in resource["scope_profiles"]:
            for profile in scope["profiles"]:
                checked.profile(profile, show)
                show = False
    checked.tables()


if sys.argv[1] == "proto":
    proto()
else:
    check()
