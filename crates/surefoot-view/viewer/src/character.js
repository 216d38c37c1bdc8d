// Loads the GLB and poses it: the character's nodes, joints, size and animation mixer.
import { AnimationMixer, Box3, Group, Quaternion, Sphere, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const FORWARD = new Vector3(0, 0, 1); // a glTF character faces +Z in its rest pose

const GLB_MAGIC = 0x46546c67; // "glTF"

/** `placing`: what brings the file's scene to metres, Y up, facing +Z, with the ground at 0. */
export async function loadCharacter(glb, placing) {
  // The loader would answer these two with a complaint about JSON or array lengths.
  const header = glb.byteLength >= 12 ? new DataView(glb) : null;
  if (header?.getUint32(0, true) !== GLB_MAGIC) throw new Error('it is not a GLB file');
  if (header.getUint32(8, true) > glb.byteLength) throw new Error('the GLB file is cut off');
  const gltf = await new GLTFLoader().parseAsync(glb, '');
  if (!gltf.scene) throw new Error('the file contains no scene');
  return new Character(gltf, placing);
}

class Character {
  constructor(gltf, { scale = 1, turn = [0, 0, 0, 1], ground = 0 } = {}) {
    this.scene = new Group().add(gltf.scene);
    this.scene.scale.setScalar(scale);
    this.scene.quaternion.fromArray(turn);
    this.scene.position.y = -ground;
    this.clips = gltf.animations;
    this.mixer = new AnimationMixer(gltf.scene);
    this.action = null;
    this.scene.updateMatrixWorld(true);

    Object.assign(this, findNodes(gltf));
    this.meshes = [];
    this.scene.traverse((object) => {
      if (object.isMesh) this.meshes.push(object);
    });
    for (const mesh of this.meshes) {
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      mesh.frustumCulled = false; // three's bounds of a skinned mesh do not follow the animation
    }

    this.joints = findJoints(gltf.scene);
    this.restRotation = new Map(
      this.joints.map((joint) => [joint, joint.getWorldQuaternion(new Quaternion())]),
    );
    this.measure();
  }

  /**
   * Overall dimensions, in poses of the first clip: bound poses spread arms and wings. `size` is the
   * yardstick for everything drawn.
   */
  measure() {
    const [clip] = this.clips;
    const extent = new Vector3();
    const box = new Box3();
    const joints = drawnJoints(this.joints, this.meshes); // handles may stand anywhere
    this.useClip(clip);
    for (const part of clip ? [0.5, 0] : [0]) {
      this.pose(part * (clip?.duration ?? 0));
      box.setFromObject(this.scene, true);
      for (const joint of joints) box.expandByPoint(worldPosition(joint));
      if (box.isEmpty()) box.set(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1, 0.5));
      extent.max(box.getSize(new Vector3()));
    }
    this.height = extent.y;
    this.girth = Math.max(extent.x, extent.z);
    this.size = Math.max(this.height, this.girth / 2) || 1;
    this.radius = Math.max(box.getBoundingSphere(new Sphere()).radius, this.size / 2);
    const centre = box.getCenter(new Vector3());
    this.centreAboveJoint = new Map(
      this.joints.map((joint) => [joint, centre.y - worldPosition(joint).y]),
    );
  }

  useClip(clip) {
    this.mixer.stopAllAction(); // puts nodes the next clip does not touch back to rest
    this.action = clip ? this.mixer.clipAction(clip).reset().play() : null;
  }

  /** Poses the character at a time of the clip in use. */
  pose(time) {
    if (this.action) {
      this.action.time = time; // set, not advanced: a step of zero never wraps at the clip's end
      this.mixer.update(0);
    }
    this.scene.updateMatrixWorld(true);
  }

  /** The direction a joint faces over the floor, compared to facing +Z at rest. */
  heading(joint) {
    const rest = this.restRotation.get(joint).clone().invert();
    const turn = joint.getWorldQuaternion(new Quaternion()).multiply(rest);
    const heading = FORWARD.clone().applyQuaternion(turn).setY(0);
    return heading.lengthSq() > 1e-4 ? heading.normalize() : FORWARD.clone();
  }
}

export function worldPosition(node, out = new Vector3()) {
  return out.setFromMatrixPosition(node.matrixWorld);
}

/**
 * Nodes by their index and by the name in the file: three renames nodes such as "toes.l" to fit its
 * track names. Where a joint and a mesh share a name, the joint is meant.
 */
function findNodes({ scene, parser }) {
  const nodesByName = new Map();
  const nodesByIndex = new Map();
  scene.traverse((object) => {
    const index = parser.associations.get(object)?.nodes;
    if (index === undefined) return;
    // The parts of a mesh are associated with its node too; the node itself comes first.
    if (!nodesByIndex.has(index)) nodesByIndex.set(index, object);
    const { name } = parser.json.nodes[index];
    if (name === undefined) return;
    if (!nodesByName.has(name) || (object.isBone && !nodesByName.get(name).isBone)) {
      nodesByName.set(name, object);
    }
  });
  return { nodesByName, nodesByIndex };
}

/** The joints of all skins, parents first; without skins, every plain node. Never empty. */
function findJoints(scene) {
  const bones = [];
  const plain = [];
  scene.traverse((object) => {
    if (object.isBone) bones.push(object);
    else if (object !== scene && !object.isMesh && !object.isCamera && !object.isLight) {
      plain.push(object);
    }
  });
  if (bones.length) return bones;
  return plain.length ? plain : [scene];
}

/**
 * The joints that are worth drawing with a line to their parent: those that hold a part of a skin,
 * themselves or by what hangs from them. The others are handles of the rig. So are joints above all
 * that hold something: they are no ends of bones.
 */
export function drawnJoints(joints, meshes) {
  const holds = new Set();
  for (const mesh of meshes) {
    if (!mesh.isSkinnedMesh) {
      holds.add(mesh.parent);
      continue;
    }
    const { skinIndex, skinWeight } = mesh.geometry.attributes;
    for (let i = 0; i < skinIndex.count; i++) {
      for (let k = 0; k < 4; k++) {
        if (skinWeight.getComponent(i, k) > 0) holds.add(mesh.skeleton.bones[skinIndex.getComponent(i, k)]);
      }
    }
  }
  const carries = new Set();
  for (const joint of holds) for (let up = joint; up; up = up.parent) carries.add(up);
  if (!joints.some((joint) => carries.has(joint))) return joints;
  const hangs = (joint) => { // from something that holds a part of the skin
    for (let up = joint.parent; up; up = up.parent) if (holds.has(up)) return true;
    return false;
  };
  return joints.filter((joint) => carries.has(joint) && (holds.has(joint) || hangs(joint)));
}

/** The nearest ancestor of a joint that is itself a joint, or null at the top. */
export function parentJoint(joint, joints) {
  for (let node = joint.parent; node; node = node.parent) if (joints.has(node)) return node;
  return null;
}
