//! A network, the options beside it, and what they make of its values.

use super::*;
use crate::nnue::{Extension, FeatureSet, NetworkShape};
use tesuji_shogi::Position;

struct Raw;
impl EvaluatorVisitor for Raw {
    type Out = (i32, i32);
    fn visit<E: Evaluator + Send + 'static>(self, eval: E) -> (i32, i32) {
        let pos = Position::start();
        (eval.evaluate_raw(&pos), eval.evaluate(&pos).points())
    }
}

#[test]
fn a_network_is_chosen_by_its_file_and_scaled_by_the_options_beside_it() {
    let folder = std::env::temp_dir().join(format!("tesuji-choose-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut file = NetworkFile::blank(NetworkShape::clipped_relu(FeatureSet::KP, [256, 32, 32]));
    file.stacks[0].layers[2].biases[0] = 4800;
    std::fs::write(folder.join("nn.bin"), file.write()).unwrap();
    let ask = |spec: &str, fv_scale| {
        let spec = spec.parse().unwrap();
        choose(
            &spec,
            &EvalSettings {
                fv_scale,
                level: None,
            },
            Raw,
        )
    };
    let nnue = format!("nnue:{}", folder.join("nn.bin").display());
    assert_eq!(ask(&nnue, None).unwrap(), (4800, 300));
    std::fs::write(folder.join("eval_options.txt"), "FV_SCALE 24\n").unwrap();
    assert_eq!(
        ask(&folder.display().to_string(), None).unwrap(),
        (4800, 200)
    );
    assert_eq!(ask(&nnue, Some(48)).unwrap(), (4800, 100));
    let skip = Skip::Relation;
    let extended = file.extended(Extension {
        skip,
        ..Extension::default()
    });
    std::fs::write(folder.join("nn.bin"), extended.write()).unwrap();
    let relation = Relation::new().evaluate(&Position::start()).points();
    assert_eq!(ask(&nnue, None).unwrap(), (200 + relation, 200 + relation));
    assert_eq!(ask("material", None).unwrap(), (0, 0));
    std::fs::write(folder.join("bad.bin"), b"not a network").unwrap();
    let bad = ask(&folder.join("bad.bin").display().to_string(), None).unwrap_err();
    assert!(
        bad.to_string().contains("bad.bin: a network begins with"),
        "{bad}"
    );
    let none = ask("nnue:/no/such/file", None).unwrap_err();
    assert!(none.to_string().starts_with("/no/such/file: "), "{none}");
    assert!(
        none.to_string().contains("builtin, material, relation"),
        "{none}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}
