// Finds the frame length of a clip from the times of its keys.

const SAME_TIME = 5e-4; // keys closer than this are the same moment, written with rounding
const LONGEST_FRAME = 0.1; // wider key gaps come from sparse, hand-set keys, not from frames
const DEFAULT_FRAME = 1 / 30;

/** { frameLength, frames }: the last frame lies exactly at the end of the clip. */
export function clipFrames(clip) {
  if (!clip || !(clip.duration > 0)) return { frameLength: 0, frames: 1 };
  const steps = Math.max(1, Math.round(clip.duration / commonGap(clip)));
  return { frameLength: clip.duration / steps, frames: steps + 1 };
}

/** The most frequent distance between neighbouring keys of all tracks together. */
function commonGap(clip) {
  const times = clip.tracks.flatMap((track) => Array.from(track.times)).sort((a, b) => a - b);
  const bins = new Map();
  let last = times[0];
  for (const time of times) {
    const gap = time - last;
    if (gap < SAME_TIME) continue;
    last = time;
    const key = Math.round(gap / SAME_TIME);
    const bin = bins.get(key) ?? { count: 0, sum: 0 };
    bin.count += 1;
    bin.sum += gap;
    bins.set(key, bin);
  }
  let best = { count: 0, sum: 0 };
  for (const bin of bins.values()) if (bin.count > best.count) best = bin;
  const gap = best.count ? best.sum / best.count : DEFAULT_FRAME;
  return gap > LONGEST_FRAME ? DEFAULT_FRAME : gap;
}
