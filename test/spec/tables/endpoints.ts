import { expect } from 'vitest';
import type { PodExplanation } from '../../../src/explain/index.ts';
import {
  computeEndpoints,
  createReconciler,
  createSelectorCache,
  explainEndpoints,
  isPodEligible,
  type Plan,
  type PodFeed,
  type Reconciler,
} from '../../../src/index.ts';
import { publishesNotReady } from '../../../src/spec/eligibility.ts';
import type { Endpoints, EndpointsInput, Pod, Service } from '../../../src/types/index.ts';
import { profileFor } from '../../../src/versions/index.ts';
import { reasonCodesFor, toSubsets } from './expected.ts';
import type { Fields } from './objects.ts';

/** The objects of a row in one release. */
export interface RowObjects {
  readonly version: string;
  readonly timeZone?: string;
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly expected: Fields;
}

export const keyOf = ({ metadata }: Service): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

/** Creates a feed of the pods that the selector cache finds for a Service; with `asChanges`, the feed also reports them as changes. */
export function createFeed(service: Service, pods: readonly Pod[], asChanges: boolean): PodFeed {
  const cache = createSelectorCache();
  cache.set(keyOf(service), service);
  const selected = pods.filter((pod) => cache.servicesFor(pod).length === 1);
  return { all: () => selected, changes: new Map(asChanges ? selected.map((pod) => [pod.metadata?.name ?? '', pod]) : []) };
}

export const storeEndpoints = (object: Endpoints): EndpointsInput => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: '1' },
});

const optionsOf = ({ version, timeZone }: RowObjects) => ({ version, ...(timeZone !== undefined && { timeZone }) });

/** Checks the pure function against the row, and the reconciler, the feed and the explanations against its result. */
export function checkEndpoints(row: RowObjects): void {
  const computed = computeEndpoints(row.service, row.pods, optionsOf(row));
  checkComputed(computed, row);
  checkReconciler(computed, row);
  checkFeed(computed, row);
  checkExplanations(computed, row);
}

function checkComputed(computed: Endpoints | undefined, { expected, pods }: RowObjects): void {
  const { endpoints, counts, labels, annotations } = expected;
  if (endpoints !== undefined && endpoints !== 'nothing' && endpoints !== 'empty') throw new Error(`endpoints: write nothing or empty`);
  if (endpoints === 'nothing') expect(computed, 'nothing is written').toBeUndefined();
  const subsets = toSubsets(expected, pods);
  if (subsets) expect(computed?.subsets ?? [], 'subsets').toStrictEqual(subsets);
  if (counts !== undefined) {
    const sizes = computed?.subsets?.map(({ addresses = [], notReadyAddresses = [] }) => [addresses.length, notReadyAddresses.length]);
    expect(sizes, 'addresses of each subset').toStrictEqual(counts);
  }
  if (labels !== undefined) expect(computed?.metadata.labels ?? {}, 'labels').toStrictEqual(labels);
  if (annotations !== undefined) expect(computed?.metadata.annotations ?? {}, 'annotations').toStrictEqual(annotations);
}

function checkReconciler(computed: Endpoints | undefined, row: RowObjects): void {
  const { service, pods, expected } = row;
  const plan = createReconciler(optionsOf(row)).reconcile({ key: keyOf(service), service, pods });
  checkCreation(plan, computed, 'reconciler');
  if (!computed) return;
  const secondPlan = createReconciler(optionsOf(row)).reconcile({ key: keyOf(service), service, pods, current: storeEndpoints(computed) });
  expect(secondPlan.action, 'reconciler over its own Endpoints').toBe((expected['settled'] ?? true) ? 'none' : 'update');
}

function checkCreation(plan: Plan, computed: Endpoints | undefined, label: string): void {
  expect(plan.action, `${label}: action`).toBe(computed ? 'create' : 'none');
  expect(plan.object, `${label}: object`).toStrictEqual(computed);
}

/** Checks a feed of all pods, and a feed that adds the same pods to a Service without pods, with and without the incremental index. */
function checkFeed(computed: Endpoints | undefined, row: RowObjects): void {
  const { service, pods } = row;
  const key = keyOf(service);
  for (const minIndexedPods of pods.length > 100 ? [0] : [0, 100]) {
    const createIndexedReconciler = (): Reconciler => createReconciler({ ...optionsOf(row), minIndexedPods });
    checkCreation(createIndexedReconciler().reconcile({ key, service, pods: createFeed(service, pods, false) }), computed, 'feed');
    const reconcilerOnChanges = createIndexedReconciler();
    const emptyPlan = reconcilerOnChanges.reconcile({ key, service, pods: createFeed(service, [], false) });
    if (!computed || !emptyPlan.object) continue;
    const current = storeEndpoints(emptyPlan.object);
    const { action, object = current } = reconcilerOnChanges.reconcile({ key, service, pods: createFeed(service, pods, true), current });
    expect(['update', 'none'], 'followed feed: action').toContain(action);
    expect(object.subsets ?? [], 'followed feed: subsets').toStrictEqual(computed.subsets ?? []);
  }
}

/** Checks the plan over existing Endpoints, by list and by feed: "update SubsetsDiffer", or "none". */
export function checkPlan(row: RowObjects, current: EndpointsInput): void {
  const { service, pods, expected } = row;
  for (const source of [pods, createFeed(service, pods, false)]) {
    const plan = createReconciler({ ...optionsOf(row), minIndexedPods: 0 }).reconcile({
      key: keyOf(service),
      service,
      pods: source,
      current,
    });
    const codes = plan.action === 'none' ? [] : plan.reasons.map(({ code }) => code);
    expect([plan.action, ...codes].join(' '), 'plan').toBe(expected['plan']);
    if (plan.action !== 'update') continue;
    const { labels, annotations } = expected;
    const subsets = toSubsets(expected, pods);
    if (subsets) expect(plan.object?.subsets ?? [], 'subsets of the update').toStrictEqual(subsets);
    if (labels !== undefined) expect(plan.object?.metadata.labels ?? {}, 'labels of the update').toStrictEqual(labels);
    if (annotations !== undefined) expect(plan.object?.metadata.annotations ?? {}, 'annotations of the update').toStrictEqual(annotations);
  }
}

/** Checks that explain includes the pods of the Endpoints, with their readiness, for the expected reasons. */
function checkExplanations(computed: Endpoints | undefined, { service, pods, version, expected }: RowObjects): void {
  const explained = explainEndpoints(service, pods, { version });
  expect(explained.length, 'explained pods').toBe(pods.length);
  const namesPods = ['ready', 'notReady', 'subsets', 'endpoints'].some((key) => expected[key] !== undefined);
  const isAnyLeftOut = explained.some(({ included }) => !included);
  const members = collectMembers(computed);
  const podsByKey = new Map(pods.map((pod) => [`${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}`, pod]));
  const problems = explained.flatMap((pod) => {
    const uid = podsByKey.get(`${pod.namespace}/${pod.name}`)?.metadata?.uid ?? '';
    const key = `${pod.ip} ${uid}`;
    const isListed = pod.included ? members.ready.has(key) || members.notReady.has(key) : members.uids.has(uid);
    const why = reasonCodesFor(expected['why'], pod.name, pod.included, isAnyLeftOut);
    return [
      ...findEligibilityProblems(pod, podsByKey.get(`${pod.namespace}/${pod.name}`), service, version),
      ...(isListed === pod.included ? [] : [`${pod.name} is explained as ${pod.included ? 'included' : 'left out'}`]),
      ...(members.ready.has(key) === pod.ready ? [] : [`${pod.name} is explained as ${pod.ready ? 'ready' : 'not ready'}`]),
      ...findReasonProblems(pod, why, namesPods),
    ];
  });
  expect(problems, 'explain').toStrictEqual([]);
}

const eligibilityCodes: readonly string[] = ['PodTerminal', 'PodFinished', 'PodHasNoIP', 'PodTerminating'];

/**
 * Returns a problem unless `isPodEligible` refuses exactly the pods left out by an eligibility rule. Skips Services with
 * annotations, which `isPodEligible` does not read.
 */
function findEligibilityProblems(
  { name, included, reasons }: PodExplanation,
  pod: Pod | undefined,
  service: Service,
  version: string,
): string[] {
  const code = reasons[0]?.code ?? '';
  if (!pod || !(included || eligibilityCodes.includes(code))) return [];
  const publishNotReadyAddresses = publishesNotReady(service, profileFor(version));
  const isEligible = isPodEligible(pod, { version, publishNotReadyAddresses });
  return isEligible === included ? [] : [`isPodEligible is ${isEligible} for ${name}, which has the reason ${code}`];
}

/**
 * An included pod must have the expected reasons, or its readiness as a reason if the row expects no reasons. The reasons of an excluded
 * pod must begin with the expected reasons. If the row names pods, the row must also expect a reason for each excluded pod.
 */
function findReasonProblems({ name, included, ready, reasons }: PodExplanation, why: string[] | undefined, namesPods: boolean): string[] {
  const codes: string[] = reasons.map(({ code }) => code);
  const expectedCodes = why ?? (included ? [ready ? 'PodReady' : 'PodNotReady'] : undefined);
  if (!expectedCodes) return namesPods ? [`${name} is left out for ${codes.join()}, which the row does not name under "why"`] : [];
  const isExpected = included ? expectedCodes.every((code) => codes.includes(code)) : expectedCodes.every((code, i) => codes[i] === code);
  return isExpected ? [] : [`${name} has the reasons ${codes.join()} instead of ${expectedCodes.join()}`];
}

/** Collects the addresses as "IP UID" and the UIDs of their pods. */
function collectMembers(computed: Endpoints | undefined) {
  const [ready, notReady, uids] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { addresses = [], notReadyAddresses = [] } of computed?.subsets ?? []) {
    for (const [list, set] of [
      [addresses, ready],
      [notReadyAddresses, notReady],
    ] as const) {
      for (const { ip, targetRef } of list) {
        set.add(`${ip} ${targetRef?.uid ?? ''}`);
        uids.add(targetRef?.uid ?? '');
      }
    }
  }
  return { ready, notReady, uids };
}
