"""Settings of `onnx`'s operators that find what is not repeated; numpy's `unique` finds it, too."""

import numpy as np

import onnx_node
from oracle import reals

ROWS = np.array([[3, 1, 2], [0, 5, 5], [3, 1, 2], [3, 0, 9], [0, 5, 5], [-1, 0, 0]])
ITEMS = np.array([4.0, -1.0, 4.0, 2.5, -1.0, 0.0])


def add(onnx):
    for operator in (of_rows, of_elements, count_places):
        operator(onnx)


def differences(x):
    """The first column in which rows differ."""
    return np.array([[next((k for k, (a, b) in enumerate(zip(row, other)) if a != b), x.shape[1]) for other in x]
                     for row in x])


def unique(x, is_sorted):
    """The first row that is equal to each, and where each stands among those without equal ones before them."""
    values, first, inverse = np.unique(x, axis=0, return_index=True, return_inverse=True)
    inverse = inverse.reshape(-1)
    places = np.arange(len(values)) if is_sorted else np.argsort(np.argsort(first))
    found = onnx_node.run("Unique", x, axis=0, sorted=int(is_sorted), outputs=4)[2]
    assert (found == places[inverse]).all()
    return first[inverse], places[inverse]


def of_rows(onnx):
    difference, equal, place = map(onnx.operator, ("first_difference", "first_equal", "place_among_unique"))
    for case, x, kind in [("ints", ROWS, "int"), ("reals", ROWS[:4] * 0.5, "real"), ("one_row", ROWS[:1], "int"),
                          ("dynamic", ROWS, "int")]:
        def declared(is_dynamic=case == "dynamic", kind=kind, **names):
            return {"declared": {"x": f"{kind}[n|8, 3]", **names}} if is_dynamic else {}

        columns = differences(x)
        first = unique(x, True)[0]
        difference.setting(case, {"x": x}, {"column": columns}, **declared(column="int[n, n]"))
        options = declared(difference="int[n|8, n]", row="int[n]")
        options.get("declared", {}).pop("x", None)
        equal.setting(case, {"difference": columns}, {"row": first}, {"length": 3}, **options)
        results = {name: ({"sorted": is_sorted}, unique(x, is_sorted)[1])
                   for name, is_sorted in [("by_value", True), ("by_occurrence", False)]}
        place.variants(case, {"x": x, "difference": columns, "first": first}, results,
                       **declared(difference="int[n, n]", first="int[n]", by_value="int[n]", by_occurrence="int[n]"))


def of_elements(onnx):
    equal, place = map(onnx.operator, ("first_equal_element", "place_among_elements"))
    for case, x in [("reals", ITEMS), ("ints", ROWS[:, 0]), ("equal_ones", np.zeros(4)), ("dynamic", reals(5))]:
        def declared(is_dynamic=case == "dynamic", **names):
            return {"declared": {"x": "real[n|8, 1]", **names}} if is_dynamic else {}

        x = x[:, None]
        first = unique(x, True)[0]
        equal.setting(case, {"x": x}, {"first": first}, **declared(first="int[n]"))
        results = {name: ({"sorted": is_sorted}, unique(x, is_sorted)[1])
                   for name, is_sorted in [("by_value", True), ("by_occurrence", False)]}
        place.variants(case, {"x": x, "first": first}, results,
                       **declared(first="int[n]", by_value="int[n]", by_occurrence="int[n]"))


def count_places(onnx):
    operator = onnx.operator("count_places")
    place = np.array([2, 0, 2, 2, 1, 0])

    def setting(case, count, place, **options):
        operator.setting(case, {"like": np.zeros(count, int), "place": place},
                         {"count": np.bincount(place, minlength=count)}, **options)

    setting("some", 3, place)
    setting("none", 4, place[:0])
    setting("dynamic", 4, place, declared={"like": "int[n|6]", "place": "int[m|8]", "count": "int[n]"})
