import type { Situation } from '../apply/situation.ts';
import type { CelReader } from '../cel/expression.ts';
import type { AddressMatch } from '../rule.ts';
import { type Entry, numberOf } from '../view/entry.ts';
import { matcherOfNames } from './pattern.ts';
import { isPodReference } from './pods.ts';
import { type IPRange, rangeSetOf, readRange } from './ranges.ts';
import { readSelector } from './selector.ts';
import { isInShare } from './share.ts';

export type EntryMatcher = (entry: Entry, situation: Situation) => boolean;

/** Compiles what a rule says of addresses, which is known to be sound; what costs least is asked first. */
export function compileAddressMatch(match: AddressMatch, rule: string, reader: CelReader): EntryMatcher {
  const { state, ranges, pods, nodes, zones, podLabels, percentage, expression } = match;
  const tests: EntryMatcher[] = [];
  if (state) tests.push(({ wanted }) => wanted === (state === 'ready'));
  if (ranges) tests.push(rangeTest(ranges));
  if (nodes) tests.push(nameTest(nodes, ({ nodeName }) => nodeName));
  if (zones) tests.push(nameTest(zones, ({ zone }) => zone));
  if (pods) tests.push(nameTest(pods, ({ targetRef }) => (isPodReference(targetRef) ? targetRef?.name : undefined)));
  if (percentage !== undefined) tests.push(({ ip }) => isInShare(ip, percentage));
  if (podLabels !== undefined) tests.push(podLabelsTest(podLabels));
  if (expression !== undefined) tests.push(expressionTest(expression, rule, reader));
  const [only] = tests;
  return only && tests.length === 1 ? only : (entry, situation) => tests.every((holds) => holds(entry, situation));
}

export const compileRanges = (texts: readonly string[]): ReturnType<typeof rangeSetOf> =>
  rangeSetOf(texts.map(readRange).filter((range): range is IPRange => typeof range !== 'string'));

function rangeTest(texts: readonly string[]): EntryMatcher {
  const ranges = compileRanges(texts);
  return (entry) => {
    const number = numberOf(entry);
    return number !== undefined && ranges.has(number);
  };
}

function nameTest(names: readonly string[], nameOf: (entry: Entry) => string | null | undefined): EntryMatcher {
  const matches = matcherOfNames(names);
  return (entry) => {
    const name = nameOf(entry);
    return typeof name === 'string' && name !== '' && matches(name);
  };
}

function podLabelsTest(text: string): EntryMatcher {
  const selector = readSelector(text);
  return (entry, { pods }) => {
    const pod = pods.of(entry);
    return pod !== undefined && 'matches' in selector && selector.matches(pod.metadata?.labels);
  };
}

function expressionTest(source: string, rule: string, reader: CelReader): EntryMatcher {
  const expression = reader.read(source, 'address');
  return (entry, situation) => typeof expression !== 'string' && situation.holds(expression, rule, entry);
}
