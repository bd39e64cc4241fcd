import type { TimeWindow } from '../rule.ts';

/** A compiled time window. */
export interface Window {
  /**
   * When the window that is open at `now` closes, in milliseconds since the epoch; Infinity if it never closes. Undefined if the window is
   * closed at `now`.
   */
  endOf(now: number): number | undefined;
}

export const dayNames: readonly string[] = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
export const timeOfDayPattern: RegExp = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Compiles a validated window. */
export function compileWindow({ from, to, days, start, end, timeZone = 'UTC' }: TimeWindow): Window {
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  const schedule =
    days === undefined && start === undefined
      ? undefined
      : createWeeklySchedule({
          days: days?.map((day) => dayNames.indexOf(day)),
          start: parseMinutes(start ?? '00:00'),
          end: parseMinutes(end ?? '00:00'),
        });
  const clock = createLocalClock(timeZone);
  return {
    endOf(now) {
      if (now < fromMs || now >= toMs) return undefined;
      if (!schedule) return toMs;
      const minutes = schedule.remainingMinutes(clock(now));
      if (minutes === undefined) return undefined;
      return Math.min(toMs, minutes === Number.POSITIVE_INFINITY ? toMs : instantAfter(now, minutes, clock));
    },
  };
}

/**
 * True if a validated window ever opens. A span of at most a week is tested at every quarter of an hour. A longer span, or daily hours
 * shorter than a quarter of an hour, are assumed to open.
 */
export function everOpens(window: TimeWindow): boolean {
  const [fromMs, toMs] = [Date.parse(window.from ?? ''), Date.parse(window.to ?? '')];
  const length = (parseMinutes(window.end ?? '00:00') - parseMinutes(window.start ?? '00:00') + dayMinutes) % dayMinutes || dayMinutes;
  // Without "from" or "to", the difference is NaN and the comparison false: an unlimited span counts as longer than a week.
  if (!(toMs - fromMs <= 7 * dayMinutes * minuteMs) || length < quarterHourMinutes) return true;
  const { endOf } = compileWindow(window);
  for (let time = fromMs; time < toMs; time += quarterHourMinutes * minuteMs) if (endOf(time) !== undefined) return true;
  return endOf(toMs - 1) !== undefined;
}

const quarterHourMinutes = 15;

/** A local time: the day of the week, 0 for Sunday, and the minute of the day. */
interface LocalTime {
  readonly day: number;
  readonly minute: number;
}

const parseMinutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
const dayMinutes = 24 * 60;
const minuteMs = 60_000;

/** Days are numbered from 0 for Sunday. `start` and `end` are minutes of the day. Unless `end` is after `start`, it is on the next day. */
interface WeeklyHours {
  readonly days: readonly number[] | undefined;
  readonly start: number;
  readonly end: number;
}

/**
 * Creates a schedule. `remainingMinutes` returns the minutes until the schedule closes, in local time; undefined if the schedule is closed.
 * `days` names the days on which the hours begin. Hours that follow each other without a gap are added up.
 */
function createWeeklySchedule({ days, start, end }: WeeklyHours): { remainingMinutes(time: LocalTime): number | undefined } {
  const length = end > start ? end - start : end + dayMinutes - start;
  const startsOn = (day: number): boolean => days === undefined || days.includes((day + 7) % 7);
  const remainingInOneDay = ({ day, minute }: LocalTime): number | undefined => {
    const remainingToday = startsOn(day) && minute >= start && minute < start + length ? start + length - minute : undefined;
    const remainingFromYesterday =
      startsOn(day - 1) && minute + dayMinutes < start + length ? start + length - dayMinutes - minute : undefined;
    return remainingToday ?? remainingFromYesterday;
  };
  return {
    remainingMinutes(time) {
      let total: number | undefined;
      for (let current = time; ; ) {
        const minutes = remainingInOneDay(current);
        if (minutes === undefined) return total;
        total = (total ?? 0) + minutes;
        // Seven days without a gap cover the whole week, so the schedule never closes. Any limit from seven days on would do.
        if (total > 8 * dayMinutes) return Number.POSITIVE_INFINITY;
        const sum = current.minute + minutes;
        current = { day: (current.day + Math.floor(sum / dayMinutes)) % 7, minute: sum % dayMinutes };
      }
    },
  };
}

type LocalClock = (time: number) => LocalTime;

/** Creates a function that converts milliseconds since the epoch to the local time in a time zone. */
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

/**
 * Returns the instant at which the local clock shows the time `minutes` after that of `now`. Across a daylight saving change, this is not
 * `now` plus `minutes`.
 */
function instantAfter(now: number, minutes: number, clock: LocalClock): number {
  const currentMinute = Math.floor(now / minuteMs) * minuteMs;
  const nowLocal = clock(currentMinute);
  const estimate = currentMinute + minutes * minuteMs;
  const estimateLocal = clock(estimate);
  const expected = (nowLocal.day * dayMinutes + nowLocal.minute + minutes) % (7 * dayMinutes);
  const deviation = expected - (estimateLocal.day * dayMinutes + estimateLocal.minute);
  // Both local times are minutes of a week. If they lie on both sides of its end, they differ by about 7 days instead of the clock change, so a
  // difference of more than half a week (3.5 days) is reduced by a week.
  const correction =
    deviation > 3.5 * dayMinutes ? deviation - 7 * dayMinutes : deviation < -3.5 * dayMinutes ? deviation + 7 * dayMinutes : deviation;
  return estimate + correction * minuteMs;
}
