import { isSelectedBy } from '../spec/select.ts';
import type { Pod, Service } from '../types/index.ts';
import { type Moves, readPodTime, type TriggerTimes } from './trigger-time.ts';

/** What is kept of a pod, which each controller adds to. */
export interface Member {
  /** When its readiness last changed, as a tracker remembers it. */
  readonly time: string | undefined;
}

/** The pods of a Service that is on a feed, by name. Pods that come to nothing and have no time are not kept. */
export interface Members {
  /** Takes in pods that are all selected and none of them known, with their times as they were tracked. */
  load(pods: readonly Pod[], times: TriggerTimes): void;
  /**
   * Takes in what changed. Times that moved on are told to `moves`.
   * @throws TypeError for a timestamp that is none; then nothing was taken in
   */
  update(changes: ReadonlyMap<string, Pod | undefined>, moves: Moves): void;
  /** The times that are remembered, as a tracker remembers them. */
  times(): Pick<TriggerTimes, 'pods' | 'times'>;
}

/** What becomes of a pod: what is kept of it is handed in as it was, and handed out as it is. Neither may be there. */
export type Move<M extends Member> = (before: M | undefined, pod: Pod | undefined, time: string | undefined) => M | undefined;

/** Makes an empty set of members. What a pod comes to is for `move` to say. */
export function createMembers<M extends Member>(service: Service, move: Move<M>): Members & { readonly all: ReadonlyMap<string, M> } {
  const all = new Map<string, M>();
  const isSelected = isSelectedBy(service);
  const put = (name: string, before: M | undefined, pod: Pod | undefined, time: string | undefined): void => {
    const after = move(before, pod, time);
    if (after === before) return;
    if (after) all.set(name, after);
    else all.delete(name);
  };
  return {
    all,
    load(pods, { pods: names, times }) {
      let next = 0;
      for (const pod of pods) {
        const name = pod.metadata?.name ?? '';
        const time = names[next] === name ? times[next++] : undefined;
        if (!all.has(name)) put(name, undefined, pod, time);
      }
    },
    update(changes, moves) {
      const read = Array.from(changes, ([name, given]) => {
        const pod = given && isSelected(given) ? given : undefined;
        const before = all.get(name);
        return { name, pod, before, time: pod && readPodTime(pod, before?.time, moves) };
      });
      for (const { name, pod, before, time } of read) put(name, before, pod, time);
    },
    times() {
      const timed = [...all].filter(([, { time }]) => time !== undefined);
      return { pods: timed.map(([name]) => name), times: timed.map(([, { time }]) => time as string) };
    },
  };
}
