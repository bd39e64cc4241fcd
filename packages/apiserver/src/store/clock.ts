import { type Clock, systemClock as steadyClock } from 'kube-endpoints/port';

/** The time of the machine. What is scheduled does not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(callback, milliseconds) {
    // A longer delay than a timer can hold would be taken for none at all.
    const timer = setTimeout(callback, Math.min(milliseconds, 0x7fffffff));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** The same time, for what a caller awaits: a call on the machine's clock then does keep the process alive. */
export const awaited = (clock: Clock): Clock =>
  clock.schedule === systemClock.schedule ? { now: () => clock.now(), schedule: steadyClock.schedule } : clock;
