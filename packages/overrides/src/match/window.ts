import type { TimeWindow } from '../rule.ts';

/** A compiled time window. */
export interface Window {
  /** When the current window ends, in milliseconds since the epoch; Infinity for never. Undefined if it is closed now. */
  endOf(now: number): number | undefined;
}

export const dayNames: readonly string[] = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
export const timeOfDay: RegExp = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Compiles a validated window. */
export function compileWindow({ from, to, days, start, end, timeZone = 'UTC' }: TimeWindow): Window {
  const startMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const endMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  const weekly =
    days === undefined && start === undefined
      ? undefined
      : createWeekly({
          days: days?.map((day) => dayNames.indexOf(day)),
          start: minutesOf(start ?? '00:00'),
          end: minutesOf(end ?? '00:00'),
        });
  const clock = createLocalClock(timeZone);
  return {
    endOf(now) {
      if (now < startMs || now >= endMs) return undefined;
      if (!weekly) return endMs;
      const minutes = weekly.remaining(clock(now));
      if (minutes === undefined) return undefined;
      return Math.min(endMs, minutes === Number.POSITIVE_INFINITY ? endMs : instantAfter(now, minutes, clock));
    },
  };
}

/**
 * True if a validated window ever opens. Checks spans of at most a week, every quarter of an hour. Longer spans, and windows shorter than a
 * quarter of an hour, are assumed to open.
 */
export function everOpens(window: TimeWindow): boolean {
  const [startMs, endMs] = [Date.parse(window.from ?? ''), Date.parse(window.to ?? '')];
  const length = (minutesOf(window.end ?? '00:00') - minutesOf(window.start ?? '00:00') + dayMinutes) % dayMinutes || dayMinutes;
  if (!(endMs - startMs <= 7 * dayMinutes * minuteMs) || length < quarterMinutes) return true;
  const { endOf } = compileWindow(window);
  for (let time = startMs; time < endMs; time += quarterMinutes * minuteMs) if (endOf(time) !== undefined) return true;
  return endOf(endMs - 1) !== undefined;
}

const quarterMinutes = 15;

/** A local time: the day of the week, 0 for Sunday, and the minute of the day. */
interface LocalTime {
  readonly day: number;
  readonly minute: number;
}

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
const dayMinutes = 24 * 60;
const minuteMs = 60_000;

interface WeeklyHours {
  readonly days: readonly number[] | undefined;
  readonly start: number;
  readonly end: number;
}

/** The remaining minutes of the window in local time; a window belongs to the day on which it begins. */
function createWeekly({ days, start, end }: WeeklyHours): { remaining(time: LocalTime): number | undefined } {
  const length = end > start ? end - start : end + dayMinutes - start;
  const startsOn = (day: number): boolean => days === undefined || days.includes((day + 7) % 7);
  const remaining = ({ day, minute }: LocalTime): number | undefined => {
    const remainingToday = startsOn(day) && minute >= start && minute < start + length ? start + length - minute : undefined;
    const remainingFromYesterday =
      startsOn(day - 1) && minute + dayMinutes < start + length ? start + length - dayMinutes - minute : undefined;
    return remainingToday ?? remainingFromYesterday;
  };
  return {
    remaining(time) {
      let total: number | undefined;
      for (let current = time; ; ) {
        const minutes = remaining(current);
        if (minutes === undefined) return total;
        total = (total ?? 0) + minutes;
        if (total > 8 * dayMinutes) return Number.POSITIVE_INFINITY;
        const sum = current.minute + minutes;
        current = { day: (current.day + Math.floor(sum / dayMinutes)) % 7, minute: sum % dayMinutes };
      }
    },
  };
}

type LocalClock = (time: number) => LocalTime;

/** The local time in a time zone. */
function createLocalClock(timeZone: string): LocalClock {
  if (timeZone === 'UTC') return utcClock;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return (time) => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return { day: dayNames.indexOf(parts['weekday'] as string), minute: Number(parts['hour']) * 60 + Number(parts['minute']) };
  };
}

/** A fast path: most windows are in UTC, and formatting a time costs more than evaluating all rules. */
const utcClock: LocalClock = (time) => {
  const date = new Date(time);
  return { day: date.getUTCDay(), minute: date.getUTCHours() * 60 + date.getUTCMinutes() };
};

/** The instant at which the local time is `minutes` later, also across a daylight saving change. */
function instantAfter(now: number, minutes: number, clock: LocalClock): number {
  const currentMinute = Math.floor(now / minuteMs) * minuteMs;
  const nowLocal = clock(currentMinute);
  const estimate = currentMinute + minutes * minuteMs;
  const estimateLocal = clock(estimate);
  const expected = (nowLocal.day * dayMinutes + nowLocal.minute + minutes) % (7 * dayMinutes);
  const deviation = expected - (estimateLocal.day * dayMinutes + estimateLocal.minute);
  const correction =
    deviation > 3.5 * dayMinutes ? deviation - 7 * dayMinutes : deviation < -3.5 * dayMinutes ? deviation + 7 * dayMinutes : deviation;
  return estimate + correction * minuteMs;
}
