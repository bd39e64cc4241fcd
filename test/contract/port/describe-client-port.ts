import { describe } from 'vitest';
import type { ClientPort, Resource } from '../../../src/port/index.ts';
import { describeDeletes } from './deletes.ts';
import { describeLists } from './lists.ts';
import { describeWatches } from './watches.ts';
import { describeWrites } from './writes.ts';

/** A port with an empty namespace to play in. */
export interface PortUnderTest {
  readonly port: ClientPort;
  readonly namespace: string;
  /** Makes the server forget all that happened up to now; absent where nobody can. */
  compact?(): Promise<void> | void;
  /** Lets so many milliseconds pass for the server; absent where its time is that of the machine. */
  passTime?(milliseconds: number): Promise<void> | void;
  close?(): Promise<void> | void;
}

export type MakePort = () => Promise<PortUnderTest> | PortUnderTest;

/** A resource without rules of its own that every server has. */
export const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

/** What every implementation of the port has to do. A port is made anew for each test. */
export function describeClientPort(name: string, make: MakePort): void {
  describe(`the client port ${name}`, () => {
    describeWrites(make);
    describeDeletes(make);
    describeLists(make);
    describeWatches(make);
  });
}
