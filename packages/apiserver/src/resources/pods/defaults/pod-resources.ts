import { isQuantity, parseQuantity, printQuantity, scanQuantity } from 'kube-endpoints/internal/apimachinery';
import { child, type Draft, ensureChild, type Fields, has, list, text } from '../../field/read.ts';
import { isHugePages, mayOvercommit } from '../../field/resource-list.ts';

export interface Amount {
  /** Billionths. */
  readonly nanos: bigint;
  readonly format: Parameters<typeof printQuantity>[1];
  /** As a quantity. */
  readonly text: string;
}

/** By resource name. */
type Amounts = ReadonlyMap<string, Amount>;

/** True if the resource can be set at pod level. */
export const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || isHugePages(name);

/**
 * Sets defaults of pod-level resources, if the pod has any. Mirrors defaultHugePagePodLimits and defaultPodRequests
 * (pkg/apis/core/v1/defaults.go, 1.36).
 */
export function defaultPodResources(spec: Draft): void {
  if (!has(spec, 'resources')) return;
  const resources = ensureChild(spec, 'resources');
  const [limits, requests] = [child(resources, 'limits'), child(resources, 'requests')];
  if (Object.keys(limits).length > 0 || Object.keys(requests).length > 0) {
    const hugePages = [...aggregateResources(spec, 'limits')].filter(([name]) => isHugePages(name) && !Object.hasOwn(requests, name));
    addMissing(resources, 'limits', printAmounts(hugePages));
  }
  const limitsWithPages = child(resources, 'limits');
  if (Object.keys(limitsWithPages).length === 0) return;
  addMissing(
    resources,
    'requests',
    printAmounts([...aggregateResources(spec, 'requests')].filter(([name]) => isPodLevel(name) && mayOvercommit(name))),
  );
  addMissing(
    resources,
    'requests',
    Object.entries(limitsWithPages).filter(([name]) => isPodLevel(name)),
  );
}

function addMissing(resources: Draft, name: string, values: readonly (readonly [string, unknown])[]): void {
  const missingValues = values.filter(([key]) => !Object.hasOwn(child(resources, name), key));
  if (missingValues.length === 0) return;
  const target = ensureChild(resources, name);
  for (const [key, value] of missingValues) target[key] = value;
}

const printAmounts = (amounts: readonly (readonly [string, Amount])[]): (readonly [string, string])[] =>
  amounts.map(([name, { text: quantity }]) => [name, quantity]);

/**
 * Computes, for each resource, the total of the running containers or the largest step of initialization, whichever is greater. Mirrors
 * AggregateContainerRequests (k8s.io/component-helpers/resource, 1.36).
 */
export function aggregateResources(spec: Fields, section: 'requests' | 'limits'): Amounts {
  const runningTotals = new Map<string, Amount>();
  const startingMaxima = new Map<string, Amount>();
  const sidecarTotals = new Map<string, Amount>();
  for (const container of list(spec, 'containers')) add(runningTotals, amountsOf(container, section));
  for (const container of list(spec, 'initContainers')) {
    const step = new Map(amountsOf(container, section));
    if (text(container, 'restartPolicy') === 'Always') {
      add(runningTotals, step);
      add(sidecarTotals, step);
      raiseToMax(startingMaxima, sidecarTotals);
    } else {
      add(step, sidecarTotals);
      raiseToMax(startingMaxima, step);
    }
  }
  raiseToMax(runningTotals, startingMaxima);
  return runningTotals;
}

function amountsOf(container: Fields, section: 'requests' | 'limits'): Amounts {
  const values = child(child(container, 'resources'), section);
  return new Map(Object.entries(values).map(([name, value]) => [name, toAmount(String(value))]));
}

function toAmount(quantity: string): Amount {
  const [parsed, scanned] = [parseQuantity(quantity), scanQuantity(quantity)];
  return isQuantity(parsed) && typeof scanned === 'object' ? { ...parsed, format: scanned.format } : noAmount;
}

const noAmount: Amount = { nanos: 0n, format: 'decimal', text: '0' };

function add(totals: Map<string, Amount>, amounts: Amounts): void {
  for (const [name, amount] of amounts) totals.set(name, sumOf(totals.get(name), amount));
}

/** Mirrors Quantity.Add: the sum has the format of the first amount that is not zero. */
function sumOf(a: Amount | undefined, b: Amount): Amount {
  if (!a) return b;
  const nanos = a.nanos + b.nanos;
  const { format } = a.nanos === 0n ? b : a;
  return { nanos, format, text: printQuantity(nanos, format) };
}

function raiseToMax(maxima: Map<string, Amount>, amounts: Amounts): void {
  for (const [name, amount] of amounts) if (amount.nanos > (maxima.get(name)?.nanos ?? -1n)) maxima.set(name, amount);
}
