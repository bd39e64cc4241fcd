import type { StringMap } from 'kube-endpoints/internal';
import { createRequirementsMatcher, parseLabelSelector } from 'kube-endpoints/internal/apimachinery';
import type { Optional } from 'kube-endpoints/types';
import { type CelParser, readsContent } from '../cel.ts';
import { type IPRange, rangeSetOf, readRange } from '../ranges.ts';
import type { AddressMatch, ObjectMatch } from '../rule.ts';
import { type Entry, numberOf } from '../view/view.ts';
import { isPodReference, type Situation } from './situation.ts';
import { compileWindow, type Window } from './window.ts';

export interface ObjectMatcher {
  matches(situation: Situation): boolean;
  /** Absent if the rule is always in force. */
  readonly window: Window | undefined;
  /** True if the match reads more of an object than its metadata. */
  readonly readsContent: boolean;
}

type Test = (situation: Situation) => boolean;

/** Compiles a validated object match; cheap tests run first. */
export function compileObjectMatch(match: ObjectMatch, rule: string, parser: CelParser): ObjectMatcher {
  const { kinds, operations, namespaces, services, labels, serviceLabels, percentage, expression } = match;
  const window = match.window && compileWindow(match.window);
  const tests: Test[] = [];
  if (kinds) tests.push(({ kind }) => kinds.includes(kind));
  if (operations) tests.push(({ operation }) => operations.includes(operation));
  if (namespaces) tests.push(namespaceTest(namespaces));
  if (services) tests.push(serviceTest(services));
  if (labels !== undefined) tests.push(selectorTest(labels, ({ object }) => object.metadata?.labels ?? {}));
  if (serviceLabels !== undefined) tests.push(selectorTest(serviceLabels, ({ service }) => service && (service.metadata?.labels ?? {})));
  if (percentage !== undefined) tests.push((situation) => isInPercentage(percentageKeyOf(situation), percentage));
  if (window) tests.push(({ now }) => window.endOf(now) !== undefined);
  const parsed = expression === undefined ? undefined : parser.parse(expression, 'object');
  if (parsed !== undefined) tests.push((situation) => typeof parsed !== 'string' && situation.holds(parsed, rule));
  const [only] = tests;
  const readsExpressionContent = typeof parsed === 'object' && readsContent(parsed.reads);
  return {
    window,
    readsContent: readsExpressionContent,
    matches: only && tests.length === 1 ? only : (situation) => tests.every((holds) => holds(situation)),
  };
}

function namespaceTest(names: readonly string[]): Test {
  const matches = createNameMatcher(names);
  return ({ namespace }) => matches(namespace);
}

function serviceTest(names: readonly string[]): Test {
  const matches = createNameMatcher(names);
  return ({ serviceName }) => serviceName !== undefined && matches(serviceName);
}

function selectorTest(text: string, labelsOf: (situation: Situation) => Readonly<Record<string, string>> | undefined): Test {
  const selector = parseSelector(text);
  return (situation) => {
    const labels = labelsOf(situation);
    return labels !== undefined && 'matches' in selector && selector.matches(labels);
  };
}

/** The key for percentages. All slices of a Service share it. */
const percentageKeyOf = ({ namespace, serviceName, object }: Situation): string =>
  `${namespace}/${serviceName ?? object.metadata?.name ?? ''}`;

export type EntryMatcher = (entry: Entry, situation: Situation) => boolean;

/** Compiles a validated address match; cheap tests run first. */
export function compileAddressMatch(match: AddressMatch, rule: string, parser: CelParser): EntryMatcher {
  const { state, ranges, pods, nodes, zones, podLabels, percentage, expression } = match;
  const tests: EntryMatcher[] = [];
  if (state) tests.push(({ intendedReady }) => intendedReady === (state === 'ready'));
  if (ranges) tests.push(rangeTest(ranges));
  if (nodes) tests.push(nameTest(nodes, ({ nodeName }) => nodeName));
  if (zones) tests.push(nameTest(zones, ({ zone }) => zone));
  if (pods) tests.push(nameTest(pods, ({ targetRef }) => (isPodReference(targetRef) ? targetRef?.name : undefined)));
  if (percentage !== undefined) tests.push(({ ip }) => isInPercentage(ip, percentage));
  if (podLabels !== undefined) tests.push(podLabelsTest(podLabels));
  if (expression !== undefined) tests.push(expressionTest(expression, rule, parser));
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
  const matches = createNameMatcher(names);
  return (entry) => {
    const name = nameOf(entry);
    return typeof name === 'string' && name !== '' && matches(name);
  };
}

function podLabelsTest(text: string): EntryMatcher {
  const selector = parseSelector(text);
  return (entry, { pods }) => {
    const pod = pods.podOf(entry);
    return pod !== undefined && 'matches' in selector && selector.matches(pod.metadata?.labels);
  };
}

function expressionTest(source: string, rule: string, parser: CelParser): EntryMatcher {
  const expression = parser.parse(source, 'address');
  return (entry, situation) => typeof expression !== 'string' && situation.holds(expression, rule, entry);
}

/** True if a text equals one of the names, in which `*` stands for any text. */
export type TextMatcher = (text: string) => boolean;

/** Creates a matcher that accepts a text if any of the names matches. */
export function createNameMatcher(names: readonly string[]): TextMatcher {
  const exactNames = new Set(names.filter((name) => !name.includes('*')));
  const patterns = names.filter((name) => name.includes('*')).map(createPatternMatcher);
  const [only] = exactNames;
  if (patterns.length === 0) return exactNames.size === 1 ? (text) => text === only : (text) => exactNames.has(text);
  if (exactNames.size === 0 && patterns.length === 1) return patterns[0] as TextMatcher;
  return (text) => exactNames.has(text) || patterns.some((matches) => matches(text));
}

/** Searches the parts in order. If a text matches at all, it matches with the first occurrence of each part. */
function createPatternMatcher(pattern: string): TextMatcher {
  const parts = pattern.split('*');
  const [first, last] = [parts[0] as string, parts.at(-1) as string];
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  const minLength = first.length + last.length;
  return (text) => {
    if (text.length < minLength || !text.startsWith(first) || !text.endsWith(last)) return false;
    let offset = first.length;
    for (const part of middle) {
      const index = text.indexOf(part, offset);
      if (index < 0) return false;
      offset = index + part.length;
    }
    return offset <= text.length - last.length;
  };
}

/**
 * True if a name belongs to a percentage of all names. The result is deterministic, and a smaller percentage selects a subset of a larger
 * one. The hash is 32-bit FNV-1a with a final mix, because FNV-1a maps names that differ only in their last letter to similar numbers.
 */
export function isInPercentage(name: string, percentage: number): boolean {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32 < percentage / 100;
}

export type LabelMatcher = (labels: Optional<StringMap>) => boolean;

/** A label matcher, or the reason that the selector is invalid. */
export type ParsedSelector = { readonly matches: LabelMatcher } | { readonly problem: string };

/**
 * Parses a selector in the API's syntax: "app=web,tier!=test,zone in (a,b),!canary". An empty selector is an error, because a rule for all
 * objects omits the field.
 */
export function parseSelector(text: string): ParsedSelector {
  const parsed = parseLabelSelector(text);
  if (parsed.problem !== undefined) return parsed;
  if (parsed.requirements.length === 0) return { problem: 'there is no requirement in it' };
  const matches = createRequirementsMatcher(parsed.requirements);
  return { matches: (labels) => matches(labels ?? noLabels) };
}

const noLabels: StringMap = {};
