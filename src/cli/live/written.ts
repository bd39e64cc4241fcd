import { compareText } from '../../core/index.ts';
import type { ApiObject, ApiObjectMeta, ClientPort, Resource } from '../../port/index.ts';
import type { Happening } from '../../runtime/happening.ts';
import type { EndpointSliceInput, EndpointsInput } from '../../types/index.ts';
import { formatEndpoints } from '../print/endpoints.ts';
import { formatSliceEndpoints } from '../print/slices.ts';
import { type Cell, cell, formatTable } from '../print/table.ts';
import type { Report } from '../report.ts';
import { byKey, nameOf, namespaceOf } from '../scope.ts';

/** What became of an object. */
export interface Written {
  readonly action: 'created' | 'updated' | 'deleted';
  readonly resource: string;
  readonly object: ApiObject;
}

/** Remembers what was written through a port, as it is in the end: what was made and is gone again is not in it. */
export interface WriteRecord {
  readonly port: ClientPort;
  written(): readonly Written[];
}

/** Events and Leases are not remembered. */
export function recordWrites(port: ClientPort): WriteRecord {
  const written = new Map<string, Written>();
  const note = (action: Written['action'], { plural }: Resource, object: ApiObject): void => {
    if (!remembered.includes(plural)) return;
    const key = `${plural} ${object.metadata.namespace}/${object.metadata.name}`;
    const before = written.get(key)?.action;
    if (action === 'deleted' && before === 'created') written.delete(key);
    else written.set(key, { action: combined(before, action), resource: plural, object });
  };
  return {
    port: {
      get: (...given) => port.get(...given),
      list: (...given) => port.list(...given),
      watch: (...given) => port.watch(...given),
      patch: (...given) => port.patch(...given),
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
      async delete(resource, key, options) {
        const answer = await port.delete(resource, key, options);
        note('deleted', resource, { ...answer, metadata: { ...answer.metadata, ...key } });
        return answer;
      },
    },
    written: () => [...written.values()],
  };
}

/** What a plan would write. */
export function plannedBy(happening: Extract<Happening, { kind: 'planned' }>): readonly Written[] {
  const [namespace = '', name = ''] = happening.key.split('/');
  if (happening.controller === 'endpoints') {
    const action = actions[happening.action];
    const object = { metadata: { namespace, name }, ...happening.object } as ApiObject;
    return action ? [{ action, resource: 'endpoints', object }] : [];
  }
  const { create, update, delete: gone } = happening.plan;
  const all = (action: Written['action'], objects: readonly object[]): Written[] =>
    objects.map((object) => ({ action, resource: 'endpointslices', object: object as ApiObject }));
  return [...all('created', create), ...all('updated', update), ...all('deleted', gone)];
}

const actions: Readonly<Record<string, Written['action']>> = { create: 'created', update: 'updated', delete: 'deleted' };

const remembered: readonly string[] = ['endpoints', 'endpointslices'];

function combined(before: Written['action'] | undefined, now: Written['action']): Written['action'] {
  if (before === 'created' && now === 'updated') return 'created';
  return before === 'deleted' && now === 'created' ? 'updated' : now;
}

/** What was written, an object a line, by namespace and name; `planned` where nothing was, because it was a dry run. */
export function reportWritten(all: readonly Written[], { planned }: { readonly planned: boolean }): Report {
  const sorted = all.toSorted((a, b) => byKey(named(a), named(b)) || compareText(a.resource, b.resource));
  return {
    found: false,
    text: (style) => [
      ...(sorted.length > 0
        ? formatTable(
            headings,
            sorted.map((one) => rowOf(one, planned)),
            { ...style, width: undefined },
          )
        : []),
      ...(sorted.length > 0 ? [''] : []),
      summary(sorted, planned),
    ],
    data: () => ({ items: sorted }),
  };
}

/** By the name that it has, or what its name will begin with. */
const named = ({ object: { metadata } }: Pick<Written, 'object'>): { readonly metadata: ApiObjectMeta } => ({
  metadata: { ...metadata, name: metadata.name || `${metadata.generateName ?? ''}*` },
});

const headings = ['NAMESPACE', 'OBJECT', 'ACTION', 'ENDPOINTS'];

function rowOf({ action, resource, object }: Written, planned: boolean): Cell[] {
  const text = resource === 'endpoints' ? formatEndpoints(object as EndpointsInput) : formatSliceEndpoints(object as EndpointSliceInput);
  return [
    cell(namespaceOf(object)),
    cell(`${resource}/${nameOf(named({ object }))}`),
    cell(planned ? `${action} (dry run)` : action, colours[action]),
    cell(action === 'deleted' ? '' : text),
  ];
}

const colours = { created: 'green', updated: 'yellow', deleted: 'red' } as const;

function summary(all: readonly Written[], planned: boolean): string {
  const count = (action: Written['action']): number => all.filter((one) => one.action === action).length;
  const counts = `${count('created')} created, ${count('updated')} updated, ${count('deleted')} deleted`;
  return planned ? `Nothing is written in a dry run; else: ${counts}.` : `${counts}.`;
}
