//! Experiments that wait for a later part of Linkwork.

use super::Experiment;

pub(super) const CASTRO_GRASP: Experiment = Experiment {
    name: "castro-grasp",
    source: "Castro 2022, Fig. 16–17",
    claim: "A gripper with compliant pads lets a held bar slip in a controlled way as its force follows a square wave.",
    criterion: "Waits for contact patches of many compliant points.",
    run: None,
};

pub(super) const CASTRO_DUAL_ARM: Experiment = Experiment {
    name: "castro-dual-arm",
    source: "Castro 2022, Fig. 1, 18–21",
    claim: "Two arms with hands open a jar of marbles and pour it into a bowl, 160 degrees of freedom at interactive rate.",
    criterion: "Waits for the scene of the two arms and for contact patches of many compliant points.",
    run: None,
};
