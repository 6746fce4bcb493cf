"""Which modules are changed, and which tests answer for each."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "validation",
    "policies",
    "estimators",
    "environments",
    "experiments",
    "reports",
    "paper",
)
# Of every module of a package that has such files.
GOLDEN = ("test_recorded", "test_defaults")
# Of every experiment of the paper.
PAPER = tuple(
    f"paper/test_{name}"
    for name in ("golden_report", "conclusions", "paper", "sections", "recorded")
)
# Besides the mirror, by module or by package: test files, each by its package and its name,
# in whichever folder inside the package it is; so are the modules.
MORE: dict[str, tuple[str, ...]] = {
    "validation/checks": (
        "policies/test_arms",
        "validation/test_contexts",
        "policies/test_policy",
        "policies/test_item_hybrid",
    ),
    "policies/policy": ("policies/test_files", "policies/test_faults"),
    "policies/contextual": ("policies/test_upper_confidence", "policies/test_lin_ucb"),
    "policies/arms": ("policies/test_retired", "policies/test_contextual"),
    "policies/arm_names": ("policies/test_arms",),
    "policies/items": ("policies/test_item_hybrid", "policies/test_item_lin_ucb"),
    "policies/kernel_ts": ("policies/test_kernel_ucb", "policies/test_nonlinear"),
    "policies/kernel_ucb": ("policies/test_nonlinear",),
    "policies/network_policy": ("policies/test_nonlinear",),
    "policies/neural_epsilon_greedy": ("policies/test_nonlinear",),
    "policies/neural_ts": ("policies/test_neural_ucb", "policies/test_nonlinear"),
    "policies/settings": ("policies/test_lin_ucb", "policies/test_neighbours"),
    "policies/scale_warning": ("estimators/test_context_scale",),
    "environments": ("environments/test_worlds",),
    "estimators": ("policies/test_recorded",),
    "estimators/bayesian_ridge": ("policies/test_neural_linear",),
    "estimators/context_scale": (
        "policies/test_scale_warning",
        "policies/test_scaled_hybrid",
    ),
    "estimators/hybrid": ("policies/test_lnucb_ta",),
    "estimators/adaptive": ("estimators/test_memory",),
    "estimators/query": ("estimators/test_adaptive",),
    "estimators/tree": ("estimators/test_memory",),
    "estimators/item_features": ("policies/test_item_hybrid",),
    "estimators/item_neighbours": ("policies/test_item_lnucb_ta",),
    "estimators/item_ridge": ("policies/test_item_lin_ucb",),
    "estimators/item_stack": ("policies/test_item_hybrid",),
    "estimators/item_table": ("policies/test_item_hybrid",),
    "estimators/joint_ridge": ("policies/test_item_hybrid",),
    "estimators/kernel_basis": ("estimators/test_kernel_regression",),
    "estimators/kernel_regression": ("policies/test_kernel_ucb",),
    "estimators/memory": ("estimators/test_adaptive_knn", "policies/test_lnucb_ta"),
    "estimators/network": ("policies/test_neural_ucb", "policies/test_nonlinear"),
    "estimators/retention": ("estimators/test_memory",),
    "estimators/reward_scale": ("policies/test_stacked_hybrid",),
    "estimators/ridge": ("policies/test_lin_ucb", "policies/test_stacked_hybrid"),
    "estimators/shortcuts": ("estimators/test_hybrid", "estimators/test_cosines"),
    "estimators/stack": ("policies/test_stacked_hybrid",),
    "estimators/typical_distance": ("policies/test_knn_ucb",),
    "experiments/experiment": ("paper/test_golden_report", "paper/test_conclusions"),
    "experiments/makers": ("experiments/test_calls", "experiments/test_wrong_arguments"),
    "experiments/provenance": ("paper/test_report",),
    "experiments/runs": ("experiments/test_experiment", "experiments/test_runner"),
    "experiments/again": ("cli/test_cli",),
    "experiments/specs": ("experiments/test_tasks",),
    "experiments/tasks": ("experiments/test_store", "policies/test_plugins"),
    "experiments/trained": ("cli/test_train",),
    "experiments/verdicts": ("experiments/test_log_evaluation", "cli/test_evaluate"),
    "paper/attributes": ("paper/test_verdicts",),
    "paper/judgements": ("paper/test_verdicts", "paper/test_conclusions"),
    "paper/experiment": PAPER,
    "paper/probers": ("paper/test_recorded",),
    "paper/references": ("experiments/test_players", "policies/test_lnucb_ta"),
    "paper/reproduce": ("paper/test_paper", "paper/test_sections"),
    "paper/statements": ("paper/test_theory",),
    "paper/values": ("paper/test_published", "paper/test_verdicts"),
    "reports/section": ("reports/test_tables",),
    "reports/line_ends": ("reports/test_figures",),
    "reports/listings": ("cli/test_cli", "cli/test_manners"),
}


def modules(root: Path = ROOT) -> dict[str, list[Path]]:
    """The sources that are changed, by package, relative to the root."""
    source = root / "src/hybandit"
    return {
        package: sorted(
            path.relative_to(root)
            for path in (source / package).rglob("*.py")
            if path.name != "__init__.py"
        )
        for package in PACKAGES
    }


def checked_by(module: Path, root: Path = ROOT) -> list[str]:
    """Files of tests, the mirror first, and the module's own examples last.

    Examples
    --------
    >>> checked_by(Path("src/hybandit/reports/tables.py"))
    ['tests/reports/test_tables.py', 'src/hybandit/reports/tables.py']
    """
    inside = module.relative_to("src/hybandit").with_suffix("")
    package = inside.parts[0]
    wanted = [f"{package}/{each}" for each in (f"test_{inside.name}", *GOLDEN)]
    wanted += MORE.get(f"{package}/{inside.name}", ())
    if inside.parts[:2] == ("paper", "experiments"):
        wanted += PAPER
    wanted += MORE.get(package, ())
    found = [path for each in wanted for path in named_files(each, root)]
    if ">>> " in (root / module).read_text():
        found.append(module.as_posix())
    return list(dict.fromkeys(found))


def named_files(named: str, root: Path = ROOT) -> list[str]:
    """The file of that package and name; none or several where there are."""
    package, name = named.split("/")
    found = sorted((root / "tests" / package).rglob(f"{name}.py"))
    return [path.relative_to(root).as_posix() for path in found]
