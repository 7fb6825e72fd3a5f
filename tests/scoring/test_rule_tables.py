"""Every value of the rule files, written out once more as the tables that they come from.

A cell is the value as the files hold it; `-` is off or none, and a trailing `?` marks what the
sources do not state, which the files list under `assumed`.
"""

from dataclasses import asdict

import pytest

from scoring import rules

# fmt: off
NAMES = {
    "chengdu": "血战到底·成都计番", "yaoji": "血战幺鸡", "laok": "老K血战到底",
    "jipin": "成都素番·四番封顶", "xueliu": "血流成河·换三张", "yichang": "宜昌血流成河",
    "sbr": "竞赛规则 SBR 2025", "majsoul": "雀魂·赤羽之战",
}
# fmt: on

KONGS = ("exposed_kong", "added_kong", "concealed_kong")

HAND_VALUES = """
|                     | chengdu | yaoji  | laok   | jipin  | xueliu  | yichang | sbr    | majsoul |
| combine             | max     | max    | max    | max    | max     | max     | sum    | max     |
| scale               | double  | double | double | double | linear? | linear  | double | double  |
| fan0                | 0       | 1      | 1      | 1      | 0       | 0       | 0      | 1       |
| base                | 1       | 1      | 6      | 2      | 1       | 1       | 1      | 1000    |
| cap                 | -       | 6      | -      | 4      | -       | -       | 3      | 6       |
| self_draw_bonus     | none    | none   | none   | none   | none    | none    | base   | base    |
| fans.ping_hu        | 0       | 1      | 1      | 1      | 1?      | 1       | 0      | 1       |
| fans.dui_dui_hu     | 1       | 2      | 2      | 2      | 3?      | 3       | 1      | 2       |
| fans.qing_yi_se     | 2       | 3      | 3      | 3      | 5?      | 5       | 2      | 3       |
| fans.dai_yao_jiu    | 2       | 3      | 3      | 3      | -       | -       | -      | 3       |
| fans.qi_dui         | 2       | 3      | 3      | 3      | 5?      | 5?      | 2      | 3       |
| fans.qing_dui       | 3       | 4      | 4      | 4      | 8?      | 8?      | -      | 4       |
| fans.jiang_dui      | 3       | 4      | 4      | -      | -       | -       | -      | 4       |
| fans.long_qi_dui    | 4       | 5      | 5      | -      | -       | -       | -      | 4       |
| fans.qing_qi_dui    | 4       | 5      | 5      | 5      | 10?     | 10?     | -      | 5       |
| fans.qing_yao_jiu   | 4       | 5      | 5      | 5      | -       | -       | -      | 5       |
| fans.qing_long_qi_dui | 5     | 6      | 6      | -      | -       | -       | -      | 6       |
| fans.jin_gou_diao   | -       | -      | -      | -      | -       | -       | 1      | 3       |
| fans.qing_jin_gou_diao | -    | -      | -      | -      | -       | -       | -      | 5       |
| fans.shi_ba_luo_han | -       | -      | -      | -      | -       | -       | -      | 6       |
| fans.qing_shi_ba_luo_han | -  | -      | -      | -      | -       | -       | -      | 6       |
| fans.tian_hu        | 5       | 6      | 6      | -      | -       | -       | -      | 6       |
| fans.di_hu          | 5       | 6      | 6      | -      | -       | -       | -      | 6       |
| fans.gen            | 1       | 1      | 1      | 1      | -       | -       | 1      | 1       |
| fans.exposed_kong   | 1       | 1      | 1      | 1      | 1       | 1?      | 1      | 1       |
| fans.added_kong     | 1       | 1      | 1      | 1      | 1       | 1?      | 1      | 1       |
| fans.concealed_kong | 2       | 1      | 1      | 1      | 2       | 2?      | 1      | 1       |
| fans.gang_shang_hua | 2,2,3   | 1      | 1      | 1      | -       | -       | 1      | 1       |
| fans.gang_shang_pao | 1       | 1      | 1      | 1      | -       | -       | 1      | 1       |
| fans.qiang_gang     | 1       | 1      | 1      | 1?     | -       | -       | 1      | 1       |
| fans.hai_di         | -       | -      | -      | -      | -       | -       | 1      | 1       |
| fans.wu_ji          | -       | 1      | -      | -      | -       | -       | -      | -       |
| fans.men_qing_zi_mo | -       | -      | -      | -      | 1       | -       | -      | -       |
| fans.ma             | -       | -      | 1?     | -      | -       | -       | -      | -       |
| joker               | -       | 1s     | -      | -      | -       | -       | -      | -       |
| blessing_adds       | no      | no     | no     | no     | no      | no      | no     | no      |
| blessing_alone      | no      | no     | no     | no     | no      | no      | no     | no      |
| min_fan             | -       | -      | -      | -      | -       | -       | -      | -       |
| players             | 4       | 4      | 4      | 4      | 4       | 4       | 4      | 4       |
| suits               | 3       | 3      | 3      | 3      | 3       | 3       | 3      | 3       |
| sets                | 4       | 4      | 4      | 4      | 4       | 4       | 4      | 4       |
| refuses             | -       | -      | -      | -      | tian_hu | -       | -      | -       |
|di_hu_by|self_draw|self_draw|self_draw|self_draw|self_draw|self_draw|self_draw|self_draw|
| dead_waits | exclude | exclude | exclude | exclude | exclude | exclude | exposed_count | exclude |
"""

MONEY_DURING_PLAY = """
|                      | chengdu | yaoji | laok  | jipin | xueliu | yichang | sbr   | majsoul |
| kong_points.exposed  | 2?      | 1?    | 1     | 2     | 0      | 0       | 2     | 2       |
| kong_points.exposed_others | 0 | 0     | 0     | 0     | 0      | 0       | 0     | 0       |
| kong_points.added    | 1?      | 1?    | 1     | 1     | 0      | 0       | 1     | 1       |
| kong_points.concealed | 2?     | 2?    | 2     | 2     | 0      | 0       | 2     | 2       |
| late_added_kong_free | no      | no    | no    | no    | no     | no      | yes   | yes     |
| kong_transfer        | each?   | each? | each  | each  | none   | none    | undo  | undo    |
|bloom|self_draw?|giver_pays_all|giver_pays_all|self_draw?|self_draw|self_draw|self_draw|self_draw|
| kong_transfer_several | yes | yes | yes | yes | yes | yes | yes | yes |
| kong_discard_robbed | no | no | no | no | no | no | yes | no |
| kong_in_out          | no      | no    | no    | no    | yes    | yes     | no    | no      |
| blood_flow           | no      | no    | no    | no    | yes    | yes     | no    | no      |
|round_ends|three_wins|three_wins|three_wins|three_wins|wall|wall|three_wins|three_wins|
"""

WHEN_THE_WALL_RUNS_OUT = """
|                    | chengdu | yaoji | laok | jipin | xueliu | yichang | sbr | majsoul |
| pig.points         | 16      | 16?   | 9    | cap   | 0      | 0       | 24  | 8       |
| pig.times_best     | 0       | 0?    | 0    | 0     | 2      | 5?      | 0   | 1       |
| pig.to | non_pigs | non_pigs? | non_pigs? | non_pigs | ready | ready | nobody | unwon |
| pig.also_not_ready | yes?    | yes?  | no   | yes   | no?    | no?     | yes | no      |
| call_check         | max     | max?  | max  | max?  | max    | max     | max | max     |
| check_by | discard | discard | discard | discard | self_draw | discard | discard | discard |
| call_check_winners | no      | no    | no   | no    | no     | no      | no  | no      |
| check_kongs | yes | yes | yes | yes | yes | yes | yes | yes |
| passive_pig | pig | pig | pig | pig | pig | pig | not_ready | pig |
| difference         | yes     | yes?  | no   | no    | no     | no      | no  | no      |
| refund             | yes     | yes?  | yes  | yes   | no     | no      | yes | yes     |
| escape_points      | -       | -     | 16?  | -     | -      | -       | -   | -       |
"""

FALSE_WINS_AND_THE_DEAL = """
|  | chengdu | yaoji | laok | jipin | xueliu | yichang | sbr | majsoul |
| players | 4 | 4 | 4 | 4 | 4 | 4 | 4 | 4 |
| suits | 3 | 3 | 3 | 3 | 3 | 3 | 3 | 3 |
| sets | 4 | 4 | 4 | 4 | 4 | 4 | 4 | 4 |
| false_win.points | 8? | 8? | 8? | 8? | 8? | 8? | 24 | 8? |
| false_win.to | unwon | unwon | unwon | unwon | unwon | unwon | nobody | unwon |
| false_win.returns_kongs | no? | no? | no? | no? | no? | no? | yes | no? |
|next_dealer|first_winner|first_winner|first_winner|first_winner|first_winner|first_winner|first_winner|first_winner|
| nobody_won | stays? | stays? | stays? | stays? | stays? | stays? | stays | stays? |
"""

TABLES = (HAND_VALUES, MONEY_DURING_PLAY, WHEN_THE_WALL_RUNS_OUT, FALSE_WINS_AND_THE_DEAL)


def cells():
    """(ruleset, key, value as written, whether it is assumed) of every cell of the tables."""
    for table in TABLES:
        head, *rows = [
            [cell.strip() for cell in line.strip().strip("|").split("|")]
            for line in table.strip().splitlines()
        ]
        for key, *values in rows:
            for ruleset, value in zip(head[1:], values, strict=True):
                yield ruleset, key, value.rstrip("?"), value.endswith("?")


CELLS = list(cells())


def written(value):
    """A value of the rule files as the tables write it."""
    if value is None or value == ():
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value)


def value_of(ruleset, key):
    system = rules.load(ruleset)
    group, _, name = key.partition(".")
    if group == "fans":
        values = [system.fan_of(name, kong) for kong in KONGS]
        if len(set(values)) == 1:
            return written(values[0])
        return ",".join(written(value) for value in values)
    value = getattr(system, group)
    return written(asdict(value)[name] if name else value)


@pytest.mark.parametrize(("ruleset", "key", "value", "assumed"), CELLS)
def test_value(ruleset, key, value, assumed):
    assert value_of(ruleset, key) == value


@pytest.mark.parametrize("ruleset", NAMES)
def test_what_the_sources_do_not_state_is_marked_as_assumed(ruleset):
    keys = {key for system, key, _, _ in CELLS if system == ruleset}
    expected = {key for system, key, _, assumed in CELLS if system == ruleset and assumed}
    assert rules.load(ruleset).assumed & keys == expected


@pytest.mark.parametrize("ruleset", NAMES)
def test_nothing_is_switched_on_that_the_tables_leave_out(ruleset):
    listed = {key.removeprefix("fans.") for system, key, _, _ in CELLS if system == ruleset}
    assert set(rules.load(ruleset).fans) <= listed


def test_the_tables_hold_every_option_of_the_files():
    keys = {key.partition(".")[0] for _, key, _, _ in CELLS}
    assert set(rules.FIELDS) - {"excludes"} <= keys
    assert not any(rules.load(system).excludes for system in NAMES)


def test_the_systems_in_their_order_and_with_their_names():
    assert rules.ids() == tuple(NAMES)
    assert {ruleset: rules.load(ruleset).name for ruleset in rules.ids()} == NAMES


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize(
    ("option", "values"),
    [("cap", (-1, 100, "none")), ("fans.qing_yi_se", (-1, 100, "none")),
     ("fans.ping_hu", (-1, 100, "none", None))],
)  # fmt: skip
def test_whatever_is_wrong_with_a_fan_the_same_range_is_told(ruleset, option, values):
    least = rules.load(ruleset).least
    told = set()
    for value in (*values, *([least - 1] if least else [])):
        table, _, term = option.partition(".")
        with pytest.raises(rules.OptionErrors) as refused:
            rules.load(ruleset).override({table: {term: value} if term else value})
        told |= {error["expected"] for error in refused.value.errors}
    assert told == {f"{least}..99" + ("" if option == "fans.ping_hu" else "|null")}
