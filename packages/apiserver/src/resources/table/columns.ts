import type { Column } from '../description.ts';
import { child, type Fields, text } from '../field/read.ts';

/** Formats the time since a timestamp. Mirrors translateTimestampSince and HumanDuration (apimachinery/pkg/util/duration, 1.36). */
export function formatTimeSince(time: string, now: Date): string {
  if (time === '') return '<unknown>';
  const elapsed = (now.getTime() - Date.parse(time)) / 1000;
  if (Math.trunc(elapsed) < -1) return '<invalid>';
  return elapsed < 0 ? '0s' : formatSeconds(Math.trunc(elapsed));
}

export const ageOf = (object: Fields, now: Date): string => formatTimeSince(text(child(object, 'metadata'), 'creationTimestamp'), now);

function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return formatTwoUnits(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return formatTwoUnits(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (days < 8) return formatTwoUnits(days, 'd', hours % 24, 'h');
  if (hours < hoursPerYear * 2) return `${days}d`;
  const years = Math.trunc(hours / hoursPerYear);
  return hours < hoursPerYear * 8 ? formatTwoUnits(years, 'y', days % 365, 'd') : `${years}y`;
}

const hoursPerYear = 24 * 365;

const formatTwoUnits = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;

export const column = (name: string, type: Column['type'] = 'string', priority = 0): Column => ({ name, type, format: '', priority });

/** A column shown only with -o wide. */
export const wideColumn = (name: string): Column => column(name, 'string', 1);

export const nameColumn: Column = { name: 'Name', type: 'string', format: 'name', priority: 0 };
export const ageColumn: Column = column('Age');

/** Joins the first items and appends the number of omitted items. Mirrors listWithMoreString (pkg/printers/internalversion, 1.36). */
export const joinFirst = (items: readonly string[], limit = 3): string =>
  items.length > limit ? `${items.slice(0, limit).join(',')} + ${items.length - limit} more...` : items.join(',');
