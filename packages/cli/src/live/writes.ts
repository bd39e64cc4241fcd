import type { RuntimeEvent } from '@kube-endpoints/controllers';
import { compareByName, compareText, nameOf, namespaceOf } from 'kube-endpoints/internal/apimachinery';
import type { BalancedService } from 'kube-endpoints/load-balancer';
import type { ApiObject, ApiObjectMeta, ClientPort, Resource } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { formatEndpoints } from '../print/endpoints.ts';
import type { Report } from '../print/report.ts';
import { formatSliceEndpoints } from '../print/slices.ts';
import { type Cell, cell, formatTable } from '../print/table.ts';

/** A write of an object. */
export interface RecordedWrite {
  readonly action: 'created' | 'updated' | 'deleted';
  readonly resource: string;
  readonly object: ApiObject;
  /** In a dry run: the planned change of a Service's load balancer. */
  readonly note?: string;
}

/** Records the net result of the writes through its port. Leaves out an object that was created and deleted again. */
export interface WriteRecorder {
  readonly port: ClientPort;
  writes(): readonly RecordedWrite[];
}

/** Creates a recorder for writes of Endpoints, EndpointSlices and Services. Ignores Events and Leases. */
export function createWriteRecorder(port: ClientPort): WriteRecorder {
  const writesByObject = new Map<string, RecordedWrite>();
  const record = (action: RecordedWrite['action'], { plural }: Resource, object: ApiObject): void => {
    if (!recordedResources.includes(plural)) return;
    const key = `${plural} ${object.metadata.namespace}/${object.metadata.name}`;
    const previousAction = writesByObject.get(key)?.action;
    if (action === 'deleted' && previousAction === 'created') writesByObject.delete(key);
    else writesByObject.set(key, { action: combineActions(previousAction, action), resource: plural, object });
  };
  return {
    port: {
      get: (...args) => port.get(...args),
      list: (...args) => port.list(...args),
      watch: (...args) => port.watch(...args),
      deleteCollection: (...args) => port.deleteCollection(...args),
      async create(resource, object, options) {
        const result = await port.create(resource, object, options);
        record('created', resource, result);
        return result;
      },
      async update(resource, object, options) {
        const result = await port.update(resource, object, options);
        record('updated', resource, result);
        return result;
      },
      async patch(resource, key, patch, options) {
        const result = await port.patch(resource, key, patch, options);
        record('updated', resource, result);
        return result;
      },
      async delete(resource, key, options) {
        const result = await port.delete(resource, key, options);
        record('deleted', resource, { ...result, metadata: { ...result.metadata, ...key } });
        return result;
      },
    },
    writes: () => [...writesByObject.values()],
  };
}

/** Records what a dry run would write, by controller and key. */
export function recordPlan(event: RuntimeEvent, plannedWrites: Map<string, readonly RecordedWrite[]>): void {
  if (event.kind === 'planned') plannedWrites.set(`${event.controller} ${event.key}`, toPlannedWrites(event));
  if (event.kind !== 'effect') return;
  const name = `service-lb ${event.key}`;
  const write = toPlannedServiceWrite(event, plannedWrites.get(name)?.[0]);
  if (write) plannedWrites.set(name, [write]);
}

/** Converts a plan to writes. */
export function toPlannedWrites(event: Extract<RuntimeEvent, { kind: 'planned' }>): readonly RecordedWrite[] {
  const [namespace = '', name = ''] = event.key.split('/');
  if (event.controller === 'endpoints') {
    const action = actions[event.action];
    const object = { metadata: { namespace, name }, ...event.object } as ApiObject;
    return action ? [{ action, resource: 'endpoints', object }] : [];
  }
  const { create, update, delete: deleted } = event.plan;
  const toWrites = (action: RecordedWrite['action'], objects: readonly object[]): RecordedWrite[] =>
    objects.map((object) => ({ action, resource: 'endpointslices', object: object as ApiObject }));
  return [...toWrites('created', create), ...toWrites('updated', update), ...toWrites('deleted', deleted)];
}

type Effect = Extract<RuntimeEvent, { kind: 'effect' }>;

/**
 * Returns the write of a Service that an effect would cause, combined with the previous write. Returns the previous write if the effect
 * causes none. Ensuring an existing load balancer is routine and not reported.
 */
export function toPlannedServiceWrite({ effect }: Effect, previousWrite: RecordedWrite | undefined): RecordedWrite | undefined {
  const { do: kind, service } = effect;
  const hasIngress = (service.status?.loadBalancer?.ingress ?? []).length > 0;
  const note =
    kind === 'delete' ? 'load balancer to be deleted' : kind === 'ensure' && !hasIngress ? 'load balancer to be created' : undefined;
  if (note === undefined && kind !== 'patch') return previousWrite;
  return { action: 'updated', resource: 'services', object: service as ApiObject, ...previousWrite, ...(note !== undefined && { note }) };
}

const actions: Readonly<Record<string, RecordedWrite['action']>> = { create: 'created', update: 'updated', delete: 'deleted' };

const recordedResources: readonly string[] = ['endpoints', 'endpointslices', 'services'];

function combineActions(previousAction: RecordedWrite['action'] | undefined, nextAction: RecordedWrite['action']): RecordedWrite['action'] {
  if (previousAction === 'created' && nextAction === 'updated') return 'created';
  return previousAction === 'deleted' && nextAction === 'created' ? 'updated' : nextAction;
}

/** Reports writes, one per line, sorted by namespace, name and resource. `planned` marks a dry run, in which nothing was written. */
export function reportWrites(writes: readonly RecordedWrite[], { planned }: { readonly planned: boolean }): Report {
  const sortedWrites = writes.toSorted(
    (a, b) => compareByName(withDisplayName(a), withDisplayName(b)) || compareText(a.resource, b.resource),
  );
  return {
    hasFindings: false,
    text: (style) => [
      ...(sortedWrites.length > 0
        ? formatTable(
            headingsOf(sortedWrites),
            sortedWrites.map((write) => rowOf(write, planned)),
            { ...style, width: undefined },
          )
        : []),
      ...(sortedWrites.length > 0 ? [''] : []),
      formatSummary(sortedWrites, planned),
    ],
    data: () => ({ ...(planned && { dryRun: true }), items: sortedWrites }),
  };
}

/** Returns the object's metadata. If the name is missing, sets it to the generateName followed by "*". */
const withDisplayName = ({ object: { metadata } }: Pick<RecordedWrite, 'object'>): { readonly metadata: ApiObjectMeta } => ({
  metadata: { ...metadata, name: metadata.name || `${metadata.generateName ?? ''}*` },
});

function headingsOf(writes: readonly RecordedWrite[]): readonly string[] {
  const serviceCount = writes.filter(({ resource }) => resource === 'services').length;
  const lastHeading = [...(serviceCount < writes.length ? ['ENDPOINTS'] : []), ...(serviceCount > 0 ? ['LOAD BALANCER'] : [])].join(', ');
  return ['NAMESPACE', 'OBJECT', 'ACTION', lastHeading];
}

function rowOf({ action, resource, object, note }: RecordedWrite, planned: boolean): Cell[] {
  const text = note ?? (planned && resource === 'services' ? '' : formatters[resource]?.(object)) ?? '';
  return [
    cell(namespaceOf(object)),
    cell(`${resource}/${nameOf(withDisplayName({ object }))}`),
    cell(planned ? `${action} (dry run)` : action, colours[action]),
    cell(action === 'deleted' ? '' : text),
  ];
}

const formatters: Readonly<Record<string, (object: object) => string>> = {
  endpoints: (object) => formatEndpoints(object as EndpointsInput),
  endpointslices: (object) => formatSliceEndpoints(object as EndpointSliceInput),
  services: formatBalancer,
};

/** Formats the status of a Service as "load balancer at 10.0.0.1", or "no load balancer". */
function formatBalancer({ status }: BalancedService): string {
  const addresses = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip || hostname || []);
  return addresses.length > 0 ? `load balancer at ${addresses.join(', ')}` : 'no load balancer';
}

const colours = { created: 'green', updated: 'yellow', deleted: 'red' } as const;

function formatSummary(writes: readonly RecordedWrite[], planned: boolean): string {
  const countWrites = (action: RecordedWrite['action']): number => writes.filter((write) => write.action === action).length;
  const counts = `${countWrites('created')} created, ${countWrites('updated')} updated, ${countWrites('deleted')} deleted`;
  return planned ? `Dry run, nothing was written; planned: ${counts}.` : `${counts}.`;
}
