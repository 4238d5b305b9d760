//! Typed indices into a [`Model`](super::Model).

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the model's list.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A body, in the order of creation.
    BodyId
);
id!(
    /// A joint, in the order of creation.
    JointId
);
id!(
    /// A collision shape, in the order of creation.
    ShapeId
);
id!(
    /// A coupling between joint coordinates, in the order of creation.
    CouplingId
);
id!(
    /// A tendon, in the order of creation.
    TendonId
);
id!(
    /// A named frame, in the order of creation.
    FrameId
);
id!(
    /// An actuator, in the order of creation: the index of its control.
    ActuatorId
);
