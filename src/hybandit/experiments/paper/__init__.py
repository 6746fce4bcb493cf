"""The paper's experiments, one file each; to add one, write its file and name it here."""

from hybandit.experiments.experiment import Experiment
from hybandit.experiments.paper.ablation import Ablation
from hybandit.experiments.paper.drift import Drift
from hybandit.experiments.paper.enhanced import Enhanced
from hybandit.experiments.paper.fresh import Fresh
from hybandit.experiments.paper.items import Items
from hybandit.experiments.paper.network import Network
from hybandit.experiments.paper.news import News
from hybandit.experiments.paper.parameters import Parameters
from hybandit.experiments.paper.plain import Plain
from hybandit.experiments.paper.regret import Regret
from hybandit.experiments.paper.scalability import Scalability
from hybandit.experiments.paper.schedules import Schedules
from hybandit.experiments.paper.sparse import Sparse
from hybandit.experiments.paper.stability import Stability
from hybandit.experiments.paper.theory import Theory
from hybandit.experiments.paper.tuning import Tuning

# In the order of the report.
EXPERIMENTS: dict[str, Experiment] = {
    experiment.id: experiment
    for experiment in (
        Tuning(),
        Regret(),
        Fresh(),
        Schedules(),
        News(),
        Parameters(),
        Enhanced(),
        Ablation(),
        Stability(),
        Network(),
        Scalability(),
        Drift(),
        Sparse(),
        Plain(),
        Items(),
        Theory(),
    )
}

__all__ = ["EXPERIMENTS"]
