import { ApiError, type ApiObject, type Resource } from 'kube-endpoints/port';
import { type PlayKind, versionOf } from './kinds.ts';
import type { Random } from './random.ts';
import type { Records, Span } from './record.ts';
import type { Subject } from './subject.ts';

/** A server, and the state shared by all random clients. */
export interface World {
  readonly subject: Subject;
  /** The resources under test. */
  readonly kinds: readonly PlayKind[];
  readonly records: Records;
  /** Versions that any client has seen, in that order. */
  readonly versions: number[];
  /** A unique value per write. */
  mark(): string;
  saw(version: number): void;
  /** A version that certainly exists; the newest known. */
  now(): number;
  /** Makes a call and returns it with the versions before and after; a failure is a result as well. */
  call<T>(act: () => Promise<T>): Promise<Called<T>>;
  /** Yields to other clients, or not. */
  yieldRandomly(random: Random): Promise<void>;
  /** The last known state of an object. */
  remember(resource: Resource, object: ApiObject): void;
  recall(resource: Resource, random: Random): ApiObject | undefined;
}

export type Called<T> = { readonly span: Span } & (
  | { readonly value: T; readonly failure?: undefined }
  | { readonly value?: undefined; readonly failure: ApiError }
);

export function createWorld(subject: Subject, kinds: readonly PlayKind[], records: Records, first: number): World {
  const versions = [first];
  const seen = new Map<string, ApiObject[]>();
  let marks = 0;
  const saw = (version: number): void => {
    if (version > (versions.at(-1) as number)) versions.push(version);
  };
  const now = (): number => subject.revision?.() ?? (versions.at(-1) as number);
  return {
    subject,
    kinds,
    records,
    versions,
    mark() {
      marks += 1;
      return String(marks);
    },
    saw,
    now,
    async call(act) {
      const low = now();
      const high = (): number => subject.revision?.() ?? Number.POSITIVE_INFINITY;
      try {
        const value = await act();
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
    remember(resource, object) {
      const known = seen.get(resource.plural) ?? [];
      known.push(object);
      if (known.length > 12) known.shift();
      seen.set(resource.plural, known);
      saw(versionOf(object));
    },
    recall: (resource, random) => {
      const known = seen.get(resource.plural) ?? [];
      return known.length > 0 ? random.pick(known) : undefined;
    },
  };
}
