//! Models as data: written and read back to the same bits, refused where they are damaged.

use linkwork::model::{BodyId, ModelData};
use linkwork_scenes::{all_scenes, scene};

/// Every scene's model, written and read, is the same to the bit, derived parts included.
#[test]
fn models_survive_json_to_the_bit() {
    for entry in all_scenes() {
        let model = scene(entry.name, &[]).unwrap().model;
        let text = serde_json::to_string(model.data()).unwrap();
        let again: ModelData = serde_json::from_str(&text).unwrap();
        let again = again.build().unwrap();
        assert_eq!(model.bodies(), again.bodies(), "{}", entry.name);
        assert_eq!(model.shapes(), again.shapes());
        assert_eq!(model.couplings(), again.couplings());
        assert_eq!(model.initial_state(), again.initial_state());
        assert_eq!(
            format!("{:?}", model.joints()),
            format!("{:?}", again.joints())
        );
        assert_eq!(model.hash(), again.hash());
    }
}

#[test]
fn damaged_data_is_refused() {
    let model = scene("fourbar_fixed", &[]).unwrap().model;
    let refused = |change: fn(&mut ModelData)| {
        let mut data = model.data().clone();
        change(&mut data);
        data.build().err().unwrap().to_string()
    };
    assert!(refused(|d| d.bodies[0].mass = -1.0).contains("mass"));
    assert!(refused(|d| d.joints[1].follower = BodyId(99)).contains("99"));
    assert!(refused(|d| d.joints[2].first_coordinate = 0).contains("coordinate"));
    assert!(refused(|d| d.joints[1].axes.clear()).contains("coordinate"));
    assert!(refused(|d| d.initial_coordinates.push(0.0)).contains("coordinate"));
    assert!(refused(|d| d.initial_coordinates[0] = f64::NAN).contains("finite"));
    let unknown = r#"{"type":"hing"}"#;
    let text = serde_json::to_string(model.data()).unwrap();
    let bad = text.replacen(r#"{"type":"revolute"}"#, unknown, 1);
    let error = serde_json::from_str::<ModelData>(&bad).expect_err("refused");
    assert!(error.to_string().contains("choose one of"), "{error}");
}
