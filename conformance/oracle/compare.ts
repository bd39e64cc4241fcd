import { isDeepStrictEqual } from 'node:util';
import { type Case, outcomesOf, type Result, type Step, type Write } from './case.ts';
import type { StepResult } from './replay.ts';

/** Whether our writes equal the oracle's at every sync, including their order. */
export function isSame(result: Result, ours: readonly StepResult[]): boolean {
  const theirs = outcomesOf(result);
  return (
    theirs.length === ours.length &&
    theirs.every(({ endpoints, error, panic }, i) => {
      const our = ours[i];
      return !panic && (error !== undefined) === (our?.retry === true) && isDeepStrictEqual(endpoints, our?.writes);
    })
  );
}

/**
 * Whether the same addresses belong to the same ports after every sync, regardless of order and of unnecessary writes.
 * Suits releases that differ in order and comparison, for example one that panics and its replacement.
 */
export function isEquivalent(testCase: Case, result: Result, ours: readonly StepResult[]): boolean {
  const theirs = statesAfter(
    testCase,
    outcomesOf(result).map(({ endpoints }) => endpoints),
  );
  return isDeepStrictEqual(
    theirs,
    statesAfter(
      testCase,
      ours.map(({ writes }) => writes),
    ),
  );
}

/**
 * Whether the Endpoints after every sync are equal except for the order of subsets. Suits 1.11.0 to 1.11.7, where the pods of a headless
 * Service without ports are listed, and therefore written, in random order.
 */
export function isSameExceptOrder(testCase: Case, result: Result, ours: readonly StepResult[]): boolean {
  const theirs = outcomesOf(result).map(({ endpoints }) => endpoints);
  const ourWrites = ours.map(({ writes }) => writes);
  return isDeepStrictEqual(sortedSubsetsAfter(testCase, theirs), sortedSubsetsAfter(testCase, ourWrites));
}

/** The labels, annotations and sorted subsets after each sync. */
function sortedSubsetsAfter({ endpoints, steps = [] }: Case, syncs: readonly (readonly Write[])[]): unknown[] {
  const changes: readonly Step[] = [endpoints ? { endpoints } : {}, ...steps];
  let current: Write['object'];
  return syncs.map((writes, i) => {
    current = changes[i]?.endpoints ?? current;
    for (const { object } of writes) current = object;
    const { labels, annotations } = current?.metadata ?? {};
    const subsets = (current?.subsets ?? []).map((subset) => JSON.stringify(subset, withSortedKeys)).sort();
    return current && { labels: { ...labels }, annotations: { ...annotations }, subsets };
  });
}

const withSortedKeys = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The state after each sync: a sorted list of texts, one for each address of each port. */
function statesAfter({ endpoints, steps = [] }: Case, syncs: readonly (readonly Write[])[]): string[][] {
  const changes: readonly Step[] = [endpoints ? { endpoints } : {}, ...steps];
  let subsets: Subsets = [];
  return syncs.map((writes, i) => {
    subsets = changes[i]?.endpoints?.subsets ?? subsets;
    for (const { object } of writes) subsets = object?.subsets ?? [];
    return [...new Set((subsets ?? []).flatMap(flatten))].sort();
  });
}

type Subsets = NonNullable<Write['object']>['subsets'];

function flatten({ addresses, notReadyAddresses, ports }: NonNullable<Subsets>[number]): string[] {
  const allAddresses = [
    ...(addresses ?? []).map((a) => ({ ...a, ready: true })),
    ...(notReadyAddresses ?? []).map((a) => ({ ...a, ready: false })),
  ];
  const portsOrNone = ports?.length ? ports : [undefined];
  return allAddresses.flatMap(({ ip, hostname, nodeName, ready, targetRef }) =>
    portsOrNone.map((port) =>
      JSON.stringify([
        ip,
        hostname,
        nodeName,
        ready,
        targetRef?.name,
        targetRef?.uid,
        port?.name,
        port?.port,
        port?.protocol,
        port?.appProtocol,
      ]),
    ),
  );
}
