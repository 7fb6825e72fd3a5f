"""Files of columns: the same values as hand by hand, in any of the forms that are read."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.management import call_command

from scoring import columns
from scoring.columns import BadTable, score_file
from scoring.decompose import suit_codes
from scoring.hand import SELF_DRAW, Meld, Win
from scoring.many import meld_numbers
from scoring.notation import parse
from scoring.rules import load
from scoring.score import value

HANDS = ("11334466778899m", "22244455577799m", "123456789m11222p", "1s1s1s456m789m11p222m",
         "99m[111m][222m][333m][444m]", "123m99p[1111p](5555m)[777m]", "19m")  # fmt: skip
LISTS = (pa.list_(pa.uint8()), pa.large_list(pa.int64()))


def table(kind: pa.DataType = LISTS[0]) -> pa.Table:
    """The hands by tiles and melds."""
    hands = [parse(text) for text in HANDS]
    numbers = [[n for n in row if n] for row in meld_numbers([h.melds for h in hands]).tolist()]
    tiles = pa.array([list(hand.concealed) for hand in hands], kind)
    return pa.table({"more": list(HANDS), "tiles": tiles, "melds": numbers})


def written(source: pa.Table, folder: Path, ends: str = "parquet", rules: str = "laok") -> pa.Table:
    """What is made of a table in a file."""
    given, made = folder / f"in.{ends}", folder / f"out.{ends}"
    if ends == "parquet":
        pq.write_table(source, given, row_group_size=3)
    else:
        with pa.ipc.new_file(str(given), source.schema) as file:
            file.write_table(source, max_chunksize=3)
    assert score_file(given, made, rules=load(rules), win=Win(SELF_DRAW)) == len(source)
    if ends == "parquet":
        return pq.read_table(made)
    with pa.ipc.open_file(str(made)) as file:
        return file.read_all()


@pytest.mark.parametrize("rules", ["laok", "yaoji", "sbr"])
@pytest.mark.parametrize("ends", ["parquet", "arrow"])
@pytest.mark.parametrize("kind", LISTS)
def test_a_file_has_the_values_of_its_hands_in_order(
    tmp_path: Path, kind: pa.DataType, ends: str, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "PART", 2)
    rows = written(table(kind), tmp_path, ends, rules).to_pylist()
    for row, text in zip(rows, HANDS, strict=True):
        hand = parse(text)
        found = value(hand.concealed, hand.melds, rules=load(rules), win=Win(SELF_DRAW))
        assert (row["fan"], row["uncapped_fan"], row["multiple"]) == (
            (found.fan, found.uncapped_fan, found.multiple) if found else (None, None, None)
        )
        assert found is None or row["pattern"] in found.patterns


def test_suit_codes_and_tiles_of_a_fixed_number_are_read_too(tmp_path: Path) -> None:
    hands = [parse(text) for text in HANDS[:4]]
    lists = pa.FixedSizeListArray.from_arrays(
        pa.array([t for hand in hands for t in hand.concealed], pa.uint8()), 14
    )
    codes = zip(*(suit_codes(hand.packed) for hand in hands), strict=True)
    by_code = pa.table(dict(zip("mps", map(list, codes), strict=True)))
    by_tile = pa.table({"tiles": lists})
    assert written(by_code, tmp_path).equals(written(by_tile, tmp_path))


@pytest.mark.parametrize(
    ("column", "wrong", "said"),
    [
        ("tiles", [0] * 5 + [1] * 9, "more than four"),
        ("tiles", [0, 27], "numbers from 0 to 26"),
        ("tiles", None, "a row without a list"),
        ("melds", [0], "numbers from 1"),
        ("melds", [1] * 5, "more melds"),
    ],
)
def test_a_row_that_is_no_hand_is_named_and_nothing_is_written(
    tmp_path: Path, column: str, wrong: list[int] | None, said: str
) -> None:
    source = table()
    place = source.column_names.index(column)
    values = source.column(place).to_pylist()
    values[5] = wrong
    bad = source.set_column(place, column, pa.array(values, LISTS[1]))
    with pytest.raises(BadTable, match=said) as told:
        written(bad, tmp_path)
    assert told.value.row == 5
    assert [file.name for file in tmp_path.iterdir()] == ["in.parquet"]


def test_a_file_without_hands_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="no column tiles") as told:
        written(pa.table({"m": [1]}), tmp_path)
    assert told.value.row is None


def test_what_is_no_file_of_columns_is_told(tmp_path: Path) -> None:
    source = tmp_path / "in.parquet"
    source.write_text("tiles\n1,2,3")
    with pytest.raises(BadTable):
        score_file(source, tmp_path / "out.parquet", rules=load("laok"))


def test_melds_of_jokers_are_those_of_their_numbers(tmp_path: Path) -> None:
    melds = (Meld("pung", 4, jokers=1), *(Meld("pung", t) for t in (5, 6, 7)))
    source = pa.table({"tiles": [[0, 0]], "melds": meld_numbers([melds]).tolist()})
    found = value([0, 0], melds, rules=load("yaoji"), win=Win(SELF_DRAW))
    assert found is not None
    assert written(source, tmp_path, rules="yaoji").column("fan").to_pylist() == [found.fan]


def test_the_command_scores_one_file_into_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(table(), source)
    files = [str(source), str(target)]
    call_command("score", "--table", *files, "--rules", "laok", "--opt", "cap:1", lang="zh-hans")
    assert "已完成 7 行" in capsys.readouterr().out
    assert set(pq.read_table(target).column("fan").to_pylist()) == {1, None}
    for more, said in (
        (("--void", "m"), "--table 只能加"),
        (("--rules", "texas"), "没有叫“texas”的规则，也许更新的版本才有。"),
    ):
        with pytest.raises(SystemExit):
            call_command("score", "--table", *files, *more, lang="zh-hans")
        assert said in capsys.readouterr().err
    pq.write_table(pa.table({"tiles": [[0] * 14]}), source)
    with pytest.raises(SystemExit):
        call_command("score", "--table", *files, lang="zh-hans")
    assert "第 1 行不是一手牌" in capsys.readouterr().err
