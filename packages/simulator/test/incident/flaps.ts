import type { Story } from './story.ts';

/** A period in which a drained host is back in rotation, although its new container does not accept connections yet. */
export interface Flap {
  readonly pod: string;
  /** Milliseconds since the replacement. */
  readonly from: number;
  readonly to: number;
  /** How long of it connections are refused, in milliseconds. */
  readonly refusedMs: number;
}

/** Finds the flaps of a batch, in the order of its pods. */
export const findFlaps = (story: Story): Flap[] => [...story.addresses].flatMap(([pod, address]) => findFlapsOf(story, pod, address));

function findFlapsOf({ cluster, drainedAt, replacedAt }: Story, pod: string, address: string): Flap[] {
  const flaps: Flap[] = [];
  const state = { isInRotation: true, isListening: true, isReplaced: false };
  let [from, refusedMs, last] = [undefined as number | undefined, 0, drainedAt];
  for (const entry of cluster.timeline) {
    if (entry.at < drainedAt) continue;
    if (from !== undefined && !state.isListening) refusedMs += entry.at - last;
    last = entry.at;
    if (entry.type === 'route') state.isInRotation = entry.addresses.includes(address);
    if (entry.type === 'listener' && entry.pod === `default/${pod}`) {
      state.isListening = entry.state === 'open';
      state.isReplaced ||= entry.state === 'open' && entry.at > replacedAt;
    }
    const isFlapping = state.isInRotation && !state.isReplaced && entry.at > drainedAt;
    if (isFlapping) from ??= entry.at;
    else if (from !== undefined) {
      if (entry.at > from) flaps.push({ pod, from: from - replacedAt, to: entry.at - replacedAt, refusedMs });
      [from, refusedMs] = [undefined, 0];
    }
  }
  return flaps;
}
