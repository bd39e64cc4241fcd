import type { ControllerStats } from '../controllers/controller.ts';

/** What is still to be done: waits, is being done, or is tried again later. */
export type Backlog = Pick<ControllerStats, 'waiting' | 'processing' | 'delayed'>;

/** With what else there is to do. */
export function withBacklogs<Stats extends Backlog>(stats: Stats, backlogs: readonly Backlog[]): Stats {
  const sum = (name: keyof Backlog): number => backlogs.reduce((all, each) => all + each[name], stats[name]);
  return { ...stats, waiting: sum('waiting'), processing: sum('processing'), delayed: sum('delayed') };
}
