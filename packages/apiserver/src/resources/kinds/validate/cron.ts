interface Range {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Minute, hour, day of the month, month, day of the week. */
const ranges: readonly Range[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ['', ...months] },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** The reason why a cron schedule is invalid, in the words of github.com/robfig/cron v3; undefined if it is valid. */
export function findScheduleProblem(schedule: string): string | undefined {
  const text = /^(?:CRON_)?TZ=\S+ /.test(schedule) ? schedule.slice(schedule.indexOf(' ')).trim() : schedule;
  if (text.startsWith('@')) return findDescriptorProblem(text);
  const fields = text.split(/\s+/).filter(Boolean);
  if (fields.length !== ranges.length) return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [i, field] of fields.entries()) {
    for (const part of field.split(',').filter(Boolean)) {
      const problem = findRangeProblem(part, ranges[i] as Range);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function findDescriptorProblem(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  const duration = text.slice('@every '.length);
  if (/^[+-]?(?:0|(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h)(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))*)$/.test(duration)) return undefined;
  return `failed to parse duration ${text}: time: invalid duration "${duration}"`;
}

function findRangeProblem(part: string, { min, max, names }: Range): string | undefined {
  const [bounds = '', step, ...moreSteps] = part.split('/');
  const [low = '', high, ...moreBounds] = bounds.split('-');
  let [start, end] = [min, max];
  if (low !== '*' && low !== '?') {
    const parsedLow = parseNumber(low, names);
    if (typeof parsedLow === 'string') return parsedLow;
    if (moreBounds.length > 0) return `too many hyphens: ${part}`;
    const parsedHigh = high === undefined ? parsedLow : parseNumber(high, names);
    if (typeof parsedHigh === 'string') return parsedHigh;
    [start, end] = [parsedLow, parsedHigh];
  }
  let stepSize = 1;
  if (moreSteps.length > 0) return `too many slashes: ${part}`;
  if (step !== undefined) {
    const parsedStep = parseNumber(step);
    if (typeof parsedStep === 'string') return parsedStep;
    stepSize = parsedStep;
    if (high === undefined) end = max;
  }
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${part}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${part}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${part}`;
  return stepSize === 0 ? `step of range should be a positive number: ${part}` : undefined;
}

/** The number, or the reason why the text is not a number. */
function parseNumber(text: string, names: readonly string[] = []): number | string {
  const index = names.indexOf(text.toLowerCase());
  if (index >= 0 && text !== '') return index;
  if (!/^[+-]?\d+$/.test(text)) return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  const value = Number(text);
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
}
