"""Adds the ranks of all replicas at rank 0, with sockets alone: a stand-in for a training program."""

import os
import socket
import time

rank, world_size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
host, port = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])

if rank == 0:
    total = 0
    with socket.create_server(("", port)) as server:
        for _ in range(world_size - 1):
            connection, _ = server.accept()
            with connection:
                total += int(connection.makefile().readline())
    print("the sum of all ranks is", total)
else:
    print("rank", rank, "of", world_size, flush=True)
    while True:
        try:
            with socket.create_connection((host, port), timeout=10) as connection:
                connection.sendall(b"%d\n" % rank)
                break
        except OSError:  # rank 0 does not listen yet
            time.sleep(0.05)
