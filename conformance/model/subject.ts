import type { ApiObject, ClientPort, ObjectKey, Resource } from 'kube-endpoints/port';

/** The server under test. At first it has only the namespaces "one" and "two". Operations that the server does not support are absent. */
export interface Subject {
  readonly port: ClientPort;
  /** The newest resourceVersion. */
  revision?(): number;
  /** The compacted version. */
  compacted?(): number;
  /** Compacts up to a version. */
  compact?(revision: number): void;
  /** Ends all watches. */
  dropWatches?(): void;
  /** Advances the server's clock. */
  passTime?(milliseconds: number): void;
  /** Sets annotations on existing objects in one transaction, or changes nothing if `mustFail` is true. Returns the result of each edit. */
  transaction?(edits: readonly Edit[], mustFail: boolean): readonly (ApiObject | undefined)[];
  /** Waits until all messages have arrived. */
  settle(): Promise<void>;
  close?(): Promise<void> | void;
}

export interface Edit {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly annotation: string;
  readonly value: string;
}

/** Creates a server. `draw` returns a random integer below its bound. */
export type SubjectFactory = (draw: (bound: number) => number) => Promise<Subject> | Subject;
