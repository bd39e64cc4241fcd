import { ApiError, type ApiObject, type Resource } from 'kube-endpoints/port';
import { type TestedKind, versionOf } from './kinds.ts';
import type { Random } from './random.ts';
import type { Records, Span } from './record.ts';
import type { Subject } from './subject.ts';

/** A server and the state that all random clients share. */
export interface RunContext {
  readonly subject: Subject;
  /** The resources under test. */
  readonly kinds: readonly TestedKind[];
  readonly records: Records;
  /** The versions that clients have received, in ascending order. */
  readonly versions: number[];
  /** Returns a unique value, by which a write can be recognized. */
  mark(): string;
  /** Adds a received version to `versions`. */
  noteVersion(version: number): void;
  /** The newest version that is known to exist. */
  newestVersion(): number;
  /** Makes a call and returns its value or its ApiError, with the versions before and after. @throws errors other than ApiError */
  call<T>(run: () => Promise<T>): Promise<CallResult<T>>;
  /** Yields to other clients a random number of times. */
  yieldRandomly(random: Random): Promise<void>;
  /** Caches a received object. */
  cache(resource: Resource, object: ApiObject): void;
  /** Picks one of the last cached objects, which may be outdated; undefined if no object is cached. */
  pickCached(resource: Resource, random: Random): ApiObject | undefined;
}

export type CallResult<T> = { readonly span: Span } & (
  | { readonly value: T; readonly failure?: undefined }
  | { readonly value?: undefined; readonly failure: ApiError }
);

/** The number of objects cached per resource. */
const maxCachedObjects = 12;

export function createRunContext(subject: Subject, kinds: readonly TestedKind[], records: Records, firstVersion: number): RunContext {
  const versions = [firstVersion];
  const cachedObjects = new Map<string, ApiObject[]>();
  let markCount = 0;
  const noteVersion = (version: number): void => {
    if (version > (versions.at(-1) as number)) versions.push(version);
  };
  const newestVersion = (): number => subject.revision?.() ?? (versions.at(-1) as number);
  return {
    subject,
    kinds,
    records,
    versions,
    mark() {
      markCount += 1;
      return String(markCount);
    },
    noteVersion,
    newestVersion,
    async call(run) {
      const low = newestVersion();
      const high = (): number => subject.revision?.() ?? Number.POSITIVE_INFINITY;
      try {
        const value = await run();
        return { value, span: { low, high: high() } };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { failure: error, span: { low, high: high() } };
      }
    },
    async yieldRandomly(random) {
      if (random.chance(0.1)) await new Promise((resolve) => setImmediate(resolve));
      for (let turns = random.below(6); turns > 0; turns--) await undefined;
    },
    cache(resource, object) {
      const objects = cachedObjects.get(resource.plural) ?? [];
      objects.push(object);
      if (objects.length > maxCachedObjects) objects.shift();
      cachedObjects.set(resource.plural, objects);
      noteVersion(versionOf(object));
    },
    pickCached: (resource, random) => {
      const objects = cachedObjects.get(resource.plural) ?? [];
      return objects.length > 0 ? random.pick(objects) : undefined;
    },
  };
}
