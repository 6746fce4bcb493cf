"""The paper's experiments, one file each; to add one, write its file and name it here."""

from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments.ablation import Ablation
from hybandit.paper.experiments.drift import Drift
from hybandit.paper.experiments.enhanced import Enhanced
from hybandit.paper.experiments.fresh import Fresh
from hybandit.paper.experiments.items import Items
from hybandit.paper.experiments.network import Network
from hybandit.paper.experiments.news import News
from hybandit.paper.experiments.parameters import Parameters
from hybandit.paper.experiments.plain import Plain
from hybandit.paper.experiments.regret import Regret
from hybandit.paper.experiments.scalability import Scalability
from hybandit.paper.experiments.schedules import Schedules
from hybandit.paper.experiments.sparse import Sparse
from hybandit.paper.experiments.stability import Stability
from hybandit.paper.experiments.theory import Theory
from hybandit.paper.experiments.tuning import Tuning

# In the order of the report.
EXPERIMENTS: dict[str, PaperExperiment] = {
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
