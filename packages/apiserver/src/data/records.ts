import type { Resource } from 'kube-endpoints/port';
import type { SavedWrite } from '../store/index.ts';
import { parseExactly, stringifyExactly } from '../store/index.ts';

/** One line of a payload, which is a JSON object. */
export type SavedRecord =
  | SavedWrite
  /** The compacted revision of the store. */
  | { readonly compacted: number }
  /** The last record of a snapshot. */
  | { readonly end: SnapshotEnd };

export interface SnapshotEnd {
  readonly revision: number;
  readonly compacted: number;
  /** Number of objects. */
  readonly count: number;
}

/** Creates a function that encodes a write as a line without line break. Caches the text of each resource. */
export function createWriteEncoder(): (write: SavedWrite) => string {
  const textByResource = new WeakMap<Resource, string>();
  const encodeResource = (resource: Resource): string => {
    const { group, version, plural, kind, namespaced } = resource;
    const text = textByResource.get(resource) ?? JSON.stringify({ group, version, plural, kind, namespaced });
    textByResource.set(resource, text);
    return text;
  };
  return ({ resource, key, revision, object }) => {
    const fields = `{"resource":${encodeResource(resource)},"key":${JSON.stringify(key)},"revision":${revision}`;
    return object ? `${fields},"object":${stringifyExactly(object)}}` : `${fields}}`;
  };
}

/** Creates a function that decodes a line. Equal resources are decoded to the same instance. @throws Error if the line is not a record */
export function createRecordDecoder(): (line: string) => SavedRecord {
  const resources = new Map<string, Resource>();
  const intern = (resource: Resource): Resource => {
    const id = `${resource.plural}.${resource.group}/${resource.version}`;
    const existing = resources.get(id) ?? resource;
    resources.set(id, existing);
    return existing;
  };
  return (line) => {
    const record = parseExactly(line) as SavedRecord;
    return 'resource' in record ? { ...record, resource: intern(record.resource) } : record;
  };
}
