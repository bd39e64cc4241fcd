import type { Observer } from '@kube-endpoints/controllers';
import { hasCleanupFinalizer, serviceNameLabel } from 'kube-endpoints/internal';
import { apiVersionOf, messageOf } from 'kube-endpoints/internal/apimachinery';
import type { BalancedService } from 'kube-endpoints/load-balancer';
import { ApiError, type ApiObject, type ClientPort, hasReason, type ListOptions, type Resource, resources } from 'kube-endpoints/port';
import { UsageError } from '../base/io.ts';
import { type Collection, createCollection, type Inventory } from '../input/collection.ts';
import { isRelatedKind, type RelatedKind, relatedResourcesOf } from '../input/related-kinds.ts';

/** The resources that can be read from a cluster. */
export type LiveKind =
  | 'services'
  | 'pods'
  | 'endpoints'
  | 'endpointSlices'
  | 'nodes'
  | 'namespaces'
  | 'serviceCIDRs'
  | 'events'
  | 'warnings'
  | RelatedKind;

export interface LiveOptions {
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  /** The only Service to read, with its Endpoints, slices and events; undefined for all. */
  readonly service?: string | undefined;
  /** The labels of the Services to read, as a label selector; by default any. */
  readonly serviceSelector?: string | undefined;
  /** In reading order. Events are those about Services; they are read only if a Service read before may have a load balancer. */
  readonly kinds: readonly LiveKind[];
  /** Called with the name of each resource before it is read. */
  readonly onSource?: (name: string) => void;
}

export interface LiveInventory {
  readonly inventory: Inventory;
  /** Hints about optional resources that could not be read. */
  readonly hints: readonly string[];
}

/** Reads the objects of a cluster in pages. @throws UsageError if a required resource cannot be read */
export async function readCluster(
  port: ClientPort,
  { namespace, service, serviceSelector, kinds, onSource }: LiveOptions,
): Promise<LiveInventory> {
  const collection = createCollection(namespace ?? '', []);
  const hints: string[] = [];
  const forbiddenKinds: RelatedKind[] = [];
  let areSlicesComplete = false;
  let hasLoadBalancers = false;
  for (const kind of kinds) {
    if (kind === 'events' && !hasLoadBalancers) continue;
    const [resource, ...olderVersions] = resourcesOf(kind);
    onSource?.(resource.plural);
    const scope = resource.namespaced && namespace !== undefined ? { namespace } : {};
    const labels = kind === 'services' && serviceSelector !== undefined ? { labelSelector: serviceSelector } : {};
    const selection = { ...scope, ...selectors[kind]?.(service), ...labels };
    try {
      await readServed([resource, ...olderVersions], async (served) => {
        for await (const items of listPages(port, served, selection)) {
          addItems(collection, served, items);
          areSlicesComplete ||= kind === 'endpointSlices';
          hasLoadBalancers ||= kind === 'services' && items.some((item) => mayHaveLoadBalancer(item as BalancedService));
        }
      });
    } catch (error) {
      const hint = createOptionalResourceHint(kind, error);
      if (hint === undefined) throw new UsageError(formatResourceError(resource, scope, error), { cause: error });
      if (hint !== '') hints.push(hint);
      if (isRelatedKind(kind) && error instanceof ApiError && error.code === 403) forbiddenKinds.push(kind);
    }
  }
  if (forbiddenKinds.length > 0)
    hints.push(`These may not be read, so problems that only they show are unknown: ${forbiddenKinds.join(', ')}.`);
  return { inventory: { ...collection.toInventory(), unreadKinds: new Set(forbiddenKinds), areSlicesComplete }, hints };
}

type Versions = readonly [Resource, ...Resource[]];

/** The versions of a resource, the newest first. */
const resourcesOf = (kind: LiveKind): Versions =>
  isRelatedKind(kind) ? (relatedResourcesOf(kind) as unknown as Versions) : [resources[kind === 'warnings' ? 'events' : kind]];

/** Reads a resource in the newest version that the server serves. @throws ApiError if it serves none */
async function readServed([resource, ...others]: Versions, read: (resource: Resource) => Promise<void>): Promise<void> {
  try {
    await read(resource);
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined || !(error instanceof ApiError) || error.code !== 404) throw error;
    await readServed([next, ...rest], read);
  }
}

type Selectors = Pick<ListOptions, 'fieldSelector' | 'labelSelector'>;

const selectByName = (name: string | undefined): Selectors => (name === undefined ? {} : { fieldSelector: `metadata.name=${name}` });

/** The selectors for the objects of one Service, or of all. */
const selectors: Partial<Record<LiveKind, (service: string | undefined) => Selectors>> = {
  services: selectByName,
  endpoints: selectByName,
  endpointSlices: (name) => (name === undefined ? {} : { labelSelector: `${serviceNameLabel}=${name}` }),
  warnings: () => ({ fieldSelector: 'type=Warning' }),
  events: (name) => ({ fieldSelector: `involvedObject.kind=Service${name === undefined ? '' : `,involvedObject.name=${name}`}` }),
};

const mayHaveLoadBalancer = (service: BalancedService): boolean => service.spec?.type === 'LoadBalancer' || hasCleanupFinalizer(service);

const pageSize = 500;

/** Yields the pages of a list. If the continue token expires, discards the pages read so far and lists everything in one call. */
async function* listPages(
  port: ClientPort,
  resource: Resource,
  scope: Pick<ListOptions, 'namespace' | 'fieldSelector' | 'labelSelector'>,
): AsyncGenerator<readonly ApiObject[]> {
  const pages: (readonly ApiObject[])[] = [];
  let continueToken: string | undefined;
  do {
    try {
      const { items, metadata } = await port.list(resource, {
        ...scope,
        limit: pageSize,
        ...(continueToken !== undefined && { continue: continueToken }),
      });
      pages.push(items);
      continueToken = metadata.continue || undefined;
    } catch (error) {
      if (continueToken === undefined || !hasReason(error, 'Expired', 'Gone')) throw error;
      yield (await port.list(resource, scope)).items;
      return;
    }
  } while (continueToken !== undefined);
  yield* pages;
}

function addItems(collection: Collection, resource: Resource, items: readonly ApiObject[]): void {
  const value = { apiVersion: apiVersionOf(resource), kind: `${resource.kind}List`, items };
  collection.add(`the cluster's ${resource.plural}`, { number: 1, content: { value }, firstItemIndex: 0, lineOf: () => undefined });
}

/** Returns the hint for a resource that need not be readable; empty if the user needs no hint. Undefined if the error is not acceptable. */
function createOptionalResourceHint(kind: LiveKind, error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  // Custom resources may not be installed, and older clusters serve other versions.
  if (isRelatedKind(kind) && error.code === 404) return '';
  if ((isRelatedKind(kind) || kind === 'warnings') && error.code === 403) return '';
  if (kind === 'nodes' && error.code === 403) return `Nodes cannot be read, so zones are unknown: ${error.message}`;
  if (kind === 'namespaces' && error.code === 403)
    return `Namespaces cannot be read, so only namespaces with objects are known: ${error.message}`;
  if (kind === 'events' && error.code === 403)
    return `Events cannot be read, so what they report about load balancers is unknown: ${error.message}`;
  if (kind === 'serviceCIDRs' && error.code === 403)
    return `ServiceCIDRs cannot be read, so an address of no Service counts as outside of the cluster: ${error.message}`;
  // The API is served since Kubernetes 1.33.
  if (kind === 'serviceCIDRs' && error.code === 404) return '';
  if (kind === 'endpointSlices' && error.code === 404)
    return 'The cluster serves no EndpointSlices of discovery.k8s.io/v1: it is older than 1.21.';
  return undefined;
}

/** Formats an error message that names the resource and the cause. @param namespace the namespace of the request; undefined for all */
export function formatResourceError(
  { plural, namespaced }: Pick<Resource, 'plural' | 'namespaced'>,
  { namespace }: { readonly namespace?: string },
  error: unknown,
): string {
  const scopeText = !namespaced ? '' : namespace === undefined ? ' of all namespaces' : ` in namespace ${JSON.stringify(namespace)}`;
  const message = messageOf(error);
  const rights = error instanceof ApiError && error.code === 403 ? ' (docs/cookbook/operations.md lists the required rights)' : '';
  return `${plural}${scopeText} cannot be read: ${message}${rights}`;
}

/** Detects that a cluster cannot be read, so that `--once` fails instead of waiting. */
export interface ReadFailureDetector {
  readonly observer: Observer;
  /** The resource that cannot be read, and why; undefined while retries may still succeed. */
  readonly problem: string | undefined;
  /** Resolves as soon as `problem` is set. */
  readonly failed: Promise<void>;
}

/** @param namespace the watched namespace; undefined for all */
export function createReadFailureDetector(namespace: string | undefined): ReadFailureDetector {
  const failureCounts = new Map<string, number>();
  const readResources = new Set<string>();
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  const detected: { problem?: string } = {};
  return {
    failed,
    get problem() {
      return detected.problem;
    },
    observer(event) {
      if (event.kind !== 'informer' || detected.problem !== undefined) return;
      const { resource: plural, state, error } = event;
      if (state === 'watching') readResources.add(plural);
      if (state !== 'waiting' || error === undefined || readResources.has(plural)) return;
      const count = (failureCounts.get(plural) ?? 0) + 1;
      failureCounts.set(plural, count);
      if (count < maxFailures(error)) return;
      const namespaced = plural !== resources.nodes.plural;
      detected.problem = formatResourceError({ plural, namespaced }, namespace === undefined ? {} : { namespace }, error);
      resolve();
    },
  };
}

/**
 * Returns the number of failures after which reading counts as impossible. After 403 on a watch the informer lists next, which may be
 * permitted; connection errors may pass within seconds.
 */
function maxFailures(error: unknown): number {
  const { code } = error instanceof ApiError ? error : {};
  if (code === 401 || code === 404) return 1;
  return code === 403 ? 2 : 3;
}
