import { compareText } from 'kube-endpoints/internal/apimachinery';
import { child, type Draft, draftList, ensureChild, type Fields, list, text } from './field/read.ts';
import { nanosOf } from './field/resource-list.ts';
import { aggregateResources } from './pods/defaults/pod-resources.ts';

/**
 * Sets the defaults of the namespace's LimitRanges in a new pod and checks its limits. Mirrors plugin/pkg/admission/limitranger (1.36).
 * @returns the message of a Forbidden error, or undefined
 */
export function applyLimitRanges(pod: Draft, limitRanges: readonly Fields[]): string | undefined {
  for (const limitRange of limitRanges) setContainerDefaults(pod, limitRange);
  return firstMessage(limitRanges, (limitRange) => itemsOf(limitRange).flatMap((item) => findPodProblems(child(pod, 'spec'), item)));
}

/** Checks the requests of a new PersistentVolumeClaim. @returns the message of a Forbidden error, or undefined */
export function checkClaimLimits(claim: Fields, limitRanges: readonly Fields[]): string | undefined {
  const requests = child(child(child(claim, 'spec'), 'resources'), 'requests');
  return firstMessage(limitRanges, (limitRange) =>
    itemsOf(limitRange)
      .filter((item) => text(item, 'type') === 'PersistentVolumeClaim')
      .flatMap((item) => [
        ...amountsOf(item, 'min').flatMap((limit) => findBelow(limit, { type: 'PersistentVolumeClaim', requests, limits: {} })),
        ...amountsOf(item, 'max').flatMap((limit) =>
          findAbove(limit, { type: 'PersistentVolumeClaim', requests, limits: requests }, 'request'),
        ),
      ]),
  );
}

const itemsOf = (limitRange: Fields): readonly Fields[] => list(child(limitRange, 'spec'), 'limits');

/** The problems of the first LimitRange that has any, as Go's aggregate of errors prints them: each message once. */
function firstMessage(limitRanges: readonly Fields[], findProblems: (limitRange: Fields) => readonly string[]): string | undefined {
  for (const limitRange of limitRanges) {
    const problems = [...new Set(findProblems(limitRange))];
    if (problems.length > 0) return problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
  }
  return undefined;
}

function setContainerDefaults(pod: Draft, limitRange: Fields): void {
  const containerItems = itemsOf(limitRange).filter((item) => text(item, 'type') === 'Container');
  const defaults = {
    limits: Object.assign({}, ...containerItems.map((item) => child(item, 'default'))) as Fields,
    requests: Object.assign({}, ...containerItems.map((item) => child(item, 'defaultRequest'))) as Fields,
  };
  const notes: string[] = [];
  for (const [name, label] of [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ] as const) {
    for (const container of draftList(ensureChild(pod, 'spec'), name)) {
      const added = {
        requests: addMissing(container, 'requests', defaults.requests),
        limits: addMissing(container, 'limits', defaults.limits),
      };
      if (added.requests !== '') notes.push(`${added.requests} request for ${label} ${text(container, 'name')}`);
      if (added.limits !== '') notes.push(`${added.limits} limit for ${label} ${text(container, 'name')}`);
    }
  }
  if (notes.length > 0) {
    ensureChild(ensureChild(pod, 'metadata'), 'annotations')['kubernetes.io/limit-ranger'] = `LimitRanger plugin set: ${notes.join('; ')}`;
  }
}

/** Sets the amounts that a container lacks. @returns their names, sorted */
function addMissing(container: Draft, section: 'requests' | 'limits', amounts: Fields): string {
  const names = Object.keys(amounts).filter((name) => !Object.hasOwn(child(child(container, 'resources'), section), name));
  for (const name of names) ensureChild(ensureChild(container, 'resources'), section)[name] = amounts[name];
  return names.sort(compareText).join(', ');
}

/** What a limit applies to: amounts by resource name. */
interface Usage {
  /** The type of the limit, for messages. */
  readonly type: string;
  readonly requests: Fields;
  readonly limits: Fields;
}

interface Limit {
  readonly resource: string;
  readonly amount: string;
}

function findPodProblems(spec: Fields, item: Fields): readonly string[] {
  const type = text(item, 'type');
  const containers = [...list(spec, 'containers'), ...list(spec, 'initContainers')];
  const usages: readonly Usage[] =
    type === 'Container'
      ? containers.map((container) => ({
          type,
          requests: child(child(container, 'resources'), 'requests'),
          limits: child(child(container, 'resources'), 'limits'),
        }))
      : type === 'Pod'
        ? [{ type, requests: totalOf(spec, 'requests'), limits: totalOf(spec, 'limits') }]
        : [];
  return usages.flatMap((usage) => [
    ...amountsOf(item, 'min').flatMap((limit) => findBelow(limit, usage)),
    ...amountsOf(item, 'max').flatMap((limit) => findAbove(limit, usage, 'limit')),
    ...amountsOf(item, 'maxLimitRequestRatio').flatMap((limit) => findRatioAbove(limit, usage)),
  ]);
}

/** The amounts of all containers, unless the pod sets its own. */
function totalOf(spec: Fields, section: 'requests' | 'limits'): Fields {
  const totals = [...aggregateResources(spec, section)].map(([name, { text: quantity }]) => [name, quantity]);
  const podLevel = Object.entries(child(child(spec, 'resources'), section)).filter(([name]) => name === 'cpu' || name === 'memory');
  return Object.fromEntries([...totals, ...podLevel]);
}

const amountsOf = (item: Fields, name: string): readonly Limit[] =>
  Object.entries(child(item, name))
    .map(([resource, amount]) => ({ resource, amount: String(amount) }))
    .sort((a, b) => compareText(a.resource, b.resource));

const isSet = (amounts: Fields, name: string): boolean => Object.hasOwn(amounts, name);
const amountOf = (amounts: Fields, name: string): bigint => nanosOf(String(amounts[name] ?? '0'));

function findBelow({ resource, amount }: Limit, { type, requests, limits }: Usage): readonly string[] {
  const head = `minimum ${resource} usage per ${type} is ${amount}`;
  if (!isSet(requests, resource)) return [`${head}.  No request is specified`];
  if (amountOf(requests, resource) < nanosOf(amount)) return [`${head}, but request is ${requests[resource]}`];
  return isSet(limits, resource) && amountOf(limits, resource) < nanosOf(amount) ? [`${head}, but limit is ${limits[resource]}`] : [];
}

function findAbove({ resource, amount }: Limit, { type, requests, limits }: Usage, required: 'limit' | 'request'): readonly string[] {
  const head = `maximum ${resource} usage per ${type} is ${amount}`;
  if (!isSet(limits, resource)) return [`${head}.  No ${required} is specified`];
  if (amountOf(limits, resource) > nanosOf(amount)) return [`${head}, but ${required} is ${limits[resource]}`];
  return isSet(requests, resource) && amountOf(requests, resource) > nanosOf(amount)
    ? [`${head}, but request is ${requests[resource]}`]
    : [];
}

function findRatioAbove({ resource, amount }: Limit, { type, requests, limits }: Usage): readonly string[] {
  const head = `${resource} max limit to request ratio per ${type} is ${amount}`;
  const [request, limit] = [amountOf(requests, resource), amountOf(limits, resource)];
  if (request === 0n) return [`${head}, but no request is specified or request is 0`];
  if (limit === 0n) return [`${head}, but no limit is specified or limit is 0`];
  const ratio = Number(limit) / Number(request);
  return ratio * 1e9 > Number(nanosOf(amount)) ? [`${head}, but provided ratio is ${ratio.toFixed(6)}`] : [];
}
