from browse.guard.stand_ins import StandIns


def test_a_word_stands_for_a_secret_while_it_is_lent():
    stand_ins = StandIns()

    with stand_ins.lent({"password": "hunter-2"}) as lent:
        word = lent["password"]
        assert "hunter" not in word
        assert stand_ins.meant(word) == "hunter-2"
        assert stand_ins.meant("hunter-2") is None
        with stand_ins.lent({"password": "other"}) as another:
            assert another["password"] != word
    assert stand_ins.meant(word) is None
