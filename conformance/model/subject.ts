import type { ApiObject, ClientPort, ObjectKey, Resource } from 'kube-endpoints/port';

/** A server under test with the namespaces "one" and "two", and nothing in them. What nobody can do over its face is left out. */
export interface Subject {
  readonly port: ClientPort;
  /** The newest version there is. */
  revision?(): number;
  /** Up to where it has forgotten. */
  compacted?(): number;
  /** Makes it forget what happened up to a version. */
  compact?(revision: number): void;
  /** Ends all watches. */
  dropWatches?(): void;
  /** Lets so many milliseconds pass for it. */
  passTime?(milliseconds: number): void;
  /** Sets annotations on objects in one go, where they are there; or fails, and then sets none. What came of each edit. */
  transaction?(edits: readonly Edit[], fails: boolean): readonly (ApiObject | undefined)[];
  /** Lets what was sent arrive. */
  settle(): Promise<void>;
  close?(): Promise<void> | void;
}

export interface Edit {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly annotation: string;
  readonly value: string;
}

/** Makes a server anew for each seed. */
export type MakeSubject = (draw: (bound: number) => number) => Promise<Subject> | Subject;
