import { createRequirementsMatcher, parseLabelSelector } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';

/** The selection of a list or watch. */
export interface Scope {
  readonly namespace?: string;
  readonly labelSelector?: string;
}

/** An expected watch event: "MODIFIED ns/a@7 x=1". */
export interface ExpectedEvent {
  readonly revision: number;
  readonly text: string;
}

/** A reference model that keeps every revision, without compaction or optimizations. */
export interface Model {
  readonly revision: number;
  has(namespace: string, name: string): boolean;
  put(namespace: string, name: string, labels: Readonly<Record<string, string>>): void;
  remove(namespace: string, name: string): void;
  /** The selected objects at a revision as text, sorted by key. */
  stateAt(revision: number, scope: Scope): string[];
  /** The events after a revision for a selection. */
  eventsAfter(revision: number, scope: Scope): ExpectedEvent[];
}

type State = ReadonlyMap<string, ApiObject>;

export function createModel(first: number): Model {
  const statesByRevision = new Map<number, State>([[first, new Map()]]);
  let revision = first;
  const readState = (atRevision: number): State => statesByRevision.get(atRevision) as State;
  const commit = (change: (next: Map<string, ApiObject>) => void): void => {
    const next = new Map(readState(revision));
    revision += 1;
    change(next);
    statesByRevision.set(revision, next);
  };
  const selectedAt = (atRevision: number, scope: Scope): Map<string, ApiObject> =>
    new Map([...readState(atRevision)].filter(([, object]) => isInScope(scope, object)));
  return {
    get revision() {
      return revision;
    },
    has: (namespace, name) => readState(revision).has(`${namespace}/${name}`),
    put: (namespace, name, labels) =>
      commit((next) => next.set(`${namespace}/${name}`, { metadata: { namespace, name, labels, resourceVersion: String(revision) } })),
    remove: (namespace, name) => commit((next) => next.delete(`${namespace}/${name}`)),
    stateAt: (atRevision, scope) =>
      [...selectedAt(atRevision, scope)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => formatObject(object)),
    eventsAfter(from, scope) {
      const events: ExpectedEvent[] = [];
      for (let atRevision = from + 1; atRevision <= revision; atRevision++) {
        const [before, after] = [selectedAt(atRevision - 1, scope), selectedAt(atRevision, scope)];
        for (const [key, object] of after) {
          const old = before.get(key);
          if (old !== object) events.push({ revision: atRevision, text: `${old ? 'MODIFIED' : 'ADDED'} ${formatObject(object)}` });
        }
        for (const [key, { metadata }] of before) {
          if (!after.has(key))
            events.push({
              revision: atRevision,
              text: `DELETED ${formatObject({ metadata: { ...metadata, resourceVersion: String(atRevision) } })}`,
            });
        }
      }
      return events;
    },
  };
}

/** The parts of an object that writes can change: "ns/a@7 x=1". */
export function formatObject({ metadata: { namespace, name, resourceVersion, labels = {} } }: ApiObject): string {
  const pairs = Object.entries(labels).map(([key, value]) => ` ${key}=${value}`);
  return `${namespace}/${name}@${resourceVersion}${pairs.sort().join('')}`;
}

function isInScope({ namespace, labelSelector = '' }: Scope, { metadata }: ApiObject): boolean {
  const { requirements = [] } = { requirements: undefined, ...parseLabelSelector(labelSelector) };
  return (namespace === undefined || metadata.namespace === namespace) && createRequirementsMatcher(requirements)(metadata.labels ?? {});
}
