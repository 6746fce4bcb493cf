"""Pairs of rank and reward over connections that stay open, from a process of its own.

    python -m benchmarks.service.client PORT --connections 8 --seconds 10 [--rate 100]

Prints JSON: pairs, seconds, and within how many milliseconds half and 99 % of the ranks and of the
rewards were answered. With --rate pairs are
begun at so many a second in all, and a latency counts from when its request was due.
"""

import argparse
import asyncio
import json
import time

import msgspec
import numpy as np
import uvloop

from benchmarks.loop import World

BODIES = 200
HEAD = "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def quantiles(times):
    """Half and 99 % of the seconds of each verb, in milliseconds."""
    return {
        verb: [round(1e3 * each, 3) for each in np.quantile(found, (0.5, 0.99))]
        for verb, found in times.items()
    }


class Connection:
    """One connection: a request, then its answer."""

    def __init__(self, port, loop, key=None):
        self.port = port
        extra = f"Authorization: Bearer {key}\r\n" if key else ""
        self.heads = {
            verb: (HEAD.format(path=f"/v1/loops/{loop}/{verb}") + extra).encode()
            for verb in ("rank", "reward")
        }

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def post(self, verb, body):
        """The status, after the whole answer has come."""
        length = b"Content-Length: %d\r\n\r\n" % len(body)
        self.writer.write(self.heads[verb] + length + body)
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        place = head.lower().find(b"content-length: ")
        if place >= 0:
            await self.reader.readexactly(int(head[place + 16 : head.index(b"\r", place)]))
        return status


class Load:
    """Bodies made before, and the times of all answers."""

    def __init__(self, arguments):
        self.arguments = arguments
        world = World(asked=arguments.seed)
        self.requests = [world.request() for _ in range(BODIES)]
        self.times, self.pairs, self.wrong = {"rank": [], "reward": []}, 0, {}

    def bodies(self, name, number):
        context, actions = self.requests[number % BODIES]
        rank = {"event": name, "context": context, "actions": actions}
        reward = {"event": name, "value": float(number % 2)}
        return {"rank": msgspec.json.encode(rank), "reward": msgspec.json.encode(reward)}

    async def connection(self, place, began):
        arguments = self.arguments
        connection = Connection(arguments.port, arguments.loop, arguments.key)
        await connection.open()
        number, step = place, arguments.connections
        while time.perf_counter() - began < arguments.seconds:
            bodies = self.bodies(f"{arguments.seed}-{number}", number)
            due = time.perf_counter()
            if arguments.rate:
                due = began + number / arguments.rate
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
            for verb, body in bodies.items():
                status = await connection.post(verb, body)
                now = time.perf_counter()
                self.times[verb].append(now - due)
                due = now
                if status >= 300:
                    self.wrong[status] = self.wrong.get(status, 0) + 1
            self.pairs += 1
            number += step
        connection.writer.close()

    async def run(self):
        began = time.perf_counter()
        places = range(self.arguments.connections)
        await asyncio.gather(*(self.connection(place, began) for place in places))
        return {
            "pairs": self.pairs,
            "seconds": time.perf_counter() - began,
            "wrong": self.wrong,
            **quantiles(self.times),
        }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--loop", default="load")
    parser.add_argument("--key")
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--seed", type=int, default=0)
    print(json.dumps(uvloop.run(Load(parser.parse_args()).run())))


if __name__ == "__main__":
    main()
