import { parseInstant } from 'kube-endpoints/internal';
import type { CelParser } from '../cel.ts';
import { parseSelector } from '../match/match.ts';
import { everOpens } from '../match/window.ts';
import { type IPRange, isRangeWithin, presetRanges, readRange } from '../ranges.ts';
import type { OverrideRule, Ranges, TimeWindow } from '../rule.ts';

type Path = readonly (string | number)[];

/** Validates what the schema cannot express: selectors, ranges, windows and expressions. */
export function checkSemantics({ match = {}, addresses = {}, action }: OverrideRule, parser: CelParser): FormProblem[] {
  return [
    ...checkSelector(match.labels, ['match', 'labels']),
    ...checkSelector(match.serviceLabels, ['match', 'serviceLabels']),
    ...checkSelector(addresses.podLabels, ['addresses', 'podLabels']),
    ...checkRanges(addresses.ranges, ['addresses', 'ranges']),
    ...(match.window ? checkWindow(match.window).map(createPathPrefixer('match', 'window')) : []),
    ...('refuse' in action ? checkAllRanges(action.refuse).map(createPathPrefixer('action', 'refuse')) : []),
    ...('drop' in action ? checkAllRanges(action.drop).map(createPathPrefixer('action', 'drop')) : []),
    ...checkExpression(match.expression, 'object', ['match', 'expression'], parser),
    ...checkExpression(addresses.expression, 'address', ['addresses', 'expression'], parser),
  ];
}

const createPathPrefixer =
  (...names: readonly string[]) =>
  (problem: FormProblem): FormProblem => ({ ...problem, path: [...names, ...problem.path] });

function checkSelector(text: string | undefined, path: Path): FormProblem[] {
  const parsed = text === undefined ? undefined : parseSelector(text);
  return parsed && 'problem' in parsed
    ? [{ path, message: parsed.problem, fix: 'give a selector such as "app=web,tier in (a,b),!canary"' }]
    : [];
}

const checkRanges = (texts: readonly string[] | undefined, path: Path): FormProblem[] =>
  (texts ?? []).flatMap((text, index): FormProblem[] => {
    const parsed = readRange(text);
    return typeof parsed === 'string'
      ? [{ path: [...path, index], message: parsed, fix: 'give a CIDR such as "10.0.0.0/8" or "fd00::/8", or an IP' }]
      : [];
  });

function checkAllRanges({ allowed = [], forbidden = [], presets = [] }: Ranges): FormProblem[] {
  const problems = [...checkRanges(allowed, ['allowed']), ...checkRanges(forbidden, ['forbidden'])];
  if (problems.length > 0) return problems;
  const refusedRanges = [
    ...forbidden.map((text) => ({ range: readRange(text) as IPRange, source: `forbidden ${describeValue(text)}` })),
    ...presets.flatMap((preset) =>
      (preset === 'pods-of-other-namespaces' ? [] : presetRanges[preset]).map((text) => ({
        range: readRange(text) as IPRange,
        source: `preset ${preset}`,
      })),
    ),
  ];
  return allowed.flatMap((text, index): FormProblem[] => {
    const range = readRange(text) as IPRange;
    const coveringRange = refusedRanges.find((each) => isRangeWithin(range, each.range));
    return coveringRange
      ? [
          {
            path: ['allowed', index],
            message: `nothing of ${describeValue(text)} is allowed: ${coveringRange.source} covers all of it`,
            fix: 'remove one of the two',
          },
        ]
      : [];
  });
}

function checkExpression(source: string | undefined, scope: 'object' | 'address', path: Path, parser: CelParser): FormProblem[] {
  const parsed = source === undefined ? undefined : parser.parse(source, scope);
  const names = `object, oldObject, service, pods, operation and now${scope === 'address' ? ', address and pod' : ''}`;
  return typeof parsed === 'string'
    ? [{ path, message: `the CEL expression is invalid: ${parsed}`, fix: `give a CEL expression of type bool over ${names}` }]
    : [];
}

function checkWindow({ from, to, days, start, end, timeZone }: TimeWindow): FormProblem[] {
  const problems = [...checkTime(from, ['from']), ...checkTime(to, ['to']), ...checkTimeZone(timeZone)];
  if (problems.length === 0 && from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)) {
    problems.push({ path: ['to'], message: `${to} is not after ${from}`, fix: 'give a time after that of "from"' });
  }
  if ((start === undefined) !== (end === undefined)) {
    problems.push({
      path: [start === undefined ? 'end' : 'start'],
      message: '"start" and "end" must be set together',
      fix: 'give both "start" and "end", or neither',
    });
  }
  if (start !== undefined && start === end) {
    problems.push({
      path: ['end'],
      message: `the window starts and ends at ${end}`,
      fix: 'give another time, or leave both out for the whole day',
    });
  }
  if (timeZone !== undefined && days === undefined && start === undefined) {
    problems.push({
      path: ['timeZone'],
      message: 'the time zone has no effect',
      fix: 'give "days", or "start" and "end", or remove it',
    });
  }
  if (problems.length === 0 && !everOpens({ from, to, days, start, end, timeZone } as TimeWindow)) {
    problems.push({ path: ['to'], message: 'the window never opens between "from" and "to"', fix: 'give other times, or other days' });
  }
  return problems;
}

function checkTime(text: string | undefined, path: Path): FormProblem[] {
  if (text === undefined) return [];
  try {
    if (parseInstant(text, 'time') !== undefined) return [];
  } catch {
    // Reported below, as for the zero time.
  }
  return [{ path, message: `${describeValue(text)} is not a valid time`, fix: 'give RFC 3339 such as "2026-01-31T12:00:00Z"' }];
}

function checkTimeZone(timeZone: string | undefined): FormProblem[] {
  if (timeZone === undefined) return [];
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
    return [];
  } catch {
    return [
      {
        path: ['timeZone'],
        message: `${describeValue(timeZone)} is not a time zone`,
        fix: 'give a name of the IANA database such as "Europe/Berlin"',
      },
    ];
  }
}

/** A problem and its path: field names and list indexes. */
export interface FormProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly fix: string;
  /** True if the field itself is invalid, not its value. */
  readonly atKey?: boolean;
}

/** Describes a value for an error message, shortly and in one line. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
