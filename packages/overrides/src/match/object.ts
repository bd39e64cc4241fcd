import type { Situation } from '../apply/situation.ts';
import type { CelReader } from '../cel/expression.ts';
import { readsContent } from '../cel/reads.ts';
import type { ObjectMatch } from '../rule.ts';
import { matcherOfNames } from './pattern.ts';
import { readSelector } from './selector.ts';
import { isInShare } from './share.ts';
import { compileWindow, type Window } from './window.ts';

export interface ObjectMatcher {
  matches(situation: Situation): boolean;
  /** Absent where the rule is always in force. */
  readonly window: Window | undefined;
  /** Whether more of an object is looked at than its metadata. */
  readonly readsContent: boolean;
}

type Test = (situation: Situation) => boolean;

/** Compiles what a rule says of objects, which is known to be sound; what costs least is asked first. */
export function compileObjectMatch(match: ObjectMatch, rule: string, reader: CelReader): ObjectMatcher {
  const { kinds, operations, namespaces, services, labels, serviceLabels, percentage, expression } = match;
  const window = match.window && compileWindow(match.window);
  const tests: Test[] = [];
  if (kinds) tests.push(({ kind }) => kinds.includes(kind));
  if (operations) tests.push(({ operation }) => operations.includes(operation));
  if (namespaces) tests.push(namespaceTest(namespaces));
  if (services) tests.push(serviceTest(services));
  if (labels !== undefined) tests.push(selectorTest(labels, ({ object }) => object.metadata?.labels ?? {}));
  if (serviceLabels !== undefined) tests.push(selectorTest(serviceLabels, ({ service }) => service && (service.metadata?.labels ?? {})));
  if (percentage !== undefined) tests.push((situation) => isInShare(nameOf(situation), percentage));
  if (window) tests.push(({ now }) => window.endOf(now) !== undefined);
  const read = expression === undefined ? undefined : reader.read(expression, 'object');
  if (read !== undefined) tests.push((situation) => typeof read !== 'string' && situation.holds(read, rule));
  const [only] = tests;
  const content = typeof read === 'object' && readsContent(read.reads);
  return {
    window,
    readsContent: content,
    matches: only && tests.length === 1 ? only : (situation) => tests.every((holds) => holds(situation)),
  };
}

function namespaceTest(names: readonly string[]): Test {
  const matches = matcherOfNames(names);
  return ({ namespace }) => matches(namespace);
}

function serviceTest(names: readonly string[]): Test {
  const matches = matcherOfNames(names);
  return ({ serviceName }) => serviceName !== undefined && matches(serviceName);
}

function selectorTest(text: string, labelsOf: (situation: Situation) => Readonly<Record<string, string>> | undefined): Test {
  const selector = readSelector(text);
  return (situation) => {
    const labels = labelsOf(situation);
    return labels !== undefined && 'matches' in selector && selector.matches(labels);
  };
}

/** What a share of Services is drawn by: all slices of a Service go together. */
const nameOf = ({ namespace, serviceName, object }: Situation): string => `${namespace}/${serviceName ?? object.metadata?.name ?? ''}`;
