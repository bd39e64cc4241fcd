/** A time that is known within bounds, in milliseconds since the epoch. */
interface Bounds {
  readonly earliest: number;
  readonly latest: number;
  readonly source: string;
}

/** Formats a time of day in UTC: to the millisecond for one of an audit log, to the second for one of an object, or both bounds. */
export function formatBounds({ earliest, latest, source }: Bounds): string {
  if (!Number.isFinite(latest)) return Number.isFinite(earliest) ? `${formatTimeOfDay(earliest)} or later` : 'at an unknown time';
  if (source === 'audit') return formatTimeOfDay(latest);
  if (!Number.isFinite(earliest)) return `${formatTimeOfDay(latest)} or earlier`;
  return Math.floor(earliest / 1000) === Math.floor(latest / 1000)
    ? formatSecond(earliest)
    : `${formatSecond(earliest)}–${formatSecond(latest)}`;
}

export const formatTimeOfDay = (time: number): string => new Date(time).toISOString().slice(11, 23).replace('.000', '');

const formatSecond = (time: number): string => new Date(time).toISOString().slice(11, 19);

/** Such as "2026-11-30 02:13:04". */
export const formatDateTime = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

/** Formats a duration in milliseconds as "15.2 s", or a range as "14.0 s to 16.0 s". */
export function formatSeconds(min: number, max: number): string {
  const text = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  if (!Number.isFinite(max)) return `${text(min)} or more`;
  return text(min) === text(max) ? text(min) : `${text(min)} to ${text(max)}`;
}
