//! VRM: glTF files that name the bones of a person. Version 0 lists them, version 1 has a key for each.

use crate::nodes::Body;
use serde_json::Value;
use surefoot::rig::JointId;

/// The bones of a leg as VRM calls them, without the side; the toes may be missing.
const BONES: [&str; 4] = ["UpperLeg", "LowerLeg", "Foot", "Toes"];

/// The legs that a document names: hip, knee, ankle and, where there are any, toes. Empty for other files.
pub(super) fn legs(json: &Value, body: &Body) -> Vec<Vec<JointId>> {
    let named = |bone: &str| {
        let new = json.pointer(&format!("/extensions/VRMC_vrm/humanoid/humanBones/{bone}/node"));
        let old = || {
            let list = json.pointer("/extensions/VRM/humanoid/humanBones")?.as_array()?;
            list.iter().find(|entry| entry["bone"] == *bone)?.get("node")
        };
        let node = usize::try_from(new.or_else(old)?.as_u64()?).ok()?;
        Some(JointId(u16::try_from((*body.of_node.get(node)?)?).ok()?))
    };
    let leg = |side: &str| {
        let joints: Vec<Option<JointId>> = BONES.iter().map(|bone| named(&format!("{side}{bone}"))).collect();
        let [hip, knee, ankle, toe] = joints[..] else { return None };
        Some([hip?, knee?, ankle?].into_iter().chain(toe).collect::<Vec<_>>())
    };
    ["left", "right"].into_iter().filter_map(leg).collect()
}
