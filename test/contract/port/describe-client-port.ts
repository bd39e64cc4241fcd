import { describe } from 'vitest';
import type { ClientPort, Resource } from '../../../src/port/index.ts';
import { describeDeletes } from './deletes.ts';
import { describeLists } from './lists.ts';
import { describeWatches } from './watches.ts';
import { describeWrites } from './writes.ts';

/** A port with an empty namespace for the test. */
export interface PortUnderTest {
  readonly port: ClientPort;
  readonly namespace: string;
  /** Compacts the history of the server. Absent if the server has no such function. */
  compact?(): Promise<void> | void;
  /** Advances the time of the server. Absent if the server uses the system clock. */
  passTime?(milliseconds: number): Promise<void> | void;
  close?(): Promise<void> | void;
}

export type MakePort = () => Promise<PortUnderTest> | PortUnderTest;

/** A resource without special rules that every server has. */
export const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

/** The behaviour that every implementation of the port must have. Each test gets a new port. */
export function describeClientPort(name: string, make: MakePort): void {
  describe(`the client port ${name}`, () => {
    describeWrites(make);
    describeDeletes(make);
    describeLists(make);
    describeWatches(make);
  });
}
