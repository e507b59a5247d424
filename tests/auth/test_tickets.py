"""Tickets."""

from browse.auth.tickets import MAX_LIVE, TicketKind, Tickets


class Hand:
    def __init__(self) -> None:
        self.now = 5.0

    def __call__(self) -> float:
        return self.now


def test_a_ticket_is_valid_for_its_time_and_kept_as_a_hash():
    hand = Hand()
    tickets = Tickets(hand)
    ticket = tickets.issue(TicketKind.FEED)

    assert tickets.valid(TicketKind.FEED, ticket)
    assert not tickets.valid(TicketKind.FEED, ticket + "x")
    assert not tickets.valid(TicketKind.FEED, "")
    assert ticket not in repr(vars(tickets))
    hand.now += TicketKind.FEED.life_s
    assert not tickets.valid(TicketKind.FEED, ticket)


def test_there_are_never_more_than_a_thousand():
    tickets = Tickets()
    first = tickets.issue(TicketKind.FEED)
    rest = [tickets.issue(TicketKind.FEED) for _ in range(MAX_LIVE)]

    assert not tickets.valid(TicketKind.FEED, first)
    assert all(tickets.valid(TicketKind.FEED, ticket) for ticket in rest[1:])
