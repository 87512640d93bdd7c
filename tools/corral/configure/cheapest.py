# SPDX-License-Identifier: Apache-2.0
"""The set of software drivers with the least flash or the fewest instructions, as measured.

The figures are those of drivers/*/costs.json. A piece of an object counts once, however many
mechanisms need it. Instructions are those of one use of each mechanism. docs/DESIGN.md has the
rules for the selection of drivers.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from math import prod

from corral.configure.candidates import Candidates, by_rank, is_hardware
from corral.model.capability import Capability
from corral.model.costs import Costs
from corral.model.driver import Driver
from corral.model.mechanisms import Mechanism

#: So many combinations are all tried; of more, those that steps from several beginnings lead to.
_ALL = 4096
#: Steps that are looked at, so that no configuration takes longer than a second.
_BUDGET = 6000
#: For drivers without figures: a library rarely takes more.
NOT_MEASURED = 1 << 20

#: To each mechanism one of its plans, by number.
Assignment = dict[str, int]
#: The criteria for an assignment, smaller is better: leaks of secrets, rejected inputs, then bytes;
#: or then missing figures, instructions of wanted mechanisms, of only needed ones, and ranks.
#: Those of a computer are given in that order (Choices), and behind the ranks as counted.
Score = tuple[int, ...]
_NOT_COUNTED, _WANTED, _NEEDED = 2, 6, 7
#: The criteria before bytes and instructions.
_FIRST = slice(0, 2)
#: On a computer so many hundredths of the fewest are no more than these: which instructions wait
#: for each other decides there as much as how many there are (docs/BENCH.md).
_MUCH_THE_SAME = 150
#: So many more are ignored, too, because they take a few microseconds: no library is
#: linked for that.
_FEW = 10_000


@dataclass(frozen=True)
class Plan:
    """A mechanism by a driver: the objects linked for it, and the other mechanisms that
    it needs."""

    driver: Driver
    capabilities: tuple[Capability, ...]
    needs: tuple[str, ...]  # mechanisms
    pieces: int  # a bit for each
    unmeasured: bool
    leak: int  # how much its time can tell of secrets: the most that one of the capabilities does
    #: Of one use, by the driver of the first need; under "" for any driver of it.
    instructions: Mapping[str, int] = field(default_factory=dict)
    order: int = 0  # by rank, among the plans of its mechanism

    def refuses_more_than(self, other: Plan) -> bool:
        """Whether it rejects inputs that another accepts: a contrived key, or a hash."""
        own, others = self._hashes, other._hashes
        has_fewer = bool(own) and (not others or not own >= others)
        return has_fewer or (self._refuses and not other._refuses)

    @cached_property
    def _refuses(self) -> bool:
        return any(capability.refuses for capability in self.capabilities)

    @cached_property
    def _hashes(self) -> frozenset[str]:
        """Those that are listed: no others can be signed. Without any, it has all."""
        return frozenset(str(h) for c in self.capabilities for h in c.hashes or ())


@dataclass(frozen=True)
class Pick:
    """The driver selected for a mechanism, and the alternatives."""

    driver: Driver
    #: How much its time can tell of secrets.
    leak: int = 0
    #: The next best at the same regard for secrets, and how many bytes or instructions more.
    runner_up: Driver | None = None
    extra: int | None = None  # not measured
    #: One that takes so much less, and tells more of secrets or refuses more.
    leaking: Driver | None = None
    saved: int = 0
    is_refusing: bool = False
    is_by_rank: bool = False  # no driver has figures
    is_least: bool = True  # no measured driver takes less


@dataclass
class _Pieces:
    """Bytes of each piece, and their sum over a set of them, quickly."""

    flash: list[int] = field(default_factory=list)
    numbers: dict[tuple[str, str], int] = field(default_factory=dict)

    def bit(self, driver: str, name: str, flash: int) -> int:
        # A member of an archive of the compiler is the same for all drivers.
        key = ("" if "/" in name else driver, name)
        number = self.numbers.setdefault(key, len(self.flash))
        if number == len(self.flash):
            self.flash.append(flash)
        self.flash[number] = max(self.flash[number], flash)
        return 1 << number

    @cached_property
    def _tables(self) -> list[list[int]]:
        """For each eight pieces, the bytes of each combination."""
        tables = []
        for first in range(0, len(self.flash), 8):
            bytes_of = self.flash[first : first + 8]
            tables.append(
                [sum(b for i, b in enumerate(bytes_of) if n >> i & 1) for n in range(256)]
            )
        return tables

    def sum(self, mask: int) -> int:
        given = mask.to_bytes(len(self._tables), "little")
        return sum(table[byte] for table, byte in zip(self._tables, given, strict=True))


@dataclass
class _Fixed:
    """The fixed part: mechanisms with one plan, and those that they need; and the open ones."""

    seen: set[str]
    open: list[str] = field(default_factory=list)
    mask: int = 0
    leaks: int = 0
    unmeasured: int = 0
    plans: dict[str, Plan] = field(default_factory=dict)
    over: dict[str, Plan] = field(default_factory=dict)  # whose instructions are those of a need

    def take(self, name: str, plan: Plan) -> None:
        self.plans[name] = plan
        if plan.instructions and "" not in plan.instructions:
            self.over[name] = plan
        self.mask |= plan.pieces
        self.leaks += plan.leak
        self.unmeasured += plan.unmeasured


class Choices:
    """The alternatives: the plans of each mechanism, the one by rank first."""

    def __init__(
        self,
        costs: Mapping[str, Costs],
        wanted: Sequence[str],
        enabled: Container[str],
        is_for_speed: bool = False,
        is_computer: bool = False,
    ) -> None:
        """wanted: the mechanisms of the build, without those that others need; enabled: symbols.

        is_for_speed: instructions count, not bytes. is_computer: a few more of them do not, and
        nothing tells more of secrets for speed than by rank, or refuses more.
        """
        self.costs = costs
        self.wanted = wanted
        self.enabled = enabled
        self.is_for_speed = is_for_speed
        self.is_computer = is_computer and is_for_speed
        self.pieces = _Pieces()
        self.plans: dict[str, list[Plan]] = {}

    def add(
        self,
        mechanism: Mechanism,
        driver: Driver,
        capabilities: Sequence[Capability],
        needs: Sequence[str],
    ) -> None:
        mask, unmeasured = 0, False
        for name in dict.fromkeys(c.driver for c in capabilities):
            costs = self.costs.get(name)
            found = costs.mechanisms.get(mechanism.name) if costs else None
            # The rest of a mechanism, which another driver runs, is much the same for
            # all; and a driver of hardware adds no library.
            unmeasured |= found is None and name == driver.name and not is_hardware(driver)
            for piece in found or ():
                assert costs is not None
                mask |= self.pieces.bit(name, piece, costs.pieces[piece].flash)
        leak = max((capability.leak(self.enabled) for capability in capabilities), default=0)
        plans = self.plans.setdefault(mechanism.name, [])
        counts = self._counts(mechanism.name, driver)
        plan = Plan(driver, tuple(capabilities), tuple(needs), mask, unmeasured, leak, counts)
        plans.append(replace(plan, order=len(plans)))

    def _counts(self, mechanism: str, driver: Driver) -> dict[str, int]:
        # No instructions of the processor do the work, and no figure says how long an engine takes.
        if is_hardware(driver):
            return {"": 0}
        costs = self.costs.get(driver.name)
        return costs.instructions_of(mechanism) if costs else {}

    @property
    def open(self) -> Sequence[str]:
        """Mechanisms that are always used, and have several plans."""
        return self._fixed.open

    def used(self, assignment: Assignment) -> dict[str, Plan]:
        """The additions of an assignment to the fixed part.

        These are the mechanisms that were open, and those that their chosen plans need.
        A plan that is not chosen needs nothing.
        """
        fixed = self._fixed
        used: dict[str, Plan] = {}
        seen = set(fixed.seen)
        waiting = list(fixed.open)
        while waiting:
            name = waiting.pop()
            plan = used[name] = self.plans[name][assignment[name]]
            for need in plan.needs:
                if need not in seen:
                    seen.add(need)
                    if need in self.plans:
                        waiting.append(need)
        return used

    def score_of(self, used: Mapping[str, Plan], constant_time: bool) -> Score:
        """constant_time: secrets count, too."""
        if self.is_for_speed:
            told, refused = self._told_by(used, constant_time), self._refused_by(used)
            return (told, refused, *self._speed_of(used))
        fixed = self._fixed
        mask, leaks, unmeasured = fixed.mask, fixed.leaks, fixed.unmeasured
        for plan in used.values():
            mask |= plan.pieces
            leaks += plan.leak
            unmeasured += plan.unmeasured
        flash = self.pieces.sum(mask) + unmeasured * NOT_MEASURED
        return (leaks if constant_time else 0, 0, flash)

    def _told_by(self, used: Mapping[str, Plan], constant_time: bool) -> int:
        """All leaks of secrets, or on a computer those beyond the drivers by rank."""
        if constant_time:
            return self._fixed.leaks + sum([plan.leak for plan in used.values()])
        if not self.is_computer:
            return 0
        return sum(
            [max(0, self._told_with(p, used) - self._told_by_rank[n]) for n, p in used.items()]
        )

    def _refused_by(self, used: Mapping[str, Plan]) -> int:
        """By how many more than by rank."""
        return sum([self.refuses_more(name, plan) for name, plan in used.items()])

    def refuses_more(self, name: str, plan: Plan) -> bool:
        """Whether one may not be chosen for speed, since others take what it does not."""
        return self.is_computer and plan.refuses_more_than(self.plans[name][0])

    def _told_with(self, plan: Plan, used: Mapping[str, Plan]) -> int:
        """Leaks of the mechanisms below a plan count, too."""
        found = plan.leak
        for need in plan.needs:
            below = used.get(need) or self._fixed.plans.get(need)
            found = max(found, below.leak if below else 0)
        return found

    @cached_property
    def _told_by_rank(self) -> dict[str, int]:
        return {name: self._told_with(plan, self._first) for name, plan in self._first.items()}

    @cached_property
    def _first(self) -> dict[str, Plan]:
        return {name: plans[0] for name, plans in self.plans.items()}

    def _speed_of(self, used: Mapping[str, Plan]) -> tuple[int, ...]:
        """As in Score: criteria, then counts."""
        judged = {True: 0, False: 0}
        counted = {True: 0, False: 0}
        not_counted = 0
        for name, plan in (*self._fixed.over.items(), *used.items()):
            counts = plan.instructions
            count = counts[""] if "" in counts else self._over(plan, used)
            if count is not None:
                counted[name in self._wanted] += count
                judged[name in self._wanted] += self._judged(name, count)
            elif name in self._counted:
                not_counted += 1
        order = sum([plan.order for plan in used.values()])
        return not_counted, judged[True], judged[False], order, counted[True], counted[False]

    def _judged(self, name: str, count: int) -> int:
        if not self.is_computer:
            return count
        fewest = self._fewest[name]
        is_same = 100 * count <= _MUCH_THE_SAME * fewest or count <= fewest + _FEW
        return fewest if is_same else count

    @cached_property
    def _fewest(self) -> dict[str, int]:
        """The fewest instructions of each mechanism that was counted, among its
        possible drivers."""
        return {name: min(self._counts_of(name), default=0) for name in self._counted}

    def _counts_of(self, name: str) -> Iterator[int]:
        for plan in self.plans[name]:
            for over, count in plan.instructions.items():
                below = self._plan_of(plan.needs[0], over) if over else None
                if over and below is None:
                    continue
                used = self._first | {plan.needs[0]: below} if below else self._first
                is_told = self._told_with(plan, used) > self._told_by_rank[name]
                if not is_told and not self.refuses_more(name, plan):
                    yield count

    def _plan_of(self, name: str, driver: str) -> Plan | None:
        fixed = self._fixed.plans.get(name)
        plans = [*self.plans.get(name, ()), *((fixed,) if fixed else ())]
        return next((plan for plan in plans if plan.driver.name == driver), None)

    def _over(self, plan: Plan, used: Mapping[str, Plan]) -> int | None:
        """Instructions of a construction, by the driver of the mechanism below it."""
        if not plan.instructions:
            return None
        need = plan.needs[0]
        below = used.get(need) or self._fixed.plans.get(need)
        if below is None:
            return None
        return 0 if is_hardware(below.driver) else plan.instructions.get(below.driver.name)

    @cached_property
    def _wanted(self) -> frozenset[str]:
        return frozenset(self.wanted)

    @cached_property
    def _counted(self) -> frozenset[str]:
        """The mechanisms with a count of instructions for any driver."""
        return frozenset(
            name for name, plans in self.plans.items() if any(p.instructions for p in plans)
        )

    def more(self, name: str, other: Score, than: Score) -> int | None:
        """The additional cost of one assignment over another that differs in a
        mechanism, if known."""
        if not self.is_for_speed:
            return other[-1] - than[-1]
        if name not in self._counted or other[_NOT_COUNTED] > than[_NOT_COUNTED]:
            return None
        which = _WANTED if name in self._wanted else _NEEDED
        return other[which] - than[which]

    def is_by_rank(self, name: str) -> bool:
        """Whether no figure says who is better."""
        return self.is_for_speed and name not in self._counted

    def score(self, assignment: Assignment, constant_time: bool) -> Score:
        return self.score_of(self.used(assignment), constant_time)

    @cached_property
    def _fixed(self) -> _Fixed:
        """The part common to all assignments, once all plans were added."""
        fixed = _Fixed(seen=set(self.wanted))
        waiting = list(self.wanted)
        while waiting:
            name = waiting.pop()
            plans = self.plans.get(name, [])
            if len(plans) > 1:
                fixed.open.append(name)
            elif plans:
                fixed.take(name, plans[0])
                new = [need for need in plans[0].needs if need not in fixed.seen]
                fixed.seen.update(new)
                waiting += new
        return fixed


class _Search:
    """Looks for the best combination."""

    def __init__(self, choices: Choices, constant_time: bool) -> None:
        self.choices = choices
        self.plans = choices.plans
        self.constant_time = constant_time
        self.budget = _BUDGET

    def score(self, assignment: Assignment) -> Score:
        return self._score_of(self.choices.used(assignment))

    def _score_of(self, used: Mapping[str, Plan]) -> Score:
        self.budget -= 1
        return self.choices.score_of(used, self.constant_time)

    def _step(
        self, start: Assignment, used: Container[str], step: Assignment
    ) -> tuple[Assignment, Score]:
        """Another plan for some mechanisms, and for those that only the best one with it needs.

        used: the mechanisms used at the start. Without it, a plan that adds a mechanism
        would be judged by an arbitrary driver of that one, which made no difference before.
        """
        tried = start | step
        known = {*step}
        while True:
            found = self.choices.used(tried)
            score = self._score_of(found)
            open_ones = (n for n in found if n not in used and n not in known)
            name = next((n for n in open_ones if len(self.plans[n]) > 1), None)
            if name is None:
                return tried, score
            known.add(name)
            others = [tried | {name: i} for i in range(len(self.plans[name]))]
            tried = min(others, key=self.score)

    def _beginnings(self) -> Iterator[Assignment]:
        """By rank, and with everything that a driver supports by this one."""
        by_rank_alone = dict.fromkeys(self.plans, 0)
        yield by_rank_alone
        for driver in self._drivers():
            yield by_rank_alone | self._all_by(driver)

    def _drivers(self) -> list[str]:
        drivers = {p.driver.name: p.driver for plans in self.plans.values() for p in plans}
        return [d.name for d in sorted(drivers.values(), key=by_rank)]

    def _all_by(self, driver: str, names: Sequence[str] | None = None) -> Assignment:
        return {
            name: i
            for name in (self.plans if names is None else names)
            for i, plan in enumerate(self.plans[name])
            if plan.driver.name == driver
        }

    def _descend(self, start: Assignment, groups: Sequence[Sequence[str]]) -> Assignment:
        """Step by step: one mechanism, or a group of them, to another driver, as long as it helps.

        A tie stays with the one that was there.
        """
        best, best_score = start, self.score(start)
        used = self.choices.used(best)
        better = True
        while better and self.budget > 0:
            better = False
            for step in self._steps(groups):
                if self.budget <= 0 or all(best[name] == i for name, i in step.items()):
                    continue
                tried, score = self._step(best, used, step)
                if score < best_score:
                    best, best_score, better = tried, score, True
                    used = self.choices.used(best)
        return best

    def _steps(self, groups: Sequence[Sequence[str]]) -> Iterator[Assignment]:
        drivers = self._drivers()
        for group in groups:
            yield from (step for d in drivers if (step := self._all_by(d, group)))
        for name, plans in self.plans.items():
            yield from ({name: i} for i in range(len(plans)))

    def best(self, groups: Sequence[Sequence[str]]) -> Assignment:
        at_least = prod(len(self.plans[name]) for name in self.choices.open)
        every = list(islice(self._every(), _ALL + 1)) if at_least <= _ALL else []
        if 0 < len(every) <= _ALL:
            found: Iterator[Assignment] = iter(every)
        else:
            beginnings = list(self._beginnings())
            share = _BUDGET // len(beginnings)
            found = (self._with_share(b, groups, share) for b in beginnings)
        # Of equals the first: by rank.
        return min(found, key=self.score)

    def _every(self) -> Iterator[Assignment]:
        """All that differ in something that is used, those by rank first."""
        waiting: list[tuple[Assignment, frozenset[str]]] = [
            (dict.fromkeys(self.plans, 0), frozenset())
        ]
        while waiting:
            assignment, settled = waiting.pop()
            used = self.choices.used(assignment)
            name = next((n for n in self.plans if n in used and n not in settled), None)
            if name is None:
                yield assignment
                continue
            plans = range(len(self.plans[name]))
            settled |= {name}
            waiting += [(assignment | {name: i}, settled) for i in reversed(plans)]

    def _with_share(
        self, start: Assignment, groups: Sequence[Sequence[str]], share: int
    ) -> Assignment:
        self.budget = share
        return self._descend(start, groups)

    def pick(self, best: Assignment, name: str) -> Pick:
        """The choice for a mechanism, beside what could be in its place."""
        chosen = self.plans[name][best[name]]
        used = self.choices.used(best)
        score = self._score_of(used)
        same: list[tuple[Score, int]] = []  # with the number of the plan
        leaking: list[tuple[Score, int]] = []
        for i in range(len(self.plans[name])):
            if i != best[name]:
                _, other = self._step(best, used, {name: i})
                (leaking if other[_FIRST] > score[_FIRST] else same).append((other, i))
        found = Pick(chosen.driver, chosen.leak, is_by_rank=self.choices.is_by_rank(name))
        if same:
            least = min(self.choices.more(name, other, score) or 0 for other, _ in same)
            found = replace(found, is_least=least >= 0)
            other, i = min(same)
            plan = self.plans[name][i]
            is_known = self.choices.is_for_speed or chosen.unmeasured or not plan.unmeasured
            extra = self.choices.more(name, other, score) if is_known else None
            found = replace(found, runner_up=plan.driver, extra=extra)
        if leaking:
            more, (told, *_), i = min(
                (self.choices.more(name, other, score) or 0, other, i) for other, i in leaking
            )
            saved = -more
            if saved > 0:
                plan = self.plans[name][i]
                is_refusing = told <= score[0]
                found = replace(found, leaking=plan.driver, saved=saved, is_refusing=is_refusing)
        return found


def cheapest(
    choices: Choices, groups: Sequence[Sequence[str]], constant_time: bool
) -> dict[str, Pick]:
    """The choice for each mechanism that is used and was open.

    groups: mechanisms that are tried together, too. constant_time: fewer leaks of
    secrets come before size.
    """
    search = _Search(choices, constant_time)
    best = search.best(groups)
    used = choices.used(best)
    return {name: search.pick(best, name) for name in choices.plans if name in used}


def least_telling(choices: Choices) -> dict[str, Pick]:
    """Drivers selected instead of the first by rank, because their time depends less on secrets.

    A construction tells what those tell that it is made over.
    """
    plans = choices.plans
    found: dict[str, tuple[int, int]] = {}

    def tell(name: str, above: frozenset[str]) -> int:
        if name in above or name not in plans:
            return 0
        if name not in found:
            above |= {name}
            leaks = [p.leak + sum(tell(need, above) for need in p.needs) for p in plans[name]]
            found[name] = min((leak, i) for i, leak in enumerate(leaks))
        return found[name][0]

    leaks = {name: tell(name, frozenset()) for name in plans}
    return {
        name: Pick(plans[name][found[name][1]].driver, leak)
        for name, leak in leaks.items()
        if found[name][1] > 0
    }


def ranked(candidates: Candidates, mechanism: Mechanism, library: Driver | None) -> list[Driver]:
    """The candidates of a mechanism, by the ranks of their descriptions only."""
    return sorted(
        candidates.of(mechanism),
        key=lambda d: (d.is_opaque, not is_hardware(d), d is not library, *by_rank(d)),
    )
