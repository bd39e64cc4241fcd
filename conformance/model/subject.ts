import type { ApiObject, ClientPort, ObjectKey, Resource } from 'kube-endpoints/port';

/** An empty server under test with the namespaces "one" and "two". Operations that it does not support are absent. */
export interface Subject {
  readonly port: ClientPort;
  /** The newest version. */
  revision?(): number;
  /** The compacted version. */
  compacted?(): number;
  /** Compacts up to a version. */
  compact?(revision: number): void;
  /** Ends all watches. */
  dropWatches?(): void;
  /** Lets milliseconds pass for it. */
  passTime?(milliseconds: number): void;
  /** Sets annotations on existing objects in one transaction, or fails without a change. Returns the result of each edit. */
  transaction?(edits: readonly Edit[], fails: boolean): readonly (ApiObject | undefined)[];
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

/** Creates a server for each seed. */
export type MakeSubject = (draw: (bound: number) => number) => Promise<Subject> | Subject;
