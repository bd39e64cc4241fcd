import type { RuntimeEvent } from '@kube-endpoints/controllers';
import { compareByName, compareText, nameOf, namespaceOf } from 'kube-endpoints/internal';
import type { BalancedService } from 'kube-endpoints/load-balancer';
import type { ApiObject, ApiObjectMeta, ClientPort, Resource } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { formatEndpoints } from '../print/endpoints.ts';
import type { Report } from '../print/report.ts';
import { formatSliceEndpoints } from '../print/slices.ts';
import { type Cell, cell, formatTable } from '../print/table.ts';

/** A write of an object. */
export interface Written {
  readonly action: 'created' | 'updated' | 'deleted';
  readonly resource: string;
  readonly object: ApiObject;
  /** What would happen to a Service's load balancer, if nothing is written. */
  readonly note?: string;
}

/** Records writes through a port, reduced to their net result: an object created and deleted again is left out. */
export interface WriteRecord {
  readonly port: ClientPort;
  written(): readonly Written[];
}

/** Records writes of Endpoints, EndpointSlices and Services; ignores Events and Leases. */
export function recordWrites(port: ClientPort): WriteRecord {
  const written = new Map<string, Written>();
  const note = (action: Written['action'], { plural }: Resource, object: ApiObject): void => {
    if (!recordedResources.includes(plural)) return;
    const key = `${plural} ${object.metadata.namespace}/${object.metadata.name}`;
    const before = written.get(key)?.action;
    if (action === 'deleted' && before === 'created') written.delete(key);
    else written.set(key, { action: combineActions(before, action), resource: plural, object });
  };
  return {
    port: {
      get: (...given) => port.get(...given),
      list: (...given) => port.list(...given),
      watch: (...given) => port.watch(...given),
      deleteCollection: (...given) => port.deleteCollection(...given),
      async create(resource, object, options) {
        const answer = await port.create(resource, object, options);
        note('created', resource, answer);
        return answer;
      },
      async update(resource, object, options) {
        const answer = await port.update(resource, object, options);
        note('updated', resource, answer);
        return answer;
      },
      async patch(resource, key, patch, options) {
        const answer = await port.patch(resource, key, patch, options);
        note('updated', resource, answer);
        return answer;
      },
      async delete(resource, key, options) {
        const answer = await port.delete(resource, key, options);
        note('deleted', resource, { ...answer, metadata: { ...answer.metadata, ...key } });
        return answer;
      },
    },
    written: () => [...written.values()],
  };
}

/** The writes of a plan. */
export function plannedBy(event: Extract<RuntimeEvent, { kind: 'planned' }>): readonly Written[] {
  const [namespace = '', name = ''] = event.key.split('/');
  if (event.controller === 'endpoints') {
    const action = actions[event.action];
    const object = { metadata: { namespace, name }, ...event.object } as ApiObject;
    return action ? [{ action, resource: 'endpoints', object }] : [];
  }
  const { create, update, delete: gone } = event.plan;
  const all = (action: Written['action'], objects: readonly object[]): Written[] =>
    objects.map((object) => ({ action, resource: 'endpointslices', object: object as ApiObject }));
  return [...all('created', create), ...all('updated', update), ...all('deleted', gone)];
}

type Effect = Extract<RuntimeEvent, { kind: 'effect' }>;

/** What an effect would change in a Service; undefined if nothing. Ensuring an existing load balancer is routine and not reported. */
export function plannedByEffect({ effect }: Effect, before: Written | undefined): Written | undefined {
  const { do: what, service } = effect;
  const hasIngress = (service.status?.loadBalancer?.ingress ?? []).length > 0;
  const note =
    what === 'delete' ? 'load balancer to be deleted' : what === 'ensure' && !hasIngress ? 'load balancer to be created' : undefined;
  if (note === undefined && what !== 'patch') return before;
  return { action: 'updated', resource: 'services', object: service as ApiObject, ...before, ...(note !== undefined && { note }) };
}

const actions: Readonly<Record<string, Written['action']>> = { create: 'created', update: 'updated', delete: 'deleted' };

const recordedResources: readonly string[] = ['endpoints', 'endpointslices', 'services'];

function combineActions(before: Written['action'] | undefined, now: Written['action']): Written['action'] {
  if (before === 'created' && now === 'updated') return 'created';
  return before === 'deleted' && now === 'created' ? 'updated' : now;
}

/** Reports writes, one per line, by namespace and name. `planned` marks a dry run, in which nothing was written. */
export function reportWritten(all: readonly Written[], { planned }: { readonly planned: boolean }): Report {
  const sorted = all.toSorted((a, b) => compareByName(named(a), named(b)) || compareText(a.resource, b.resource));
  return {
    found: false,
    text: (style) => [
      ...(sorted.length > 0
        ? formatTable(
            headingsOf(sorted),
            sorted.map((one) => rowOf(one, planned)),
            { ...style, width: undefined },
          )
        : []),
      ...(sorted.length > 0 ? [''] : []),
      summary(sorted, planned),
    ],
    data: () => ({ ...(planned && { dryRun: true }), items: sorted }),
  };
}

/** The object's name, or its generateName followed by "*". */
const named = ({ object: { metadata } }: Pick<Written, 'object'>): { readonly metadata: ApiObjectMeta } => ({
  metadata: { ...metadata, name: metadata.name || `${metadata.generateName ?? ''}*` },
});

function headingsOf(all: readonly Written[]): readonly string[] {
  const balancers = all.filter(({ resource }) => resource === 'services').length;
  const last = [...(balancers < all.length ? ['ENDPOINTS'] : []), ...(balancers > 0 ? ['LOAD BALANCER'] : [])].join(', ');
  return ['NAMESPACE', 'OBJECT', 'ACTION', last];
}

function rowOf({ action, resource, object, note }: Written, planned: boolean): Cell[] {
  const text = note ?? (planned && resource === 'services' ? '' : formats[resource]?.(object)) ?? '';
  return [
    cell(namespaceOf(object)),
    cell(`${resource}/${nameOf(named({ object }))}`),
    cell(planned ? `${action} (dry run)` : action, colours[action]),
    cell(action === 'deleted' ? '' : text),
  ];
}

const formats: Readonly<Record<string, (object: object) => string>> = {
  endpoints: (object) => formatEndpoints(object as EndpointsInput),
  endpointslices: (object) => formatSliceEndpoints(object as EndpointSliceInput),
  services: formatBalancer,
};

/** "load balancer at 10.0.0.1", or "no load balancer". */
function formatBalancer({ status }: BalancedService): string {
  const addresses = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip || hostname || []);
  return addresses.length > 0 ? `load balancer at ${addresses.join(', ')}` : 'no load balancer';
}

const colours = { created: 'green', updated: 'yellow', deleted: 'red' } as const;

function summary(all: readonly Written[], planned: boolean): string {
  const count = (action: Written['action']): number => all.filter((one) => one.action === action).length;
  const counts = `${count('created')} created, ${count('updated')} updated, ${count('deleted')} deleted`;
  return planned ? `Dry run, nothing was written; planned: ${counts}.` : `${counts}.`;
}
