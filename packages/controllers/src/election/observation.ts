/**
 * When something was last seen to change, by the time of this process: nobody's time of day is compared with anybody else's. Mirrors
 * `observedRecord` and `observedTime` of tools/leaderelection.
 */
export interface Observation {
  readonly text: string;
  /** By `clock.elapsed()`. */
  readonly at: number;
}

/** What is seen at a moment: the moment of the observation before, if nothing has changed since. */
export const observe = (before: Observation | undefined, text: string, now: number): Observation =>
  before?.text === text ? before : { text, at: now };

/** Whether it had not changed for that long at some moment. The moment must not be later than the look that saw it last began. */
export const isStale = ({ at }: Observation, milliseconds: number, moment: number): boolean => moment - at >= milliseconds;
