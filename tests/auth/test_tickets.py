"""Tickets."""

from browse.auth.tickets import CODE_S, MAX_LIVE, TicketKind, Tickets


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


def test_a_code_gives_one_ticket_of_its_kind():
    tickets = Tickets()
    code = tickets.code(TicketKind.VIEW)

    opens, ticket = tickets.exchange(code) or (None, "")

    assert opens is TicketKind.VIEW
    assert tickets.valid(TicketKind.VIEW, ticket)
    assert not tickets.valid(TicketKind.DASHBOARD, ticket)
    assert not tickets.valid(TicketKind.VIEW, code)
    assert tickets.exchange(code) is None
    assert code not in repr(vars(tickets))


def test_a_code_ends_after_its_time_and_guesses_open_nothing():
    hand = Hand()
    tickets = Tickets(hand)
    code = tickets.code(TicketKind.VIEW)
    hand.now += CODE_S

    assert tickets.exchange(code) is None
    assert tickets.exchange("") is None
    assert tickets.exchange("guess") is None


def test_there_are_never_more_than_a_thousand_codes():
    tickets = Tickets()
    first = tickets.code(TicketKind.VIEW)
    rest = [tickets.code(TicketKind.VIEW) for _ in range(MAX_LIVE)]

    assert tickets.exchange(first) is None
    assert all(tickets.exchange(code) for code in rest[1:])
