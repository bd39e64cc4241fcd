import type { StringMap } from 'kube-endpoints/internal';
import { createRequirementsMatcher, parseLabelSelector } from 'kube-endpoints/internal/apimachinery';
import type { Optional } from 'kube-endpoints/types';
import { type CelParser, readsContent } from '../cel.ts';
import { createRangeSet, type IPRange, readRange } from '../ranges.ts';
import type { AddressMatch, ObjectMatch } from '../rule.ts';
import { type Entry, ipNumberOf } from '../view/view.ts';
import { isPodReference, type Situation } from './situation.ts';
import { compileWindow, type Window } from './window.ts';

export interface ObjectMatcher {
  matches(situation: Situation): boolean;
  /** Undefined if the rule is always in force. */
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
  if (namespaces) tests.push(createNamespaceTest(namespaces));
  if (services) tests.push(createServiceTest(services));
  if (labels !== undefined) tests.push(createSelectorTest(labels, ({ object }) => object.metadata?.labels ?? {}));
  if (serviceLabels !== undefined)
    tests.push(createSelectorTest(serviceLabels, ({ service }) => service && (service.metadata?.labels ?? {})));
  if (percentage !== undefined) tests.push((situation) => isInPercentage(percentageKeyOf(situation), percentage));
  if (window) tests.push(({ now }) => window.endOf(now) !== undefined);
  const parsedExpression = expression === undefined ? undefined : parser.parse(expression, 'object');
  if (parsedExpression !== undefined)
    tests.push((situation) => typeof parsedExpression !== 'string' && situation.holds(parsedExpression, rule));
  const [onlyTest] = tests;
  const readsExpressionContent = typeof parsedExpression === 'object' && readsContent(parsedExpression.reads);
  return {
    window,
    readsContent: readsExpressionContent,
    matches: onlyTest && tests.length === 1 ? onlyTest : (situation) => tests.every((test) => test(situation)),
  };
}

function createNamespaceTest(names: readonly string[]): Test {
  const matches = createNameMatcher(names);
  return ({ namespace }) => matches(namespace);
}

function createServiceTest(names: readonly string[]): Test {
  const matches = createNameMatcher(names);
  return ({ serviceName }) => serviceName !== undefined && matches(serviceName);
}

function createSelectorTest(text: string, labelsOf: (situation: Situation) => Readonly<Record<string, string>> | undefined): Test {
  const selector = parseSelector(text);
  return (situation) => {
    const labels = labelsOf(situation);
    return labels !== undefined && 'matches' in selector && selector.matches(labels);
  };
}

/** Returns the key for percentages, which all slices of a Service share. */
const percentageKeyOf = ({ namespace, serviceName, object }: Situation): string =>
  `${namespace}/${serviceName ?? object.metadata?.name ?? ''}`;

export type EntryMatcher = (entry: Entry, situation: Situation) => boolean;

/** Compiles a validated address match; cheap tests run first. */
export function compileAddressMatch(match: AddressMatch, rule: string, parser: CelParser): EntryMatcher {
  const { state, ranges, pods, nodes, zones, podLabels, percentage, expression } = match;
  const tests: EntryMatcher[] = [];
  if (state) tests.push(({ intendedReady }) => intendedReady === (state === 'ready'));
  if (ranges) tests.push(createRangeTest(ranges));
  if (nodes) tests.push(createNameTest(nodes, ({ nodeName }) => nodeName));
  if (zones) tests.push(createNameTest(zones, ({ zone }) => zone));
  if (pods) tests.push(createNameTest(pods, ({ targetRef }) => (isPodReference(targetRef) ? targetRef?.name : undefined)));
  if (percentage !== undefined) tests.push(({ ip }) => isInPercentage(ip, percentage));
  if (podLabels !== undefined) tests.push(createPodLabelsTest(podLabels));
  if (expression !== undefined) tests.push(createExpressionTest(expression, rule, parser));
  const [onlyTest] = tests;
  return onlyTest && tests.length === 1 ? onlyTest : (entry, situation) => tests.every((test) => test(entry, situation));
}

export const compileRanges = (texts: readonly string[]): ReturnType<typeof createRangeSet> =>
  createRangeSet(texts.map(readRange).filter((range): range is IPRange => typeof range !== 'string'));

function createRangeTest(texts: readonly string[]): EntryMatcher {
  const ranges = compileRanges(texts);
  return (entry) => {
    const number = ipNumberOf(entry);
    return number !== undefined && ranges.has(number);
  };
}

function createNameTest(names: readonly string[], nameOf: (entry: Entry) => string | null | undefined): EntryMatcher {
  const matches = createNameMatcher(names);
  return (entry) => {
    const name = nameOf(entry);
    return typeof name === 'string' && name !== '' && matches(name);
  };
}

function createPodLabelsTest(text: string): EntryMatcher {
  const selector = parseSelector(text);
  return (entry, { pods }) => {
    const pod = pods.podOf(entry);
    return pod !== undefined && 'matches' in selector && selector.matches(pod.metadata?.labels);
  };
}

function createExpressionTest(source: string, rule: string, parser: CelParser): EntryMatcher {
  const expression = parser.parse(source, 'address');
  return (entry, situation) => typeof expression !== 'string' && situation.holds(expression, rule, entry);
}

/** True if a text equals one of the names, in which `*` stands for any text. */
export type TextMatcher = (text: string) => boolean;

/** Creates a matcher that accepts a text if any of the names matches. */
export function createNameMatcher(names: readonly string[]): TextMatcher {
  const exactNames = new Set(names.filter((name) => !name.includes('*')));
  const patterns = names.filter((name) => name.includes('*')).map(createPatternMatcher);
  const [onlyName] = exactNames;
  if (patterns.length === 0) return exactNames.size === 1 ? (text) => text === onlyName : (text) => exactNames.has(text);
  if (exactNames.size === 0 && patterns.length === 1) return patterns[0] as TextMatcher;
  return (text) => exactNames.has(text) || patterns.some((matches) => matches(text));
}

/**
 * Creates a matcher that searches for the parts between the asterisks in order. If a text matches at all, it matches with the first
 * occurrence of each part.
 */
function createPatternMatcher(pattern: string): TextMatcher {
  const parts = pattern.split('*');
  const [prefix, suffix] = [parts[0] as string, parts.at(-1) as string];
  const middleParts = parts.slice(1, -1).filter((part) => part !== '');
  const minLength = prefix.length + suffix.length;
  return (text) => {
    if (text.length < minLength || !text.startsWith(prefix) || !text.endsWith(suffix)) return false;
    let offset = prefix.length;
    for (const part of middleParts) {
      const index = text.indexOf(part, offset);
      if (index < 0) return false;
      offset = index + part.length;
    }
    return offset <= text.length - suffix.length;
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
