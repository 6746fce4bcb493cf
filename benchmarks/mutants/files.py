"""Which modules are changed, and which tests answer for each."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("policies", "estimators", "environments", "experiments", "reports")
PAPER = tuple(
    f"tests/experiments/paper/test_{name}.py"
    for name in ("tables", "conclusions", "golden", "paper", "sections")
)
# Of every module of a package that has such files.
GOLDEN = ("test_recorded", "test_defaults")
# Besides the mirror, tests/<package>/test_<module>.py: by module or by package.
MORE: dict[str, tuple[str, ...]] = {
    "policies/checks": (
        "policies/base/test_arms",
        "policies/test_contexts",
        "policies/base/test_policy",
        "policies/test_item_hybrid",
    ),
    "policies/base/policy": ("policies/base/test_files", "policies/test_faults"),
    "policies/base/contextual": ("policies/base/test_upper_confidence", "policies/test_lin_ucb"),
    "policies/base/arms": ("policies/test_retired", "policies/base/test_contextual"),
    "policies/base/items": ("policies/test_item_hybrid", "policies/test_item_lin_ucb"),
    "policies/kernel_ts": ("policies/test_kernel_ucb", "policies/test_nonlinear"),
    "policies/kernel_ucb": ("policies/test_nonlinear",),
    "policies/base/network_policy": ("policies/test_nonlinear",),
    "policies/neural_epsilon_greedy": ("policies/test_nonlinear",),
    "policies/neural_ts": ("policies/test_neural_ucb", "policies/test_nonlinear"),
    "policies/base/settings": ("policies/test_lin_ucb", "policies/base/test_neighbours"),
    "policies/base/scale_warning": ("estimators/test_context_scale",),
    "estimators": ("policies/test_recorded",),
    "estimators/bayesian_ridge": ("policies/test_neural_linear",),
    "estimators/context_scale": (
        "policies/base/test_scale_warning",
        "policies/base/test_extended_hybrid",
    ),
    "estimators/hybrid": ("policies/test_lnucb_ta",),
    "estimators/index/adaptive": ("estimators/test_memory",),
    "estimators/index/protocol": ("estimators/index/test_adaptive",),
    "estimators/index/tree": ("estimators/test_memory",),
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
    "experiments/attributes": ("experiments/test_verdicts",),
    "experiments/judgements": ("experiments/test_verdicts", "experiments/paper/test_conclusions"),
    "experiments/experiment": (
        "experiments/paper/test_tables",
        "experiments/paper/test_conclusions",
    ),
    "experiments/paper/theory_statements": ("experiments/paper/test_theory",),
    "experiments/section": ("experiments/paper/test_sections", "reports/test_tables"),
    "experiments/tasks": ("experiments/test_store", "policies/base/test_plugins"),
    "experiments/theory_checks": ("experiments/paper/test_theory",),
    "experiments/trained": ("cli/test_train",),
    "experiments/published": ("experiments/test_published",),
    "experiments/references": ("experiments/test_players", "policies/test_lnucb_ta"),
    "experiments/runs": ("experiments/test_experiment", "experiments/test_runner"),
    "experiments/specs": ("experiments/test_tasks",),
    "experiments/environments": ("experiments/paper/test_golden", "experiments/test_tasks"),
    "experiments/network_probers": ("experiments/paper/test_golden",),
    "reports/line_ends": ("reports/test_figures",),
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
    >>> checked_by(Path("src/hybandit/experiments/spread.py"))
    ['tests/experiments/test_spread.py', 'src/hybandit/experiments/spread.py']
    """
    inside = module.relative_to("src/hybandit").with_suffix("")
    package = inside.parts[0]
    wanted = [f"tests/{inside.parent}/test_{inside.name}.py"]
    wanted += [f"tests/{package}/{each}.py" for each in GOLDEN]
    for key in (inside.as_posix(), package):
        wanted += [f"tests/{each}.py" for each in MORE.get(key, ())]
    if inside.parts[:2] == ("experiments", "paper"):
        wanted += PAPER
    if ">>> " in (root / module).read_text():
        wanted.append(module.as_posix())
    return [each for each in dict.fromkeys(wanted) if (root / each).is_file()]
