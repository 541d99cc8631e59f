# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The network model: what it was fitted to, what it was not, and the course of a run."""

from __future__ import annotations

import pytest

from weft.network import Exchange, Network, course

ELEMENT = 16  # bytes of a complex double


def message(side: int, groups: int) -> int:
    """Bytes of a message of FT's all-to-all: a slab's part for one group."""
    return side**3 * ELEMENT // groups**2


def test_all_to_all_of_the_fit() -> None:
    """3D-512 over 64 groups: 30 s for 1000 iterations, published; the number is fitted to it."""
    network = Network.of_machine()
    assert 1000 * network.exchange_seconds(message(512, 64), 64) == pytest.approx(30, rel=1e-3)
    # 12 s of computing beside it: 37 s published, fitted.
    assert network.overlapped_seconds(30, 12) == pytest.approx(37, rel=2e-3)


def test_all_to_all_of_another_scale() -> None:
    """3D-2048 over 256 groups, not fitted to: 748 s published in all.

    Computing, published for 512^3 as 12 s, grows with the points of a group (16 times) and with the
    logarithm of the side (33 for 27 stages).
    """
    exchanging = 1000 * Network.of_machine().exchange_seconds(message(2048, 256), 256)
    assert exchanging == pytest.approx(485, abs=1)
    computing = 12 * 16 * 33 / 27
    assert exchanging + computing == pytest.approx(748, rel=0.05)


def test_exchange_by_hand() -> None:
    network = Network(
        node_bytes_per_second=4e9, groups_per_node=4, message_seconds=1e-6, contention=0.5
    )
    # Two groups share the way of a node; seven others get a message each.
    assert network.exchange_seconds(1000, 2) == pytest.approx(1e-6 + 0.5e-6)
    assert network.exchange_seconds(1000, 8) == pytest.approx(7 * (1e-6 + 1e-6))
    assert network.overlapped_seconds(3, 1) == 3.5
    assert network.overlapped_seconds(1, 4) == 4.5


def test_an_exchange_begins_with_the_last_group() -> None:
    network = Network(1e9, 1, 1.0, 0.0)
    exchanges = [Exchange("alltoall", 0, [1.0, 4.0]), Exchange("allgather", 0, [2.0, 1.0])]
    spent = course(network, exchanges, [0.5, 0.25], 2)
    # 4 until both have come, 1 on the way, 2 more, 1 on the way, 0.5 to the end.
    assert spent.seconds == 8.5
    assert spent.exchanging == 2.0
    assert spent.waiting == 3.0
    assert spent.computing == 5.25


def test_an_exchange_beside_computing() -> None:
    network = Network(1e9, 1, 4.0, 0.5)
    begin, end = Exchange("alltoall_begin", 0, [1.0, 2.0]), Exchange("alltoall_end", 0, [3.0, 2.0])
    spent = course(network, [begin, end], [1.0, 1.0], 2)
    # Begun by both at 2, 4 on the way and half of the 3 computed meanwhile, 1 to the end.
    assert spent.seconds == 8.5
    assert spent.exchanging == 4.0
    # The last group came to its end after 4, 3.5 before it.
    assert spent.beside == 0.5
    assert spent.computing == 5.0
    # Computing that takes longer hides all of it and is held up itself.
    long = Exchange("alltoall_end", 0, [10.0, 10.0])
    spent = course(network, [begin, long], [0.0, 0.0], 2)
    assert spent.seconds == 2 + 10 + 2


def test_exchanges_follow_one_another() -> None:
    network = Network(1e9, 1, 4.0, 0.0)
    begin, end = Exchange("alltoall_begin", 0, [0.0, 0.0]), Exchange("alltoall_end", 0, [1.0, 1.0])
    assert course(network, [begin, begin, end, end], [0.0, 0.0], 2).seconds == 8.0
